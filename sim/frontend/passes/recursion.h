// Device functions that call themselves, or one another in a circle.
#pragma once

namespace llvm {
class Module;
}

namespace lanescope {

/// Makes a copy of such functions for each depth, as deep as their size allows, so that all of them can
/// be inlined; where that is not deep, since they call themselves more than once, a loop over frames on a stack.
/// What goes deeper stays a call, which says so when it is reached.
void unfold_recursion(llvm::Module& module);

}  // namespace lanescope

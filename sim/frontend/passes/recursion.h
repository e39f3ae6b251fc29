// Device functions that call themselves.
#pragma once

namespace llvm {
class Module;
}

namespace lanescope {

/// Makes a copy of such a function for each depth, as deep as its size allows, so that all of them can
/// be inlined. What goes deeper stays a call, which says so when it is reached.
void unfold_recursion(llvm::Module& module);

}  // namespace lanescope

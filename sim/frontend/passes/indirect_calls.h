// Function pointers and virtual calls of device code.
#pragma once

namespace llvm {
class Module;
}

namespace lanescope {

/// Makes direct calls of calls through pointers, and numbers of functions' addresses. Pointers that lead to
/// no function of the module are still called as they are.
void resolve_indirect_calls(llvm::Module& module);

}  // namespace lanescope

// Recursion as a loop over frames on a stack, in the thread's local memory.
#pragma once

#include <vector>

namespace llvm {
class Function;
}

namespace lanescope {

/// Gives each of the functions, which call one another in a circle, a body that runs all of their bodies on a stack of its
/// own, where they can be put so; false, with nothing done, where not. What does not fit the stack stays a call, which
/// says so when it is reached.
bool put_on_stack(const std::vector<llvm::Function*>& group);

}  // namespace lanescope

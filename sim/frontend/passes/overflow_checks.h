// Arithmetic that says whether it overflowed: `new T[n]`, __builtin_mul_overflow and the like.
#pragma once

namespace llvm {
class Function;
}

namespace lanescope {

/// Makes plain arithmetic and comparisons of LLVM's `…with.overflow` intrinsics.
void expand_overflow_checks(llvm::Function& function);

}  // namespace lanescope

// Inline PTX: asm statements become what they compute, in LLVM IR.
#pragma once

namespace llvm {
class Module;
}

namespace lanescope {

/// Each asm statement is replaced by the operations of its instructions, at its place in the text:
/// registers are variables, arithmetic is a call of the prelude's functions (prelude/ptx/lanescope_ptx.h),
/// which are linked in, memory is accessed by loads, stores and atomics, labels are blocks. What is not
/// known becomes a call of lanescope_inline_ptx with the instruction's text: it is told when it is
/// executed. To be called before anything is inlined.
void expand_inline_ptx(llvm::Module& module);

}  // namespace lanescope

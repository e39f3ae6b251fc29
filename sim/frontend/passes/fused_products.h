// A product that is added becomes one operation that rounds once, as the GPU's compilers make it unless
// they are told not to (-fmad=false): the last digits of most sums of products depend on it.
#pragma once

namespace llvm {
class Function;
}

namespace lanescope {

/// Turns fadd and fsub with a product among their operands into llvm.fma where both may be contracted, as
/// an H200 was read to do: a product goes into sums if it is used for nothing else; of two such the first
/// does, in a sum whose operands stand in LLVM's order.
void fuse_products(llvm::Function& function);

}  // namespace lanescope

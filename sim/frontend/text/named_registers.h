// CUDA's compilers take `asm("mov.u32 %0, %smid;")`; to Clang a % that is to stay one is %%, as in GCC's assembly.
#pragma once

#include <string>

namespace lanescope {

/// The text with the % of each register that inline PTX names, `%laneid` or `%globaltimer`, written twice; line for
/// line as it was, though longer. Operands (`%0`, `%[name]`, `%c0`) stay as they are.
std::string with_named_registers(std::string text);

}  // namespace lanescope

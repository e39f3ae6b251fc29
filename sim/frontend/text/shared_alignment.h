// CUDA's compilers take `__shared__ alignas(128) char s[1]`; Clang wants what C++ has before what it has itself.
#pragma once

#include <string>

namespace lanescope {

/// The text with each `alignas(…)` behind a `__shared__` put in front of it; as long as it was, and line for line.
std::string with_alignment_first(std::string text);

}  // namespace lanescope

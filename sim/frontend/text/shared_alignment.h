// `__shared__ alignas(16) float a[4];` is CUDA as nvcc reads it; to Clang, for which `__shared__` is a GNU
// attribute, `alignas` comes too late there.
#pragma once

#include <string>
#include <string_view>

namespace lanescope {

/// Whether a text may have such a declaration.
bool may_align_shared(std::string_view text);

/// `alignas(…)` behind `__shared__` moved in front of the declaration: the same characters in another
/// order, so that all that follows keeps its line and column.
std::string with_alignment_first(std::string text);

}  // namespace lanescope

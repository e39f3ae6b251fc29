// Launches in device code: Clang takes `<<<>>>` for host code's alone, so that they become calls of what
// prelude/device/lanescope_nested.h has.
#pragma once

#include <string>

namespace lanescope {

/// The text with each `kernel<<<grid, block>>>(…)` inside a `__global__` or `__device__` function as
/// `lanescope_nested<kernel>(grid, block)(…)`; line for line as it was. Texts without one come back as they are.
std::string with_nested_launches(std::string text);

}  // namespace lanescope

// Launches as some editors format them, for Clang.
#pragma once

#include <string>

namespace lanescope {

/// The text with `k << <grid, block >> >(...)`, which nvcc takes for a launch, as `k <<< grid, block >>> (...)`: as
/// long, nothing else moves.
std::string with_joined_launches(std::string text);

}  // namespace lanescope

// Grids that device code asks for: the queue that prelude/device/lanescope_nested.h has in a text's variables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lanescope/types.h"

namespace lanescope::app {

struct NestedLaunch {
  /// What device code has for the kernel; lanescope/device_code.h
  std::uint64_t kernel = 0;
  Dim3 grid, block;
  std::size_t dynamic_shared_bytes = 0;
  /// Of the launch in its text
  std::uint32_t line = 0;
  /// The parameters' values, in order
  std::vector<std::vector<std::byte>> arguments;
};

/// The name of the variable that is the queue.
inline constexpr std::string_view kNestedQueue = "lanescope_nested_queue";

struct NestedLaunches {
  /// In the order in which the queue was filled
  std::vector<NestedLaunch> launches;
  /// How many found no room in it
  std::uint64_t lost = 0;
};

/// What the variable of these bytes holds; it is empty then.
NestedLaunches take_nested_launches(std::byte* queue);

}  // namespace lanescope::app

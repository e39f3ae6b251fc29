// Shared memory as it is drawn where no lanes touch it: lines of 128 bytes, each of eight chunks of 16. Pure.
#pragma once

#include <array>
#include <cstdint>

namespace lanescope::app {

struct ChunkLine {
  static constexpr std::uint32_t kBytes = 128, kChunk = 16;
  /// Of shared memory: offset ÷ 128
  std::uint32_t number = 0;
  /// The number of the chunk that lies there, as its owner counts them; −1 for none
  std::array<int, kBytes / kChunk> chunk{-1, -1, -1, -1, -1, -1, -1, -1};
};

}  // namespace lanescope::app

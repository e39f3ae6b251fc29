#include "lanescope/occupancy.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

const DevicePreset& device(const char* name) { return *find_device(name); }

TEST(Occupancy, ThreadsBlocksOrSharedMemoryEndsIt) {
  const Occupancy threads = occupancy(device("H200"), {32, 32, 1}, 4224);
  EXPECT_EQ(threads.blocks, 2u);
  EXPECT_EQ(threads.warps, 64u);
  EXPECT_EQ(threads.limit, OccupancyLimit::threads);
  EXPECT_DOUBLE_EQ(threads.ratio(), 1.0);

  const Occupancy blocks = occupancy(device("H200"), {8, 4, 1}, 144);
  EXPECT_EQ(blocks.blocks, 32u);
  EXPECT_EQ(blocks.limit, OccupancyLimit::blocks);
  EXPECT_DOUBLE_EQ(blocks.ratio(), 0.5);

  // 64 x 65 floats and the system's 1 KiB: 17,664 bytes of 233,472.
  const Occupancy shared = occupancy(device("H200"), {32, 1, 1}, 16640);
  EXPECT_EQ(shared.blocks, 13u);
  EXPECT_EQ(shared.limit, OccupancyLimit::shared);
}

TEST(Occupancy, APartialWarpIsAWarp) {
  EXPECT_EQ(occupancy(device("H200"), {33, 1, 1}, 0).warps, 64u);
  EXPECT_EQ(occupancy(device("T4"), {1000, 1, 1}, 0).blocks, 1u);
}

TEST(Occupancy, TheLargestBlockThatFitsIsResidentOnce) {
  for (const DevicePreset& preset : device_presets()) {
    EXPECT_EQ(occupancy(preset, {32, 1, 1}, preset.optin_shared_bytes).blocks, 1u) << preset.name;
    EXPECT_EQ(occupancy(preset, {32, 1, 1}, 0).blocks, preset.max_blocks_per_sm) << preset.name;
  }
}

}  // namespace
}  // namespace lanescope

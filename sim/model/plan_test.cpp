// The plans that are drawn: what is where, not only how much.
#include <gtest/gtest.h>

#include "lanescope/banks.h"
#include "lanescope/sectors.h"

namespace lanescope {
namespace {

LaneRow affine(std::uint64_t base, std::uint64_t stride) {
  LaneRow row;
  for (std::size_t lane = 0; lane < kLanes; ++lane) row[lane] = base + lane * stride;
  return row;
}

TEST(BankPlan, AColumnOfAnUnpaddedTileQueuesInOneBank) {
  const BankPlan plan = plan_banks(affine(4 * 5, 4 * 32), kAllLanes, 4, true);
  EXPECT_EQ(plan.ways, 32);
  EXPECT_EQ(plan.worst_bank, 5);
  ASSERT_EQ(plan.wavefronts.size(), 32u);
  for (std::size_t turn = 0; turn < 32; ++turn) {
    ASSERT_EQ(plan.wavefronts[turn].words.size(), 1u);
    EXPECT_EQ(plan.wavefronts[turn].words[0].lanes, 1u << turn);
    EXPECT_EQ(plan.wavefronts[turn].words[0].word, 5 + 32 * turn);
  }
}

TEST(BankPlan, PaddingByOneServesItInOneWavefront) {
  const BankPlan plan = plan_banks(affine(0, 4 * 33), kAllLanes, 4, true);
  EXPECT_EQ(plan.ways, 1);
  ASSERT_EQ(plan.wavefronts.size(), 1u);
  for (int bank = 0; bank < kBanks; ++bank)
    EXPECT_EQ(plan.wavefronts[0].words[static_cast<std::size_t>(bank)].bank, bank);
}

TEST(BankPlan, ABroadcastIsOneWordForAllLanes) {
  const BankPlan plan = plan_banks(affine(8, 0), kAllLanes, 4, true);
  ASSERT_EQ(plan.wavefronts.size(), 1u);
  ASSERT_EQ(plan.wavefronts[0].words.size(), 1u);
  EXPECT_EQ(plan.wavefronts[0].words[0].lanes, kAllLanes);
}

TEST(BankPlan, WideAccessesAreServedInGroups) {
  const BankPlan halves = plan_banks(affine(0, 8), kAllLanes, 8, false);
  EXPECT_EQ(halves.groups, (std::vector<LaneMask>{0x0000ffff, 0xffff0000}));
  EXPECT_EQ(halves.wavefronts[1].group, 1);
  EXPECT_EQ(halves.wavefronts[1].words.size(), 32u);
  const BankPlan quarters = plan_banks(affine(0, 16), 0x00ff00ff, 16, true);
  EXPECT_EQ(quarters.groups, (std::vector<LaneMask>{0x000000ff, 0x00ff0000}));
  EXPECT_EQ(quarters.cost.conflicts, 0u);
  const BankPlan merged = plan_banks(affine(0, 0), kAllLanes, 16, true);
  EXPECT_TRUE(merged.merged);
  EXPECT_EQ(merged.groups.size(), 2u);
  EXPECT_FALSE(plan_banks(affine(0, 0), kAllLanes, 16, false).merged);
}

TEST(BankPlan, MatricesAreGroupsOfEightRows) {
  const BankPlan one = plan_banks(affine(0, 128), kAllLanes, 16, Service::matrix1);
  EXPECT_EQ(one.groups, (std::vector<LaneMask>{0xff}));
  EXPECT_EQ(one.ways, 8);
  EXPECT_EQ(one.cost, (SharedCounts{1, 8, 1, 7}));
  ASSERT_EQ(one.wavefronts[3].words.size(), 4u);
  EXPECT_EQ(one.wavefronts[3].words[0].lanes, 1u << 3);
  const BankPlan padded = plan_banks(affine(0, 144), kAllLanes, 16, Service::matrix4);
  EXPECT_EQ(padded.cost, (SharedCounts{1, 4, 4, 0}));
  // Equal rows share their words, but matrices never merge.
  EXPECT_EQ(plan_banks(affine(0, 0), kAllLanes, 16, Service::matrix4).cost.wavefronts, 4u);
}

TEST(BankPlan, LanesOfAnAtomicDoNotShareAWord) {
  const BankPlan add = plan_banks(affine(64, 0), kAllLanes, 4, Service::atomic);
  EXPECT_EQ(add.cost, (SharedCounts{1, 32, 1, 31}));
  EXPECT_EQ(add.wavefronts[5].words[0].lanes, 1u << 5);
  EXPECT_EQ(plan_banks(affine(64, 0), kAllLanes, 4, Service::compare_exchange).cost,
            (SharedCounts{1, 64, 2, 31}));
  EXPECT_EQ(plan_banks(affine(64, 0), kAllLanes, 4, Service::exchange_loop).cost,
            (SharedCounts{1, 96, 96, 0}));
}

TEST(SectorPlan, ARowIsWhollyUsed) {
  const SectorPlan plan = plan_sectors(affine(0x1000, 4), kAllLanes, 4);
  ASSERT_EQ(plan.lines.size(), 1u);
  ASSERT_EQ(plan.lines[0].sectors.size(), 4u);
  EXPECT_EQ(plan.lines[0].sectors[1].lanes, 0xff00u);
  EXPECT_EQ(plan.lines[0].sectors[1].byte_mask, 0xffffffffu);
  EXPECT_EQ(plan.bytes_used, 128u);
  EXPECT_EQ(plan.bytes_moved, 128u);
  EXPECT_DOUBLE_EQ(plan.cost.efficiency(), 1.0);
}

TEST(SectorPlan, AColumnUsesAnEighthOfWhatItMoves) {
  const SectorPlan plan = plan_sectors(affine(0x1010, 4096), kAllLanes, 4);
  ASSERT_EQ(plan.lines.size(), 32u);
  EXPECT_EQ(plan.lines[3].sectors[0].byte_mask, 0x000f0000u);
  EXPECT_EQ(plan.bytes_used, 128u);
  EXPECT_EQ(plan.bytes_moved, 1024u);
  EXPECT_DOUBLE_EQ(plan.cost.efficiency(), 0.125);
}

TEST(SectorPlan, LanesOnOneElementUseItsBytesOnce) {
  const SectorPlan plan = plan_sectors(affine(0x1000, 0), kAllLanes, 16);
  ASSERT_EQ(plan.lines.size(), 1u);
  EXPECT_EQ(plan.lines[0].sectors[0].bytes_used, 16u);
  EXPECT_EQ(plan.cost.bytes_asked, 512u);
  EXPECT_DOUBLE_EQ(plan.cost.efficiency(), 16.0);
}

}  // namespace
}  // namespace lanescope

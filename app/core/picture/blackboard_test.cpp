#include "core/picture/blackboard.h"

#include <gtest/gtest.h>

namespace lanescope::app {
namespace {

Execution load(std::uint64_t stride) {
  static const AccessInfo access{.op = AccessOp::load, .bytes = 4};
  Execution execution{.access = &access, .mask = ~LaneMask{0}, .space = MemorySpace::shared};
  for (std::uint64_t lane = 0; lane < kLanes; ++lane)
    execution.address[lane] = 4096 + lane * stride;
  execution.banks = plan_banks(execution.address, execution.mask, 4, true);
  return execution;
}

TEST(Blackboard, ARowIsServedInTwoGroupsWithoutConflict) {
  const Execution toy = on_blackboard(load(4), 0);
  EXPECT_EQ(toy.mask, 0xffu);
  EXPECT_EQ(toy.banks->cost, (SharedCounts{1, 2, 2, 0}));
  EXPECT_EQ(toy.banks->groups, (std::vector<LaneMask>{0x0f, 0xf0}));
}

TEST(Blackboard, AColumnOfRowsOfFourMeetsInOneBank) {
  const Execution toy = on_blackboard(load(16), 1);
  EXPECT_EQ(toy.mask, 0xff00u) << "the second of the toy's warps";
  EXPECT_EQ(toy.banks->cost, (SharedCounts{1, 8, 2, 6}));
  EXPECT_EQ(toy.banks->ways, 4);
  EXPECT_EQ(toy.banks->worst_bank, 0);
}

TEST(Blackboard, PaddingByOneResolvesIt) {
  EXPECT_EQ(on_blackboard(load(20), 0).banks->cost, (SharedCounts{1, 2, 2, 0}));
}

TEST(Blackboard, LanesOnOneWordShareIt) {
  const Execution toy = on_blackboard(load(0), 0);
  EXPECT_EQ(toy.banks->cost, (SharedCounts{1, 2, 2, 0}));
  EXPECT_EQ(toy.banks->wavefronts.front().words.front().lanes, 0x0fu);
}

}  // namespace
}  // namespace lanescope::app

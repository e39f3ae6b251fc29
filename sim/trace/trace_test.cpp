#include "lanescope/trace.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(Lanes, ThreadsRunXFastestThenYThenZ) {
  EXPECT_EQ(thread_of({32, 8, 1}, 3, 5), (Dim3{5, 3, 0}));
  EXPECT_EQ(thread_of({16, 16, 1}, 1, 17), (Dim3{1, 3, 0}));
  EXPECT_EQ(thread_of({3, 5, 7}, 1, 0), (Dim3{2, 0, 2}));  // thread 32 = 2 + 0*3 + 2*15
}

TEST(Lanes, TheLastWarpMayBePartial) {
  EXPECT_EQ(warps_per_block({1, 1, 1}), 1u);
  EXPECT_EQ(warps_per_block({33, 1, 1}), 2u);
  EXPECT_EQ(warps_per_block({1024, 1, 1}), 32u);
  EXPECT_EQ(existing_lanes({33, 1, 1}, 0), kAllLanes);
  EXPECT_EQ(existing_lanes({33, 1, 1}, 1), 1u);
  EXPECT_EQ(existing_lanes({31, 1, 1}, 0), 0x7fffffffu);
  EXPECT_EQ(existing_lanes({32, 1, 1}, 1), 0u);
}

/// A block of two warps with one 4-byte store, one variable and a barrier to make steps of.
class Trace : public testing::Test {
 protected:
  enum Op : std::uint32_t { kStore, kAssign, kBarrier, kLoad };

  Trace() {
    kernel.accesses = {{.id = 0, .op = AccessOp::store, .bytes = 4},
                       {.id = 1, .op = AccessOp::load, .bytes = 4}};
    kernel.variables = {{.name = "x"}, {.name = "y"}};
    kernel.ops = {{.kind = StepKind::access, .access = 0},
                  {.kind = StepKind::assign, .variable = 1},
                  {.kind = StepKind::barrier},
                  {.kind = StepKind::access, .access = 1}};
    trace.warps.resize(2);
  }

  /// Lane l's value in the step's row is first + 4 l.
  void step(std::uint32_t warp, Op op, std::uint64_t first = 0, LaneMask mask = kAllLanes) {
    WarpTrack& track = trace.warps[warp];
    track.op.push_back(op);
    track.mask.push_back(mask);
    track.rows.push_back(op == kBarrier ? WarpTrack::kNoRows
                                        : static_cast<std::uint32_t>(trace.rows.size()));
    if (op == kBarrier) return;
    LaneRow row;
    for (std::size_t lane = 0; lane < kLanes; ++lane) row[lane] = first + 4 * lane;
    trace.rows.push_back(row);
  }

  KernelInfo kernel;
  BlockTrace trace;
};

TEST_F(Trace, VariablesMergeAssignmentsLaneByLane) {
  step(0, kAssign, 100, 0x0f);
  step(0, kAssign, 900, 0x02);
  const auto before_any = variables_at(kernel, trace, 0, 0);
  ASSERT_EQ(before_any.size(), 2u);
  EXPECT_EQ(before_any[1].known, 0u);
  const auto between = variables_at(kernel, trace, 0, 1);
  EXPECT_EQ(between[1].bits[1], 104u);
  const auto after = variables_at(kernel, trace, 0, 2);
  EXPECT_EQ(after[1].known, 0x0fu);
  EXPECT_EQ(after[1].bits[0], 100u);
  EXPECT_EQ(after[1].bits[1], 904u);
  EXPECT_EQ(after[0].known, 0u);
}

TEST_F(Trace, TheLastWriterIsOrderedByBarriersAndThenBySteps) {
  step(0, kStore, 1000);
  step(0, kBarrier);
  step(0, kLoad, 1000);
  step(1, kLoad, 0);
  step(1, kStore, 1000);
  step(1, kBarrier);
  step(1, kStore, 1000);
  int lane = -1;
  EXPECT_EQ(last_writer(kernel, trace, 1009, {0, 2}, &lane),
            (StepRef{1, 1}));  // later in the phase
  EXPECT_EQ(lane, 2);
  EXPECT_EQ(last_writer(kernel, trace, 1009, {1, 1}, &lane), (StepRef{0, 0}));
  EXPECT_EQ(last_writer(kernel, trace, 1009, {0, 0}, &lane), std::nullopt);
  EXPECT_EQ(last_writer(kernel, trace, 1128, {0, 2}, &lane), std::nullopt);  // past the last lane
  EXPECT_EQ(last_writer(kernel, trace, 999, {0, 2}, &lane), std::nullopt);
}

TEST_F(Trace, LanesThatWereOffWroteNothing) {
  step(0, kStore, 1000, 0xfffffffbu);
  step(0, kBarrier);
  step(0, kLoad, 1000);
  EXPECT_EQ(last_writer(kernel, trace, 1008, {0, 2}, nullptr), std::nullopt);
  EXPECT_EQ(last_writer(kernel, trace, 1012, {0, 2}, nullptr), (StepRef{0, 0}));
}

}  // namespace
}  // namespace lanescope

// A table of access patterns with what must be found in each, and the numbers against the plans.
#include "core/why/why.h"

#include <gtest/gtest.h>

#include <functional>

#include "lanescope/memory.h"

namespace lanescope::app {
namespace {

using Kind = LanePattern::Kind;
constexpr std::uint64_t kWord = 4;

LaneRow row_of(const std::function<std::uint64_t(std::uint64_t)>& byte,
               std::uint64_t base = kSharedWindow) {
  LaneRow row;
  for (std::size_t lane = 0; lane < kLanes; ++lane) row[lane] = base + byte(lane);
  return row;
}

struct SharedCase {
  const char* name;
  std::function<std::uint64_t(std::uint64_t)> byte;  // of a lane
  std::uint32_t bytes = 4;
  LaneMask mask = kAllLanes;
  bool load = true;
  // What must be found.
  SharedCause cause = SharedCause::free;
  Kind kind = Kind::stride;
  std::int64_t stride_words = 0;
  int divisor = 0;
  int ways = 1;
  std::uint64_t wavefronts = 1;
};

const std::vector<SharedCase>& shared_cases() {
  using enum SharedCause;
  static const std::vector<SharedCase> cases = {
      {"row", [](auto l) { return kWord * l; }, 4, kAllLanes, true, free, Kind::stride, 1, 1, 1, 1},
      {"backwards", [](auto l) { return kWord * (31 - l); }, 4, kAllLanes, true, free, Kind::stride,
       -1, 1, 1, 1},
      {"stride 2", [](auto l) { return kWord * 2 * l; }, 4, kAllLanes, true, stride, Kind::stride,
       2, 2, 2, 2},
      {"stride 6", [](auto l) { return kWord * 6 * l; }, 4, kAllLanes, true, stride, Kind::stride,
       6, 2, 2, 2},
      {"column", [](auto l) { return kWord * 32 * l; }, 4, kAllLanes, false, stride, Kind::stride,
       32, 32, 32, 32},
      {"half a column", [](auto l) { return kWord * 32 * l; }, 4, 0x0000ffff, true, stride,
       Kind::stride, 32, 32, 16, 16},
      {"every other lane of a row", [](auto l) { return kWord * l; }, 4, 0x55555555, true, free,
       Kind::stride, 1, 1, 1, 1},
      {"padded column", [](auto l) { return kWord * 33 * l; }, 4, kAllLanes, true, free,
       Kind::stride, 33, 1, 1, 1},
      {"padded by two", [](auto l) { return kWord * 34 * l; }, 4, kAllLanes, true, stride,
       Kind::stride, 34, 2, 2, 2},
      {"broadcast", [](auto) { return kWord * 5; }, 4, kAllLanes, true, broadcast, Kind::uniform, 0,
       0, 1, 1},
      {"multicast", [](auto l) { return kWord * (l / 4); }, 4, kAllLanes, true, multicast,
       Kind::rows, 0, 0, 1, 1},
      {"multicast in one bank", [](auto l) { return kWord * 32 * (l / 4); }, 4, kAllLanes, true,
       rows, Kind::rows, 0, 0, 8, 8},
      {"rows of 16", [](auto l) { return kWord * (l % 16 + 32 * (l / 16)); }, 4, kAllLanes, true,
       rows, Kind::rows, 1, 1, 2, 2},
      {"rows of 16, padded", [](auto l) { return kWord * (l % 16 + 48 * (l / 16)); }, 4, kAllLanes,
       true, free, Kind::rows, 1, 1, 1, 1},
      {"columns of 8, side by side", [](auto l) { return kWord * (32 * (l % 8) + l / 8); }, 4,
       kAllLanes, true, rows, Kind::rows, 32, 32, 8, 8},
      {"swizzle", [](auto l) { return kWord * (32 * l + (l ^ 5)); }, 4, kAllLanes, true, exclusive,
       Kind::irregular, 0, 0, 1, 1},
      {"no rule", [](auto l) { return kWord * 32 * (l * l % 7); }, 4, kAllLanes, true, irregular,
       Kind::irregular, 0, 0, 4, 4},
      {"bytes", [](auto l) { return l; }, 1, kAllLanes, true, free, Kind::stride, 0, 0, 1, 1},
      {"float2 row", [](auto l) { return 8 * l; }, 8, kAllLanes, true, free, Kind::stride, 2, 1, 1,
       2},
      {"float2 column", [](auto l) { return 8 * 16 * l; }, 8, kAllLanes, true, stride, Kind::stride,
       32, 16, 16, 32},
      {"float4 row", [](auto l) { return 16 * l; }, 16, kAllLanes, true, free, Kind::stride, 4, 1,
       1, 4},
      {"float4 stride 2", [](auto l) { return 32 * l; }, 16, kAllLanes, true, stride, Kind::stride,
       8, 2, 2, 8},
      {"float4 padded by one float4", [](auto l) { return 16 * 9 * l; }, 16, kAllLanes, false, free,
       Kind::stride, 36, 1, 1, 4},
      {"nobody", [](auto l) { return kWord * l; }, 4, 0, true, nothing, Kind::none, 0, 0, 0, 0},
      {"one lane", [](auto l) { return kWord * l; }, 4, 1u << 9, true, free, Kind::single, 0, 0, 1,
       1},
  };
  return cases;
}

TEST(WhyShared, Patterns) {
  for (const SharedCase& c : shared_cases()) {
    SCOPED_TRACE(c.name);
    const LaneRow row = row_of(c.byte);
    const BankPlan plan = plan_banks(row, c.mask, c.bytes, c.load);
    const SharedWhy why = explain_shared(row, c.mask, plan);
    EXPECT_EQ(why.cause, c.cause) << static_cast<int>(why.cause);
    EXPECT_EQ(why.pattern.kind, c.kind) << static_cast<int>(why.pattern.kind);
    EXPECT_EQ(why.stride_words, c.stride_words);
    EXPECT_EQ(why.divisor, c.divisor);
    EXPECT_EQ(why.ways, c.ways);
    EXPECT_EQ(why.cost.wavefronts, c.wavefronts);
    // And what the plan says.
    EXPECT_EQ(why.cost, plan.cost);
    EXPECT_EQ(why.ways, plan.ways);
    EXPECT_EQ(why.worst_bank, plan.worst_bank);
    EXPECT_EQ(why.worst_words.size(), static_cast<std::size_t>(std::max(0, plan.ways)));
    for (const BankWord& word : why.worst_words) {
      EXPECT_EQ(word.bank, plan.worst_bank);
      EXPECT_EQ(word.lanes & ~why.worst_lanes, 0u);
    }
    EXPECT_EQ(why.worst_lanes & ~c.mask, 0u);
    EXPECT_EQ(why.groups, plan.groups);
  }
}

TEST(WhyShared, MergedWideLoadIsSaidToBe) {
  const LaneRow pairs = row_of([](auto l) { return 16 * (l / 2); });
  const BankPlan plan = plan_banks(pairs, kAllLanes, 16, true);
  ASSERT_TRUE(plan.merged);
  const SharedWhy why = explain_shared(pairs, kAllLanes, plan);
  EXPECT_TRUE(why.merged);
  EXPECT_EQ(why.groups.size(), 2u);
  EXPECT_EQ(why.cause, SharedCause::free);
  const BankPlan store = plan_banks(pairs, kAllLanes, 16, false);
  EXPECT_FALSE(explain_shared(pairs, kAllLanes, store).merged);
}

TEST(WhyShared, WhoWaitsForTheWorstBank) {
  // Lanes 0 to 7 in bank 3, on four words; the others alone.
  const LaneRow row =
      row_of([](auto l) { return kWord * (l < 8 ? 3 + 32 * (l / 2) : 32 * 64 + l); });
  const SharedWhy why = explain_shared(row, kAllLanes, plan_banks(row, kAllLanes, 4, true));
  EXPECT_EQ(why.worst_bank, 3);
  EXPECT_EQ(why.ways, 4);
  EXPECT_EQ(why.worst_lanes, 0xffu);
  EXPECT_EQ(why.most_sharers, 2);
  EXPECT_EQ(why.shared_words, 4);
  EXPECT_EQ(why.banks, 0xffffff00u | 1u << 3);
}

TEST(WhyPattern, RowsNeedNotStartWithLaneZero) {
  // A block of 10 columns: warp 1 starts in the middle of a row.
  const LaneRow row = row_of([](auto l) { return kWord * ((l + 2) % 10 + 100 * ((l + 2) / 10)); });
  const LanePattern pattern = pattern_of(row, kAllLanes);
  EXPECT_EQ(pattern.kind, Kind::rows);
  EXPECT_EQ(pattern.run, 10);
  EXPECT_EQ(pattern.phase, 2);
  EXPECT_EQ(pattern.rows, 4);
  EXPECT_EQ(pattern.stride, 4);
  EXPECT_EQ(pattern.pitch, 400);
}

TEST(WhyPattern, AStrideThatIsNoWholeNumberIsNone) {
  LaneRow row = row_of([](auto l) { return kWord * l; });
  const LaneMask mask = 1u << 0 | 1u << 2 | 1u << 5;
  row[2] = row[0] + 5;
  EXPECT_NE(pattern_of(row, mask).kind, Kind::stride);
}

struct GlobalCase {
  const char* name;
  std::function<std::uint64_t(std::uint64_t)> byte;
  std::uint32_t bytes = 4;
  GlobalCause cause = GlobalCause::coalesced;
  std::uint64_t sectors = 4, wasted = 0, misalignment = 0;
  int lanes_per_sector = 8;
};

TEST(WhyGlobal, Patterns) {
  using enum GlobalCause;
  const std::vector<GlobalCase> cases = {
      {"row", [](auto l) { return 4 * l; }, 4, coalesced, 4, 0, 0, 8},
      {"float4 row", [](auto l) { return 16 * l; }, 16, coalesced, 16, 0, 0, 2},
      {"one off", [](auto l) { return 4 + 4 * l; }, 4, misaligned, 5, 32, 4, 8},
      {"uniform", [](auto) { return 8; }, 4, uniform, 1, 28, 8, 32},
      {"stride 2", [](auto l) { return 8 * l; }, 4, strided, 8, 128, 0, 4},
      {"column", [](auto l) { return 4096 * l; }, 4, strided, 32, 32 * 28, 0, 1},
      {"rows of 4", [](auto l) { return 4 * (l % 4) + 4096 * (l / 4); }, 4, short_rows, 8, 128, 0,
       4},
      {"rows of 8", [](auto l) { return 4 * (l % 8) + 4096 * (l / 8); }, 4, coalesced, 4, 0, 0, 8},
      {"no rule", [](auto l) { return 4096 * (l * l * l % 31); }, 4, scattered, 0, 0, 0, 0},
  };
  for (const GlobalCase& c : cases) {
    SCOPED_TRACE(c.name);
    const LaneRow row = row_of(c.byte, kGlobalWindow);
    const SectorPlan plan = plan_sectors(row, kAllLanes, c.bytes);
    const GlobalWhy why = explain_global(row, kAllLanes, c.bytes, plan);
    EXPECT_EQ(why.cause, c.cause) << static_cast<int>(why.cause);
    EXPECT_EQ(why.cost, plan.cost);
    EXPECT_EQ(why.bytes_moved, plan.cost.sectors * kSectorBytes);
    EXPECT_EQ(why.lines, plan.lines.size());
    if (c.sectors == 0) continue;
    EXPECT_EQ(why.cost.sectors, c.sectors);
    EXPECT_EQ(why.bytes_wasted(), c.wasted);
    EXPECT_EQ(why.misalignment, c.misalignment);
    EXPECT_EQ(why.lanes_per_sector, c.lanes_per_sector);
  }
}

// Four matrices in a square: no rule for all lanes, but one for each matrix.
TEST(WhyShared, RowsOfAMatrixConflictByThemselves) {
  const LaneRow row =
      row_of([](auto l) { return l % 8 * 256 + l / 8 % 2 * 16 + l / 16 * 2048; }, kSharedWindow);
  const SharedWhy why =
      explain_shared(row, kAllLanes, plan_banks(row, kAllLanes, 16, Service::matrix4));
  EXPECT_EQ(why.cause, SharedCause::stride);
  EXPECT_EQ(why.of_group, 0xffu);
  EXPECT_EQ(why.stride_words, 64);
  EXPECT_EQ(why.divisor, 8);
  EXPECT_EQ(why.cost.wavefronts, 32u);
  const LaneRow apart = row_of([](auto l) { return 16 * l; }, kSharedWindow);
  EXPECT_EQ(
      explain_shared(apart, kAllLanes, plan_banks(apart, kAllLanes, 16, Service::matrix4)).of_group,
      0u);
}

TEST(WhyGlobal, AlignedIsWhatTheSameLanesWouldTake) {
  const LaneRow row = row_of([](auto l) { return 20 + 4 * l; }, kGlobalWindow);
  const GlobalWhy why = explain_global(row, kAllLanes, 4, plan_sectors(row, kAllLanes, 4));
  EXPECT_EQ(why.misalignment, 20u);
  EXPECT_EQ(why.cost.sectors, 5u);
  EXPECT_EQ(why.aligned_sectors, 4u);
}

}  // namespace
}  // namespace lanescope::app

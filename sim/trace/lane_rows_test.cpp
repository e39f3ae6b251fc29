#include "lanescope/lane_rows.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>

namespace lanescope {
namespace {

LaneRow row_of(const std::function<std::uint64_t(std::uint64_t)>& value) {
  LaneRow row;
  for (std::uint64_t l = 0; l < kLanes; ++l) row[l] = value(l);
  return row;
}

void expect_rows(const LaneRows& rows, const std::vector<LaneRow>& expected) {
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(rows[i], expected[i]) << "row " << i;
    for (std::size_t l = 0; l < kLanes; ++l)
      EXPECT_EQ(rows.value(i, l), expected[i][l]) << "row " << i << ", lane " << l;
  }
}

TEST(LaneRows, KeepWideRowsOfEveryShape) {
  const std::uint64_t base = 0x7000'0000'0000ull, half = 0x8000'0000ull;
  const std::vector<LaneRow> expected = {
      row_of([](auto) { return 0; }),
      row_of([](auto) { return 42; }),
      row_of([&](auto l) { return base + 4 * l; }),
      row_of([&](auto l) { return base + 900 + 4 * l; }),
      row_of([&](auto l) { return base - 4096 * l; }),
      row_of([&](auto l) { return l == 7 ? base + half - 1 : base; }),  // the last that fits,
      row_of([&](auto l) { return l == 7 ? base + half : base; }),      // the first that does not,
      row_of([&](auto l) { return l == 7 ? base - half : base; }),      // and so downwards
      row_of([&](auto l) { return l == 7 ? base - half - 1 : base; }),
      row_of([](auto l) { return l % 2 ? std::numeric_limits<std::uint64_t>::max() : 0; }),
  };
  LaneRows rows;
  EXPECT_TRUE(rows.empty());
  for (const LaneRow& row : expected) rows.push_back(row);
  expect_rows(rows, expected);
}

TEST(LaneRows, KeepNarrowRowsThatWrap) {
  std::vector<LaneRow> expected = {
      row_of([](auto) { return 0xffff'ffffu; }),
      row_of([](auto l) { return l % 2 ? 0xffff'ffffu : 0u; }),
      row_of([](auto l) { return static_cast<std::uint32_t>(5 - l); }),
      row_of([](auto l) { return 0x8000'0000u + l; }),
  };
  LaneRows rows;
  for (const LaneRow& row : expected) {
    std::array<std::uint32_t, kLanes> lanes;
    for (std::size_t l = 0; l < kLanes; ++l) lanes[l] = static_cast<std::uint32_t>(row[l]);
    rows.add32(lanes.data());
  }
  expect_rows(rows, expected);
}

// Far more shapes than are looked up again, some of them many times.
TEST(LaneRows, KeepRandomRowsApart) {
  std::mt19937_64 random(1);
  std::vector<LaneRow> shapes, expected;
  for (int i = 0; i < 600; ++i) shapes.push_back(row_of([&](auto) { return random() >> 33; }));
  LaneRows rows;
  for (int i = 0; i < 5000; ++i) {
    LaneRow row = shapes[random() % shapes.size()];
    const std::uint64_t shift = random() % 1000;
    for (std::uint64_t& value : row) value += shift;
    expected.push_back(row);
    rows.push_back(row);
  }
  expect_rows(rows, expected);
}

}  // namespace
}  // namespace lanescope

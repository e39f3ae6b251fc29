#include "views/map/map_stations.h"

#include <gtest/gtest.h>

namespace lanescope::app {
namespace {

// Input, threads, tile, threads, output of a block of rows × cols that is transposed.
std::vector<Station> transpose(std::uint64_t rows, std::uint64_t cols) {
  return {{.role = 0, .rows = rows, .cols = cols},
          {.role = 1, .rows = rows, .cols = cols},
          {.role = 2, .rows = rows, .cols = cols + 1},
          {.role = 3, .rows = cols, .cols = rows},
          {.role = 4, .rows = cols, .cols = rows}};
}

StationRoom room_of(float width, float height) {
  return {.width = width, .height = height, .header = 30, .margin = 24, .gap = 26};
}

void expect_inside(const std::vector<Station>& stations, const StationPlan& plan,
                   const StationRoom& room) {
  for (const Station& station : stations) {
    EXPECT_GE(station.x, room.margin - 1);
    EXPECT_GE(station.y, room.header - 1);
    EXPECT_LE(station.x + plan.cell * static_cast<float>(station.shown_cols), room.width + 1);
    EXPECT_LE(station.y + plan.cell * static_cast<float>(station.shown_rows), room.height + 1);
  }
  for (const Station& a : stations) {
    for (const Station& b : stations) {
      if (&a == &b) continue;
      const bool beside = a.x + plan.cell * static_cast<float>(a.shown_cols) <= b.x ||
                          b.x + plan.cell * static_cast<float>(b.shown_cols) <= a.x;
      const bool above = a.y + plan.cell * static_cast<float>(a.shown_rows) <= b.y ||
                         b.y + plan.cell * static_cast<float>(b.shown_rows) <= a.y;
      EXPECT_TRUE(beside || above) << "stations overlap";
    }
  }
}

// All of them, where there is room for all.
StationPlan expect_whole(std::vector<Station>& stations, const StationRoom& room,
                         Arrangement expected) {
  const StationPlan plan = arrange(stations, room, false);
  EXPECT_EQ(plan.arrangement, expected);
  EXPECT_TRUE(plan.whole);
  expect_inside(stations, plan, room);
  return plan;
}

TEST(Stations, AWideBlockIsStackedWhereARowWouldBeTooLong) {
  std::vector<Station> stations = transpose(8, 32);
  EXPECT_GE(expect_whole(stations, room_of(900, 560), Arrangement::stack).cell, 14);
}

TEST(Stations, ASmallBlockStandsInARow) {
  std::vector<Station> stations = transpose(8, 8);
  expect_whole(stations, room_of(1200, 500), Arrangement::row);
  for (std::size_t i = 1; i < stations.size(); ++i) EXPECT_GT(stations[i].x, stations[i - 1].x);
}

TEST(Stations, WhatHasNoRoomIsLeftOutAndNotMadeSmall) {
  for (const float width : {500.0f, 900.0f, 1900.0f}) {
    for (const float height : {200.0f, 450.0f, 900.0f}) {
      const StationRoom room = room_of(width, height);
      std::vector<Station> stations = transpose(32, 32);
      const StationPlan plan = arrange(stations, room, false);
      EXPECT_GE(plan.cell, room.least);
      EXPECT_FALSE(plan.whole);
      expect_inside(stations, plan, room);
      const StationPlan all = arrange(stations, room, true);
      EXPECT_TRUE(all.whole);
      EXPECT_LT(all.cell, 14) << "the overview has them all";
      expect_inside(stations, all, room);
    }
  }
}

TEST(Stations, NoneIsLeftWithNextToNothing) {
  std::vector<Station> stations = transpose(32, 32);
  arrange(stations, room_of(620, 190), false);
  for (const Station& station : stations) EXPECT_GE(station.shown_rows, 4u);
}

TEST(Stations, AreArrangedAnewWhenAnythingIsDifferent) {
  KeptArrangement kept;
  for (const std::uint32_t side : {32u, 8u, 8u, 32u})
    for (const float width : {620.0f, 1900.0f, 1900.0f})
      for (const bool overview : {false, true, true}) {
        std::vector<Station> stations = transpose(side, 32), others = stations;
        const StationPlan plan = kept.arrange(stations, room_of(width, 450), overview);
        const StationPlan wanted = arrange(others, room_of(width, 450), overview);
        EXPECT_EQ(stations, others);
        EXPECT_EQ(plan.cell, wanted.cell);
        EXPECT_EQ(plan.whole, wanted.whole);
        EXPECT_EQ(plan.arrangement, wanted.arrangement);
      }
}

}  // namespace
}  // namespace lanescope::app

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "views/banks/banks_view.h"
#include "views/command/commands.h"
#include "views/draw/view.h"
#include "views/lanes/lanes_view.h"
#include "views/window/tour.h"

namespace lanescope::app {
namespace {

TEST(ViewList, EveryRowIsWhole) {
  std::set<std::string> ids, titles;
  for (const View& view : views()) {
    EXPECT_TRUE(ids.insert(view.id).second) << view.id << " is there twice";
    EXPECT_TRUE(titles.insert(view.title).second) << view.title << " is there twice";
    EXPECT_NE(view.place, nullptr) << view.id;
    EXPECT_NE(view.draw, nullptr) << view.id;
    EXPECT_EQ(find_view(view.id), &view);
  }
  EXPECT_EQ(find_view("window"), nullptr);
}

TEST(ViewList, WhichTabIsInFrontIsNeverLeftToChance) {
  for (std::size_t preset = 0; preset < kPresetCount; ++preset) {
    std::set<int> seen;
    for (const View& view : views()) {
      const int start = view.starts[preset];
      if (start > kBehind) {
        EXPECT_TRUE(seen.insert(start).second) << view.id << " in preset " << preset;
      }
    }
    EXPECT_FALSE(seen.empty()) << "nothing takes the keys in preset " << preset;
  }
}

TEST(ViewList, EveryViewIsInTheMenu) {
  for (const View& view : views()) {
    const Command* command = find_command(std::string("view.") + view.id);
    ASSERT_NE(command, nullptr) << view.id;
    EXPECT_STREQ(command->title, view.title);
    EXPECT_EQ(command->menu, Menu::view);
  }
}

TEST(ViewList, WhatIsExportedIsWhatAViewIsAbout) {
  EXPECT_EQ(find_view("source")->table, ExportTable::lines);
  for (const char* id : {"index_map", "banks", "sectors", "lanes"})
    EXPECT_EQ(find_view(id)->table, ExportTable::lanes) << id;
  EXPECT_EQ(find_view("timing")->table, ExportTable::timing);
  EXPECT_EQ(find_view("timeline")->table, ExportTable::accesses);
}

TEST(ViewList, TheTourPointsAtViewsThatExist) {
  for (const TourCard& card : tour_cards()) {
    if (*card.view) {
      EXPECT_NE(find_view(card.view), nullptr) << card.view;
    }
  }
}

TEST(ViewList, OnlyStatesThatWantToAreTold) {
  for (const char* id : {"source", "index_map", "timeline"})
    EXPECT_NE(find_view(id)->restyle, nullptr) << id;
  EXPECT_EQ(find_view("lanes")->restyle, nullptr);
  EXPECT_NE(find_view("source")->settle, nullptr);
  EXPECT_EQ(find_view("timeline")->settle, nullptr);
}

TEST(ViewStates, OneOfEachTypeIsKept) {
  ViewStates states;
  EXPECT_EQ(states.of<LanesState>().followed, -1);
  states.of<LanesState>().followed = 7;
  EXPECT_EQ(states.of<BanksState>().shown, 0);
  EXPECT_EQ(states.of<LanesState>().followed, 7);
  ViewStates others;
  EXPECT_EQ(others.of<LanesState>().followed, -1);
}

}  // namespace
}  // namespace lanescope::app

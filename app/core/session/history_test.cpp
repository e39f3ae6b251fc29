#include "core/session/history.h"

#include <gtest/gtest.h>

#include "core/run/captured_launch.h"

namespace lanescope::app {
namespace {

using namespace std::chrono_literals;

Settings padded(int pad) {
  Settings settings;
  settings.file = settings.name = "tile.cu";
  settings.text = "a kernel";
  settings.parameters["PAD"] = std::to_string(pad);
  return settings;
}

TEST(History, GoesBackAndForth) {
  History history;
  EXPECT_FALSE(history.undo(padded(0)));
  history.remember(padded(0), "");
  history.remember(padded(1), "");
  EXPECT_EQ(history.undo(padded(2)), padded(1));
  EXPECT_EQ(history.undo(padded(1)), padded(0));
  EXPECT_FALSE(history.can_undo());
  EXPECT_EQ(history.redo(padded(0)), padded(1));
  EXPECT_EQ(history.redo(padded(1)), padded(2));
  EXPECT_FALSE(history.can_redo());
  EXPECT_TRUE(history.can_undo());
}

TEST(History, AChangeEndsWhatWasUndone) {
  History history;
  history.remember(padded(0), "");
  history.undo(padded(1));
  EXPECT_TRUE(history.can_redo());
  history.remember(padded(0), "");
  EXPECT_FALSE(history.can_redo());
}

TEST(History, AGestureIsUndoneAtOnce) {
  History history;
  const History::Clock::time_point start = History::Clock::now();
  history.remember(padded(0), "parameter PAD", start);
  history.remember(padded(1), "parameter PAD", start + 100ms);
  history.remember(padded(2), "parameter PAD", start + 500ms);
  EXPECT_EQ(history.undo(padded(3)), padded(0));
  history.remember(padded(0), "parameter PAD", start + 550ms);
  history.remember(padded(4), "parameter BX", start + 560ms);
  history.remember(padded(5), "parameter BX", start + 1100ms);
  history.remember(padded(6), "", start + 1110ms);
  history.remember(padded(7), "", start + 1120ms);
  for (const int pad : {7, 6, 5, 4, 0}) EXPECT_EQ(history.undo(padded(9)), padded(pad));
  EXPECT_FALSE(history.can_undo());
}

TEST(History, AControlThatIsHeldIsOneChangeHoweverSlowlyItMoves) {
  History history;
  const History::Clock::time_point start{};
  history.remember(padded(0), "parameter PAD", start);
  history.remember(padded(1), "parameter PAD", start + 3s, true);
  history.remember(padded(2), "parameter PAD", start + 9s, true);
  EXPECT_EQ(history.undo(padded(3)), padded(0));
  EXPECT_FALSE(history.can_undo());
  // Taken hold of again: another one.
  history.remember(padded(0), "parameter PAD", start + 20s);
  history.remember(padded(1), "parameter PAD", start + 30s);
  EXPECT_EQ(history.undo(padded(2)), padded(1));
}

TEST(History, NothingIsNotRemembered) {
  History history;
  history.remember({}, "");
  EXPECT_FALSE(history.can_undo());
}

TEST(History, TheOldestAreForgotten) {
  History history;
  for (int pad = 0; pad < 300; ++pad) history.remember(padded(pad), "");
  int undone = 0;
  while (history.undo(padded(0))) ++undone;
  EXPECT_EQ(undone, 200);
}

TEST(History, AnotherBlockIsNoChangeOfTheNumbers) {
  History history;
  EXPECT_FALSE(history.previous(padded(0)));
  Settings elsewhere = padded(1);
  elsewhere.inspected_block = {2, 0, 0};
  history.remember(padded(0), "");
  history.remember(padded(1), "");
  ASSERT_TRUE(history.previous(elsewhere));
  EXPECT_EQ(*history.previous(elsewhere), padded(0));
}

TEST(History, WhatCanBeUndoneBelongsToTheFilesNewName) {
  History history;
  Settings other = padded(0);
  other.file = "other.cu";
  history.remember(other, "");
  history.remember(padded(0), "");
  history.remember(padded(1), "");
  history.undo(padded(2));
  history.rename("tile.cu", "mine", "mine.cu");
  EXPECT_EQ(history.redo(padded(1))->file, "mine.cu");
  history.undo(padded(2));
  EXPECT_EQ(history.undo(padded(1))->name, "mine");
  EXPECT_EQ(history.undo(padded(0))->file, "other.cu");
}

TEST(History, OfLaunchesWithMuchMemoryTheOldestGo) {
  const auto settings_with = [](std::uint64_t number, std::size_t bytes) {
    auto captured = std::make_shared<CapturedLaunch>();
    captured->number = number;
    CapturedBuffer buffer;
    buffer.contents = std::make_shared<const std::vector<std::byte>>(bytes);
    captured->buffers.push_back(std::move(buffer));
    Settings settings;
    settings.text = "text";
    settings.captured = std::move(captured);
    return settings;
  };
  History history;
  Settings plain;
  plain.text = "text";
  history.remember(plain, "");
  for (std::uint64_t i = 0; i < 4; ++i)
    history.remember(settings_with(i, std::size_t{200} << 20), "");
  std::vector<std::uint64_t> left;
  Settings now = plain;
  while (history.can_undo()) {
    now = *history.undo(now);
    if (now.captured) left.push_back(now.captured->number);
  }
  EXPECT_EQ(left, (std::vector<std::uint64_t>{3, 2}));
  EXPECT_EQ(now.captured, nullptr) << "what holds little stays";
}

}  // namespace
}  // namespace lanescope::app

#include "program/process/progress_teller.h"

#include <gtest/gtest.h>

#include <atomic>

namespace lanescope::app {
namespace {

TEST(ProgressTeller, TellsOfALaunchUntilItEnds) {
  std::atomic<std::uint64_t> told{0}, blocks{0};
  ProgressTeller teller(
      [&](const LaunchProgress& now) {
        EXPECT_EQ(now.number, 7u);
        EXPECT_EQ(now.kernel, "k");
        EXPECT_EQ(now.of, 100u);
        EXPECT_GT(now.ms, 0);
        blocks = now.blocks;
        ++told;
      },
      std::chrono::milliseconds(1));
  teller.begin({.number = 7, .kernel = "k", .of = 100, .stream = 2, .begin_ms = 5});
  while (told < 2) std::this_thread::yield();
  EXPECT_EQ(blocks, 0u) << "no block has ended yet";
  teller.reached(40);
  teller.reached(30);
  while (blocks != 40) std::this_thread::yield();
  teller.end();
  const std::uint64_t last = told;
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(told, last);
}

TEST(ProgressTeller, SaysNothingOfAShortLaunch) {
  ProgressTeller teller([](const LaunchProgress&) { ADD_FAILURE(); }, std::chrono::hours(1));
  teller.begin({.kernel = "k", .of = 1});
  teller.end();
}

}  // namespace
}  // namespace lanescope::app

#include "core/tasks/latest.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <semaphore>
#include <string>
#include <vector>

namespace lanescope::app {
namespace {

using Numbers = Latest<int, int>;

// Work that begins and ends when the test says so, and gives what it was asked for.
struct Gate {
  std::counting_semaphore<> begun{0}, go{0};
  std::atomic<int> wakes{0}, stopped{0};

  Numbers::Work work() {
    return [this](int request, const Numbers::Turn& turn) {
      begun.release();
      go.acquire();
      stopped += turn.stop().stop_requested();
      return std::optional(request);
    };
  }
  std::function<void()> wake() {
    return [this] { ++wakes; };
  }
};

TEST(Latest, DoesNothingUnasked) {
  Numbers numbers([](int request, const auto&) { return std::optional(request); });
  EXPECT_FALSE(numbers.busy());
  EXPECT_FALSE(numbers.take());
  numbers.wait();
  numbers.cancel();
  numbers.cut_short();
  EXPECT_FALSE(numbers.busy());
}

TEST(Latest, AResultIsTakenOnce) {
  Gate gate;
  gate.go.release();
  Numbers numbers(gate.work(), gate.wake());
  numbers.submit(7);
  numbers.wait();
  EXPECT_FALSE(numbers.busy());
  EXPECT_EQ(numbers.take(), 7);
  EXPECT_FALSE(numbers.take());
}

TEST(Latest, TheNewestWinsAndTheOlderIsStoppedAndDropped) {
  Gate gate;
  Numbers numbers(gate.work(), gate.wake());
  numbers.submit(1);
  gate.begun.acquire();
  numbers.submit(2);  // waits, and is never begun
  numbers.submit(3);
  EXPECT_TRUE(numbers.busy());
  gate.go.release(2);
  numbers.wait();
  EXPECT_EQ(numbers.take(), 3);
  EXPECT_EQ(gate.stopped, 1);
  gate.begun.acquire();
  EXPECT_FALSE(gate.begun.try_acquire());
}

TEST(Latest, AResultNobodyTookGoesWithItsRequest) {
  Gate gate;
  Numbers numbers(gate.work());
  gate.go.release();
  numbers.submit(1);
  numbers.wait();
  numbers.submit(2);
  EXPECT_FALSE(numbers.take());
  gate.go.release();
  numbers.wait();
  EXPECT_EQ(numbers.take(), 2);
}

TEST(Latest, PublishesWhileItWorks) {
  std::counting_semaphore<> published{0}, go{0};
  std::atomic<int> wakes = 0;
  Latest<int, std::string> words(
      [&](int, const auto& turn) -> std::optional<std::string> {
        turn.publish("one");
        turn.publish("two");
        published.release();
        go.acquire();
        turn.publish("three");
        return std::nullopt;
      },
      [&] { ++wakes; });
  words.submit(0);
  published.acquire();
  EXPECT_EQ(words.take(), "two");
  EXPECT_TRUE(words.busy());
  EXPECT_EQ(wakes, 2);
  go.release();
  words.wait();
  EXPECT_EQ(words.take(), "three");
}

TEST(Latest, CancelledThereIsNothingToWaitFor) {
  Gate gate;
  Numbers numbers(gate.work(), gate.wake());
  numbers.submit(1);
  gate.begun.acquire();
  numbers.cancel();
  EXPECT_FALSE(numbers.busy());
  numbers.wait();
  numbers.submit(2);
  gate.go.release(2);
  numbers.wait();
  EXPECT_EQ(numbers.take(), 2);
  EXPECT_EQ(gate.stopped, 1);
}

TEST(Latest, CutShortTheResultCounts) {
  Gate gate;
  Numbers numbers(gate.work());
  numbers.submit(1);
  gate.begun.acquire();
  numbers.add(2);
  numbers.cut_short();
  EXPECT_TRUE(numbers.busy());
  gate.go.release();
  gate.begun.acquire();
  EXPECT_EQ(numbers.take(), 1);
  gate.go.release();
  numbers.wait();
  EXPECT_EQ(numbers.take(), 2);
  EXPECT_EQ(gate.stopped, 2);
}

TEST(Latest, WhatIsAddedWaitsItsTurnAndIsJoined) {
  using List = std::vector<int>;
  std::counting_semaphore<> begun{0}, go{0};
  List done;  // of the work's thread, until there is nothing more
  std::atomic<int> stopped = 0;
  Latest<List> queue([&](const List& list, const auto& turn) {
    begun.release();
    go.acquire();
    stopped += turn.stop().stop_requested();
    done.insert(done.end(), list.begin(), list.end());
    return std::nullopt;
  });
  const auto add = [&](List list) {
    queue.add(std::move(list), [](List& waiting, List&& more) {
      waiting.insert(waiting.end(), more.begin(), more.end());
    });
  };
  add({1});
  begun.acquire();
  add({2, 3});
  add({4});
  go.release(2);
  queue.wait();
  EXPECT_EQ(done, (List{1, 2, 3, 4}));
  EXPECT_EQ(stopped, 0);
  begun.acquire();

  // What is added after a cut is not cut.
  add({5});
  begun.acquire();
  add({6});
  queue.cut_short();
  add({7});
  go.release(2);
  queue.wait();
  EXPECT_EQ(done, (List{1, 2, 3, 4, 5, 7}));
  EXPECT_EQ(stopped, 1);
}

TEST(Latest, TakesWhatCannotBeCopied) {
  using Box = std::unique_ptr<int>;
  Latest<Box, Box> boxes([](Box box, const auto&) {
    ++*box;
    return std::optional(std::move(box));
  });
  boxes.submit(std::make_unique<int>(1));
  boxes.wait();
  EXPECT_EQ(**boxes.take(), 2);
}

TEST(Latest, EndsWhileWorkIsUnderWay) {
  Gate gate;
  gate.go.release();
  std::atomic<bool> ended = false;
  {
    Numbers numbers(
        [&](int, const Numbers::Turn& turn) -> std::optional<int> {
          gate.begun.release();
          while (!turn.stop().stop_requested()) std::this_thread::yield();
          turn.publish(1);
          ended = true;
          return 2;
        },
        gate.wake());
    numbers.submit(1);
    gate.begun.acquire();
    numbers.add(2);
  }
  EXPECT_TRUE(ended);
  EXPECT_EQ(gate.wakes, 0);
}

// What is taken is never older than what was asked for last, however the threads meet.
TEST(Latest, NothingOlderIsEverTaken) {
  std::atomic<int> wakes = 0;
  Numbers numbers(
      [](int request, const Numbers::Turn& turn) {
        turn.publish(request);
        if (request % 3 == 0) std::this_thread::yield();
        turn.publish(request);
        return std::optional(request);
      },
      [&] { ++wakes; });
  int taken = 0;
  for (int i = 1; i <= 2'000; ++i) {
    numbers.submit(i);
    if (i % 7 == 0) std::this_thread::yield();
    if (i % 11 == 0) numbers.wait();
    if (const auto result = numbers.take()) {
      EXPECT_EQ(*result, i);
      ++taken;
    }
    if (i % 13 == 0) {
      numbers.cancel();
      EXPECT_FALSE(numbers.take());
    }
  }
  numbers.submit(0);
  numbers.wait();
  EXPECT_EQ(numbers.take(), 0);
  EXPECT_GT(taken, 0);
  EXPECT_GT(wakes, 0);
}

TEST(Latest, ManyMayAskAtOnce) {
  std::atomic<int> sum = 0;
  Latest<int> adder([&](int more, const auto&) {
    sum += more;
    return std::nullopt;
  });
  {
    std::vector<std::jthread> askers;
    for (int t = 0; t < 4; ++t) {
      askers.emplace_back([&] {
        for (int i = 0; i < 2'000; ++i) {
          adder.add(1, [](int& waiting, int more) { waiting += more; });
          if (i % 64 == 0) adder.cut_short();
        }
      });
    }
  }
  adder.wait();
  EXPECT_LE(sum, 8'000);
  EXPECT_GT(sum, 0);
  EXPECT_FALSE(adder.busy());
}

}  // namespace
}  // namespace lanescope::app

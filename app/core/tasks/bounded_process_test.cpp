#include "core/tasks/bounded_process.h"

#include <gtest/gtest.h>

#include <csignal>

namespace lanescope::app {
namespace {

using End = BoundedRun::End;

BoundedRun shell(const std::string& command, const std::string& input = "",
                 const ProcessBounds& bounds = {}) {
  std::signal(SIGPIPE, SIG_IGN);
  return run_bounded({"/bin/sh", "-c", command}, input, bounds);
}

TEST(BoundedProcess, GivesBackWhatItMakesOfItsInput) {
  const std::string text(300'000, 'x');  // more than a pipe holds
  const BoundedRun run = shell("cat; exit 3", text);
  EXPECT_EQ(run.end, End::itself);
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(run.output, text);
}

TEST(BoundedProcess, OneThatReadsNothingIsNotWaitedFor) {
  const BoundedRun run = shell("echo done", std::string(300'000, 'x'));
  EXPECT_EQ(run.end, End::itself);
  EXPECT_EQ(run.output, "done\n");
}

TEST(BoundedProcess, TellsTheSignalThatEndedIt) {
  EXPECT_EQ(shell("kill -ABRT $$").status, 128 + SIGABRT);
}

TEST(BoundedProcess, EndsWhatTakesTooLongWithWhatItStarted) {
  EXPECT_EQ(shell("sleep 1000 & sleep 1000", "", {.most_seconds = 0.2}).end, End::too_long);
  // It has closed its output, and still is not let off.
  EXPECT_EQ(shell("exec >&-; sleep 1000", "", {.most_seconds = 0.2}).end, End::too_long);
}

TEST(BoundedProcess, EndsWhatWritesTooMuch) {
  const BoundedRun run = shell("while :; do echo spam; done", "", {.most_output = 100'000});
  EXPECT_EQ(run.end, End::too_much_output);
}

TEST(BoundedProcess, EndsWhatTakesTooMuchMemory) {
  const BoundedRun run = shell("a=x; while :; do a=$a$a; done", "", {.most_memory = 20u << 20});
  EXPECT_EQ(run.end, End::too_much_memory);
}

TEST(BoundedProcess, AProgramThatIsNotThereEndsWith127) {
  const BoundedRun run = run_bounded({"/nonexistent/program"}, "", {});
  EXPECT_EQ(run.end, End::itself);
  EXPECT_EQ(run.status, 127);
}

TEST(BoundedProcess, CanBeStopped) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(run_bounded({"/bin/sh", "-c", "sleep 1000"}, "", {}, stop.get_token()).end,
            End::stopped);
}

}  // namespace
}  // namespace lanescope::app

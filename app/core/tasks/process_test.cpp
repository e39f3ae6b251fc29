#include "core/tasks/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace lanescope::app {
namespace {

int exit_status(pid_t id) {
  int status = 0;
  EXPECT_EQ(waitpid(id, &status, 0), id);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// What a shell says to descriptor `theirs`.
std::string said(const std::string& script, int theirs) {
  std::array<int, 2> pipe{};
  EXPECT_EQ(pipe2(pipe.data(), O_CLOEXEC), 0);
  const pid_t id = start({{"sh", "-c", script}, {{pipe[1], theirs}}});
  EXPECT_GT(id, 0);
  close(pipe[1]);
  std::string text;
  char part[64];
  for (ssize_t count = 0; (count = read(pipe[0], part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(count));
  close(pipe[0]);
  EXPECT_EQ(exit_status(id), 0);
  return text;
}

TEST(Process, AStandardDescriptorOfOursMayBecomeTheSameOfIts) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(pipe2(pipe.data(), O_CLOEXEC), 0);
  ASSERT_EQ(write(pipe[1], "word\n", 5), 5);
  close(pipe[1]);
  const int before = dup(STDIN_FILENO);
  dup2(pipe[0], STDIN_FILENO);
  const pid_t id =
      start({{"sh", "-c", "read x && test $x = word"}, {{STDIN_FILENO, STDIN_FILENO}}});
  EXPECT_EQ(exit_status(id), 0);
  if (before >= 0) dup2(before, STDIN_FILENO), close(before);
  close(pipe[0]);
}

TEST(Process, DescriptorsMayChangePlaces) {
  std::array<int, 2> a{}, b{};
  ASSERT_EQ(pipe2(a.data(), O_CLOEXEC), 0);
  ASSERT_EQ(pipe2(b.data(), O_CLOEXEC), 0);
  const pid_t id = start(
      {{"sh", "-c", "echo one >&" + std::to_string(b[1]) + "; echo two >&" + std::to_string(a[1])},
       {{a[1], b[1]}, {b[1], a[1]}}});
  close(a[1]), close(b[1]);
  char first[8] = {}, second[8] = {};
  EXPECT_EQ(read(a[0], first, sizeof first), 4);
  EXPECT_EQ(read(b[0], second, sizeof second), 4);
  EXPECT_STREQ(first, "one\n");
  EXPECT_STREQ(second, "two\n");
  EXPECT_EQ(exit_status(id), 0);
  close(a[0]), close(b[0]);
}

TEST(Process, TellsItsExitStatus) { EXPECT_EQ(exit_status(start({{"sh", "-c", "exit 7"}})), 7); }

TEST(Process, AProgramThatIsNotThereEndsWith127) {
  EXPECT_EQ(exit_status(start({{"/no/such/program"}})), 127);
  EXPECT_EQ(exit_status(start({{"no-such-program-on-the-path"}})), 127);
}

TEST(Process, GetsTheDescriptorsThatItIsGiven) {
  EXPECT_EQ(said("echo out; echo error >&2", STDOUT_FILENO), "out\n");
  EXPECT_EQ(said("echo out; echo error >&2", STDERR_FILENO), "error\n");
  EXPECT_EQ(said("echo line >&3", 3), "line\n");
}

TEST(Process, ReadsNothingFromHere) { EXPECT_EQ(said("cat", STDOUT_FILENO), ""); }

TEST(Process, AGroupEndsTogether) {
  const pid_t id = start({{"sh", "-c", "sleep 600 & wait"}, {}, true});
  ASSERT_GT(id, 0);
  // The group is there as soon as the child has made it.
  while (kill(-id, SIGKILL) != 0 && errno == ESRCH) usleep(1000);
  int status = 0;
  EXPECT_EQ(waitpid(id, &status, 0), id);
  EXPECT_TRUE(WIFSIGNALED(status));
}

}  // namespace
}  // namespace lanescope::app

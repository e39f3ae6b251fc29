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

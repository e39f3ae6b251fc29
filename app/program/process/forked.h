// For tests of what lasts as long as a process: a child that does something and says a few words.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <string>

namespace lanescope::app {

struct Forked {
  std::string said;
  /// As waitpid has it
  int status = 0;
};

/// Runs `body(say)` in a child process; what it says comes back.
inline Forked
in_a_child(const std::function<void(const std::function<void(const std::string&)>& say)>& body) {
  std::array<int, 2> pipe{};
  EXPECT_EQ(pipe2(pipe.data(), O_CLOEXEC), 0);
  const pid_t child = fork();
  if (child == 0) {
    body([&](const std::string& text) {
      if (write(pipe[1], text.data(), text.size()) < 0) _exit(99);
    });
    _exit(0);
  }
  close(pipe[1]);
  Forked result;
  char part[256];
  for (ssize_t count = 0; (count = read(pipe[0], part, sizeof part)) > 0;)
    result.said.append(part, static_cast<std::size_t>(count));
  close(pipe[0]);
  EXPECT_EQ(waitpid(child, &result.status, 0), child);
  return result;
}

}  // namespace lanescope::app

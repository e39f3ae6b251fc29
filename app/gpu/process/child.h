// A process that runs the worker, from the side that asks.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/process/lines.h"
#include "lanescope/message.h"

namespace lanescope::gpu {

/// How to start it: a program with its arguments, or (in tests) a function that runs in the forked
/// process.
struct ChildCommand {
  /// [0] is the program's path
  std::vector<std::string> arguments;
  std::function<int(int descriptor)> function;
};
/// This very program with the hidden command.
ChildCommand worker_command();

class Child {
 public:
  Child() = default;
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Empty, or why it could not be started.
  Message start(const ChildCommand& command);
  [[nodiscard]] bool running() const { return pid_ > 0; }
  [[nodiscard]] Lines& lines() { return *lines_; }
  /// Closes the line; a child that does not leave by itself at once is killed. How it ended: "exit
  /// status 1", "signal 11 (Segmentation fault)".
  Message end();
  /// The same without waiting for it to leave by itself.
  Message kill();

 private:
  Message reap(bool patient);

  pid_t pid_ = -1;
  int descriptor_ = -1;
  std::optional<Lines> lines_;
};

/// Runs a program to its end with its output in no terminal; its exit status, or -1 when it could
/// not be started, was stopped or took too long.
int run_program(const std::vector<std::string>& arguments, double time_limit_s,
                const std::stop_token& stop);

}  // namespace lanescope::gpu

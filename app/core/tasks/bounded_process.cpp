#include "core/tasks/bounded_process.h"

#include <poll.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include "core/tasks/pipe.h"
#include "core/tasks/process.h"

namespace lanescope::app {

namespace {

using End = BoundedRun::End;

constexpr int kPollMs = 20, kSignalStatus = 128;

bool has_ended(pid_t child) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == child;
}

// Reads until the process has ended or gone too far.
End read_output(pid_t child, int descriptor, const ProcessBounds& bounds,
                const std::stop_token& stop, std::string& output) {
  const auto start = std::chrono::steady_clock::now();
  char buffer[65536];
  bool open = true;
  while (open || !has_ended(child)) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    if (stop.stop_requested()) return End::stopped;
    if (passed.count() > bounds.most_seconds) return End::too_long;
    if (memory_taken(child) > bounds.most_memory) return End::too_much_memory;
    pollfd waiting{open ? descriptor : -1, POLLIN, 0};
    if (poll(&waiting, 1, open ? kPollMs : 1) <= 0) continue;
    const ssize_t got = read(descriptor, buffer, sizeof buffer);
    open = got > 0;
    if (!open) continue;
    output.append(buffer, static_cast<std::size_t>(got));
    if (output.size() > bounds.most_output) return End::too_much_output;
  }
  return End::itself;
}

}  // namespace

BoundedRun run_bounded(std::vector<std::string> arguments, const std::string& input,
                       const ProcessBounds& bounds, std::stop_token stop) {
  BoundedRun result;
  Pipe in, out;
  Program program;
  program.arguments = std::move(arguments);
  program.own_group = true;
  program.descriptors = {{in.ends[0], STDIN_FILENO}, {out.ends[1], STDOUT_FILENO}};
  const pid_t child = out.ends[0] < 0 || in.ends[0] < 0 ? -1 : start(program);
  if (child < 0) {
    result.end = End::not_started;
    return result;
  }
  in.close_end(0), out.close_end(1);
  {
    // A process that reads nothing must not hold this one up: its end closes the pipe.
    const std::jthread writer([&] { write_all(in.ends[1], input), in.close_end(1); });
    result.end = read_output(child, out.ends[0], bounds, stop, result.output);
    kill(-child, SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : kSignalStatus + WTERMSIG(status);
  return result;
}

}  // namespace lanescope::app

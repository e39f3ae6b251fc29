#include "program/process/program_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/tasks/process.h"

namespace lanescope::app {
namespace {

constexpr int kPollMs = 100, kCannotStart = 125, kSignalStatus = 128;

/// A pipe whose ends are closed with it.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
  }
  ~Pipe() { close_end(0), close_end(1); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(int end) {
    if (ends[end] >= 0) close(ends[end]);
    ends[end] = -1;
  }
};

void write_all(int descriptor, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = write(descriptor, text.data() + at, text.size() - at);
    if (written <= 0) return;
    at += static_cast<std::size_t>(written);
  }
}

std::string crash_text(const Json& json) {
  const int number = json.at("signal");
  std::string text = strsignal(number);
  if (!json.contains("address")) return text;
  text += fmt::format(" at address {:#x}", json["address"].get<std::uint64_t>());
  if (json.value("device_address", false))
    text += ": a device pointer, which host code may not use";
  return text;
}

/// Puts events where they belong.
class Listener {
 public:
  Listener(ProgramResult& result, const ProgramWatch& watch) : result_(result), watch_(watch) {}

  void add(const char* bytes, std::size_t count) {
    text_.append(bytes, count);
    for (std::size_t end; (end = text_.find('\n')) != std::string::npos;) {
      take(Json::parse(text_.substr(0, end), nullptr, false));
      text_.erase(0, end + 1);
    }
  }

 private:
  void take(const Json& json) {
    if (json.is_discarded()) return;
    const std::string kind = json.value("event", "");
    if (kind == "launch") {
      result_.launches.push_back(launch_record_from(json));
      if (watch_.launched) watch_.launched(result_.launches.back());
    } else if (kind == "remark") {
      result_.remarks.push_back(remark_from(json));
    } else if (kind == "started" || kind == "diagnostics") {
      result_.started = kind == "started";
      result_.diagnostics = diagnostics_from(json.at("diagnostics"));
    } else if (kind == "crash") {
      result_.end.crash = crash_text(json);
      result_.end.at = {json.value("file", ""), json.value("line", 0u)};
    }
  }

  ProgramResult& result_;
  const ProgramWatch& watch_;
  std::string text_;
};

void listen(int descriptor, pid_t child, Listener& listener, const ProgramWatch& watch) {
  char buffer[65536];
  bool killed = false;
  for (;;) {
    if (watch.stop.stop_requested() && !killed) kill(-child, SIGKILL), killed = true;
    pollfd waiting{descriptor, POLLIN, 0};
    if (poll(&waiting, 1, kPollMs) == 0) {
      // What the program has left behind may hold the pipe open after its end.
      siginfo_t info{};
      if (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
          info.si_pid == child)
        return;
      continue;
    }
    const ssize_t got = read(descriptor, buffer, sizeof buffer);
    if (got <= 0) return;
    listener.add(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace

ProgramResult run_program(const ProgramRequest& request, const ProgramStreams& streams,
                          const ProgramWatch& watch) {
  ProgramResult result;
  Pipe ask, events;
  Program program;
  program.arguments = {own_path(), kProgramCommand};
  program.own_group = true;
  program.descriptors = {{ask.ends[0], kRequestDescriptor}, {events.ends[1], kEventDescriptor}};
  const std::pair<int, int> standard[] = {
      {streams.in, STDIN_FILENO}, {streams.out, STDOUT_FILENO}, {streams.err, STDERR_FILENO}};
  for (const auto& [ours, theirs] : standard)
    if (ours >= 0) program.descriptors.push_back({ours, theirs});
  const pid_t child = start(program);
  if (child < 0) {
    result.end = {kCannotStart, std::string("cannot start a process: ") + std::strerror(errno), {}};
    return result;
  }
  ask.close_end(0), events.close_end(1);
  write_all(ask.ends[1], to_text(request));
  ask.close_end(1);
  Listener listener(result, watch);
  listen(events.ends[0], child, listener, watch);
  int status = 0;
  waitpid(child, &status, 0);
  kill(-child, SIGKILL);
  result.end.status = WIFEXITED(status) ? WEXITSTATUS(status) : kSignalStatus + WTERMSIG(status);
  if (WIFSIGNALED(status) && result.end.crash.empty())
    result.end.crash = strsignal(WTERMSIG(status));
  return result;
}

}  // namespace lanescope::app

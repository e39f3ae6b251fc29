#include "program/process/program_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/program/memory_size.h"
#include "core/program/program_service.h"
#include "core/tasks/pipe.h"
#include "core/tasks/process.h"
#include "core/tasks/scratch.h"
#include "core/text/text_file.h"
#include "program/process/program_child.h"
#include "program/process/work_folder.h"

namespace lanescope::app {
namespace {

constexpr int kPollMs = 50, kSignalStatus = 128;
/// Between two looks at how much memory it has
constexpr double kMemorySeconds = 0.05;

std::string crash_text(const Json& json) {
  const int number = json.at("signal");
  std::string text = strsignal(number);
  if (!json.contains("address")) return text;
  text += fmt::format(" at address {:#x}", json["address"].get<std::uint64_t>());
  if (json.value("device_address", false))
    text += ": a device pointer, which host code may not use";
  else if (json.value("overflow", false))
    text += ": the stack is used up, by recursion without an end or by large arrays in functions";
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
      result_.unfinished.reset();
      if (watch_.launched) watch_.launched(result_.launches.back());
    } else if (kind == "call") {
      result_.calls.push_back(call_record_from(json));
      if (watch_.called) watch_.called(result_.calls.back());
    } else if (kind == "left_out") {
      result_.calls_left_out = json.at("calls");
    } else if (kind == "progress") {
      result_.unfinished = progress_from(json);
      if (watch_.progressed) watch_.progressed(*result_.unfinished);
    } else if (kind == "remark") {
      result_.remarks.push_back(remark_from(json));
    } else if (kind == "started" || kind == "diagnostics") {
      result_.started = kind == "started";
      result_.diagnostics = diagnostics_from(json.at("diagnostics"));
      if (json.contains("lacking")) result_.unbounded = json["lacking"];
    } else if (kind == "captured") {
      result_.captured = json.value("fine", false);
    } else if (kind == "crash") {
      result_.end.crash = crash_text(json);
      result_.end.at = {json.value("file", ""), json.value("line", 0u)};
    }
  }

  ProgramResult& result_;
  const ProgramWatch& watch_;
  std::string text_;
};

/// The three pipes that lead here, until the program has ended or is ended.
class Conversation {
 public:
  Conversation(ProgramResult& result, const ProgramWatch& watch, pid_t process,
               std::uint64_t most_memory)
      : result_(result), watch_(watch), listener_(result, watch), child_(process),
        most_memory_(most_memory) {}

  void run(int events, int out, int err) {
    pollfd waiting[] = {{events, POLLIN, 0}, {out, POLLIN, 0}, {err, POLLIN, 0}};
    int open_ends = 3;
    while (open_ends > 0) {
      look_at_limits();
      // A signal, too, leaves nothing to read.
      if (poll(waiting, 3, kPollMs) <= 0) {
        if (watch_.idle) watch_.idle();
        // What the program has left behind may hold a pipe open after its end.
        if (has_ended()) return;
        continue;
      }
      for (int i = 0; i < 3; ++i)
        if (waiting[i].revents != 0 && !take(waiting[i].fd, i)) waiting[i].fd = -1, --open_ends;
    }
  }

 private:
  bool take(int descriptor, int which) {
    const ssize_t got = ::read(descriptor, buffer_, sizeof buffer_);
    if (got <= 0) return false;
    const auto count = static_cast<std::size_t>(got);
    if (which == 0) return listener_.add(buffer_, count), true;
    written_ += count;
    if (watch_.wrote && !killed_) watch_.wrote({buffer_, count}, which == 2);
    return true;
  }

  void look_at_limits() {
    if (killed_) return;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    if (watch_.stop.stop_requested() || (watch_.interrupted && watch_.interrupted()))
      end(kStopped);
    else if (written_ > watch_.most_output)
      end(fmt::format("it wrote more than {} MiB", watch_.most_output >> 20));
    else if (passed.count() > watch_.most_seconds)
      end(fmt::format("it ran longer than {:g} s", watch_.most_seconds));
    else if (most_memory_ != 0 && memory_is_due(passed.count()) &&
             memory_taken(child_) > most_memory_)
      end(fmt::format("it took more than {} of memory; --memory allows more",
                      size_text(most_memory_)));
  }

  bool memory_is_due(double now) {
    if (now < next_look_) return false;
    next_look_ = now + kMemorySeconds;
    return true;
  }

  void end(const std::string& why) {
    killed_ = true;
    result_.end.crash = why;
    result_.end.was_ended = true;
    kill(-child_, SIGKILL);
  }

  [[nodiscard]] bool has_ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child_;
  }

  ProgramResult& result_;
  const ProgramWatch& watch_;
  Listener listener_;
  const pid_t child_;
  const std::uint64_t most_memory_;
  double next_look_ = 0;
  bool killed_ = false;
  std::uint64_t written_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  char buffer_[65536] = {};
};

/// What the program wrote where nothing stays.
void tell_new_files(const std::string& work_folder, ProgramResult& result) {
  constexpr std::size_t kMostNames = 3;
  if (work_folder.empty()) return;
  const std::vector<std::string> files = new_files(work_folder);
  if (files.empty()) return;
  const std::size_t named = std::min(files.size(), kMostNames);
  const std::string names =
      fmt::format("{}", fmt::join(files.begin(), files.begin() + static_cast<long>(named), ", "));
  const std::string rest =
      files.size() > named ? fmt::format(" and {} more", files.size() - named) : std::string();
  HostRemark remark;
  remark.text = fmt::format(
      "the program wrote {}{}, which {} not kept; --allow-write . keeps what it writes here", names,
      rest, files.size() == 1 ? "is" : "are");
  result.remarks.push_back(std::move(remark));
}

/// Whether a path of the program may lead out of its folder, as far as one sees: a header of its own may name any.
bool may_lead_above(const ProgramRequest& request) {
  const auto leads = [](const std::string& text) { return text.find("..") != std::string::npos; };
  const auto& texts = request.compile.texts;
  for (const std::string& file : request.compile.files) {
    const auto given = texts.find(file);
    const std::string text = given != texts.end() ? given->second : read_text_file(file).text;
    if (leads(text) || text.find("#include \"") != std::string::npos) return true;
  }
  return std::any_of(request.arguments.begin(), request.arguments.end(), leads);
}

}  // namespace

ProgramResult run_program(ProgramRequest request, const ProgramWatch& watch) {
  ProgramResult result;
  const Scratch scratch;
  std::error_code ignored;
  const std::string work_folder =
      make_work_folder(std::filesystem::current_path(ignored).string(), scratch.path(),
                       request.writable, may_lead_above(request));
  if (!scratch.path().empty()) request.writable.push_back(scratch.path());
  Pipe ask, events, out, err;
  Program program;
  program.arguments = {own_path(), kProgramCommand, work_folder};
  program.own_group = true;
  program.descriptors = {{ask.ends[0], kRequestDescriptor},
                         {events.ends[1], kEventDescriptor},
                         {out.ends[1], STDOUT_FILENO},
                         {err.ends[1], STDERR_FILENO}};
  if (watch.in >= 0) program.descriptors.push_back({watch.in, STDIN_FILENO});
  const pid_t process = start(program);
  if (process < 0) {
    result.end.status = kCannotStart;
    result.end.crash = std::string("cannot start a process: ") + std::strerror(errno);
    return result;
  }
  ask.close_end(0), events.close_end(1), out.close_end(1), err.close_end(1);
  write_all(ask.ends[1], to_text(request));
  ask.close_end(1);
  Conversation(result, watch, process, request.memory_bytes)
      .run(events.ends[0], out.ends[0], err.ends[0]);
  int status = 0;
  waitpid(process, &status, 0);
  kill(-process, SIGKILL);
  result.end.status = WIFEXITED(status) ? WEXITSTATUS(status) : kSignalStatus + WTERMSIG(status);
  if (WIFSIGNALED(status) && result.end.crash.empty())
    result.end.crash = strsignal(WTERMSIG(status));
  tell_new_files(work_folder, result);
  return result;
}

}  // namespace lanescope::app

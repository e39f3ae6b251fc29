// A whole program's run as its parent sees it: a child process, its events, its end.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/program_record.h"
#include "core/program/program_request.h"

namespace lanescope::app {

struct ProgramWatch {
  std::stop_token stop = {};
  /// What the program reads; -1: nothing
  int in = -1;
  /// Called with what it writes to its standard output or error, as it comes; may be empty
  std::function<void(std::string_view, bool is_error)> wrote = {};
  /// Bytes of output, and seconds, after which it is ended
  std::uint64_t most_output = 256u << 20;
  double most_seconds = 3600;
  /// Asked now and then: somebody wants it to end, as by a key. May be empty
  std::function<bool()> interrupted = {};
  /// Called as it comes; may be empty
  std::function<void(const LaunchRecord&)> launched = {};
  std::function<void(const CallRecord&)> called = {};
  /// A few times a second while a launch runs; may be empty
  std::function<void(const LaunchProgress&)> progressed = {};
  /// Called when nothing has come for a moment; may be empty
  std::function<void()> idle = {};
};

/// Runs the program to its end, or until it is stopped; then it is killed with all it has started.
ProgramResult run_program(ProgramRequest request, const ProgramWatch& watch = {});

}  // namespace lanescope::app

// A whole program's run as its parent sees it: a child process, its events, its end.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "program/process/program_child.h"
#include "program/process/program_record.h"

namespace lanescope::app {

/// Where the program's standard descriptors lead; -1: nowhere.
struct ProgramStreams {
  int in = -1, out = -1, err = -1;
};

struct ProgramResult {
  /// Why it could not be started; its warnings otherwise
  std::vector<Diagnostic> diagnostics;
  bool started = false;
  std::vector<LaunchRecord> launches;
  std::vector<HostRemark> remarks;
  ProgramEnd end;
};

struct ProgramWatch {
  std::stop_token stop = {};
  /// Called as it comes; may be empty
  std::function<void(const LaunchRecord&)> launched = {};
};

/// Runs the program to its end, or until it is stopped; then it is killed with all it has started.
ProgramResult run_program(const ProgramRequest& request, const ProgramStreams& streams,
                          const ProgramWatch& watch = {});

}  // namespace lanescope::app

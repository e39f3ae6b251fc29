// Running whole programs, as the session and the views see it: no process, no compiler. app/program
// implements it; tests put in their own.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/program_record.h"
#include "core/program/program_request.h"
#include "core/run/captured_launch.h"

namespace lanescope::app {

/// What a run that was stopped has for its crash.
inline constexpr const char* kStopped = "stopped";

/// What goes into a program that runs, and what is told of it meanwhile, from the thread that runs it.
struct ProgramEvents {
  std::stop_token stop = {};
  /// What it reads from its standard input
  std::string input;
  /// What it writes, as it comes; may be empty
  std::function<void(std::string_view)> wrote = {};
  /// A launch that has been counted; may be empty
  std::function<void(const LaunchRecord&)> launched = {};
  /// A call that has been answered; may be empty
  std::function<void(const CallRecord&)> called = {};
  /// How far the launch that runs has come, a few times a second; may be empty
  std::function<void(const LaunchProgress&)> progressed = {};
  /// Nothing has come for a moment; may be empty
  std::function<void()> idle = {};
};

/// One launch of a program, with all that memory held.
struct CaptureResult {
  /// Null with diagnostics
  CapturedLaunchPtr launch;
  /// The file of the kernel, as the compiler was given it
  std::string file;
  std::vector<Diagnostic> diagnostics;
};

class ProgramService {
 public:
  virtual ~ProgramService() = default;

  /// Blocks until the program has ended, or soon after it is stopped. Never throws and never takes
  /// this program down.
  virtual ProgramResult run(const ProgramRequest& request, const ProgramEvents& events) = 0;

  /// Runs the program up to its launch of this number and takes that; of the events, only the input
  /// and the stop count.
  virtual CaptureResult capture(const ProgramRequest& request, std::uint64_t number,
                                const ProgramEvents& events) = 0;
};

}  // namespace lanescope::app

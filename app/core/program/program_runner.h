// Whole programs in the background of a session: what the newest run has shown so far, and the launch
// of it that is looked at.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/kernel/settings.h"
#include "core/program/program_input.h"
#include "core/program/program_service.h"
#include "core/tasks/latest.h"

namespace lanescope::app {

/// A run as far as it is known. Immutable, so that views may read it while it goes on.
struct ProgramRun {
  ProgramRequest request;
  /// In the order in which they were made
  std::vector<std::shared_ptr<const LaunchRecord>> launches;
  /// What it asked for beside them, as it was answered; at most kMostCalls, and how many there were
  /// beside
  std::vector<std::shared_ptr<const CallRecord>> calls;
  std::uint64_t calls_left_out = 0;
  /// The launch that runs
  std::optional<LaunchProgress> progress;
  /// Its standard output and error, as they came; the end of it where that is very long
  std::string output;
  bool output_cut = false;
  bool running = true;
  /// Its text did not compile: launches and output are those of the run before
  bool older = false;
  /// Once it has ended; but its launches are above
  ProgramResult result;
  /// Changes with everything that is published
  std::uint64_t serial = 0;
};
using ProgramRunPtr = std::shared_ptr<const ProgramRun>;

/// What there is to see of the program that the open text belongs to.
struct ProgramStatus {
  /// The file with main(); empty: the text is no program, or there is nothing to run one with
  std::string file;
  /// It says itself how its kernels are launched, and nobody said otherwise: there is nothing to see
  /// of it before it has run
  bool waits = false;
  ProgramInput input;
  /// Why the fields make no request
  Message problem;
  /// Null before the first
  ProgramRunPtr run;
  /// Asked for, not over yet
  bool running = false;
  /// The launch whose memory is being taken
  std::optional<std::uint64_t> capturing;
  /// Why the launch that was asked for last could not be shown
  std::vector<Diagnostic> trouble;
};

/// Used from one thread, the session's; only `wake` is called from others.
class ProgramRunner {
 public:
  /// `service` may be null: then there is never anything to run.
  ProgramRunner(std::shared_ptr<ProgramService> service, std::function<void()> wake);

  [[nodiscard]] const ProgramStatus& status() const { return status_; }

  /// These settings are worked on from now on. A program that was run runs again when its text is
  /// another one.
  void follow(const Settings& settings);
  /// These four return false where they change nothing.
  bool set_input(const Settings& settings, const ProgramInput& input);
  /// `launch` is shown as soon as it is there, if nothing else is.
  bool run(const Settings& settings, std::uint64_t launch = 0);
  bool stop();
  bool show(const Settings& settings, std::uint64_t number);

  /// Takes over what is known by now. True if that changed something.
  bool poll(const Settings& settings);
  struct Shown {
    Settings settings;
    /// The same launch of a newer run; nobody asked to see another one
    bool again = false;
  };
  /// The launch that was asked for, once.
  std::optional<Shown> take_launch(const Settings& settings);
  [[nodiscard]] bool busy() const { return runs_.busy() || captures_.busy(); }
  /// Until nothing runs any more.
  void wait();

 private:
  struct RunTask {
    ProgramRequest request;
    std::string input;
    /// Somebody types: wait until he pauses
    bool after_pause = false;
    /// What stays to be seen if this one does not compile
    ProgramRunPtr before;
  };
  struct CaptureTask {
    ProgramRequest request;
    std::string input;
    std::uint64_t number = 0;
    bool again = false;
  };
  struct Captured {
    CaptureTask task;
    CaptureResult result;
  };
  using Runs = Latest<RunTask, ProgramRunPtr>;
  using Captures = Latest<CaptureTask, std::shared_ptr<const Captured>>;

  [[nodiscard]] std::string program_of(const Settings& settings) const;
  void take_run(ProgramRunPtr run, const Settings& settings);
  void take_capture(const Captured& captured, const Settings& settings);
  void start(ProgramRequest request, bool after_pause);
  void capture(const Settings& settings, std::uint64_t number, bool again);
  [[nodiscard]] bool is_of_program(const Settings& settings) const;
  ProgramRunPtr run_task(const RunTask& task, const Runs::Turn& turn) const;

  std::shared_ptr<ProgramService> service_;
  ProgramStatus status_;
  /// By the file with main()
  std::map<std::string, ProgramInput> inputs_;
  /// Of the newest run, and what it reads
  std::optional<ProgramRequest> asked_;
  std::string asked_input_;
  std::uint64_t wanted_ = 0;
  ProgramRunPtr run_;
  std::optional<Shown> shown_;

  /// Last, so that everything they use outlives them
  Runs runs_;
  Captures captures_;
};

}  // namespace lanescope::app

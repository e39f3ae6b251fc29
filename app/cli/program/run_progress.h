// The line on a terminal that says how far a program's run has come, and Ctrl+C while it runs.
#pragma once

#include <chrono>
#include <ostream>
#include <string>
#include <string_view>

#include "core/program/call_record.h"

namespace lanescope::cli {

/// "launch 3  saxpy  120 of 4,000 blocks  about 12 s left"
std::string progress_text(const app::LaunchProgress& progress);

class RunProgress {
 public:
  /// Draws nothing where it is not enabled.
  RunProgress(std::ostream& out, bool enabled) : out_(out), enabled_(enabled) {}
  ~RunProgress() { erase(); }
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;

  void show(const app::LaunchProgress& progress);
  /// So many launches have ended; the last was of this kernel.
  void count(std::uint64_t launches, const std::string& kernel);
  /// Before text goes to the same terminal. A line that has begun and not ended is left alone.
  void make_room(std::string_view text);
  void erase();

 private:
  void draw(const std::string& line);

  std::ostream& out_;
  const bool enabled_;
  bool shown_ = false, in_a_line_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// While there is one, the first Ctrl+C is only noted; a second ends this process as ever.
class CatchInterrupt {
 public:
  CatchInterrupt();
  ~CatchInterrupt();
  CatchInterrupt(const CatchInterrupt&) = delete;
  CatchInterrupt& operator=(const CatchInterrupt&) = delete;
  [[nodiscard]] static bool caught();
};

}  // namespace lanescope::cli

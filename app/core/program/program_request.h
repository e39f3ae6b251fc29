// What a whole program's run is asked for, as a value and as the text that goes to its process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lanescope/whole_program.h"

namespace lanescope::app {

struct ProgramRequest {
  WholeProgramRequest compile;
  /// argv[1] …; argv[0] is the first file's name without its extension
  std::vector<std::string> arguments;
  /// A preset's name; empty picks the first
  std::string device;
  unsigned threads = 0;
  std::uint64_t step_budget = 0;
  /// Look for races and uninitialised reads in every launch, however large
  bool check_all = false;
  /// Run every launch, also one that is known to change nothing
  bool every_launch = false;
  /// Folders that the program may write to; its parent adds one of its own
  std::vector<std::string> writable;
  /// What its process may have touched, in bytes; more ends it. 0: no bound
  std::uint64_t memory_bytes = 0;
  /// Write the launch of this number to the file and end there; empty: run all
  std::string capture_file;
  std::uint64_t capture_launch = 0;
  /// End the program at its first mistake
  bool stop_at_mistake = false;
};
std::string to_text(const ProgramRequest& request);
/// Throws a std::exception when the text is no request.
ProgramRequest request_from(const std::string& text);

}  // namespace lanescope::app

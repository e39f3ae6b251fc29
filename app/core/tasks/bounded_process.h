// A process that is given a text, gives one back, and may not take longer or more than it is allowed.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace lanescope::app {

struct ProcessBounds {
  /// By the clock on the wall
  double most_seconds = 60;
  /// Of memory that it has touched; see memory_taken
  std::uint64_t most_memory = 2ull << 30;
  /// Of what it writes
  std::uint64_t most_output = 16ull << 20;
};

struct BoundedRun {
  enum class End {
    /// With the status
    itself,
    not_started,
    stopped,
    too_long,
    too_much_memory,
    too_much_output,
  };
  End end = End::itself;
  /// Exit status, or above 128 the signal that ended it
  int status = 0;
  /// What it wrote to its standard output, as far as it got
  std::string output;
};

/// Starts [0] of the arguments with the others, in a process group of its own that ends with it. The
/// process reads `input` and then the end of the file. SIGPIPE must be ignored.
BoundedRun run_bounded(std::vector<std::string> arguments, const std::string& input,
                       const ProcessBounds& bounds, std::stop_token stop = {});

}  // namespace lanescope::app

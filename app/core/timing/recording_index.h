// Times that a GPU took for launches, found again by what was launched.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/run/prepare.h"
#include "core/timing/measurement.h"

namespace lanescope::app {

struct RecordedTiming {
  double milliseconds = 0, gbps = 0, share_of_copy = 0;
  /// 0: not recorded
  int blocks_per_sm = 0, registers = 0;
  std::string device, date;
};

class RecordingIndex {
 public:
  explicit RecordingIndex(const std::vector<Recording>& recordings);
  /// Of the very same launch; null if there is none. The text must be the one that was measured.
  [[nodiscard]] const RecordedTiming* find(const PreparedLaunch& prepared) const;
  /// The scalar arguments under which a kernel with these macros was timed.
  using Texts = std::map<std::string, std::string>;
  [[nodiscard]] std::vector<Texts> arguments(const std::string& kernel,
                                             const Texts& parameters) const;

 private:
  std::map<std::string, RecordedTiming> times_;
  std::map<std::string, std::vector<Texts>> arguments_;
};
using RecordingIndexPtr = std::shared_ptr<const RecordingIndex>;

/// Those that come with the program, read once; thread-safe.
RecordingIndexPtr bundled_recordings();

}  // namespace lanescope::app

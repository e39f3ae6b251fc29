// What a view may ask for about timing.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/kernel/settings.h"

namespace lanescope::app {

/// Which measurements to show. An empty field is chosen for the user: the kernel's family, a size
/// that most of its kernels have, the first element type.
struct TimingQuery {
  enum class Which {
    /// Every kernel of the family as it comes
    defaults,
    /// One kernel, every setting
    kernel,
    all,
  };
  Which which = Which::defaults;
  /// Catalog name or path: the one that is open
  std::string kernel;
  std::string family, size, element;
  bool operator==(const TimingQuery&) const = default;
};

struct ShowTiming {
  TimingQuery query;
};
/// One after the other; what is asked for while others are measured is added.
struct MeasureLaunches {
  std::vector<Settings> launches;
};
/// The one that is measured, and those that wait
struct CancelMeasuring {};

using TimingAction = std::variant<ShowTiming, MeasureLaunches, CancelMeasuring>;

}  // namespace lanescope::app

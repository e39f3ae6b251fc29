// What a view may ask for about timing.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "session/settings.h"

namespace lanescope::app {

/// Which measurements to show. An empty field is chosen for the user: the kernel's family, a size
/// that most of its kernels have, the first element type.
struct TimingQuery {
  enum class Which {
    defaults,  ///< every kernel of the family as it comes
    kernel,    ///< one kernel, every setting
    all,
  };
  Which which = Which::defaults;
  std::string kernel;  ///< catalog name or path: the one that is open
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
struct CancelMeasuring {};  ///< the one that is measured, and those that wait

using TimingAction = std::variant<ShowTiming, MeasureLaunches, CancelMeasuring>;

}  // namespace lanescope::app

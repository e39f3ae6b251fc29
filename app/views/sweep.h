// Sweep: block shape, padding and other parameters as a heat map of what each setting costs.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "session/sweep.h"
#include "views/view_context.h"

namespace lanescope::app {

struct SweepState {
  struct Axis {
    std::string name, values;  ///< "PAD", "0..4"
    bool operator==(const Axis&) const = default;
  };
  std::string of;                                  ///< name of the kernel that the axes are of
  std::vector<Axis> axes;                          ///< as applied
  std::vector<std::string> typed;                  ///< values being edited, by axis
  std::optional<SweepMetric> metric;               ///< none: what differs
  std::map<std::string, std::string> recorded_at;  ///< arguments of the recorded size, when chosen

  // What came of them.
  std::shared_ptr<const SweepPlan> plan, requested;
  std::optional<Settings> planned;  ///< what the plan was made from
  std::vector<Axis> planned_axes;
  std::map<std::string, std::string> planned_at;
  std::vector<Diagnostic> errors;                ///< why there is no plan
  std::map<std::string, std::string> elsewhere;  ///< where times were recorded
  int last_frame = -2, frames_in_sight = 0;
};
void draw_sweep(const ViewContext& ctx, SweepState& state, Actions& actions);

}  // namespace lanescope::app

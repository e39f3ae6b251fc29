// Sweep: block shape, padding and other parameters as a heat map of what each setting costs.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/sweep/sweep.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

struct SweepState {
  struct Axis {
    /// "PAD", "0..4"
    std::string name, values;
    bool operator==(const Axis&) const = default;
  };
  /// Name of the kernel that the axes are of
  std::string of;
  /// As applied
  std::vector<Axis> axes;
  /// Values being edited, by axis
  std::vector<std::string> typed;
  /// None: what differs
  std::optional<SweepMetric> metric;
  /// Arguments of the recorded size, when chosen
  std::map<std::string, std::string> recorded_at;

  // What came of them.
  std::shared_ptr<const SweepPlan> plan, requested;
  /// What the plan was made from
  std::optional<Settings> planned;
  std::vector<Axis> planned_axes;
  std::map<std::string, std::string> planned_at;
  /// Why there is no plan
  std::vector<Diagnostic> errors;
  /// Where times were recorded
  std::map<std::string, std::string> elsewhere;
  int last_frame = -2, frames_in_sight = 0;
};
/// Draws the axes as text fields and the map under them. Reads the settings and the sweep's cells as
/// they come; asks for StartSweep, CancelSweep and UseSettings.
void draw_sweep(const ViewContext& ctx, SweepState& state, Actions& actions);

}  // namespace lanescope::app

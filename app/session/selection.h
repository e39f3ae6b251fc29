// The one selection that all views share, and what they may ask for. Views return actions and
// change nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lanescope/types.h"
#include "session/file_actions.h"
#include "session/settings.h"
#include "session/timing_actions.h"

namespace lanescope::app {

struct SweepPlan;

/// One element in memory: a byte address in one of the windows of lanescope/memory.h.
struct Cell {
  std::uint64_t address = 0;
  std::uint32_t bytes = 4;
  bool operator==(const Cell&) const = default;
};

struct Selection {
  std::uint32_t warp = 0;
  std::size_t step = 0;      ///< in the selected warp's track; the step about to be looked at
  int access = -1;           ///< index in KernelInfo::accesses
  int lane = -1;             ///< pinned lane, -1 for none
  std::optional<Cell> cell;  ///< pinned cell
  // Hover outranks the pinned lane and cell while the pointer rests on one.
  int hover_lane = -1;
  std::optional<Cell> hover_cell;

  [[nodiscard]] int shown_lane() const { return hover_lane >= 0 ? hover_lane : lane; }
};

// --- what a view may ask for ---
struct SelectKernel {
  std::string name;
};  ///< catalog name or path
struct SetParameter {
  std::string name, value;
};  ///< macro
struct SetArgument {
  std::string name, value;
};  ///< scalar argument, as text
struct SetInspectedBlock {
  Dim3 block;
};
struct SetText {
  std::string text;
};
struct SelectWarp {
  std::uint32_t warp;
};
struct SelectStep {
  std::size_t step;
};  ///< of the selected warp; selects its access too
struct SelectAccess {
  int access;
};  ///< and the selected warp's next step that executes it
struct SelectLane {
  int lane;
};  ///< -1 clears
struct SelectCell {
  std::optional<Cell> cell;
};
struct HoverLane {
  int lane;
};  ///< valid for this frame only
struct HoverCell {
  Cell cell;
};  ///< valid for this frame only
enum class StepMove {
  first,
  back,
  forward,
  previous_line,
  next_line,
  previous_access,
  next_access,
  previous_barrier,
  next_barrier,
  last
};
struct MoveStep {
  StepMove move;
};
struct UseSettings {
  Settings settings;
};                        ///< all of them at once, as one undoable change
struct RequestAdvice {};  ///< what could make the selected access cheaper; see session/advice.h
struct SetComparison {
  Settings settings;
};  ///< the other side of a comparison; see session/compare.h
struct CompareWithKernel {
  std::string name;
};  ///< catalog name or path, as it comes
struct CompareWithParameter {
  std::string name, value;
};                              ///< the same settings but for this macro
struct CompareWithPrevious {};  ///< the settings before the last change
struct PinForComparison {};     ///< the settings as they are; what changes next is seen beside them
struct SwapComparison {};
struct ClearComparison {};
struct LinkComparison {
  bool linked;
};
struct MoveComparison {
  StepMove move;
};  ///< steps the other side alone; it is let go of first
struct StartSweep {
  std::shared_ptr<const SweepPlan> plan;
};  ///< see session/sweep_plan.h; one under way is given up
struct CancelSweep {};
struct Undo {};
struct Redo {};
struct ResetLayout {};

using Action =
    std::variant<SelectKernel, SetParameter, SetArgument, SetInspectedBlock, SetText, SelectWarp,
                 SelectStep, SelectAccess, SelectLane, SelectCell, HoverLane, HoverCell, MoveStep,
                 UseSettings, RequestAdvice, SetComparison, CompareWithKernel, CompareWithParameter,
                 CompareWithPrevious, PinForComparison, SwapComparison, ClearComparison,
                 LinkComparison, MoveComparison, StartSweep, CancelSweep, Undo, Redo, ResetLayout,
                 FileAction, TimingAction>;
using Actions = std::vector<Action>;

}  // namespace lanescope::app

// What views may ask for. They return actions and change nothing; `Session::apply` does.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/kernel/settings.h"
#include "core/picture/selection.h"
#include "core/program/program_actions.h"
#include "core/session/file_actions.h"
#include "core/session/lesson_actions.h"
#include "core/timing/timing_actions.h"
#include "lanescope/diagnostic.h"
#include "lanescope/types.h"

namespace lanescope::app {

struct SweepPlan;

/// Catalog name or path
struct SelectKernel {
  std::string name;
};
/// Macro
struct SetParameter {
  std::string name, value;
  /// By a control that has been held since the change before: both are undone together
  bool held = false;
};
/// Scalar argument, as text
struct SetArgument {
  std::string name, value;
};
struct SetInspectedBlock {
  Dim3 block;
  /// As above
  bool held = false;
};
struct SetText {
  std::string text;
};
struct SelectWarp {
  std::uint32_t warp;
};
/// Of the selected warp; selects its access too
struct SelectStep {
  std::size_t step;
};
/// And the selected warp's next step that executes it
struct SelectAccess {
  int access;
};
/// -1 clears
struct SelectLane {
  int lane;
};
struct SelectCell {
  std::optional<Cell> cell;
};
/// Pins it, and selects the warp and the step that first touch it
struct GoToCell {
  Cell cell;
};
/// Block, warp, step and cell of what is wrong, whichever block is inspected now
struct ShowMistake {
  Diagnostic diagnostic;
};
/// Valid for this frame only
struct HoverLane {
  int lane;
};
/// Valid for this frame only
struct HoverCell {
  Cell cell;
};
struct MoveStep {
  StepMove move;
};
/// All of them at once, as one undoable change
struct UseSettings {
  Settings settings;
};
/// What could make the selected access cheaper; see core/why/advice.h
struct RequestAdvice {};
/// The other side of a comparison; see core/compare/compare.h
struct SetComparison {
  Settings settings;
};
/// Catalog name or path, as it comes
struct CompareWithKernel {
  std::string name;
};
/// The same settings but for this macro
struct CompareWithParameter {
  std::string name, value;
};
/// The settings before the last change
struct CompareWithPrevious {};
/// The settings as they are; what changes next is seen beside them
struct PinForComparison {};
struct SwapComparison {};
struct ClearComparison {};
struct LinkComparison {
  bool linked;
};
/// Steps the other side alone; it is let go of first
struct MoveComparison {
  StepMove move;
};
/// See core/sweep/sweep_plan.h; one under way is given up
struct StartSweep {
  std::shared_ptr<const SweepPlan> plan;
};
struct CancelSweep {};
struct Undo {};
struct Redo {};
struct ResetLayout {};

using AnyAction =
    std::variant<SelectKernel, SetParameter, SetArgument, SetInspectedBlock, SetText, SelectWarp,
                 SelectStep, SelectAccess, SelectLane, SelectCell, GoToCell, ShowMistake, HoverLane,
                 HoverCell, MoveStep, UseSettings, RequestAdvice, SetComparison, CompareWithKernel,
                 CompareWithParameter, CompareWithPrevious, PinForComparison, SwapComparison,
                 ClearComparison, LinkComparison, MoveComparison, StartSweep, CancelSweep, Undo,
                 Redo, ResetLayout, FileAction, TimingAction, ProgramAction, LessonAction>;

template <class T, class Variant>
inline constexpr bool is_alternative = false;
template <class T, class... Ts>
inline constexpr bool is_alternative<T, std::variant<Ts...>> = (std::is_same_v<T, Ts> || ...);

/// One of them. A class of its own, so that copying, moving and destroying a variant of thirty is
/// compiled once and not in every view that asks for something.
class Action : public AnyAction {
 public:
  template <class T>
  requires is_alternative<std::remove_cvref_t<T>, AnyAction> Action(T&& asked)
      : AnyAction(std::in_place_type<std::remove_cvref_t<T>>, std::forward<T>(asked)) {}
  Action(const Action& other);
  Action(Action&& other) noexcept;
  Action& operator=(const Action& other);
  Action& operator=(Action&& other) noexcept;
  ~Action();
};
using Actions = std::vector<Action>;

}  // namespace lanescope::app

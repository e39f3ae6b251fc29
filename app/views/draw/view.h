// A view as the window knows it, and the table of all views. Menus, layouts, the palette, the export
// dialog and `render` are made from that table. To add a view, write a folder with its state and its
// draw function, add a row to lists/view_list.cpp and its title to a translation table.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <typeindex>
#include <unordered_map>

#include "core/export/export.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

/// What the views keep from one frame to the next: one state of each type, made when it is first
/// asked for.
class ViewStates {
 public:
  ViewStates() = default;
  ViewStates(const ViewStates&) = delete;
  ViewStates& operator=(const ViewStates&) = delete;

  template <class State>
  State& of() {
    std::shared_ptr<void>& held = held_[typeid(State)];
    if (!held) held = std::make_shared<State>();
    return *static_cast<State*>(held.get());
  }

 private:
  std::unordered_map<std::type_index, std::shared_ptr<void>> held_;
};

/// Arrangements of the views for different uses.
enum class Preset { explore, lecture, compare, projector, lesson, exercise };
inline constexpr std::size_t kPresetCount = 6;

/// The dock nodes of a preset, as ImGui's ids; several may be the same one. Each is named for what
/// is docked there; a view that comes later shares one.
struct Places {
  unsigned text, settings, map, sweep, timing, banks, sectors, lanes, why, bottom;
  /// Of the lesson; 0: where the text is
  unsigned lesson = 0;
};

/// How a view starts in a preset. A number above these two: in front of its tabs. Of two views in
/// one place the larger number is in front, and the largest of all takes the keys.
inline constexpr int kClosed = -1, kBehind = 0;

/// What brings a view to the front of its tabs unasked.
enum class Cue {
  none,
  /// An access of this space was chosen, and a view of the other space is in front
  shared_access,
  global_access,
  /// Something is wrong now
  errors,
  /// Nothing is wrong any more
  no_errors,
  /// A text was opened that is a whole program
  program,
  /// A text was opened that answers an exercise
  exercise,
};

/// A row of the table.
struct View {
  /// Never changes: "banks"
  const char* id = "";
  /// English
  const char* title = "";
  /// Where it is docked
  unsigned Places::*place = nullptr;
  /// By preset
  std::array<int, kPresetCount> starts{};
  /// Shows what was executed; it is drawn fainter while that is not of the newest settings
  bool picture = true;
  /// It tells what was counted: covered while a lesson asks for a prediction
  bool tells = false;
  /// What is written when it is exported as CSV
  ExportTable table = ExportTable::accesses;
  Cue cue = Cue::none;

  /// What follows is filled in by view<>(). Draws its content into the current window.
  void (*draw)(const ViewContext& ctx, ViewStates& states, Actions& actions) = nullptr;
  /// Null, or: the look has changed, so that nothing may be kept that was drawn in the old one.
  void (*restyle)(ViewStates& states) = nullptr;
  /// Null, or: the views have just been laid out and are of the size that they stay.
  void (*settle)(ViewStates& states) = nullptr;
};

/// The table. Its order is that of the menu.
std::span<const View> views();
/// Null if there is none.
const View* find_view(std::string_view id);

template <class Draw>
struct StateOfDraw;
template <class State>
struct StateOfDraw<void (*)(const ViewContext&, State&, Actions&)> {
  using type = State;
};

/// A row for a draw function like `draw_banks(ctx, BanksState&, actions)`. A state that has members
/// restyle() and settle() is told.
template <auto Draw>
constexpr View view(View row) {
  using State = typename StateOfDraw<decltype(Draw)>::type;
  row.draw = [](const ViewContext& ctx, ViewStates& states, Actions& actions) {
    Draw(ctx, states.of<State>(), actions);
  };
  if constexpr (requires(State & state) { state.restyle(); })
    row.restyle = [](ViewStates& states) { states.of<State>().restyle(); };
  if constexpr (requires(State & state) { state.settle(); })
    row.settle = [](ViewStates& states) { states.of<State>().settle(); };
  return row;
}

}  // namespace lanescope::app

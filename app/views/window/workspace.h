// The window's content: menu, status bar, and all views docked in a layout that is remembered.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/course/course_progress.h"
#include "views/draw/view.h"
#include "views/files/file_dialogs.h"
#include "views/window/cheat_sheet.h"
#include "views/window/command_palette.h"
#include "views/window/presets.h"
#include "views/window/remember.h"
#include "views/window/status_bar.h"
#include "views/window/tour.h"

namespace lanescope::app {

inline constexpr float kMinZoom = 0.5f, kMaxZoom = 3;

struct Workspace {
  /// What each view keeps; see state_of()
  ViewStates states;
  StatusBarState status_bar;
  FilesState files;
  FocusCache focus;
  /// Out: of the frame just drawn
  Lit lit;

  // Remembered between runs, beside the layout.
  /// Ids of the views that are not open
  std::set<std::string, std::less<>> closed;
  ThemeId theme_id = ThemeId::dark;
  /// On top of the display's own scale
  float zoom = 1.0f;
  std::string language = "en";
  Layouts layouts;
  TourState tour;
  /// Of the lessons
  Progress progress;

  /// In: the display's own
  float content_scale = 1.0f;
  /// In: draw this view alone over the whole window; "" for all
  std::string only;
  /// In: and without what would only be pressed, as a picture in a file wants it
  bool still = false;
  /// In: what lessons there are, or null
  const LessonStatus* lessons = nullptr;
  /// In: folder of the language tables
  std::string translations;
  /// In and out
  bool reset_layout = false;
  /// Out: wished for
  bool full_screen = false;
  /// Out
  bool quit = false;
  /// Out: draw again at once
  bool animating = false;

  // Notes from one frame to the next.
  bool styled = false;
  CommandPaletteState palette;
  CheatSheetState cheat_sheet;
  /// Before the text that is being typed
  bool was_stale = false;
  std::string followed_access;
  std::string followed_program;
  std::string followed_exercise;
  std::size_t known_errors = 0;
  /// Of the scene that the window was arranged for last
  std::uint64_t followed_scene = 0;
  /// What the lesson's layout shows beside the lesson
  std::vector<std::string> lesson_views;
  /// In: a view to be brought to the front of its tabs when it is there; "" for none
  std::string show_in_front;
  /// To go back to when the lesson or the exercise is left
  Preset before_lesson = Preset::explore, before_exercise = Preset::explore;
  int frames = 0;

  [[nodiscard]] const Theme& theme() const { return theme_of(theme_id); }
  /// Every view is where it stays until somebody asks for another arrangement; with the exercise of this name, "" for none.
  [[nodiscard]] bool arranged(std::string_view exercise) const;
  [[nodiscard]] bool is_open(std::string_view view) const { return !closed.contains(view); }
  void set_open(std::string_view view, bool open);
};

/// What one view keeps: `state_of<BanksState>(workspace)`.
template <class State>
State& state_of(Workspace& workspace) {
  return workspace.states.of<State>();
}

std::optional<ThemeId> theme_id_of(std::string_view name);
/// "dark", "light", "high-contrast"
const char* theme_name(ThemeId id);

/// Draws what the presenter's window shows, in its own ImGui context; after a frame of the other one.
Actions draw_presenter_window(Workspace& workspace, const Session& session, const Fonts& fonts);
/// Draws one frame and returns what the views ask for, in order.
Actions draw_workspace(Workspace& workspace, const Session& session, const Fonts& fonts);

}  // namespace lanescope::app

// The window's content: menu, status bar, and all views docked in a layout that is remembered.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "views/banks.h"
#include "views/cheat_sheet.h"
#include "views/command_palette.h"
#include "views/compare.h"
#include "views/diagnostics.h"
#include "views/files.h"
#include "views/index_map.h"
#include "views/lanes.h"
#include "views/parameters.h"
#include "views/presets.h"
#include "views/remember.h"
#include "views/sectors.h"
#include "views/source.h"
#include "views/status_bar.h"
#include "views/sweep.h"
#include "views/timeline.h"
#include "views/timing.h"
#include "views/tour.h"
#include "views/view_context.h"
#include "views/why.h"

namespace lanescope::app {

/// Every view: its id, which never changes, and its English title.
struct ViewName {
  const char* id;
  const char* title;
};
inline constexpr std::array<ViewName, 12> kViews{{{"source", "Source"},
                                                  {"index_map", "Index map"},
                                                  {"banks", "Banks"},
                                                  {"sectors", "Sectors"},
                                                  {"lanes", "Lanes"},
                                                  {"parameters", "Parameters"},
                                                  {"timeline", "Timeline"},
                                                  {"diagnostics", "Diagnostics"},
                                                  {"sweep", "Sweep"},
                                                  {"timing", "Timing"},
                                                  {"compare", "Compare"},
                                                  {"why", "Why"}}};
constexpr std::array<bool, kViews.size()> all_open() {
  std::array<bool, kViews.size()> open{};
  open.fill(true);
  return open;
}
/// Whether there is a view of this id.
bool is_view(std::string_view id);

inline constexpr float kMinZoom = 0.5f, kMaxZoom = 3;

struct Workspace {
  SourceState source;
  IndexMapState index_map;
  BanksState banks;
  SectorsState sectors;
  LanesState lanes;
  ParametersState parameters;
  TimelineState timeline;
  DiagnosticsState diagnostics;
  SweepState sweep;
  TimingState timing;
  CompareState compare;
  WhyState why;
  StatusBarState status_bar;
  FilesState files;
  FocusCache focus;
  Lit lit;  ///< out: of the frame just drawn

  // Remembered between runs, beside the layout.
  std::array<bool, kViews.size()> open = all_open();
  ThemeId theme_id = ThemeId::dark;
  float zoom = 1.0f;  ///< on top of the display's own scale
  std::string language = "en";
  Layouts layouts;
  TourState tour;

  float content_scale = 1.0f;  ///< in: the display's own
  std::string only;            ///< in: draw this view alone over the whole window; "" for all
  std::string translations;    ///< in: folder of the language tables
  bool reset_layout = false;   ///< in and out
  bool full_screen = false;    ///< out: wished for
  bool quit = false;           ///< out
  bool animating = false;      ///< out: draw again at once

  // Notes from one frame to the next.
  bool styled = false;
  CommandPaletteState palette;
  CheatSheetState cheat_sheet;
  bool was_stale = false;  ///< before the text that is being typed
  int followed_access = -1;
  std::uint64_t followed_serial = 0;
  std::size_t known_errors = 0;
  int frames = 0;

  [[nodiscard]] const Theme& theme() const { return theme_of(theme_id); }
};

std::optional<ThemeId> theme_id_of(std::string_view name);
/// "dark", "light", "high-contrast"
const char* theme_name(ThemeId id);

/// Draws one frame and returns what the views ask for, in order.
Actions draw_workspace(Workspace& workspace, const Session& session, const Fonts& fonts);

}  // namespace lanescope::app

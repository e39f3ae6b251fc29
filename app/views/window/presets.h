// Arrangements of the views for different uses. Each keeps what the user changed in it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "views/draw/view.h"

namespace lanescope::app {

struct Workspace;

struct PresetName {
  /// Never changes
  const char* id;
  /// English
  const char* title;
};
inline constexpr std::array<PresetName, kPresetCount> kPresets{{{"explore", "Explore"},
                                                                {"lecture", "Lecture"},
                                                                {"compare", "Compare side by side"},
                                                                {"projector", "Projector"},
                                                                {"lesson", "Lesson"},
                                                                {"exercise", "Exercise"}}};
std::optional<Preset> preset_of(std::string_view id);
inline const char* preset_id(Preset preset) {
  return kPresets[static_cast<std::size_t>(preset)].id;
}

/// What the projector's switch gives back when it is switched off.
struct BeforeProjector {
  Preset preset = Preset::explore;
  float zoom = 1;
};

struct Layouts {
  Preset current = Preset::explore;
  /// In: arrange the views so before the next frame
  std::optional<Preset> wanted;
  /// Set while the projector mode is on
  std::optional<BeforeProjector> before_projector;
  /// By preset: closed views and ImGui's text of the arrangement; "" where nothing was kept. The
  /// current one's is ImGui's own.
  std::array<std::string, kPresets.size()> kept;
};

/// Arranges the views so from the next frame on; leaves the projector mode.
void choose_preset(Workspace& workspace, Preset preset);
/// Larger type, thicker lines, fewer views, or back to what was there before.
void toggle_projector(Workspace& workspace);
/// Does what `wanted` says; before anything of a frame is drawn.
void switch_preset(Workspace& workspace);

}  // namespace lanescope::app

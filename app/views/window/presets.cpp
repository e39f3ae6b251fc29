#include "views/window/presets.h"

#include <algorithm>

#include "imgui_internal.h"
#include "views/window/layout.h"
#include "views/window/workspace.h"

namespace lanescope::app {
namespace {

constexpr float kProjectorZoom = 1.6f;  // times the look before
constexpr int kTabsSettled = 10;        // frames after which no tab is brought forward

// The sections that say where windows are. Ours, with the look, is not one of them.
std::string arrangement() {
  const std::string all = ImGui::SaveIniSettingsToMemory();
  std::string result;
  bool wanted = false;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    const std::string line = all.substr(at, end - at);
    if (line.starts_with("["))
      wanted = line.starts_with("[Window]") || line.starts_with("[Docking]");
    if (wanted) result += line + "\n";
    at = end + 1;
  }
  return result;
}

std::string closed_views(const Workspace& workspace) {
  std::string ids;
  for (const View& view : views()) {
    if (!workspace.is_open(view.id)) ids += std::string(view.id) + ",";
  }
  return ids;
}

void arrange_afresh(Workspace& workspace, Preset preset) {
  workspace.layouts.kept[static_cast<std::size_t>(preset)].clear();
  workspace.reset_layout = true;
}

void arrange_as_kept(Workspace& workspace, const std::string& kept) {
  const std::size_t line = kept.find('\n');
  const std::string closed = "," + kept.substr(0, line);
  for (const View& view : views()) {
    workspace.set_open(view.id, closed.find("," + std::string(view.id) + ",") == std::string::npos);
  }
  const std::string text = kept.substr(line + 1);
  ImGui::LoadIniSettingsFromMemory(text.data(), text.size());
  workspace.frames = kTabsSettled;
}

}  // namespace

std::optional<Preset> preset_of(std::string_view id) {
  for (std::size_t i = 0; i < kPresets.size(); ++i) {
    if (id == kPresets[i].id) return static_cast<Preset>(i);
  }
  return std::nullopt;
}

void choose_preset(Workspace& workspace, Preset preset) {
  if (workspace.layouts.before_projector) toggle_projector(workspace);
  workspace.layouts.wanted = preset;
}

void toggle_projector(Workspace& workspace) {
  Layouts& layouts = workspace.layouts;
  if (layouts.before_projector) {
    layouts.wanted = layouts.before_projector->preset;
    workspace.zoom = layouts.before_projector->zoom;
    layouts.before_projector.reset();
  } else {
    layouts.before_projector = BeforeProjector{layouts.current, workspace.zoom};
    // A lesson and an exercise stay where they are; their type grows.
    if (layouts.current != Preset::lesson && layouts.current != Preset::exercise)
      layouts.wanted = Preset::projector;
    workspace.zoom = std::min(kMaxZoom, workspace.zoom * kProjectorZoom);
  }
  workspace.styled = false;
}

void switch_preset(Workspace& workspace) {
  Layouts& layouts = workspace.layouts;
  if (!layouts.wanted) return;
  const Preset next = *layouts.wanted;
  layouts.wanted.reset();
  if (next == layouts.current) return;
  layouts.kept[static_cast<std::size_t>(layouts.current)] =
      closed_views(workspace) + "\n" + arrangement();
  layouts.current = next;
  const std::string kept = layouts.kept[static_cast<std::size_t>(next)];
  if (kept.find('\n') == std::string::npos) {
    arrange_afresh(workspace, next);
  } else {
    arrange_as_kept(workspace, kept);
  }
  ImGui::MarkIniSettingsDirty();
}

}  // namespace lanescope::app

#include "gui_files.h"

#include <imgui.h>

namespace lanescope::app {

Files::Look look_of(Workspace& workspace) {
  return {.get = [] { return std::string(ImGui::SaveIniSettingsToMemory()); },
          .set =
              [&workspace](const std::string& look) {
                workspace.open.fill(true);  // only closed ones are written
                ImGui::LoadIniSettingsFromMemory(look.data(), look.size());
                workspace.styled = false;
              }};
}

std::string window_title_of(const DocumentStatus& document) {
  std::string title = document.name;
  if (document.bundled && document.edited) title += " (edited copy)";
  if (document.unsaved) title = "● " + title;
  return title.empty() ? "Lanescope" : title + " – Lanescope";
}

}  // namespace lanescope::app

#include "views/draw/named_value.h"

#include <imgui.h>

namespace lanescope::app {

void named_value(const char* name, const std::string& value) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextDisabled("%s", name);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(value.c_str());
}

}  // namespace lanescope::app

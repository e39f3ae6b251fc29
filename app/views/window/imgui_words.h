// The few words that ImGui says by itself: menus of tab bars and of table heads.
#pragma once

namespace lanescope::app {

/// Says them in the current language from now on; to be called whenever that changes.
void translate_imgui();

}  // namespace lanescope::app

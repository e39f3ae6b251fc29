// A finished ImGui frame as SVG: shapes as polygons, words as text, both sharp at any size.
#pragma once

#include <string>

#include "imgui.h"
#include "platform/fonts.h"

namespace lanescope::app {

/// Call before the frames that lead to the picture: no anti-aliasing fringes, textures as
/// rectangles.
void prepare_for_svg();

/// `data` is what ImGui::GetDrawData() gives after the frame has been rendered.
std::string to_svg(const ImDrawData& data, const Fonts& fonts);

}  // namespace lanescope::app

// The file that ImGui keeps the layout in. ImGui trusts it; we look at it first.
#pragma once

#include <string>
#include <string_view>

namespace lanescope::app {

/// Whether every line is one that can be in such a file, and the dock nodes make trees.
[[nodiscard]] bool is_sound_layout(std::string_view text);

/// Puts a file that is not sound aside, as "….broken", so that the defaults hold.
void drop_broken_layout(const std::string& file);

}  // namespace lanescope::app

// Where every widget of the last frame stands: for scripts that drive the window from outside.
#pragma once

#include <string>
#include <vector>

namespace lanescope::app {

struct ShownItem {
  std::string window;                         ///< stable id: "banks"
  std::string label;                          ///< as drawn, without what follows "##"
  std::string id;                             ///< what follows "##" or "###"; else empty
  float x = 0, y = 0, width = 0, height = 0;  ///< the visible part, in pixels of the window
};

/// From now on the current ImGui context's items are collected. Not where the test engine is
/// linked.
void collect_items();
/// Those of the frame just drawn; starts afresh.
std::vector<ShownItem> take_items();

}  // namespace lanescope::app

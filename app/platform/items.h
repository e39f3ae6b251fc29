// Where every widget of the last frame stands: for scripts that drive the window from outside.
#pragma once

#include <string>
#include <vector>

namespace lanescope::app {

struct ShownItem {
  /// Stable id: "banks"
  std::string window;
  /// As drawn, without what follows "##"
  std::string label;
  /// What follows "##" or "###"; else empty
  std::string id;
  /// The visible part, in pixels of the window
  float x = 0, y = 0, width = 0, height = 0;
};

/// From now on the current ImGui context's items are collected. Not where the test engine is
/// linked.
void collect_items();
/// Those of the frame just drawn; starts afresh.
std::vector<ShownItem> take_items();

/// What real input has reached by the frame just drawn: who sends it need not guess how long that
/// takes.
struct ShownInput {
  /// Pixels of the window
  float pointer_x = 0, pointer_y = 0;
  /// Stable id of the window that keys go to; may be empty
  std::string keyboard;
  /// A text there takes them
  bool typing = false;
};
ShownInput shown_input();

}  // namespace lanescope::app

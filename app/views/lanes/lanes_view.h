// Lanes: a table of the 32 lanes with every source variable's value at this step.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "views/draw/view_context.h"

namespace lanescope::app {

/// What a row says, but for its number.
struct LaneTexts {
  std::string thread, address, byte, served;
  /// By column
  std::vector<std::string> variables;
};

struct LanesState {
  /// By lane, of the focus with that serial
  std::array<LaneTexts, kLanes> texts;
  std::uint64_t texts_of = 0;
  /// Lane last brought into sight
  int followed = -1;
  /// Frames spent on bringing the next one into sight
  int tries = 0;
};
/// Draws a row a lane, a column a variable. Reads the picture's trace at the selected step; asks for
/// HoverLane and SelectLane.
void draw_lanes(const ViewContext& ctx, LanesState& state, Actions& actions);

}  // namespace lanescope::app

// Banks: 32 columns, and a row for every wavefront in which the selected access is served.
#pragma once

#include "views/view_context.h"

namespace lanescope::app {

struct BanksState {
  int shown = 0;  ///< wavefronts played so far; 0 shows them all
  bool playing = false;
  double next_at = 0;  ///< ImGui time of the next one
};
void draw_banks(const ViewContext& ctx, BanksState& state, Actions& actions);

/// "16-way conflict: 16 wavefronts, ideal 1".
std::string banks_headline(const BankPlan& plan);

}  // namespace lanescope::app

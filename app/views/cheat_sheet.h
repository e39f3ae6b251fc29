// The cheat sheet (F1): every key and what every colour means, on one page; and the list of terms.
#pragma once

#include "views/view_context.h"

namespace lanescope::app {

struct CheatSheetState {
  bool ask = false, ask_terms = false;    ///< in: open it
  bool open = false, terms_open = false;  ///< out
};
void draw_cheat_sheet(const ViewContext& ctx, CheatSheetState& state);

}  // namespace lanescope::app

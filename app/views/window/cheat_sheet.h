// The cheat sheet (F1): every key and what every colour means, on one page; and the list of terms.
#pragma once

#include "views/draw/view_context.h"

namespace lanescope::app {

struct CheatSheetState {
  /// In: open it
  bool ask = false, ask_terms = false;
  /// Out
  bool open = false, terms_open = false;
};
void draw_cheat_sheet(const ViewContext& ctx, CheatSheetState& state);

}  // namespace lanescope::app

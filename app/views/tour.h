// The tour of a first start: a few cards, each with an arrow to the view that it speaks of.
#pragma once

#include <span>

#include "views/view_context.h"

namespace lanescope::app {

struct Workspace;

struct TourState {
  bool allowed = false;  ///< in: a person is looking; a picture drawn into a file has none
  bool done = false;     ///< remembered: gone through or skipped
  int step = -1;         ///< the card that is shown, -1 for none
  int drawn = 0;         ///< frames since that card was chosen
};

struct TourCard {
  const char* view;  ///< that the arrow points to; "" for none
  const char* title;
  const char* text;
};
std::span<const TourCard> tour_cards();
int tour_steps();
void start_tour(Workspace& workspace);
void draw_tour(const ViewContext& ctx, Workspace& workspace, Actions& actions);

}  // namespace lanescope::app

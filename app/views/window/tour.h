// The tour of a first start: a few cards, each with an arrow to the view that it speaks of.
#pragma once

#include <span>

#include "views/draw/view_context.h"

namespace lanescope::app {

struct Workspace;

struct TourState {
  /// In: a person is looking; a picture drawn into a file has none
  bool allowed = false;
  /// Remembered: gone through or skipped
  bool done = false;
  /// The card that is shown, -1 for none
  int step = -1;
  /// Frames since that card was chosen
  int drawn = 0;
};

struct TourCard {
  /// That the arrow points to; "" for none
  const char* view;
  const char* title;
  const char* text;
  /// That is to be seen as well; "" for none
  const char* beside = "";
};
std::span<const TourCard> tour_cards();
int tour_steps();
void start_tour(Workspace& workspace);
void end_tour(Workspace& workspace);
void draw_tour(const ViewContext& ctx, Workspace& workspace, Actions& actions);

}  // namespace lanescope::app

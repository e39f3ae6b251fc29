// Banks: 32 bins, each as high as the wavefronts that its bank needs for the selected access, under
// the rows of the tile that the lanes fall from; and the equation that says why. Above them, every
// shared access of the block as a heat strip.
#pragma once

#include "views/banks/bank_card.h"
#include "views/banks/banks_strip.h"
#include "views/banks/banks_tile.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

struct BanksState {
  /// The wavefront being served, from 1; 0 shows them all
  int shown = 0;
  bool playing = false;
  /// ImGui time of the next one
  double next_at = 0;
  BanksStrip strip;
  BanksTile tile;
  /// The equation instead of the bins, where there is no room for both
  bool equation = false;
  BankCardState card;
  // Which execution `shown` is about; another one starts over.
  std::uint64_t serial = 0;
  std::uint32_t warp = 0;
  std::size_t step = 0;
};
/// Draws the strip of all executions, the lanes and their banks. Reads the picture's index and the
/// shown execution; asks for SelectStep, SelectWarp, HoverLane and SelectLane.
void draw_banks(const ViewContext& ctx, BanksState& state, Actions& actions);

/// "16-way conflict: 16 wavefronts, ideal 1".
std::string banks_headline(const BankPlan& plan);

}  // namespace lanescope::app

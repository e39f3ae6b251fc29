// The tile above the bins: every row of it moved on to the bank that its first element lies in, so
// that lanes stand over the bins that they fall into.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "views/draw/view_context.h"

namespace lanescope::app {

/// Where the 32 columns of the view stand.
struct BankColumns {
  float left = 0, cell = 0;
  [[nodiscard]] float x(float bank) const { return left + cell * bank; }
};

struct BanksTile {
  std::uint64_t serial = 0;
  std::uint32_t warp = 0;
  std::size_t step = 0;
  /// Index in KernelInfo::shared_arrays; -1: the lanes are in no array with rows
  int array = -1;
  /// Of a row, in words
  std::uint64_t pitch = 0;
  /// First row that is shown
  std::uint64_t first = 0;
  /// By row: words from the start of a line of banks to the row's first element, where it is drawn
  /// now and where it belongs
  std::vector<float> drawn;
  std::vector<float> wanted;
  /// Row of each lane, counted from `first`; -1 for none
  std::array<int, kLanes> row{};
};

/// Takes over the shown execution. Rows that were shown already slide to where they belong.
void follow_tile(const ViewContext& ctx, BanksTile& tile, const Execution& shown);
/// Words that wait in the bank of a lane, in its group: the height of the stack it falls on.
std::array<int, kLanes> stack_heights(const BankPlan& plan);
/// `serving` is the wavefront being served, from 1; 0 for all at once.
void draw_tile(const ViewContext& ctx, const BanksTile& tile, const Execution& shown, int serving,
               const BankColumns& columns, float height, Actions& actions);

}  // namespace lanescope::app

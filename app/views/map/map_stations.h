// Where the stations of a journey stand: input, threads, tile, threads, output, all at one scale,
// in the arrangement that makes their cells largest. Where they would become too small to be read,
// fewer of them are shown. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::app {

/// One panel, in the order of the journey.
struct Station {
  /// In: which of the journey's stations it belongs to; those of one stand above each other
  int role = 0;
  /// In: cells of all of it
  std::uint64_t rows = 1, cols = 1;
  /// Out: pixels from the corner of the space to that of its cells
  float x = 0, y = 0;
  /// Out: cells that there is room for
  std::uint64_t shown_rows = 1, shown_cols = 1;

  bool operator==(const Station&) const = default;
};

struct StationRoom {
  float width = 0, height = 0;
  /// Over each panel, for its name and its columns' numbers; left of it, for its rows' numbers
  float header = 0, margin = 0;
  /// Between stations
  float gap = 0;
  /// Bounds of a cell's side
  float least = 14, most = 26;

  bool operator==(const StationRoom&) const = default;
};

/// How the ways go, so that whoever reads it can follow.
enum class Arrangement : std::uint8_t {
  /// From left to right
  row,
  /// Input, threads and tile above each other, the rest beside them
  stack,
  /// Input, threads, tile, and back below them
  turn,
};

struct StationPlan {
  Arrangement arrangement = Arrangement::row;
  /// Pixels a side
  float cell = 0;
  /// Every cell is there
  bool whole = true;
};

/// Fills in what is out. With `overview` every cell is there, however small.
StationPlan arrange(std::span<Station> stations, const StationRoom& room, bool overview);

/// An arrangement that is asked for in every frame, and mostly is what it was in the last one.
class KeptArrangement {
 public:
  StationPlan arrange(std::vector<Station>& stations, const StationRoom& room, bool overview);

 private:
  std::vector<Station> asked_, placed_;
  StationRoom room_;
  bool overview_ = false;
  StationPlan plan_;
};

}  // namespace lanescope::app

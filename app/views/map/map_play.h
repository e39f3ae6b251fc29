// Where the index map is in the journey of its block, and how it is played, stepped and scrubbed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "views/draw/view_context.h"

namespace lanescope::app {

class Journey;
struct IndexMapState;

struct MapPlay {
  /// In moves: 3.5 is the fourth one half done. From -1 to 0 the block goes from matrix to matrix.
  double position = 0;
  /// It goes there by itself, a step's length; nullopt: it stands, or plays on
  std::optional<double> target;
  bool playing = false;
  float speed = 1;
  /// Where a session left it, of that warp's step; taken up with the first picture
  struct Left {
    double position = 0;
    std::uint32_t warp = 0;
    std::size_t step = 0;
    /// The whole matrices were seen
    bool whole = false;
  };
  std::optional<Left> left;
  /// The selection that the position was last made from, or that was asked for
  std::uint32_t warp = 0;
  std::size_t step = ~std::size_t{0};
};

/// The move that is shown, and how far it is: at a whole number, the one that has just been done.
/// nullopt at the start and while the block is on its way.
struct MapMoment {
  std::size_t move = 0;
  float fraction = 1;
};
std::optional<MapMoment> moment_of(const Journey& journey, double position);

/// Lets time pass; takes over a step that was selected elsewhere, and asks for the step that the
/// position has come to.
void run_map(const ViewContext& ctx, IndexMapState& state, Actions& actions);

/// By whole moves; of stages to their ends. Backwards with a negative number.
void step_map(IndexMapState& state, int moves);
void step_map_stage(IndexMapState& state, int stages);
void play_map(IndexMapState& state, bool playing);
/// Straight there.
void scrub_map(IndexMapState& state, double position);

}  // namespace lanescope::app

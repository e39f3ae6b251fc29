// Zoom and pan over a matrix of cells, and which block its tiles belong to. Pure.
#pragma once

#include <optional>

#include "views/map/map_panels.h"

namespace lanescope::app {

/// The cell in the top left corner of the view, and how many pixels a cell is. Fractions count: at
/// the far end a pixel is hundreds of cells.
struct MapCamera {
  double row = 0, col = 0, cell = 1;
  bool operator==(const MapCamera&) const = default;
};

/// Pixels of a view.
struct MapView {
  double width = 1, height = 1;
};

/// All of the window, as large as it can be up to `most` pixels a cell, in the middle.
MapCamera fitted(const CellWindow& window, MapView view, double most);
/// `factor` times as large, with what is at (x, y) of the view staying there.
MapCamera zoomed(const MapCamera& camera, double factor, double x, double y);
/// Back to where there is something to see: not further out than the whole matrix, not closer than
/// `most` pixels a cell, never beside the matrix.
MapCamera held(MapCamera camera, std::uint64_t rows, std::uint64_t cols, MapView view, double most);
/// The cells that are seen, in part or whole.
CellWindow seen(const MapCamera& camera, std::uint64_t rows, std::uint64_t cols, MapView view);

/// A matrix cut into tiles of the size that the inspected block touches. Whether the other blocks
/// keep to it, only a run of them can tell: this is how the launch and this block suggest it.
struct BlockTiling {
  /// Of a tile, cells
  std::uint64_t rows = 0, cols = 0;
  /// The tile's row is blockIdx.x, its column blockIdx.y
  bool transposed = false;
  /// The block whose tile holds the cell.
  [[nodiscard]] Dim3 block_at(std::uint64_t row, std::uint64_t col) const;
};
/// Nullopt where the block's box and the grid do not fit each other.
std::optional<BlockTiling> tiling_of(const Picture& picture, const MapPanel& panel);

/// How much of its box the block touches, 0 to 1.
double touched_share(const MapPanel& panel);

}  // namespace lanescope::app

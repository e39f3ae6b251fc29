// Swizzle: where the elements of a tile lie, as recorded or by a formula, its name as CuTe would write
// it, and which swizzle frees which read of conflicts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/swizzle/tile_addresses.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

struct SwizzleState {
  /// A formula instead of what was recorded; also where nothing was
  bool by_formula = false;
  TileFormula formula{.text = "row*64 + ((chunk ^ row % 8)*8 + col % 8)"};
  /// Whose lanes light up together
  TileRead read = TileRead::matrix;
  /// One of `tried` instead of the tile as it is
  std::optional<Swizzle> instead;
  /// The table instead of the pictures, where there is no room for both
  bool table = false;
  /// Under the pointer in the frame before this one, and in this one; held by a click
  std::optional<TileElement> hovered, pointed, pinned;

  // What is shown, made anew when the picture, the array or the formula changes.
  std::uint64_t serial = ~0ull;
  std::vector<RecordedTile> tiles;
  /// Index in `tiles`, chosen by hand; -1: the selected access's
  int chosen = -1;
  struct Made {
    bool by_formula = false;
    std::uint64_t serial = ~0ull;
    int tile = -1;
    TileFormula formula;
    bool operator==(const Made&) const = default;
  };
  Made made;
  FormulaTile from_formula;
  /// nullopt: there is none to show
  std::optional<TileAddresses> tile;
  std::optional<TileLayout> layout;
  std::array<ReadCost, kTileReads> cost;
  std::vector<TriedSwizzle> tried;

  [[nodiscard]] std::optional<TileElement> lit() const { return hovered ? hovered : pinned; }
};
/// Reads the recorded block's stores to shared memory.
void draw_swizzle(const ViewContext& ctx, SwizzleState& state, Actions& actions);

/// "ldmatrix (8 rows)"
const char* read_title(TileRead read);

// The parts of the view.

/// The tile by rows and columns, each cell in the colour of its bank; and the memory by lines of banks,
/// each cell in the colour of the bank that its column would have alone.
void draw_swizzle_pictures(const ViewContext& ctx, SwizzleState& state, const TileAddresses& tile);
/// Which swizzle is free of conflicts for which read.
void draw_swizzle_table(const ViewContext& ctx, SwizzleState& state);

}  // namespace lanescope::app

// Where the elements of a tile lie: as a run recorded it, or as a formula says. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/picture/execution.h"
#include "core/picture/picture.h"
#include "core/swizzle/swizzle.h"

namespace lanescope::app {

/// A tile as the block stored it first: rows and columns are those of the matrix in global memory that
/// its elements were loaded from, counted from the tile's first. Of a tensor of CuTe those of its first two modes.
struct RecordedTile {
  /// Index in KernelInfo::shared_arrays; −1 of a tensor copy's, and of a tensor
  int array = -1;
  /// Of a tensor copy: its access, and its tile's first element, "A[256][64]"
  int access = -1;
  std::string first = {};
  /// "tile", and the buffer that the elements come from: "in"
  std::string name, from;
  TileAddresses addresses;
  /// There are more rows than are looked at
  bool cut = false;
  /// Where its layout says where it lies, whatever was stored; else null
  PlacedTensorPtr tensor = {};
  /// Its first mode counts the columns, being that along which memory is read: M-major
  bool turned = false;
};
/// Of every tensor of CuTe in shared memory; of every array that none of them names and that elements were copied to
/// unchanged; then the tile of each tensor copy's first execution.
std::vector<RecordedTile> recorded_tiles(const Picture& picture);
/// The one of them that an execution reaches with its first lane; -1 for none.
int tile_reached(const std::vector<RecordedTile>& tiles, const Picture& picture,
                 const Execution& execution);

/// What a person types: an element's offset by `row`, `col` and `chunk` (16 bytes) of its column.
struct TileFormula {
  std::string text;
  int rows = 64, columns = 64;
  std::uint32_t element_bytes = 2;
  bool operator==(const TileFormula&) const = default;
};
/// The swizzle by which chunks of 16 bytes change places with the row.
std::string usual_formula(int columns, std::uint32_t element_bytes);

struct FormulaTile {
  /// nullopt after an error
  std::optional<TileAddresses> addresses;
  /// The byte of the text from which on it cannot be read
  std::optional<std::size_t> wrong_at;
  /// An element whose offset cannot be computed, is negative or beyond 2^20
  std::optional<TileElement> no_offset;
  /// Two elements that lie at one place; the picture is made all the same
  std::optional<std::pair<TileElement, TileElement>> same_place;
};
FormulaTile formula_tile(const TileFormula& formula);

}  // namespace lanescope::app

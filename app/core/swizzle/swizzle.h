// XOR swizzles as CuTe names them, which of them a layout is, and what each of them costs whom who
// reads the tile. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::app {

/// CuTe's Swizzle<B, M, S> over element offsets: bits M + S … M + S + B − 1 are exclusive-ored into
/// bits M … M + B − 1. B = 0 changes nothing.
struct Swizzle {
  int bits = 0, base = 0, shift = 0;
  bool operator==(const Swizzle&) const = default;

  [[nodiscard]] std::uint64_t operator()(std::uint64_t offset) const {
    const std::uint64_t mask = ((std::uint64_t{1} << bits) - 1) << base;
    return offset ^ (offset >> shift & mask);
  }
  /// "Swizzle<3, 3, 3>"
  [[nodiscard]] std::string name() const;
};

/// Where each element of a tile lies in shared memory.
struct TileAddresses {
  static constexpr std::int64_t kUnknown = -1;
  int rows = 0, columns = 0;
  std::uint32_t element_bytes = 4;
  /// Bytes from the start of shared memory to the array
  std::uint64_t base = 0;
  /// Row by row, in elements from the array's start
  std::vector<std::int64_t> offset;

  [[nodiscard]] std::int64_t at(int row, int column) const {
    return offset[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                  static_cast<std::size_t>(column)];
  }
  /// In bytes, from the start of shared memory; of a known one
  [[nodiscard]] std::uint64_t address(int row, int column) const {
    return base + static_cast<std::uint64_t>(at(row, column)) * element_bytes;
  }
  /// Elements in 16 bytes; 1 for larger ones
  [[nodiscard]] int chunk() const {
    return element_bytes >= 16 ? 1 : static_cast<int>(16 / element_bytes);
  }
};
/// So many elements of a tile are looked at; of a larger one the first rows.
inline constexpr int kMostTileElements = 16384;

/// Rows `pitch` elements apart (or columns), and then swizzled.
struct TileLayout {
  std::uint64_t pitch = 0;
  bool by_columns = false;
  Swizzle swizzle;
};
TileAddresses addresses_of(const TileLayout& layout, const TileAddresses& like);
/// The layout that gives these addresses, all that are known; the one with fewest bits. nullopt if
/// there is none.
std::optional<TileLayout> find_layout(const TileAddresses& tile);

/// Ways to read a tile as a whole, 32 lanes at a time.
enum class TileRead : std::uint8_t {
  /// Lanes along rows, an element each
  rows,
  /// Lanes down columns, an element each
  columns,
  /// 8 rows of 16 bytes, as ldmatrix takes them: one matrix
  matrix,
  /// Lanes along rows, 16 bytes each
  wide_rows,
  /// Lanes down rows, 16 bytes each
  wide_columns,
};
inline constexpr int kTileReads = 5;

struct ReadCost {
  /// False: 16 bytes that belong together do not lie together
  bool possible = true;
  std::uint64_t wavefronts = 0, conflicts = 0;
  [[nodiscard]] bool is_free() const { return possible && conflicts == 0; }
  /// Wavefronts for one without conflicts
  [[nodiscard]] double ratio() const {
    return wavefronts == conflicts
               ? 1.0
               : static_cast<double>(wavefronts) / static_cast<double>(wavefronts - conflicts);
  }
};
ReadCost read_cost(const TileAddresses& tile, TileRead read);

/// Row and column of an element.
struct TileElement {
  int row = 0, column = 0;
  bool operator==(const TileElement&) const = default;
};
/// The first elements of the lanes that read together with one; of a matrix there are eight.
std::vector<TileElement> read_together(const TileAddresses& tile, TileRead read,
                                       TileElement element);

struct TriedSwizzle {
  Swizzle swizzle;
  std::array<ReadCost, kTileReads> cost;
  /// How many of the reads have no conflict
  int free = 0;
};
/// Every swizzle that keeps a tile of rows `pitch` apart within its memory, best first: most reads free
/// of conflicts, then fewest wavefronts, then fewest bits.
std::vector<TriedSwizzle> try_swizzles(const TileAddresses& like, std::uint64_t pitch);

}  // namespace lanescope::app

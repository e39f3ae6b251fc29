// The pieces of memory that the inspected block touches, as rectangles of cells: what the index map
// draws.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/picture/picture.h"

namespace lanescope::app {

/// Half-open ranges of rows and columns.
struct CellWindow {
  /// First and count
  std::uint64_t row = 0, rows = 0, col = 0, cols = 0;
  [[nodiscard]] bool contains(std::uint64_t r, std::uint64_t c) const {
    return r - row < rows && c - col < cols;
  }
  bool operator==(const CellWindow&) const = default;
};

/// "5" for one, "0–7" for several.
std::string range_text(std::uint64_t first, std::uint64_t count);

/// In the order of a journey: `threads` as they are numbered, `writers` as they stand by what they
/// write.
enum class PanelRole : std::uint8_t { input, threads, tile, writers, output };
inline bool is_threads(PanelRole role) {
  return role == PanelRole::threads || role == PanelRole::writers;
}
inline constexpr std::size_t kPanelRoles = 5;

/// One buffer or shared array. A one-dimensional one is wrapped into rows of 32 elements.
struct MapPanel {
  PanelRole role = PanelRole::input;
  /// "tile", "float"
  std::string name, type;
  /// "[32][33]", "1024 × 1024"
  std::string shape;
  std::uint64_t base = 0, bytes = 0;
  std::uint32_t element_bytes = 4;
  /// Of the whole array; cols is the pitch
  std::uint64_t rows = 0, cols = 0;
  /// One extent, shown 32 elements a row
  bool wrapped = false;
  /// A row of cells is a row of the innermost extent
  bool pitched = false;
  /// Bounding box of what the block touches
  CellWindow box;
  /// By cell of `box`, row by row; empty if the box is too large to say
  std::vector<bool> touched;
  /// A tensor of CuTe: its first mode counts rows, its second columns, and the others pages, which stand
  /// beside each other or below
  PlacedTensorPtr tensor;
  std::uint64_t page_rows = 0, page_cols = 0;
  bool pages_beside = false;

  struct At {
    std::uint64_t row, col;
  };
  [[nodiscard]] std::optional<At> at(std::uint64_t address) const;
  /// One for each mode; only where there is a tensor.
  [[nodiscard]] TensorCoordinates coordinates(std::uint64_t row, std::uint64_t col) const;
  [[nodiscard]] std::uint64_t address(std::uint64_t row, std::uint64_t col) const;
  [[nodiscard]] std::uint64_t pages() const {
    return pages_beside ? cols / page_cols : tensor ? rows / page_rows : 1;
  }
  [[nodiscard]] bool is_touched(std::uint64_t row, std::uint64_t col) const;
};

/// Every buffer and shared array that the recorded block touches, inputs first, then tiles, then
/// outputs. Tensors of CuTe come in place of the memory that they name.
std::vector<MapPanel> make_panels(const Picture& picture);

/// The part of a panel to draw: for a tile all of it, else its box; at most `limit` cells a side,
/// moved so that
/// (`row`, `col`) is inside.
CellWindow visible_window(const MapPanel& panel, std::uint64_t limit, std::uint64_t row,
                          std::uint64_t col);

}  // namespace lanescope::app

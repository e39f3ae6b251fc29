// The words over the index map's panels, and how much room they need.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "views/map/index_map.h"

namespace lanescope::app {

/// A number for each column of panels: inputs, tiles, outputs.
using MapColumns = std::array<float, 3>;
inline std::size_t map_column_of(const IndexMapState::Drawn& drawn) {
  return static_cast<std::size_t>(drawn.panel.role);
}

/// Which rows and columns a window shows: "[0–31][32–63]  32 × 32".
std::string map_window_text(const MapPanel& panel, const CellWindow& window);
/// Pixels from the top of a header to its panel.
float map_header_height(MapHeader header);
/// Pixels of each column's widest header; 0 for a column without panels, and where words are cut
/// off.
MapColumns map_header_widths(const ViewContext& ctx, const IndexMapState& state, MapHeader header);
/// Gives every panel the fullest header whose widths fit.
MapHeader choose_map_header(const ViewContext& ctx, IndexMapState& state,
                            const std::function<bool(const MapColumns&)>& fits);

}  // namespace lanescope::app

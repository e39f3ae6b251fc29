// What the cells of the index map are coloured by: elements by their source row, warps, or banks.
#pragma once

#include "views/map/index_map.h"

namespace lanescope::app {

/// A hue for a row of the input, a little lighter from column to column; both from 0 to 1.
ImU32 element_color(float row, float col);
/// Pale, so that it is not taken for an element.
ImU32 warp_color(const ViewContext& ctx, std::uint32_t warp);
/// Of a value, as the map is coloured now.
ImU32 token_color(const ViewContext& ctx, const IndexMapState& state, Token token);
/// Of a cell as it is at the map's position in the journey.
ImU32 cell_color(const ViewContext& ctx, const IndexMapState& state,
                 const IndexMapState::Drawn& drawn, std::uint64_t row, std::uint64_t col);

}  // namespace lanescope::app

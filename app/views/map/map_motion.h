// Where things of a journey are on screen: threads, cells, and what is on its way between them.
#pragma once

#include <optional>

#include "views/map/index_map.h"

namespace lanescope::app {

/// What a link of a chain executes.
const AccessInfo& access_of(const ViewContext& ctx, const ChainLink& link);
/// A thread's cell, where the lanes of a move stand; nullopt if it is not seen.
std::optional<MapRect> thread_rect(const IndexMapState& state, Leg leg, std::uint32_t warp,
                                   int lane);
/// A cell of memory, in whichever panel shows it.
std::optional<MapRect> memory_rect(const IndexMapState& state, const Cell& cell);

struct MapWay {
  MapRect from, to;
  [[nodiscard]] ImVec2 at(float progress) const;
};
/// Of one lane of a move; nullopt if an end of it is not seen.
std::optional<MapWay> way_of(const IndexMapState& state, std::size_t move, int lane);

/// Before the words of a race between blocks: a button to the other one. Nothing where there is none.
void offer_other_side(const ViewContext& ctx, Actions& actions);

}  // namespace lanescope::app

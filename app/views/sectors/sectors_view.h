// Sectors: the 128-byte lines and 32-byte sectors that one request touches, and which of their
// bytes it wanted.
#pragma once

#include "views/draw/view_context.h"

namespace lanescope::app {

struct SectorsState {};
/// Draws a row a line, a box a sector. Reads the shown execution; asks for HoverLane and SelectLane.
void draw_sectors(const ViewContext& ctx, SectorsState& state, Actions& actions);

/// "32 sectors, ideal 4: 12.5 % efficient".
std::string sectors_headline(const SectorPlan& plan);

}  // namespace lanescope::app

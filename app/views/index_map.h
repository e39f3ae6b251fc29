// Index map: input, shared tile, output; the selected warp's lanes across all three, and one lane's
// whole way.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "platform/texture.h"
#include "views/map_panels.h"
#include "views/view_context.h"

namespace lanescope::app {

struct IndexMapState {
  struct Drawn {
    MapPanel panel;
    CellWindow window;
    std::unique_ptr<Texture> texture;  ///< base colours of the window's cells
    bool fresh = false;                ///< the texture is of this window and theme
    ImVec2 min, max;                   ///< out: where its cells are, pixels
    float cell = 0;                    ///< pixels a side
    std::string where;                 ///< which rows and columns, in words
  };
  std::vector<Drawn> panels;
  std::uint64_t serial = 0;
  bool dark = true;
  bool paths = true;  ///< draw every lane's way, not only the lit one's
};
void draw_index_map(const ViewContext& ctx, IndexMapState& state, Actions& actions);

}  // namespace lanescope::app

// Index map: input, shared tile, output; the selected warp's lanes across all three, and one lane's
// whole way. The wheel zooms from a warp's cells to the whole matrix.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "platform/texture.h"
#include "views/map_camera.h"
#include "views/map_panels.h"
#include "views/view_context.h"

namespace lanescope::app {

/// Which part of the way is told.
enum class MapStage : std::uint8_t {
  chain,     ///< all of it: the block, then its lanes
  blocks,    ///< where the block comes from and where it goes
  in_block,  ///< which way the lanes go through the tile
};

/// What there is room for over a panel.
enum class MapHeader : std::uint8_t {
  full,     ///< a little picture of the matrix, and two lines of words
  stacked,  ///< three short lines
  name,     ///< name and shape only, cut short where they must be
};

struct IndexMapState {
  struct Drawn {
    MapPanel panel;
    std::optional<BlockTiling> tiling;
    double share = 1;                  ///< of its box that the block touches
    CellWindow window;                 ///< the cells that are seen
    MapCamera camera;                  ///< what is in the top left corner of `min`
    bool own = false;                  ///< the camera is the user's; else all of `window` fits
    bool far = false;                  ///< too far away for cells: tiles as large as the block's
    std::unique_ptr<Texture> texture;  ///< base colours of the window's cells, or of its tiles
    bool fresh = false;                ///< the texture is of this window and theme
    ImVec2 min, max;                   ///< out: where it is seen, pixels
    float cell = 0;                    ///< pixels a side
    std::string where;                 ///< which rows and columns, in words
    MapHeader header = MapHeader::full;
    [[nodiscard]] MapView view() const {
      return {static_cast<double>(max.x - min.x), static_cast<double>(max.y - min.y)};
    }
  };
  std::vector<Drawn> panels;
  std::uint64_t serial = 0;
  ImU32 canvas = 0;     ///< of the theme that the textures are of
  bool paths = true;    ///< draw every lane's way, not only the lit one's
  bool zoomed = false;  ///< matrices are seen through their cameras; else the block fills the view
  bool whole_wanted = false, near_wanted = false;  ///< cameras to be set once sizes are known

  MapStage stage = MapStage::chain;
  bool playing = false;
  float progress = 1;  ///< of the arrows, 0 to 1; a still shows them whole
  float speed = 1;
};
void draw_index_map(const ViewContext& ctx, IndexMapState& state, Actions& actions);

// Its parts, a file each.

struct MapRect {
  ImVec2 min, max;
  [[nodiscard]] ImVec2 centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
};
/// Where a cell is on screen; nullopt if this panel does not show it.
std::optional<MapRect> rect_of(const IndexMapState::Drawn& drawn, const Cell& cell);
/// Where a window of cells is on screen, not cut off.
MapRect rect_of(const IndexMapState::Drawn& drawn, const CellWindow& window);

/// Sets every panel's place and camera inside `space` pixels from the cursor on.
void lay_out_map(const ViewContext& ctx, IndexMapState& state, ImVec2 space);
void draw_map_header(const ViewContext& ctx, const IndexMapState::Drawn& drawn);
void draw_map_cells(const ViewContext& ctx, IndexMapState::Drawn& drawn);

/// Zoom: by a factor about (x, y) of one panel's view, back to the block, or out to all of it.
void zoom_map(const ViewContext& ctx, IndexMapState& state, IndexMapState::Drawn& at, double factor,
              ImVec2 where);
void fit_map(IndexMapState& state);
void show_whole_map(IndexMapState& state);

void draw_map_tools(const ViewContext& ctx, IndexMapState& state);
/// The arrows of the stage, as far as they have been played.
void draw_map_ways(const ViewContext& ctx, const IndexMapState& state);
/// The same over the panels: what moves.
void draw_map_movers(const ViewContext& ctx, const IndexMapState& state);

void draw_map_words(const ViewContext& ctx, const IndexMapState& state);

}  // namespace lanescope::app

// Index map: input, shared tile, output; the selected warp's lanes across all three, and one lane's
// whole way. The wheel zooms from a warp's cells to the whole matrix.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "platform/texture.h"
#include "views/draw/view_context.h"
#include "views/map/map_camera.h"
#include "views/map/map_panels.h"

namespace lanescope::app {

/// Which part of the way is told.
enum class MapStage : std::uint8_t {
  /// All of it: the block, then its lanes
  chain,
  /// Where the block comes from and where it goes
  blocks,
  /// Which way the lanes go through the tile
  in_block,
};

/// What there is room for over a panel.
enum class MapHeader : std::uint8_t {
  /// A little picture of the matrix, and two lines of words
  full,
  /// Three short lines
  stacked,
  /// Name and shape only, cut short where they must be
  name,
};

struct IndexMapState {
  struct Drawn {
    MapPanel panel;
    std::optional<BlockTiling> tiling;
    /// Of its box that the block touches
    double share = 1;
    /// The cells that are seen
    CellWindow window;
    /// What is in the top left corner of `min`
    MapCamera camera;
    /// The camera is the user's; else all of `window` fits
    bool own = false;
    /// Too far away for cells: tiles as large as the block's
    bool far = false;
    /// Base colours of the window's cells, or of its tiles
    std::unique_ptr<Texture> texture;
    /// The texture is of this window and theme
    bool fresh = false;
    /// Out: where it is seen, pixels
    ImVec2 min, max;
    /// Pixels a side
    float cell = 0;
    /// Which rows and columns, in words
    std::string where;
    MapHeader header = MapHeader::full;
    [[nodiscard]] MapView view() const {
      return {static_cast<double>(max.x - min.x), static_cast<double>(max.y - min.y)};
    }
  };
  std::vector<Drawn> panels;
  std::uint64_t serial = 0;
  /// Of the theme that the textures are of
  ImU32 canvas = 0;
  /// Draw every lane's way, not only the lit one's
  bool paths = true;
  /// Matrices are seen through their cameras; else the block fills the view
  bool zoomed = false;
  /// Cameras to be set once sizes are known
  bool whole_wanted = false, near_wanted = false;

  MapStage stage = MapStage::chain;
  bool playing = false;
  /// Of the arrows, 0 to 1; a still shows them whole
  float progress = 1;
  float speed = 1;

  void restyle() { serial = 0; }
};
/// Draws every array that the block touches, side by side, and the ways of its lanes between them.
/// Reads the picture and the focus; asks for HoverLane, HoverCell, SelectLane and SetInspectedBlock.
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

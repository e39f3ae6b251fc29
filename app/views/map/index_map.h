// Index map: a block's elements on their journey from the input through threads and tile to the
// output, move by move. The wheel zooms from the block's cells to the whole matrix.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/journey/replay.h"
#include "core/picture/thread_grid.h"
#include "platform/texture.h"
#include "views/draw/view_context.h"
#include "views/map/map_camera.h"
#include "views/map/map_panels.h"
#include "views/map/map_pen.h"
#include "views/map/map_play.h"
#include "views/map/map_stations.h"

namespace lanescope::app {

/// What tells the elements of the block apart.
enum class MapColours : std::uint8_t {
  /// A hue for each source row: where the output's rows are of many hues, it has been transposed
  elements,
  /// The bank of the tile's cell that an element goes through
  banks,
};

/// The picture's journey, and where in it the map is.
struct MapJourney {
  std::shared_ptr<const Journey> journey;
  std::unique_ptr<JourneyReplay> replay;
  /// As threadIdx numbers them, and as they stand by what they write
  ThreadGrid threads;
  /// Only where there is a tile to go through
  std::optional<ThreadGrid> writers;
};

/// A stretch of the bar of stages, and the positions that it stands for.
struct MapStretch {
  float begin = 0, end = 0;
  double from = 0, to = 0;
  /// Null: the block's way
  const JourneyStage* stage = nullptr;
};

/// Of a long journey there are thousands of them, the same in every frame.
struct MapBar {
  std::vector<MapStretch> stretches;
  /// What they were made of
  std::shared_ptr<const Journey> journey;
  bool blocks = false;
  float width = 0;
};

struct MapRect {
  ImVec2 min, max;
  [[nodiscard]] ImVec2 centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
};

/// What is drawn over a window's cells beside their colours: found again only when those are.
struct CellMarks {
  /// A lane or an element's name on each cell, row by row; empty until they are asked for
  std::vector<std::string> numbers;
  /// Cells that hold what was read where nobody had stored to; nullopt until they are asked for
  std::optional<std::vector<CellWindow>> crossed;
  /// Runs of threads with another warp's above them, and to the left
  std::vector<CellWindow> below, right;
};

struct IndexMapState {
  struct Drawn {
    MapPanel panel;
    /// Of a panel of threads; points into the journey
    const ThreadGrid* grid = nullptr;
    std::optional<BlockTiling> tiling;
    /// Of its box that the block touches
    double share = 1;
    /// The cells that are seen
    CellWindow window;
    /// What is in the top left corner of `min`
    MapCamera camera;
    /// The camera is the user's; else the block's part is seen
    bool own = false;
    /// Too far away for cells: tiles as large as the block's
    bool far = false;
    /// Of the block's part, where not all of it is seen
    std::uint64_t first_row = 0, first_col = 0;
    /// Fractions of cells while it is dragged
    ImVec2 dragged;
    /// Base colours of the window's cells, or of its tiles
    std::unique_ptr<Texture> texture;
    /// Made with the texture
    CellMarks marks;
    /// The texture is of this window, theme and moment
    bool fresh = false;
    /// Out: where it is seen, pixels
    ImVec2 min, max;
    /// Pixels a side
    float cell = 0;
    /// All of it that can be seen in this view: a tile, else what the block touches
    [[nodiscard]] CellWindow whole() const;
    [[nodiscard]] bool cut() const {
      return window.rows < whole().rows || window.cols < whole().cols;
    }
    [[nodiscard]] MapView view() const {
      return {static_cast<double>(max.x - min.x), static_cast<double>(max.y - min.y)};
    }
  };
  std::vector<Drawn> panels;
  KeptArrangement arrangement;
  MapJourney journey;
  MapPlay play;
  MapBar bar;
  MapPen pen;
  std::uint64_t serial = 0;
  /// Whose journey it is
  const BlockTrace* trace = nullptr;
  /// Of the theme that the textures are of
  ImU32 canvas = 0;
  /// Draw every lane's way, not only the lit one's
  bool paths = true;
  MapColours colours = MapColours::elements;
  /// All of the block's cells, however small
  bool overview = false;
  /// Matrices are seen through their cameras; else the block fills the view
  bool zoomed = false;
  /// Cameras to be set once sizes are known
  bool whole_wanted = false, near_wanted = false;
  /// Out: the space of the picture, and its cells' side in pixels
  ImVec2 picture_min, picture_max;
  float cell = 0;
  bool stacked = false, turned = false;
  /// Out: the name of the element that is followed, and what is said of a race's sides
  std::optional<MapRect> name;
  std::vector<MapRect> race_labels;
  /// What the windows were moved for last: a move, and the lit element
  std::size_t followed_move = ~std::size_t{0};
  std::uint64_t followed_cell = 0;
  /// … and how many cells were seen then
  std::uint64_t followed_in = 0;

  [[nodiscard]] bool at_blocks() const { return play.position < 0; }
  /// The textures show this moment, in these colours
  std::size_t replayed = ~std::size_t{0};
  MapColours drawn_colours = MapColours::elements;
  /// Panels behind this one are dim: nothing has come there yet
  PanelRole reached = PanelRole::threads;

  void restyle() { serial = 0; }
};
/// Draws every array that the block touches and its threads, and the move that is under way between
/// them. Reads the picture and the focus; asks for SelectStep while it plays, for HoverLane, HoverCell,
/// SelectLane and SetInspectedBlock.
void draw_index_map(const ViewContext& ctx, IndexMapState& state, Actions& actions);

// Its parts, a file each.

/// Where a cell is on screen; nullopt if this panel does not show it.
std::optional<MapRect> rect_of(const IndexMapState::Drawn& drawn, const Cell& cell);
/// Where a window of cells is on screen, not cut off.
MapRect rect_of(const IndexMapState::Drawn& drawn, const CellWindow& window);
/// The panel of an address that shows it, else any panel that has it; null for none.
const IndexMapState::Drawn* panel_of(const IndexMapState& state, std::uint64_t address);
const IndexMapState::Drawn* panel_of(const IndexMapState& state, PanelRole role);

/// Makes panels and journey anew where the picture is another one.
void rebuild_map(const ViewContext& ctx, IndexMapState& state);
/// What is where at the map's position, for the colours of the cells.
void replay_map(IndexMapState& state);
/// Where not everything is seen: the windows go to the lit element, else to the lanes that move.
void follow_map_motion(const ViewContext& ctx, IndexMapState& state);
void point_at_map(const ViewContext& ctx, IndexMapState& state, Actions& actions);
/// Sets every panel's place and camera inside `space` pixels from the cursor on.
void lay_out_map(const ViewContext& ctx, IndexMapState& state, ImVec2 space);
/// Name and shape over a panel, and the numbers of its rows and columns.
void draw_map_header(const ViewContext& ctx, const IndexMapState& state,
                     const IndexMapState::Drawn& drawn);
/// How far a panel's title may go to the right: up to the next panel that reaches as high, or the
/// edge. `font` is the height of its letters.
float map_title_room(const IndexMapState& state, const IndexMapState::Drawn& drawn, float font);
/// "[0–31][32–63]", of a tensor "(0–31,32–63)".
std::string map_range_text(const MapPanel& panel, const CellWindow& window);
/// Which rows and columns a window shows: "[0–31][32–63]  32 × 32".
std::string map_window_text(const MapPanel& panel, const CellWindow& window);
void draw_map_cells(const ViewContext& ctx, const IndexMapState& state,
                    IndexMapState::Drawn& drawn);

/// Zoom: by a factor about (x, y) of one panel's view, back to the block, or out to all of it.
void zoom_map(const ViewContext& ctx, IndexMapState& state, IndexMapState::Drawn& at, double factor,
              ImVec2 where);
void fit_map(IndexMapState& state);
void show_whole_map(IndexMapState& state);

/// One row of buttons and the journey's stages; what does not fit is in a menu at its end.
void draw_map_row(const ViewContext& ctx, IndexMapState& state, Actions& actions);
/// The ways of the lanes of the move under way.
void draw_map_ways(const ViewContext& ctx, const IndexMapState& state);
/// Over the panels: the lanes and what they carry, the barrier.
void draw_map_motion(const ViewContext& ctx, const IndexMapState& state);
/// The lit lane's or cell's whole way, and the element on it where it is now.
void draw_map_lit(const ViewContext& ctx, IndexMapState& state);
/// The two threads of a race that is shown, and the cell in which they meet.
void draw_map_race(const ViewContext& ctx, IndexMapState& state);
/// The same in words; "" for none.
std::string map_race_text(const ViewContext& ctx);
/// The block's way from its place in the input to that in the output.
void draw_map_block_way(const ViewContext& ctx, const IndexMapState& state);

void draw_map_words(const ViewContext& ctx, const IndexMapState& state);

}  // namespace lanescope::app

#include "views/map/index_map.h"

#include <algorithm>
#include <cmath>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"

namespace lanescope::app {
namespace {

using Drawn = IndexMapState::Drawn;
constexpr std::uint64_t kMaxSide = 96;  // cells shown a side when the block fills the view
constexpr double kWheelStep = 1.25;     // a notch of the wheel, or a key

// A zoomed view stays where it is when only a number or the block changes.
void keep_view(const IndexMapState& before, Drawn& drawn) {
  for (const Drawn& old : before.panels) {
    if (old.panel.name != drawn.panel.name || old.panel.rows != drawn.panel.rows ||
        old.panel.cols != drawn.panel.cols)
      continue;
    drawn.camera = old.camera;
    drawn.own = old.own;
  }
}

void remake_panels(const ViewContext& ctx, IndexMapState& state) {
  std::vector<Drawn> panels;
  for (MapPanel& panel : make_panels(*ctx.picture)) {
    Drawn drawn;
    drawn.tiling = tiling_of(*ctx.picture, panel);
    drawn.share = touched_share(panel);
    drawn.panel = std::move(panel);
    drawn.texture = std::make_unique<Texture>();
    keep_view(state, drawn);
    panels.push_back(std::move(drawn));
  }
  state.panels = std::move(panels);
}

// The window of a panel whose block fills the view.
CellWindow block_window(const ViewContext& ctx, const MapPanel& panel) {
  MapPanel::At wanted{panel.box.row, panel.box.col};
  bool found = false;
  for (const auto& chain : ctx.focus.chains) {
    for (const ChainLink& link : chain) {
      const auto at = found ? std::nullopt : panel.at(link.cell.address);
      if (at) wanted = *at, found = true;
    }
  }
  return visible_window(panel, kMaxSide, wanted.row, wanted.col);
}

void rebuild(const ViewContext& ctx, IndexMapState& state) {
  if (state.serial != ctx.picture->serial || state.canvas != ctx.theme.canvas) {
    remake_panels(ctx, state);
    state.serial = ctx.picture->serial;
    state.canvas = ctx.theme.canvas;
  }
  for (Drawn& drawn : state.panels) {
    if (state.zoomed) break;
    const CellWindow window = block_window(ctx, drawn.panel);
    if (window != drawn.window || drawn.far) drawn.fresh = false;
    drawn.window = window;
    drawn.far = false;
  }
}

void draw_lanes(const ViewContext& ctx, const Drawn& drawn) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool tile = drawn.panel.role == PanelRole::tile;
  const float gap = drawn.cell >= 5 ? 1.0f : 0.0f;
  const float rim = drawn.cell >= 3 ? 1.5f * ctx.scale : 0;
  const float size = fitting_size(ctx.fonts.text, ImGui::GetFontSize() * 0.85f, drawn.cell - gap,
                                  drawn.cell - gap, kWidestLane);
  // All rims first, then the cells: neighbours share one outline.
  for (const bool fill : {false, true}) {
    if (!fill && rim == 0) continue;
    for (int lane = 0; lane < kLanes; ++lane) {
      for (const ChainLink& link : ctx.focus.chains[static_cast<std::size_t>(lane)]) {
        const auto rect = rect_of(drawn, link.cell);
        if (!rect) continue;
        const ImVec2 max{rect->max.x - gap, rect->max.y - gap};
        if (!fill) {
          list.AddRectFilled({rect->min.x - rim, rect->min.y - rim}, {max.x + rim, max.y + rim},
                             tile ? ctx.theme.text : ctx.theme.canvas);
          continue;
        }
        const ImU32 color =
            tile ? bank_color(static_cast<int>(link.cell.address / kBankBytes % kBanks))
                 : ctx.theme.lane;
        list.AddRectFilled(rect->min, max, color);
        text_in_box(list, ctx.fonts.text, size, 7 * ctx.scale, rect->min, max, text_on(color),
                    std::to_string(lane));
      }
    }
  }
}

void draw_lit(const ViewContext& ctx, const IndexMapState& state) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const ChainLink& link : ctx.focus.lit) {
    for (const Drawn& drawn : state.panels) {
      const auto rect = rect_of(drawn, link.cell);
      if (!rect) continue;
      outline(list, rect->min, rect->max, ctx.theme.selection, 2.5f * ctx.scale);
      ctx.lit.add("index_map", ctx.focus.lit_lane, link.cell.address);
    }
  }
}

int lane_at(const ViewContext& ctx, std::uint64_t address) {
  for (int lane = 0; lane < kLanes; ++lane) {
    for (const ChainLink& link : ctx.focus.chains[static_cast<std::size_t>(lane)]) {
      if (address - link.cell.address < link.cell.bytes) return lane;
    }
  }
  return -1;
}

// The cell under the pointer; nullopt beside the matrix.
std::optional<MapPanel::At> cell_under(const Drawn& drawn, ImVec2 mouse) {
  const double row =
      drawn.camera.row + static_cast<double>(mouse.y - drawn.min.y) / drawn.camera.cell;
  const double col =
      drawn.camera.col + static_cast<double>(mouse.x - drawn.min.x) / drawn.camera.cell;
  if (!(row >= 0) || !(col >= 0)) return std::nullopt;
  const MapPanel::At at{static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(col)};
  if (at.row >= drawn.panel.rows || at.col >= drawn.panel.cols) return std::nullopt;
  return at;
}

std::string block_name(Dim3 block) {
  return tr("block ({0}, {1})", {std::to_string(block.x), std::to_string(block.y)});
}

// Another block's tile: its name, and a click goes there.
bool other_block(const ViewContext& ctx, const Drawn& drawn, MapPanel::At at, bool clicked,
                 Actions& actions) {
  if (!drawn.tiling || drawn.panel.box.contains(at.row, at.col)) return false;
  const Dim3 block = drawn.tiling->block_at(at.row, at.col);
  if (block == ctx.focus.trace->block) return false;
  if (clicked) actions.push_back(SetInspectedBlock{block});
  ImGui::SetTooltip("%s", (block_name(block) + "\n" + tr("click to inspect this block")).c_str());
  return true;
}

void point_at(const ViewContext& ctx, const Drawn& drawn, MapPanel::At at, bool clicked,
              Actions& actions) {
  if (other_block(ctx, drawn, at, clicked, actions)) return;
  if (drawn.far) {
    const std::string share = decimal(drawn.share * 100);
    if (drawn.panel.box.contains(at.row, at.col))
      ImGui::SetTooltip("%s", (block_name(ctx.focus.trace->block) + "\n" +
                               tr("touches {0} % of its part", {share}))
                                  .c_str());
    return;
  }
  const Cell cell{drawn.panel.address(at.row, at.col), drawn.panel.element_bytes};
  const int lane = lane_at(ctx, cell.address);
  std::string text = locate(*ctx.picture, cell.address).text();
  if (drawn.panel.role == PanelRole::tile) {
    text += " · " + tr("bank {0}", {std::to_string(cell.address / kBankBytes % kBanks)});
  }
  if (!drawn.panel.is_touched(at.row, at.col))
    text += std::string("\n") + tr("this block never touches it");
  if (lane >= 0) {
    actions.push_back(HoverLane{lane});
    if (clicked) actions.push_back(SelectLane{ctx.selection.lane == lane ? -1 : lane});
    text += "\n" + tr("on the way of lane {0} of warp {1}",
                      {std::to_string(lane), std::to_string(ctx.focus.warp)});
  } else {
    actions.push_back(HoverCell{cell});
    if (clicked)
      actions.push_back(
          SelectCell{ctx.selection.cell == cell ? std::nullopt : std::optional<Cell>(cell)});
  }
  ImGui::SetTooltip("%s", text.c_str());
}

// Wheel, drag, double click and keys. True while a drag goes on: it points at nothing.
bool move_view(const ViewContext& ctx, IndexMapState& state, Drawn& drawn) {
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemHovered()) {
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
    double notches = static_cast<double>(io.MouseWheel);
    if (!io.WantTextInput && io.KeyMods == 0) {
      for (const ImGuiKey key : {ImGuiKey_Equal, ImGuiKey_KeypadAdd})
        notches += ImGui::IsKeyPressed(key) ? 1 : 0;
      for (const ImGuiKey key : {ImGuiKey_Minus, ImGuiKey_KeypadSubtract})
        notches -= ImGui::IsKeyPressed(key) ? 1 : 0;
    }
    if (notches != 0) zoom_map(ctx, state, drawn, std::pow(kWheelStep, notches), io.MousePos);
    if (ImGui::IsMouseDoubleClicked(0)) state.zoomed ? fit_map(state) : show_whole_map(state);
  }
  if (!ImGui::IsItemActive() || !ImGui::IsMouseDragging(0)) return false;
  if (!state.zoomed) zoom_map(ctx, state, drawn, 1, io.MousePos);
  const double step = 1 / drawn.camera.cell;
  drawn.camera.row -= static_cast<double>(io.MouseDelta.y) * step;
  drawn.camera.col -= static_cast<double>(io.MouseDelta.x) * step;
  drawn.own = true;
  return true;
}

void interact(const ViewContext& ctx, IndexMapState& state, Drawn& drawn, Actions& actions) {
  ImGui::SetCursorScreenPos(drawn.min);
  const ImVec2 size{std::max(1.0f, drawn.max.x - drawn.min.x),
                    std::max(1.0f, drawn.max.y - drawn.min.y)};
  const bool released = ImGui::InvisibleButton(("panel " + drawn.panel.name).c_str(), size);
  const ImGuiIO& io = ImGui::GetIO();
  const float threshold = io.MouseDragThreshold;
  const bool clicked = released && io.MouseDragMaxDistanceSqr[0] < threshold * threshold;
  if (move_view(ctx, state, drawn) || !ImGui::IsItemHovered()) return;
  if (const auto at = cell_under(drawn, io.MousePos)) point_at(ctx, drawn, *at, clicked, actions);
}

void handle_keys(IndexMapState& state) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantTextInput || io.KeyMods != 0 || !ImGui::IsWindowFocused()) return;
  if (ImGui::IsKeyPressed(ImGuiKey_0) || ImGui::IsKeyPressed(ImGuiKey_Keypad0)) fit_map(state);
}

}  // namespace

void draw_index_map(const ViewContext& ctx, IndexMapState& state, Actions& actions) {
  if (!ctx.picture || !ctx.focus.trace)
    return nothing_recorded(ctx, tr("No block has been recorded yet."));
  rebuild(ctx, state);
  if (state.panels.empty()) return nothing_to_show(ctx, tr("This block touches no array."));
  handle_keys(state);
  draw_map_tools(ctx, state);
  // Not as high as the words are: they change with what is pointed at, and nothing may jump.
  const bool high = ImGui::GetContentRegionAvail().y > 420 * ctx.scale;
  const float words = ImGui::GetTextLineHeight() * (high ? 6.2f : 3.7f);
  const ImVec2 space{ImGui::GetContentRegionAvail().x,
                     std::max(60 * ctx.scale, ImGui::GetContentRegionAvail().y - words)};
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  lay_out_map(ctx, state, space);
  // Under the panels, so that the ways show between them only.
  draw_map_ways(ctx, state);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (Drawn& drawn : state.panels) {
    draw_map_header(ctx, drawn);
    draw_map_cells(ctx, drawn);
    list.PushClipRect({drawn.min.x - 3, drawn.min.y - 3}, {drawn.max.x + 3, drawn.max.y + 3}, true);
    draw_lanes(ctx, drawn);
    list.PopClipRect();
  }
  draw_map_movers(ctx, state);
  draw_lit(ctx, state);
  for (Drawn& drawn : state.panels) interact(ctx, state, drawn, actions);
  ImGui::SetCursorScreenPos({origin.x, origin.y + space.y});
  ImGui::BeginChild("formula", {0, 0});
  draw_map_words(ctx, state);
  ImGui::EndChild();
}

}  // namespace lanescope::app

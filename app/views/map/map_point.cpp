// What the pointer does in the index map's panels: cells and threads light up and are held, views
// are zoomed and moved, other blocks are gone to.
#include <algorithm>
#include <cmath>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/map/index_map.h"

namespace lanescope::app {
namespace {

using Drawn = IndexMapState::Drawn;
constexpr double kWheelStep = 1.25;  // a notch of the wheel, or a key

// The selected warp's lane whose chain goes through a cell.
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

std::string block_name(Dim3 block) { return tr("block ({0}, {1})", {block.x, block.y}); }

// Another block's tile: its name, and a click goes there.
bool other_block(const ViewContext& ctx, const Drawn& drawn, MapPanel::At at, bool clicked,
                 Actions& actions) {
  if (!drawn.tiling || drawn.panel.box.contains(at.row, at.col)) return false;
  const Dim3 block = drawn.tiling->block_at(at.row, at.col);
  if (block == ctx.focus.trace->block) return false;
  if (clicked) actions.push_back(SetInspectedBlock{block});
  tooltip((block_name(block) + "\n" + tr("click to inspect this block")));
  return true;
}

void point_at_thread(const ViewContext& ctx, const IndexMapState& state, const Drawn& drawn,
                     MapPanel::At at, bool clicked, Actions& actions) {
  const int thread =
      drawn.grid->thread_at(static_cast<std::uint32_t>(at.row), static_cast<std::uint32_t>(at.col));
  if (thread < 0) return;
  const int lane = thread % kLanes;
  const auto warp = static_cast<std::uint32_t>(thread / kLanes);
  std::string text = lane_and_thread(ctx, warp, lane);
  const Held held = state.journey.replay->lane(warp, lane);
  if (is_element(held.token))
    text += "\n" + tr("holds {0}", {locate(*ctx.picture, held.token).text()});
  if (held.token == kGarbage)
    text += std::string("\n") + tr("holds what was in a cell that nobody had stored to");
  if (warp == ctx.focus.warp) actions.push_back(HoverLane{lane});
  if (clicked && warp != ctx.focus.warp) actions.push_back(SelectWarp{warp});
  if (clicked)
    actions.push_back(SelectLane{warp == ctx.focus.warp && ctx.selection.lane == lane ? -1 : lane});
  tooltip(text);
}

void point_at(const ViewContext& ctx, const IndexMapState& state, const Drawn& drawn,
              MapPanel::At at, bool clicked, Actions& actions) {
  if (drawn.grid) return point_at_thread(ctx, state, drawn, at, clicked, actions);
  if (other_block(ctx, drawn, at, clicked, actions)) return;
  if (drawn.far) {
    const std::string share = decimal(drawn.share * 100);
    if (drawn.panel.box.contains(at.row, at.col))
      tooltip(
          (block_name(ctx.focus.trace->block) + "\n" + tr("touches {0} % of its part", {share})));
    return;
  }
  const Cell cell{drawn.panel.address(at.row, at.col), drawn.panel.element_bytes};
  const int lane = lane_at(ctx, cell.address);
  std::string text = locate(*ctx.picture, cell.address).text();
  if (drawn.panel.role == PanelRole::tile && !ctx.predicting) {
    text += " · " + tr("bank {0}", {cell.address / kBankBytes % kBanks});
  }
  if (!drawn.panel.is_touched(at.row, at.col))
    text += std::string("\n") + tr("this block never touches it");
  if (lane >= 0) {
    actions.push_back(HoverLane{lane});
    if (clicked) actions.push_back(SelectLane{ctx.selection.lane == lane ? -1 : lane});
    text += "\n" + tr("on the way of lane {0} of warp {1}", {lane, ctx.focus.warp});
  } else {
    actions.push_back(HoverCell{cell});
    if (clicked)
      actions.push_back(
          SelectCell{ctx.selection.cell == cell ? std::nullopt : std::optional<Cell>(cell)});
  }
  tooltip(text);
}

// Of a panel that does not show all of the block's part: other cells of it.
void drag_window(Drawn& drawn) {
  const ImVec2 delta = ImGui::GetIO().MouseDelta;
  drawn.dragged = {drawn.dragged.x + delta.x / drawn.cell, drawn.dragged.y + delta.y / drawn.cell};
  const auto take = [](float& fraction, std::uint64_t& first) {
    const float cells = std::trunc(fraction);
    fraction -= cells;
    const auto by = static_cast<std::uint64_t>(std::abs(cells));
    first = cells < 0 ? first + by : first - std::min(first, by);
  };
  take(drawn.dragged.x, drawn.first_col);
  take(drawn.dragged.y, drawn.first_row);
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
  if (!state.zoomed && drawn.cut()) return drag_window(drawn), true;
  if (!state.zoomed) zoom_map(ctx, state, drawn, 1, io.MousePos);
  const double step = 1 / drawn.camera.cell;
  drawn.camera.row -= static_cast<double>(io.MouseDelta.y) * step;
  drawn.camera.col -= static_cast<double>(io.MouseDelta.x) * step;
  drawn.own = true;
  return true;
}

void interact(const ViewContext& ctx, IndexMapState& state, Drawn& drawn, Actions& actions) {
  if (drawn.cell <= 0) return;
  ImGui::SetCursorScreenPos(drawn.min);
  const ImVec2 size{std::max(1.0f, drawn.max.x - drawn.min.x),
                    std::max(1.0f, drawn.max.y - drawn.min.y)};
  const bool released = ImGui::InvisibleButton(("panel " + drawn.panel.name).c_str(), size);
  const ImGuiIO& io = ImGui::GetIO();
  const float threshold = io.MouseDragThreshold;
  const bool clicked = released && io.MouseDragMaxDistanceSqr[0] < threshold * threshold;
  if (move_view(ctx, state, drawn) || !ImGui::IsItemHovered()) return;
  if (const auto at = cell_under(drawn, io.MousePos))
    point_at(ctx, state, drawn, *at, clicked, actions);
}

}  // namespace

void point_at_map(const ViewContext& ctx, IndexMapState& state, Actions& actions) {
  for (Drawn& drawn : state.panels) interact(ctx, state, drawn, actions);
}

}  // namespace lanescope::app

// The 32 lanes of the warp, and the registers that each of them gives an instruction.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/fragments/fragments_view.h"

namespace lanescope::app {
namespace {

using Kind = FragmentSpot::Kind;

void pin_or_let_go(FragmentsState& state, const FragmentSpot& spot) {
  state.pinned = state.pinned == spot ? FragmentSpot{} : spot;
}

bool lane_lit(const FragmentsState& state, int lane) {
  const FragmentSpot& lit = state.lit();
  return (lit.kind == Kind::lane || lit.kind == Kind::element) && lit.slot.lane == lane;
}

void draw_lane(const ViewContext& ctx, FragmentsState& state, int lane, ImVec2 min, ImVec2 max,
               float size, Actions& actions) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool lit = lane_lit(state, lane);
  const bool others = state.lit().kind == Kind::lane || state.lit().kind == Kind::element;
  const ImU32 full = state.by_register ? ctx.theme.cell : bank_color(lane);
  const ImU32 color = lit || !others ? full : mixed(ctx.theme.empty, full, 0.35f);
  list.AddRectFilled(min, max, color);
  if (ctx.theme.outlined) list.AddRect(min, max, ctx.theme.hatch);
  text_in_box(list, lit ? ctx.fonts.strong : ctx.fonts.text, size, 6 * ctx.scale, min, max,
              lit || !others ? text_on(color) : ctx.theme.dim, std::to_string(lane));
  if (lit) outline(list, min, max, ctx.theme.selection, 2.5f * ctx.scale);
  ImGui::SetCursorScreenPos(min);
  const std::string id = fmt::format("lane {}", lane);
  const FragmentSpot spot{Kind::lane, 0, {.lane = lane}};
  if (ImGui::InvisibleButton(id.c_str(), {max.x - min.x, max.y - min.y})) {
    pin_or_let_go(state, spot);
    if (ctx.picture) actions.push_back(SelectLane{state.pinned == spot ? lane : -1});
  }
  if (ImGui::IsItemHovered()) state.pointed = spot;
}

bool register_lit(const FragmentsState& state, int panel, int reg) {
  const FragmentSpot& lit = state.lit();
  return (lit.kind == Kind::reg || lit.kind == Kind::element) && lit.panel == panel &&
         lit.slot.reg == reg;
}

void draw_register(const ViewContext& ctx, FragmentsState& state, int panel, int reg) {
  const FragmentPanel& of = state.panels[static_cast<std::size_t>(panel)];
  const std::string name = of.register_name(reg);
  const float side = ImGui::GetFrameHeight();
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 size{std::max(side * 1.25f, ImGui::CalcTextSize(name.c_str()).x + 8 * ctx.scale),
                    side};
  const ImVec2 max{min.x + size.x, min.y + size.y};
  const FragmentSpot spot{Kind::reg, panel, {.lane = 0, .reg = reg}};
  if (ImGui::InvisibleButton(("register " + name).c_str(), size)) pin_or_let_go(state, spot);
  if (ImGui::IsItemHovered()) state.pointed = spot;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 color =
      state.by_register ? fragment_color(state, panel, {.reg = reg}) : ctx.theme.cell;
  list.AddRectFilled(min, max, color, 3 * ctx.scale);
  if (ctx.theme.outlined) list.AddRect(min, max, ctx.theme.hatch, 3 * ctx.scale);
  text_in_box(list, ctx.fonts.text, ImGui::GetFontSize(), 7 * ctx.scale, min, max, text_on(color),
              name);
  if (register_lit(state, panel, reg))
    outline(list, min, max, ctx.theme.selection, 2.5f * ctx.scale);
}

void draw_registers(const ViewContext& ctx, FragmentsState& state) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", tr("registers"));
  const float right = ImGui::GetWindowPos().x + ImGui::GetContentRegionMax().x;
  for (int panel = 0; panel < static_cast<int>(state.panels.size()); ++panel)
    for (int reg = 0; reg < state.panels[static_cast<std::size_t>(panel)].registers(); ++reg) {
      ImGui::SameLine(0, (reg == 0 ? 12 : 3) * ctx.scale);
      if (ImGui::GetCursorScreenPos().x + ImGui::GetFrameHeight() * 1.3f > right) ImGui::NewLine();
      draw_register(ctx, state, panel, reg);
    }
}

}  // namespace

void draw_fragment_lanes(const ViewContext& ctx, FragmentsState& state, int rows,
                         Actions& actions) {
  const int columns = kLanes / rows;
  const char* word = tr("lane");
  const float label = ImGui::CalcTextSize(word).x + 8 * ctx.scale;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x - label;
  const float cell =
      std::floor(std::min(room / static_cast<float>(columns), (rows > 1 ? 64 : 32) * ctx.scale));
  const float height = std::round(ImGui::GetFrameHeight() * (rows > 1 ? 0.9f : 1.0f));
  const float size =
      fitting_size(ctx.fonts.strong, ImGui::GetFontSize(), cell - 1, height, kWidestLane);
  ImGui::GetWindowDrawList()->AddText({origin.x, origin.y + (height - ImGui::GetFontSize()) / 2},
                                      ctx.theme.dim, word);
  for (int lane = 0; lane < kLanes; ++lane) {
    const ImVec2 min{origin.x + label + cell * static_cast<float>(lane % columns),
                     origin.y + height * static_cast<float>(lane / columns)};
    draw_lane(ctx, state, lane, min, {min.x + cell - 1, min.y + height - 1}, size, actions);
  }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({label + cell * static_cast<float>(columns), height * static_cast<float>(rows)});
  draw_registers(ctx, state);
}

}  // namespace lanescope::app

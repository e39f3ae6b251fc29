#include "views/banks/bank_card.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "views/draw/kernel_names.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

constexpr float kWidest = 30, kNarrowest = 15, kTallest = 24;  // of a cell, units

struct Cells {
  float cell, row, text;
};

Cells cells_of(const ViewContext& ctx, const LaneTable& table, float width) {
  Cells cells{};
  cells.cell = std::floor(
      std::clamp(width / static_cast<float>(table.across), 4 * ctx.scale, kWidest * ctx.scale));
  cells.row = std::round(std::min(kTallest * ctx.scale, ImGui::GetTextLineHeight() * 1.15f));
  cells.text = fitting_size(ctx.fonts.text, ImGui::GetFontSize() * 0.9f, cells.cell - 2, cells.row,
                            kWidestLane);
  return cells;
}

// Lanes that want one word share a cell; the last one drawn stands for them.
void lane_cells(const ViewContext& ctx, const Execution& shown, const LaneTable& table,
                const BankGrid& grid, const Cells& cells, bool own, Actions& actions) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!shown.active(lane)) continue;
    const auto i = static_cast<std::size_t>(lane);
    const ImVec2 min{origin.x + cells.cell * static_cast<float>(table.x[i]),
                     origin.y + cells.row * static_cast<float>(table.y[i])},
        max{min.x + cells.cell - 1, min.y + cells.row - 1};
    const bool clash = (grid.clashing >> lane & 1u) != 0;
    const ImU32 color = clash ? ctx.theme.error : ctx.theme.cell;
    list.AddRectFilled(min, max, color);
    text_in_box(list, clash ? ctx.fonts.strong : ctx.fonts.text, cells.text, 6 * ctx.scale, min,
                max, text_on(color), std::to_string(grid.bank[i]));
    if (lane == ctx.focus.lit_lane) outline(list, min, max, ctx.theme.selection, 2 * ctx.scale);
    ImGui::PushID(own ? "own" : "other");
    lane_item(ctx, lane, &shown, min, max, actions);
    ImGui::PopID();
  }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy(
      {cells.cell * static_cast<float>(table.across), cells.row * static_cast<float>(table.down)});
}

void axes(const ViewContext& ctx, const LaneTable& table, float end) {
  if (table.across_name.empty()) return;
  std::string text = table.across_name + " →";
  if (table.down > 1) text += "   " + table.down_name + " ↓";
  ImGui::PushFont(ctx.fonts.mono, ImGui::GetStyle().FontSizeBase * 0.8f);
  wrapped_dim(text, end);
  ImGui::PopFont();
}

const char* legend() {
  return tr("Each cell is a lane, its number is its bank; red: another word waits for that bank");
}

void verdict(const ViewContext& ctx, const BankGrid& grid, float end) {
  const bool good = grid.plan.cost.conflicts == 0;
  ImGui::PushStyleColor(ImGuiCol_Text, good ? ctx.theme.good : ctx.theme.error);
  wrapped_text(pitch_text(grid), end);
  ImGui::PopStyleColor();
  item_tooltip(legend());
}

// − and + move the other pitch; a click on the value makes it the kernel's.
void other_controls(const ViewContext& ctx, const BankEquation& equation, BankCardState& state,
                    std::uint64_t other, Actions& actions) {
  const float side = ImGui::GetFrameHeight(), gap = 3 * ctx.scale;
  if (ImGui::Button("-##pitch", {side, side}) && other > 1) state.other = other - 1;
  ImGui::SameLine(0, gap);
  if (ImGui::Button("+##pitch", {side, side})) state.other = other + 1;
  item_tooltip(tr("elements from row to row"));
  const TunableParameter* padding = padding_parameter(ctx);
  if (!padding) return;
  const long long value = parameter_value(ctx, *padding) + static_cast<long long>(other) -
                          static_cast<long long>(equation.pitch);
  if (value < padding->min || value > padding->max || other == equation.pitch) return;
  ImGui::SameLine(0, gap);
  const std::string text = fmt::format("{} = {}", padding->name, value);
  if (ImGui::Button((text + "###apply pitch").c_str()))
    actions.push_back(SetParameter{padding->name, std::to_string(value)});
  item_tooltip(tr("apply it; Ctrl+Z takes it back"));
}

void side(const ViewContext& ctx, const Execution& shown, const LaneTable& table,
          const BankGrid& grid, float width, bool own, Actions& actions) {
  ImGui::BeginGroup();
  const float end = ImGui::GetCursorPosX() + width;
  verdict(ctx, grid, end);
  axes(ctx, table, end);
  lane_cells(ctx, shown, table, grid, cells_of(ctx, table, width), own, actions);
}

std::uint64_t other_pitch(const ViewContext& ctx, const BankEquation& equation,
                          BankCardState& state, int access, std::uint64_t suggested) {
  if (state.serial != ctx.picture->serial || state.access != access) {
    state.serial = ctx.picture->serial;
    state.access = access;
    state.other = 0;
  }
  if (state.other) return state.other;
  return suggested && suggested != equation.pitch ? suggested : telling_pitch(equation);
}

}  // namespace

const TunableParameter* padding_parameter(const ViewContext& ctx) {
  const FrontMatter* matter = front_matter(ctx);
  if (!matter) return nullptr;
  const TunableParameter* found = nullptr;
  for (const TunableParameter& p : matter->parameters) {
    if (!p.choices.empty() || p.name.find("PAD") == std::string::npos) continue;
    if (found) return nullptr;
    found = &p;
  }
  return found;
}

long long parameter_value(const ViewContext& ctx, const TunableParameter& parameter) {
  const auto set = ctx.settings.parameters.find(parameter.name);
  long long value = parameter.value;
  if (set != ctx.settings.parameters.end())
    std::from_chars(set->second.data(), set->second.data() + set->second.size(), value);
  return value;
}

std::string pitch_text(const BankGrid& grid) {
  const SharedCounts& cost = grid.plan.cost;
  const std::string what = cost.conflicts == 0 ? std::string(tr("no two words wait for one bank"))
                                               : tr("{0} words in one bank, {1} wavefronts",
                                                    {grid.plan.ways, cost.wavefronts});
  return grid.pitch ? tr("pitch {0}: ", {grid.pitch}) + what : what;
}

void bank_card(const ViewContext& ctx, const Execution& shown, BankCardState& state,
               std::uint64_t suggested, const char* view, Actions& actions) {
  const auto equation = bank_equation(*ctx.picture, *shown.access, shown.address, shown.mask);
  if (!equation) return;
  ImGui::PushID("bank card");
  ImGui::PushFont(ctx.fonts.mono, ImGui::GetStyle().FontSizeBase * 1.05f);
  wrapped_text(tr("bank") + (" = " + equation->text()));
  ImGui::PopFont();
  if (const int lit = ctx.focus.lit_lane; shown.active(lit))
    ctx.lit.add(view, lit, shown.address[static_cast<std::size_t>(lit)]);
  const LaneTable table = lane_table(*equation);
  const float room = ImGui::GetContentRegionAvail().x, gap = 18 * ctx.scale;
  const bool beside = equation->pitch &&
                      static_cast<float>(table.across) * kNarrowest * ctx.scale <= (room - gap) / 2;
  const float width = beside ? (room - gap) / 2 : room;
  const std::uint64_t other =
      other_pitch(ctx, *equation, state, static_cast<int>(shown.access->id), suggested);
  const float start = ImGui::GetCursorPosX();
  side(ctx, shown, table, bank_grid(*equation, equation->pitch), width, true, actions);
  ImGui::EndGroup();
  if (equation->pitch) {
    if (beside) ImGui::SameLine(start + width + gap, 0);
    side(ctx, shown, table, bank_grid(*equation, other), width, false, actions);
    if (!ctx.still) other_controls(ctx, *equation, state, other, actions);
    ImGui::EndGroup();
  }
  ImGui::PopID();
}

void bank_card_legend(const ViewContext& ctx) { hint(ctx, legend()); }

void bank_card_legend_if_whole(const ViewContext& ctx) {
  const float seen = ImGui::GetWindowHeight() - ImGui::GetStyle().WindowPadding.y;
  const float top = ImGui::GetCursorPosY();
  const float words = wrapped_size(legend(), ImGui::GetContentRegionAvail().x).y;
  if (top > seen || top + words <= seen) bank_card_legend(ctx);
}

}  // namespace lanescope::app

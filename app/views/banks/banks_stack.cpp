#include "views/banks/banks_stack.h"

#include <algorithm>
#include <cmath>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"

namespace lanescope::app {
namespace {

constexpr float kDone = 0.45f, kWaiting = 0.18f;  // alpha of what is served already, or not yet

struct Grid {
  ImVec2 origin;
  float margin, cell, header, row;
  /// Height of the line that names a group; 0 for none
  float caption = 0;
  /// Size of the numbers
  float text = 0;
  [[nodiscard]] float x(int bank) const {
    return origin.x + margin + cell * static_cast<float>(bank);
  }
  [[nodiscard]] float y(std::size_t wavefront, int group) const {
    return origin.y + header + row * static_cast<float>(wavefront) +
           caption * static_cast<float>(group + 1);
  }
};

float margin_width() { return ImGui::GetFontSize() * 1.9f; }

float cell_width() {
  return std::floor((ImGui::GetContentRegionAvail().x - margin_width()) / kBanks);
}

// How bright a wavefront is while another one is served.
float alpha_of(std::size_t wavefront, int serving) {
  if (serving == 0) return 1;
  const auto now = static_cast<std::size_t>(serving - 1);
  return wavefront == now ? 1 : wavefront < now ? kDone : kWaiting;
}

void draw_header(const ViewContext& ctx, const Grid& grid, int worst) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  text_in_box(list, ctx.fonts.text, ImGui::GetFontSize() * 0.8f, 7 * ctx.scale, grid.origin,
              {grid.x(0) - 2, grid.origin.y + grid.header - 3}, ctx.theme.dim, tr("bank"));
  for (int bank = 0; bank < kBanks; ++bank) {
    const ImVec2 min{grid.x(bank), grid.origin.y},
        max{grid.x(bank + 1), grid.origin.y + grid.header - 3};
    list.AddRectFilled(min, {max.x - 1, max.y}, bank_color(bank));
    text_in_box(list, ctx.fonts.text, grid.text, 7 * ctx.scale, min, max, text_on(bank_color(bank)),
                std::to_string(bank));
    if (bank == worst) list.AddRect(min, {max.x - 1, max.y}, ctx.theme.error, 0, 0, 2 * ctx.scale);
  }
}

void word_tooltip(const BankWord& word) {
  ImGui::SetTooltip("%s", tr("bank {0}, word {1}: one word for lanes {2} (broadcast)",
                             {std::to_string(word.bank), std::to_string(word.word & 0xffffffffu),
                              lanes_text(word.lanes)})
                              .c_str());
}

void draw_word(const ViewContext& ctx, const Execution& shown, const Grid& grid,
               const BankWord& word, ImVec2 min, ImVec2 max, float alpha, Actions& actions) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 color = faded(bank_color(word.bank), alpha);
  list.AddRectFilled(min, max, color);
  const int count = active_lanes(word.lanes);
  const int lane = std::countr_zero(word.lanes);
  const ImU32 ink = alpha < 1 ? ctx.theme.dim : text_on(color);
  if (alpha > kWaiting) {
    text_in_box(list, count > 1 ? ctx.fonts.strong : ctx.fonts.text, grid.text, 7 * ctx.scale, min,
                max, ink, count > 1 ? "×" + std::to_string(count) : std::to_string(lane));
  }
  if (count > 1) list.AddRect({min.x + 1, min.y + 1}, {max.x - 1, max.y - 1}, ink);
  const int lit = ctx.focus.lit_lane;
  const bool is_lit = lit >= 0 && (word.lanes >> lit & 1u) != 0;
  if (is_lit) {
    outline(list, min, max, ctx.theme.selection, 2.5f * ctx.scale);
    ctx.lit.add("banks", lit, shown.address[static_cast<std::size_t>(lit)]);
  }
  // A shared word answers for the lane that is lit already, so that hovering it does not jump
  // about.
  const bool hovered = lane_item(ctx, is_lit ? lit : lane, &shown, min, max, actions);
  if (hovered && count > 1) word_tooltip(word);
}

void draw_caption(const ViewContext& ctx, const Grid& grid, const BankPlan& plan,
                  std::size_t wavefront, float alpha) {
  const int group = plan.wavefronts[wavefront].group;
  const float size = grid.caption * 0.8f;
  const float top = grid.y(wavefront, group) - grid.caption;
  const ImU32 color = alpha < 1 ? ctx.theme.dim : ctx.theme.text;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddLine({grid.origin.x, top + 1}, {grid.x(kBanks), top + 1}, ctx.theme.barrier,
               1.5f * ctx.scale);
  list.AddText(ctx.fonts.text, size, {grid.x(0), top + (grid.caption - size) / 2}, color,
               group_text(plan, static_cast<std::size_t>(group)).c_str());
}

void draw_wavefront(const ViewContext& ctx, const Execution& shown, const Grid& grid,
                    std::size_t number, std::size_t every, float alpha, Actions& actions) {
  const Wavefront& wavefront = shown.banks->wavefronts[number];
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float top = grid.y(number, wavefront.group), bottom = top + grid.row - 1;
  list.AddRectFilled({grid.x(0), top}, {grid.x(kBanks), bottom}, ctx.theme.empty);
  if (number % every == 0) {
    const float size = std::min(ImGui::GetFontSize() * 0.85f,
                                std::max(grid.row * static_cast<float>(every), 9 * ctx.scale));
    list.AddText(ctx.fonts.text, size, {grid.origin.x, std::round((top + bottom - size) / 2)},
                 alpha < 1 ? ctx.theme.cell : ctx.theme.dim, std::to_string(number + 1).c_str());
  }
  for (const BankWord& word : wavefront.words) {
    draw_word(ctx, shown, grid, word, {grid.x(word.bank), top}, {grid.x(word.bank + 1) - 1, bottom},
              alpha, actions);
  }
}

}  // namespace

std::string group_text(const BankPlan& plan, std::size_t group) {
  const int lanes = plan.bytes <= 4 ? 32 : plan.bytes == 8 ? 16 : 8;
  const int span = plan.merged ? 2 * lanes : lanes;
  if (span >= kLanes || group >= plan.groups.size()) return {};
  static constexpr const char* kHalves[] = {"first half-warp", "second half-warp"};
  static constexpr const char* kQuarters[] = {"first quarter-warp", "second quarter-warp",
                                              "third quarter-warp", "fourth quarter-warp"};
  const int part = std::countr_zero(plan.groups[group]) / span;
  const char* name = span == 16 ? kHalves[part] : kQuarters[part];
  return tr("lanes {0}–{1}: {2}",
            {std::to_string(part * span), std::to_string((part + 1) * span - 1), tr(name)});
}

void draw_served_lanes(const ViewContext& ctx, const Execution& shown, int serving,
                       Actions& actions) {
  const BankPlan& plan = *shown.banks;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float cell = cell_width(), height = ImGui::GetTextLineHeight() + 2 * ctx.scale;
  const float size =
      fitting_size(ctx.fonts.text, ImGui::GetFontSize() * 0.85f, cell, height, kWidestLane);
  LaneMask done = 0, now = 0;
  for (std::size_t i = 0; serving > 0 && i < static_cast<std::size_t>(serving); ++i) {
    const bool current = i + 1 == static_cast<std::size_t>(serving);
    for (const BankWord& word : plan.wavefronts[i].words) (current ? now : done) |= word.lanes;
  }
  text_in_box(list, ctx.fonts.text, ImGui::GetFontSize() * 0.8f, 7 * ctx.scale, origin,
              {origin.x + margin_width() - 2, origin.y + height}, ctx.theme.dim, tr("lane"));
  ImGui::PushID("served");
  for (int lane = 0; lane < kLanes; ++lane) {
    const ImVec2 min{origin.x + margin_width() + cell * static_cast<float>(lane), origin.y},
        max{min.x + cell - 1, min.y + height};
    if (!shown.active(lane)) {
      list.AddRect(min, max, ctx.theme.grid);
      continue;
    }
    const auto address = shown.address[static_cast<std::size_t>(lane)];
    const bool served = serving == 0 || (now >> lane & 1u) != 0;
    const float alpha = served ? 1 : (done >> lane & 1u) != 0 ? kDone : kWaiting;
    const ImU32 color = faded(bank_color(static_cast<int>(address / kBankBytes % kBanks)), alpha);
    list.AddRectFilled(min, max, color);
    text_in_box(list, ctx.fonts.text, size, 7 * ctx.scale, min, max,
                served ? text_on(color) : ctx.theme.dim, std::to_string(lane));
    if (serving > 0 && served) list.AddRect(min, max, ctx.theme.text, 0, 0, 1.5f * ctx.scale);
    if (lane == ctx.focus.lit_lane) outline(list, min, max, ctx.theme.selection, 2 * ctx.scale);
    lane_item(ctx, lane, &shown, min, max, actions);
  }
  ImGui::PopID();
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({margin_width() + cell * kLanes, height});
}

void draw_stack(const ViewContext& ctx, const Execution& shown, int serving, Actions& actions) {
  const BankPlan& plan = *shown.banks;
  const float height = ImGui::GetContentRegionAvail().y, text = ImGui::GetFontSize();
  Grid grid{ImGui::GetCursorScreenPos(), margin_width(), cell_width(), text + 6, 0};
  const int groups = group_text(plan, 0).empty() ? 0 : static_cast<int>(plan.groups.size());
  if (groups > 0) grid.caption = std::round(text * 1.15f);
  const float captions = grid.caption * static_cast<float>(groups);
  const auto rows = static_cast<float>(std::max<std::size_t>(1, plan.wavefronts.size()));
  grid.row = row_height(height - grid.header - captions - 2, rows, 3 * ctx.scale, 30 * ctx.scale);
  grid.text = fitting_size(ctx.fonts.text, text * 0.9f, grid.cell, grid.header, kWidestLane);
  draw_header(ctx, grid, plan.ways > 1 ? plan.worst_bank : -1);
  const auto every = static_cast<std::size_t>(std::ceil(text * 0.8f / grid.row));
  for (std::size_t i = 0; i < plan.wavefronts.size(); ++i) {
    const float alpha = alpha_of(i, serving);
    const bool first = i == 0 || plan.wavefronts[i - 1].group != plan.wavefronts[i].group;
    if (groups > 0 && first) draw_caption(ctx, grid, plan, i, alpha);
    draw_wavefront(ctx, shown, grid, i, every, alpha, actions);
  }
  ImGui::Dummy({grid.margin + grid.cell * kBanks, grid.header + captions + grid.row * rows});
}

}  // namespace lanescope::app

// The pictures of the Why view: lanes over banks for shared memory, bytes asked for and bytes moved
// for global memory.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/why/why_view.h"

namespace lanescope::app {
namespace {

struct Strip {
  ImVec2 origin;
  float label, cell, row, text;
  [[nodiscard]] ImVec2 min(int column, int line) const {
    return {origin.x + label + cell * static_cast<float>(column),
            origin.y + row * static_cast<float>(line)};
  }
  [[nodiscard]] ImVec2 max(int column, int line) const {
    const ImVec2 corner = min(column + 1, line + 1);
    return {corner.x - 1, corner.y - 2};
  }
};

Strip strip_of(const ViewContext& ctx, int rows) {
  const float size = ImGui::GetFontSize();
  const float label =
      std::max(ImGui::CalcTextSize(tr("lane")).x, ImGui::CalcTextSize(tr("words")).x) +
      8 * ctx.scale;
  const float width = ImGui::GetContentRegionAvail().x - label;
  Strip strip{ImGui::GetCursorScreenPos(), label, 0, std::round(size * 1.25f), 0};
  strip.cell = std::floor(std::min(width / kLanes, 26 * ctx.scale));
  strip.text = fitting_size(ctx.fonts.text, size * 0.85f, strip.cell - 1, strip.row, kWidestLane);
  ImGui::Dummy({label + strip.cell * kLanes, strip.row * static_cast<float>(rows)});
  return strip;
}

void strip_label(const ViewContext& ctx, const Strip& strip, int line, const char* text) {
  const ImVec2 at = strip.min(0, line);
  ImGui::GetWindowDrawList()->AddText({at.x - strip.label, at.y}, ctx.theme.dim, text);
}

// Each lane in the colour of its bank; those that wait for the worst bank stand out.
void lane_row(const ViewContext& ctx, const Strip& strip, int line, const Execution& shown,
              const SharedWhy& why, Actions& actions) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  strip_label(ctx, strip, line, tr("lane"));
  for (int lane = 0; lane < kLanes; ++lane) {
    const ImVec2 min = strip.min(lane, line), max = strip.max(lane, line);
    if (!shown.active(lane)) {
      list.AddRectFilled(min, max, ctx.theme.empty);
      continue;
    }
    const auto address = shown.address[static_cast<std::size_t>(lane)];
    const ImU32 color = bank_color(static_cast<int>(address / kBankBytes % kBanks));
    const bool waits = why.cost.conflicts == 0 || (why.worst_lanes >> lane & 1u) != 0;
    list.AddRectFilled(min, max, waits ? color : faded(color, 0.25f));
    text_in_box(list, ctx.fonts.text, strip.text, 7 * ctx.scale, min, max,
                waits ? text_on(color) : ctx.theme.dim, std::to_string(lane));
    if (ctx.focus.lit_lane == lane) {
      outline(list, min, max, ctx.theme.selection, 2 * ctx.scale);
      ctx.lit.add("why", lane, address);
    }
    lane_item(ctx, lane, &shown, min, max, actions);
  }
}

// How many different words each bank serves in the group that waits longest.
void bank_row(const ViewContext& ctx, const Strip& strip, int line, const BankPlan& plan,
              const SharedWhy& why) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  strip_label(ctx, strip, line, tr("words"));
  std::array<int, kBanks> words{};
  for (const Wavefront& wavefront : plan.wavefronts) {
    const LaneMask group = plan.groups[static_cast<std::size_t>(wavefront.group)];
    if ((group & why.worst_lanes) == 0) continue;
    for (const BankWord& word : wavefront.words) ++words[static_cast<std::size_t>(word.bank)];
  }
  for (int bank = 0; bank < kBanks; ++bank) {
    const ImVec2 min = strip.min(bank, line), max = strip.max(bank, line);
    const int count = words[static_cast<std::size_t>(bank)];
    const ImU32 color = count ? heat_color(count) : ctx.theme.empty;
    list.AddRectFilled(min, max, color);
    if (count) {
      text_in_box(list, ctx.fonts.text, strip.text, 7 * ctx.scale, min, max, text_on(color),
                  std::to_string(count));
    }
    if (ImGui::IsMouseHoveringRect(min, max) && ImGui::IsWindowHovered()) {
      tooltip(tr("bank {0}: {1} different words to serve", {bank, count}));
    }
  }
}

void group_row(const ViewContext& ctx, const Strip& strip, int line, const BankPlan& plan) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < plan.groups.size(); ++i) {
    const LaneMask group = plan.groups[i];
    const int first = std::countr_zero(group), last = std::bit_width(group) - 1;
    const ImVec2 min = strip.min(first, line), max = strip.max(last, line);
    list.AddRect(min, max, ctx.theme.barrier, 3 * ctx.scale, 0, 1.5f * ctx.scale);
    text_in_box(list, ctx.fonts.text, ImGui::GetFontSize() * 0.8f, 7 * ctx.scale, min, max,
                ctx.theme.text, tr("group {0}", {i + 1}));
  }
}

}  // namespace

void draw_why_shared(const ViewContext& ctx, const Execution& shown, const SharedWhy& why,
                     Actions& actions) {
  const BankPlan& plan = *shown.banks;
  const bool grouped_lanes = plan.groups.size() > 1;
  const Strip strip = strip_of(ctx, grouped_lanes ? 3 : 2);
  int line = 0;
  if (grouped_lanes) group_row(ctx, strip, line++, plan);
  lane_row(ctx, strip, line++, shown, why, actions);
  bank_row(ctx, strip, line, plan, why);
}

void draw_why_global(const ViewContext& ctx, const GlobalWhy& why) {
  if (!why.bytes_moved) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const float width = std::min(ImGui::GetContentRegionAvail().x, 640 * ctx.scale);
  const float height = std::round(ImGui::GetFontSize() * 1.25f);
  const float part =
      width * static_cast<float>(why.bytes_used) / static_cast<float>(why.bytes_moved);
  list.AddRectFilled(min, {min.x + width, min.y + height}, ctx.theme.wasted);
  list.AddRectFilled(min, {min.x + part, min.y + height}, ctx.theme.used);
  ImGui::Dummy({width, height});
  legend(ctx, {{ctx.theme.used, tr("asked for")}, {ctx.theme.wasted, tr("moved in vain")}});
}

}  // namespace lanescope::app

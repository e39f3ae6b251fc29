#include "views/compare/mini_strip.h"

#include <algorithm>
#include <cmath>

#include "views/draw/widgets.h"

namespace lanescope::app {
namespace {

constexpr float kMostRow = 18;
constexpr int kSectorsPerLine = static_cast<int>(kLineBytes / kSectorBytes);

void draw_words(const ViewContext& ctx, const Execution& shown, float width, float height,
                Actions& actions) {
  const BankPlan& plan = *shown.banks;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const auto rows = static_cast<float>(std::max<std::size_t>(1, plan.wavefronts.size()));
  const float head = std::round(5 * ctx.scale), cell = width / kBanks;
  const float row = row_height(height - head, rows, 1.5f * ctx.scale, kMostRow * ctx.scale);
  const float size =
      fitting_size(ctx.fonts.text, ImGui::GetFontSize() * 0.8f, cell, row, kWidestLane);
  const auto x = [&](int bank) { return origin.x + cell * static_cast<float>(bank); };
  for (int bank = 0; bank < kBanks; ++bank)
    list.AddRectFilled({x(bank), origin.y}, {x(bank + 1) - 1, origin.y + head - 1},
                       bank_color(bank));
  const float gap = row > 4 ? 1.0f : 0.0f;
  for (std::size_t i = 0; i < plan.wavefronts.size(); ++i) {
    const float top = origin.y + head + row * static_cast<float>(i);
    list.AddRectFilled({x(0), top}, {x(kBanks) - 1, top + row - gap}, ctx.theme.empty);
    for (const BankWord& word : plan.wavefronts[i].words) {
      const ImVec2 min{x(word.bank), top}, max{x(word.bank + 1) - 1, top + row - gap};
      const ImU32 color = bank_color(word.bank);
      const int lane = std::countr_zero(word.lanes), lit = ctx.focus.lit_lane;
      const bool is_lit = lit >= 0 && (word.lanes >> lit & 1u) != 0;
      list.AddRectFilled(min, max, color);
      text_in_box(list, ctx.fonts.text, size, 8 * ctx.scale, min, max, text_on(color),
                  std::to_string(lane));
      if (is_lit) {
        outline(list, min, max, ctx.theme.selection, 2 * ctx.scale);
        ctx.lit.add("compare", lit, shown.address[static_cast<std::size_t>(lit)]);
      }
      lane_item(ctx, is_lit ? lit : lane, &shown, min, max, actions);
    }
  }
  ImGui::Dummy({width, head + row * rows});
}

void draw_used(const ViewContext& ctx, const Sector& sector, ImVec2 min, ImVec2 max) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float byte = (max.x - min.x) / kSectorBytes;
  list.AddRectFilled(min, max, ctx.theme.wasted);
  for (int i = 0; i < static_cast<int>(kSectorBytes); ++i) {
    int end = i;
    while (end < static_cast<int>(kSectorBytes) && (sector.byte_mask >> end & 1u)) ++end;
    if (end > i)
      list.AddRectFilled({min.x + byte * static_cast<float>(i), min.y},
                         {min.x + byte * static_cast<float>(end), max.y}, ctx.theme.used);
    i = end;
  }
}

void draw_sectors(const ViewContext& ctx, const Execution& shown, float width, float height,
                  Actions& actions) {
  const SectorPlan& plan = *shown.sectors;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const auto rows = static_cast<float>(std::max<std::size_t>(1, plan.lines.size()));
  const float row = row_height(height, rows, 1.5f * ctx.scale, kMostRow * ctx.scale);
  const float sector = width / kSectorsPerLine, gap = row > 4 ? 1.0f : 0.0f;
  for (std::size_t i = 0; i < plan.lines.size(); ++i) {
    const float top = origin.y + row * static_cast<float>(i);
    list.AddRectFilled({origin.x, top}, {origin.x + width - 2, top + row - gap}, ctx.theme.empty);
    for (const Sector& one : plan.lines[i].sectors) {
      const float left =
          origin.x + sector * static_cast<float>((one.address % kLineBytes) / kSectorBytes);
      const ImVec2 min{left, top}, max{left + sector - 2, top + row - gap};
      draw_used(ctx, one, min, max);
      const int lit = ctx.focus.lit_lane;
      const bool is_lit = lit >= 0 && (one.lanes >> lit & 1u) != 0;
      if (is_lit) {
        outline(list, min, max, ctx.theme.selection, 2 * ctx.scale);
        ctx.lit.add("compare", lit, shown.address[static_cast<std::size_t>(lit)]);
      }
      lane_item(ctx, is_lit ? lit : std::countr_zero(one.lanes), &shown, min, max, actions);
    }
  }
  ImGui::Dummy({width, row * rows});
}

}  // namespace

void mini_strip(const ViewContext& ctx, const Execution& shown, float width, float height,
                Actions& actions) {
  if (shown.banks) draw_words(ctx, shown, width, height, actions);
  if (shown.sectors) draw_sectors(ctx, shown, width, height, actions);
}

}  // namespace lanescope::app

#include "views/lesson/blackboard_view.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/picture/blackboard.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"

namespace lanescope::app {
namespace {

constexpr float kHead = 1.5f;  // of the type's size: the row of banks

// A row for each wavefront, a column for each bank; in the cells the lanes that are served.
void draw_table(const ViewContext& ctx, const BankPlan& plan, int first) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  const float type = ImGui::GetFontSize(), head = type * kHead, left = type * 4;
  const float width = std::min((space.x - left) / kToyBanks, 130 * ctx.scale);
  const float height =
      row_height(space.y - head, static_cast<float>(plan.wavefronts.size()), type * 1.4f, type * 3);
  for (int bank = 0; bank < kToyBanks; ++bank) {
    const float x = at.x + left + width * static_cast<float>(bank);
    text_in_box(list, ctx.fonts.strong, type, type * 0.5f, {x, at.y}, {x + width, at.y + head},
                ctx.theme.text, tr("bank {0}", {bank}));
  }
  for (std::size_t i = 0; i < plan.wavefronts.size(); ++i) {
    const float top = at.y + head + height * static_cast<float>(i);
    const bool parts = i > 0 && plan.wavefronts[i].group != plan.wavefronts[i - 1].group;
    if (parts)
      list.AddLine({at.x, top}, {at.x + left + width * kToyBanks, top}, ctx.theme.barrier,
                   2 * ctx.scale);
    text_in_box(list, ctx.fonts.text, type, type * 0.5f, {at.x, top}, {at.x + left, top + height},
                ctx.theme.dim, fmt::format("{}.", i + 1));
    for (int bank = 0; bank < kToyBanks; ++bank) {
      const ImVec2 min{at.x + left + width * static_cast<float>(bank) + 1, top + 1};
      list.AddRectFilled(min, {min.x + width - 2, top + height - 1}, ctx.theme.empty);
    }
    for (const BankWord& word : plan.wavefronts[i].words) {
      const ImVec2 min{at.x + left + width * static_cast<float>(word.bank) + 1, top + 1};
      const ImVec2 max{min.x + width - 2, top + height - 1};
      const ImU32 color = bank_color(word.bank * (kBanks / kToyBanks));
      list.AddRectFilled(min, max, color);
      text_in_box(list, ctx.fonts.strong, type * 1.1f, type * 0.6f, min, max, text_on(color),
                  lanes_text(word.lanes >> first));
    }
  }
  ImGui::Dummy(
      {left + width * kToyBanks, head + height * static_cast<float>(plan.wavefronts.size())});
}

}  // namespace

void mark_toy(const ViewContext& ctx) {
  headline(ctx, tr("A toy: {0} lanes, {1} banks. No GPU is like that.", {kToyLanes, kToyBanks}),
           ctx.theme.warning);
}

void draw_blackboard(const ViewContext& ctx, BlackboardState&, Actions&) {
  mark_toy(ctx);
  hint(ctx,
       tr("Only this picture and the numbers of the lesson are the toy's. All other views show "
          "the real device."));
  const Execution* shown = ctx.focus.in(MemorySpace::shared);
  if (!shown) return nothing_to_show(ctx, tr("The selected access does not reach shared memory."));
  const int part = std::max(0, ctx.selection.lane) / kToyLanes;
  const Execution toy = on_blackboard(*shown, part);
  hint(ctx, access_title(*shown->access));
  hint(ctx, tr("{0} wavefronts, ideal {1}",
               {toy.banks->cost.wavefronts, toy.banks->cost.ideal_wavefronts}));
  ImGui::Spacing();
  draw_table(ctx, *toy.banks, part * kToyLanes);
}

}  // namespace lanescope::app

#include "views/banks.h"

#include <algorithm>
#include <cmath>

#include "views/tr.h"
#include "views/widgets.h"

namespace lanescope::app {
namespace {

struct Grid {
  ImVec2 origin;
  float margin, cell, header, row;
  float text;  ///< size of the numbers
  [[nodiscard]] float x(int bank) const {
    return origin.x + margin + cell * static_cast<float>(bank);
  }
  [[nodiscard]] float y(std::size_t wavefront) const {
    return origin.y + header + row * static_cast<float>(wavefront);
  }
};

void play_controls(const ViewContext& ctx, BanksState& state, int count) {
  if (state.playing) {
    ctx.animating = true;
    if (ImGui::GetTime() >= state.next_at) {
      state.next_at = ImGui::GetTime() + 0.35;
      if (++state.shown >= count) state.playing = false, state.shown = 0;
    }
  }
  if (icon_button(ctx, "play wavefronts", state.playing ? Icon::pause : Icon::play,
                  tr("play the wavefronts one after the other"))) {
    state.playing = !state.playing;
    state.next_at = ImGui::GetTime() + 0.35;
    state.shown = state.playing ? 1 : 0;
  }
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  const std::string label =
      state.shown == 0
          ? tr("all {0} wavefronts", {std::to_string(count)})
          : tr("wavefront {0} of {1}", {std::to_string(state.shown), std::to_string(count)});
  if (ImGui::SliderInt("##wavefront", &state.shown, 0, count, label.c_str(),
                       ImGuiSliderFlags_AlwaysClamp)) {
    state.playing = false;
  }
}

void draw_header(const ViewContext& ctx, const Grid& grid, int worst) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (int bank = 0; bank < kBanks; ++bank) {
    const ImVec2 min{grid.x(bank), grid.origin.y},
        max{grid.x(bank + 1), grid.origin.y + grid.header - 3};
    list.AddRectFilled(min, {max.x - 1, max.y}, bank_color(bank));
    text_in_box(list, ctx.fonts.text, grid.text, 7 * ctx.scale, min, max, text_on(bank_color(bank)),
                std::to_string(bank));
    if (bank == worst) list.AddRect(min, {max.x - 1, max.y}, ctx.theme.error, 0, 0, 2 * ctx.scale);
  }
}

void draw_word(const ViewContext& ctx, const Execution& shown, const Grid& grid,
               const BankWord& word, std::size_t row, bool ghost, Actions& actions) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 min{grid.x(word.bank), grid.y(row)},
      max{grid.x(word.bank + 1) - 1, grid.y(row + 1) - 1};
  const ImU32 color = ghost ? faded(bank_color(word.bank), 0.18f) : bank_color(word.bank);
  list.AddRectFilled(min, max, color);
  const int count = active_lanes(word.lanes);
  const int lane = std::countr_zero(word.lanes);
  if (!ghost) {
    text_in_box(list, count > 1 ? ctx.fonts.strong : ctx.fonts.text, grid.text, 7 * ctx.scale, min,
                max, text_on(color),
                count > 1 ? "×" + std::to_string(count) : std::to_string(lane));
  }
  if (count > 1) list.AddRect({min.x + 1, min.y + 1}, {max.x - 1, max.y - 1}, text_on(color));
  const int lit = ctx.focus.lit_lane;
  const bool is_lit = lit >= 0 && (word.lanes >> lit & 1u) != 0;
  if (is_lit) {
    outline(list, min, max, ctx.theme.selection, 2.5f * ctx.scale);
    ctx.lit.add("banks", lit, shown.address[static_cast<std::size_t>(lit)]);
  }
  // A shared word answers for the lane that is lit already, so that hovering it does not jump
  // about.
  const bool hovered = lane_item(ctx, is_lit ? lit : lane, &shown, min, max, actions);
  if (hovered && count > 1) {
    ImGui::SetTooltip("%s", tr("bank {0}, word {1}: one word for lanes {2} (broadcast)",
                               {std::to_string(word.bank), std::to_string(word.word & 0xffffffffu),
                                lanes_text(word.lanes)})
                                .c_str());
  }
}

void draw_stack(const ViewContext& ctx, const BanksState& state, const Execution& shown,
                Actions& actions) {
  const BankPlan& plan = *shown.banks;
  const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetContentRegionAvail().y;
  const float text = ImGui::GetFontSize();
  Grid grid{ImGui::GetCursorScreenPos(), text * 1.9f, 0, text + 6, 0, 0};
  grid.cell = std::floor((width - grid.margin) / kBanks);
  const auto rows = static_cast<float>(std::max<std::size_t>(1, plan.wavefronts.size()));
  grid.row = row_height(height - grid.header - 2, rows, 3 * ctx.scale, 30 * ctx.scale);
  grid.text = fitting_size(ctx.fonts.text, text * 0.9f, grid.cell, grid.header, "88");
  draw_header(ctx, grid, plan.ways > 1 ? plan.worst_bank : -1);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto every = static_cast<std::size_t>(std::ceil(text * 0.8f / grid.row));
  for (std::size_t i = 0; i < plan.wavefronts.size(); ++i) {
    const Wavefront& wavefront = plan.wavefronts[i];
    const bool ghost = state.shown > 0 && static_cast<int>(i) >= state.shown;
    const ImVec2 min{grid.origin.x, grid.y(i)}, max{grid.x(kBanks), grid.y(i + 1) - 1};
    list.AddRectFilled({grid.x(0), min.y}, max, ctx.theme.empty);
    if (i % every == 0) {
      const float size = std::min(text * 0.85f, grid.row * static_cast<float>(every));
      list.AddText(ctx.fonts.text, size, {min.x, std::round((min.y + max.y - size) / 2)},
                   ghost ? ctx.theme.cell : ctx.theme.dim, std::to_string(i + 1).c_str());
    }
    if (i > 0 && plan.wavefronts[i - 1].group != wavefront.group) {
      list.AddLine({min.x, min.y - 1}, {max.x, min.y - 1}, ctx.theme.barrier, 2 * ctx.scale);
    }
    for (const BankWord& word : wavefront.words)
      draw_word(ctx, shown, grid, word, i, ghost, actions);
  }
  ImGui::Dummy({grid.margin + grid.cell * kBanks, grid.header + grid.row * rows});
}

}  // namespace

std::string banks_headline(const BankPlan& plan) {
  const std::string wavefronts = std::to_string(plan.cost.wavefronts);
  const std::string ideal = std::to_string(plan.cost.ideal_wavefronts);
  if (plan.cost.conflicts > 0) {
    return tr("{0}-way conflict: {1} wavefronts, ideal {2}",
              {std::to_string(plan.ways), wavefronts, ideal});
  }
  return plan.cost.wavefronts == 1
             ? tr("No conflict: 1 wavefront, ideal {0}", {ideal})
             : tr("No conflict: {0} wavefronts, ideal {1}", {wavefronts, ideal});
}

void draw_banks(const ViewContext& ctx, BanksState& state, Actions& actions) {
  if (!ctx.focus.access) return nothing_to_show(ctx, tr("Select an access to see its banks."));
  if (!ctx.focus.shown)
    return nothing_to_show(ctx, tr("This warp never executes the selected access."));
  const Execution* shown = ctx.focus.in(MemorySpace::shared);
  if (!shown) return nothing_to_show(ctx, tr("The selected access does not reach shared memory."));
  const BankPlan& plan = *shown->banks;
  const int count = static_cast<int>(plan.wavefronts.size());
  state.shown = std::min(state.shown, count);
  headline(ctx, banks_headline(plan), plan.cost.conflicts ? ctx.theme.warning : ctx.theme.good);
  std::string detail = access_title(*shown->access);
  if (plan.groups.size() > 1) {
    detail += " · " + tr("{0} bytes a lane: served as {1} groups",
                         {std::to_string(plan.bytes), std::to_string(plan.groups.size())});
  }
  if (plan.merged) detail += std::string(" · ") + tr("wide load, merged");
  hint(ctx, detail);
  ImGui::SetItemTooltip(
      "%s", tr("One row is one wavefront. Numbers are lanes; ×n is n lanes on one word."));
  if (count > 1) play_controls(ctx, state, count);
  ImGui::BeginChild("stack", {0, 0});
  draw_stack(ctx, state, *shown, actions);
  ImGui::EndChild();
}

}  // namespace lanescope::app

#include "views/source/source_values.h"

#include <algorithm>

#include <fmt/format.h>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

constexpr double kDelay = 0.25;  // seconds that the pointer rests before anything pops up
constexpr int kColumns = 8;

// 32 lanes as 4 rows of 8, each cell in its colour.
template <class Text, class Color>
void lane_grid(const ViewContext& ctx, LaneMask lanes, const Text& text, const Color& color) {
  ImGui::PushFont(ctx.fonts.mono, ImGui::GetStyle().FontSizeBase * 0.85f);
  if (ImGui::BeginTable("lanes", kColumns,
                        ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_BordersInner)) {
    for (int lane = 0; lane < kLanes; ++lane) {
      ImGui::TableNextColumn();
      if (lane == ctx.focus.lit_lane)
        ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, faded(ctx.theme.selection, 0.5f));
      if ((lanes >> lane & 1u) == 0) {
        ImGui::TextDisabled("–");
        continue;
      }
      const ImU32 fill = color(lane);
      if (fill) ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, fill);
      ImGui::PushStyleColor(ImGuiCol_Text,
                            fill ? text_on(fill) : ImGui::GetColorU32(ImGuiCol_Text));
      ImGui::TextUnformatted(text(lane).c_str());
      ImGui::PopStyleColor();
    }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

void value_tooltip(const ViewContext& ctx, const LaneValues& values) {
  ImGui::BeginTooltip();
  std::string title = values.expression;
  if (!values.summary.empty()) title += " = " + values.summary;
  wrapped_text(title, tooltip_end(480 * ctx.scale));
  ImGui::TextDisabled("%s", values.same ? tr("in every lane that has a value, at this step")
                                        : tr("lanes 0 to 31 of the selected warp, at this step"));
  if (!values.same)
    lane_grid(
        ctx, values.known, [&](int lane) { return values.text[static_cast<std::size_t>(lane)]; },
        [](int) { return ImU32{0}; });
  ImGui::EndTooltip();
}

// Where the warp's lanes touch memory when it executes the access nearest to the current step.
bool access_tooltip(const ViewContext& ctx, int access) {
  Selection selection = ctx.selection;
  selection.access = access;
  const auto step = shown_access_step(*ctx.picture, selection);
  if (!step) return false;
  const WarpTrack& track = *ctx.focus.track;
  const std::uint32_t row = track.rows[*step];
  if (row == WarpTrack::kNoRows || row >= ctx.focus.trace->rows.size()) return false;
  const AccessInfo& info = ctx.picture->kernel().accesses[static_cast<std::size_t>(access)];
  const LaneRow address = ctx.focus.trace->rows[row];
  const LaneMask mask = track.mask[*step];
  if (!mask) return false;
  const auto first = address[static_cast<std::size_t>(std::countr_zero(mask))];
  const bool shared = space_of(first) == MemorySpace::shared;
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(access_title(info).c_str());
  if (shared) {
    const BankPlan plan = plan_banks(address, mask, info.bytes, info.service);
    ImGui::TextUnformatted(
        tr("wavefronts {0}, ideal {1}", {plan.cost.wavefronts, plan.cost.ideal_wavefronts})
            .c_str());
  } else if (space_of(first) == MemorySpace::global) {
    const SectorPlan plan = plan_sectors(address, mask, info.bytes, info.service);
    ImGui::TextUnformatted(
        tr("sectors {0}, ideal {1}", {plan.cost.sectors, plan.cost.ideal_sectors}).c_str());
  }
  ImGui::TextDisabled("%s", shared ? tr("element of each lane, in its bank's colour")
                                   : tr("element of each lane"));
  lane_grid(
      ctx, mask,
      [&](int lane) {
        return locate(*ctx.picture, address[static_cast<std::size_t>(lane)]).text();
      },
      [&](int lane) {
        const std::uint64_t at = address[static_cast<std::size_t>(lane)];
        return shared ? bank_color(static_cast<int>(at / kBankBytes % kBanks)) : ImU32{0};
      });
  ImGui::EndTooltip();
  return true;
}

}  // namespace

void source_tooltip(const ViewContext& ctx, SourceHover& hover, const std::string& line_text,
                    std::uint32_t line, std::size_t index, const std::string& selected) {
  hover.shown = false;
  if (!ctx.picture || !ctx.focus.track) return;
  const std::string expression = selected.empty() ? expression_at(line_text, index) : selected;
  const int access = selected.empty() ? access_at(ctx.picture->kernel(), line_text, line,
                                                  static_cast<std::uint32_t>(index) + 1)
                                      : -1;
  std::string key = fmt::format("{}@{}:{}:{}:{}:{}", expression, line, access, ctx.focus.warp,
                                ctx.focus.step, ctx.picture->serial);
  if (key != hover.key) {
    hover.key = std::move(key);
    hover.since = ImGui::GetTime();
    hover.values = lane_values(*ctx.picture, ctx.focus.warp, ctx.focus.step, expression);
  }
  if (!hover.values && access < 0 && expression.empty()) return;
  if (ImGui::GetTime() - hover.since < kDelay) {
    ctx.animating = true;
    return;
  }
  // On an index the index, on the array or a bracket the access.
  if (hover.values) {
    value_tooltip(ctx, *hover.values);
    hover.shown = true;
  } else if (access >= 0) {
    hover.shown = access_tooltip(ctx, access);
  }
}

}  // namespace lanescope::app

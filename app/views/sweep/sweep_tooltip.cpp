// What one cell of the sweep's map says of its setting: every count, its launch, a recorded time.
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/sweep/sweep_map.h"

namespace lanescope::app {
namespace {

const char* limit_text(OccupancyLimit limit) {
  switch (limit) {
  case OccupancyLimit::shared:
    return tr("limited by shared memory");
  case OccupancyLimit::blocks:
    return tr("limited by the number of blocks");
  case OccupancyLimit::threads:
    break;
  }
  return tr("limited by threads");
}

void line(const std::string& name, const std::string& value) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(name.c_str());
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(value.c_str());
}

void numbers(const SweepCell& cell) {
  const auto with_ideal = [](std::uint64_t value, std::uint64_t ideal) {
    return tr("{0}, ideal {1}", {grouped(value), grouped(ideal)});
  };
  line(tr("wavefronts"), with_ideal(cell.shared.wavefronts, cell.shared.ideal_wavefronts));
  line(tr("bank conflicts"), grouped(cell.shared.conflicts));
  line(tr("sectors"), with_ideal(cell.global.sectors, cell.global.ideal_sectors));
  if (cell.global.sectors > 0)
    line(tr("efficiency"), decimal(100 * cell.global.efficiency()) + " %");
  line(tr("shared bytes a block"), grouped(cell.shared_bytes));
  line(tr("occupancy"),
       decimal(100 * cell.occupancy.ratio()) + " %, " + limit_text(cell.occupancy.limit));
  line(tr("launch"), extent_text(cell.grid) + " · " + extent_text(cell.block));
  if (cell.recorded)
    line(tr("measured time"),
         tr("{0} ms, recorded on {1}, {2}",
            {decimal(cell.recorded->milliseconds, 4), cell.recorded->device, cell.recorded->date}));
  line(tr("counted"), cell.classes > 0 ? tr("proved for all {0} blocks", {grouped(cell.blocks)})
                                       : tr("all {0} blocks executed", {grouped(cell.blocks)}));
}

}  // namespace

void sweep_tooltip(const ViewContext& ctx, const Sweep& sweep, std::size_t index) {
  const SweepCell& cell = sweep.cells[index];
  if (!ImGui::BeginTooltip()) return;
  ImGui::PushFont(ctx.fonts.strong, 0);
  ImGui::TextUnformatted(sweep.plan.label(index).c_str());
  ImGui::PopFont();
  if (cell.state == SweepCell::State::pending) {
    ImGui::TextUnformatted(tr("not counted yet"));
  } else if (!cell.counted()) {
    ImGui::TextUnformatted(cell.state == SweepCell::State::impossible
                               ? tr("This setting cannot be compiled or launched:")
                               : tr("This setting runs, but is wrong:"));
    wrapped_text(tr_message(cell.reason), tooltip_end(420 * ctx.scale));
  } else if (ImGui::BeginTable("numbers", 2, ImGuiTableFlags_SizingFixedFit)) {
    numbers(cell);
    ImGui::EndTable();
  }
  ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.dim);
  ImGui::TextUnformatted(tr("click to open this setting"));
  ImGui::PopStyleColor();
  ImGui::EndTooltip();
}

}  // namespace lanescope::app

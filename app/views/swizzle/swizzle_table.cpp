// The table of the Swizzle view: every swizzle that keeps the tile in its memory, best first, and how
// many wavefronts each read needs for one without conflicts.
#include <algorithm>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/swizzle/swizzle_view.h"

namespace lanescope::app {
namespace {

void cost_cell(const ReadCost& cost) {
  ImGui::TableNextColumn();
  if (!cost.possible || cost.wavefronts == 0) {
    ImGui::TextDisabled("–");
    item_tooltip(tr("16 bytes that are read as one do not lie together"));
    return;
  }
  const ImU32 color = heat_color(cost.ratio());
  ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, color);
  ImGui::PushStyleColor(ImGuiCol_Text, text_on(color));
  ImGui::TextUnformatted(("×" + decimal(cost.ratio(), 1)).c_str());
  ImGui::PopStyleColor();
  item_tooltip(tr("{0} wavefronts, {1} conflicts", {cost.wavefronts, cost.conflicts}));
}

void costs(const std::array<ReadCost, kTileReads>& all) {
  for (const ReadCost& cost : all) cost_cell(cost);
}

void name_cell(const ViewContext& ctx, SwizzleState& state, const TriedSwizzle& row, bool best) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const std::string name = row.swizzle.bits ? row.swizzle.name() : tr("no swizzle");
  if (best) ImGui::PushFont(ctx.fonts.strong, 0);
  if (best) ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.good);
  const std::string label = (best ? name + " · " + tr("best") : name) + "###" + row.swizzle.name();
  if (ImGui::Selectable(label.c_str(), state.instead == row.swizzle))
    state.instead = state.instead == row.swizzle ? std::nullopt : std::optional(row.swizzle);
  if (best) ImGui::PopStyleColor(), ImGui::PopFont();
}

}  // namespace

void draw_swizzle_table(const ViewContext& ctx, SwizzleState& state) {
  const std::string about =
      tr("Wavefronts for one without conflicts, the whole tile read; a click shows the picture");
  hint(ctx, shortened(about, ImGui::GetContentRegionAvail().x));
  if (!ImGui::BeginTable("swizzles", 1 + kTileReads,
                         ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerV |
                             ImGuiTableFlags_SizingStretchProp))
    return;
  ImGui::TableSetupScrollFreeze(0, 2);
  const std::string widest = Swizzle{3, 3, 3}.name() + " · " + tr("best");
  ImGui::TableSetupColumn(
      tr("swizzle"), ImGuiTableColumnFlags_WidthFixed,
      ctx.fonts.strong->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, widest.c_str()).x);
  for (int read = 0; read < kTileReads; ++read)
    ImGui::TableSetupColumn(read_title(static_cast<TileRead>(read)),
                            ImGuiTableColumnFlags_WidthStretch, 1.2f);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int column = 0; column <= kTileReads; ++column) {
    ImGui::TableNextColumn();
    wrapped_text(ImGui::TableGetColumnName(column));
  }
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const char* now = state.made.by_formula ? tr("this formula") : tr("as recorded");
  if (ImGui::Selectable((std::string(now) + "###now").c_str(), !state.instead))
    state.instead.reset();
  costs(state.cost);
  const int most = state.tried.empty() ? 0 : state.tried.front().free;
  for (const TriedSwizzle& row : state.tried) {
    name_cell(ctx, state, row, row.free == most && row.swizzle == state.tried.front().swizzle);
    costs(row.cost);
  }
  ImGui::EndTable();
}

}  // namespace lanescope::app

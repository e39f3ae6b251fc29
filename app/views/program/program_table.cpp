// The table of the Program view: a row for each launch.
#include <algorithm>

#include <fmt/format.h>

#include "core/run/counters.h"
#include "views/draw/glossary.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/program/program_view.h"

namespace lanescope::app {
namespace {

constexpr float kNarrow = 50;    // em of width under which columns are left out,
constexpr float kSmall = 0.85f;  // and the size of words then

struct Column {
  const char* title;
  /// What most of its cells have room for; the title has always
  const char* sample;
  bool narrow = true;
};
constexpr int kColumns = 9;
constexpr Column kTable[kColumns] = {{"#", "999"},
                                     {"kernel", "kernel_name"},
                                     {"grid", "1024×1024", false},
                                     {"block", "32×32", false},
                                     {"wavefronts", "1,000,000"},
                                     {"conflicts", "1,000,000"},
                                     {"sectors", "1,000,000"},
                                     {"efficiency", "100.0 %", false},
                                     {"mistakes", "99"}};

float width_of(const Column& column) {
  const char* title = column.title[0] == '#' ? column.title : tr(column.title);
  return std::max(ImGui::CalcTextSize(title).x, ImGui::CalcTextSize(column.sample).x);
}

/// What the columns take where no heading is cut.
float table_width(bool narrow) {
  float width = 0;
  for (const Column& column : kTable)
    if (column.narrow || !narrow)
      width += width_of(column) + 2 * ImGui::GetStyle().CellPadding.x + 1;
  return width + 2 * ImGui::GetStyle().CellPadding.x + ImGui::GetStyle().ScrollbarSize;
}

// To the right, so that digits stand under digits.
void number_cell(const std::string& text) {
  ImGui::TableNextColumn();
  const float space = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, space));
  ImGui::TextUnformatted(text.c_str());
}

// Coloured by how much more it took than it would have at best.
void cost_cell(const std::string& text, std::uint64_t taken, std::uint64_t ideal) {
  number_cell(taken == 0 ? "–" : text);
  if (taken == 0 || ideal == 0 || taken <= ideal) return;
  const ImU32 color = heat_color(static_cast<double>(taken) / static_cast<double>(ideal));
  ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, faded(color, 0.45f));
}

void kernel_cell(const ViewContext& ctx, const LaunchRecord& launch, ImU32 color) {
  ImGui::TableNextColumn();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float edge = ImGui::GetTextLineHeight() * 0.62f,
              down = (ImGui::GetTextLineHeight() - edge) / 2;
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + down}, {at.x + edge, at.y + down + edge},
                                            color, 2 * ctx.scale);
  ImGui::SetCursorScreenPos({at.x + edge + 5 * ctx.scale, at.y});
  ImGui::TextUnformatted(shortened(launch.kernel, ImGui::GetContentRegionAvail().x).c_str());
}

void mistakes_cell(const ViewContext& ctx, const LaunchRecord& launch) {
  if (launch.mistakes.empty() && launch.stopped.empty()) return number_cell("–");
  ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.error);
  number_cell(launch.mistakes.empty() ? tr("stopped") : std::to_string(launch.mistakes.size()));
  ImGui::PopStyleColor();
}

void row(const ViewContext& ctx, const LaunchRecord& launch, ImU32 color, Actions& actions) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (launch.number == shown_launch(ctx))
    ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg1, faded(ctx.theme.selection, 0.22f));
  const std::string id = fmt::format("{}###launch {}", launch.number, launch.number);
  if (ImGui::Selectable(id.c_str(), false, ImGuiSelectableFlags_SpanAllColumns))
    actions.push_back(ProgramAction(ShowLaunch{launch.number}));
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort)) launch_tooltip(ctx, launch);
  const SharedCounts shared = shared_of(launch.totals);
  const GlobalCounts global = global_of(launch.totals);
  kernel_cell(ctx, launch, color);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(shape_text(launch.grid).c_str());
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(shape_text(launch.block).c_str());
  cost_cell(grouped(shared.wavefronts), shared.wavefronts, shared.ideal_wavefronts);
  number_cell(shared.wavefronts == 0 ? "–" : grouped(shared.conflicts));
  cost_cell(grouped(global.sectors), global.sectors, global.ideal_sectors);
  number_cell(global.sectors == 0 ? "–" : decimal(global.efficiency() * 100) + " %");
  mistakes_cell(ctx, launch);
}

// Where the shown launch is another one than before, its row comes into sight.
void follow_shown(const ViewContext& ctx, ProgramState& state, float row_height) {
  const std::uint64_t shown = shown_launch(ctx);
  if (shown == state.listed) return;
  state.listed = shown;
  const float at = static_cast<float>(shown) * row_height, top = ImGui::GetScrollY();
  const float room = ImGui::GetWindowHeight() - 2 * row_height;
  if (shown < ctx.program.run->launches.size() && (at < top || at + row_height > top + room))
    ImGui::SetScrollY(std::max(0.0f, at - room / 2));
}

}  // namespace

void draw_program_table(const ViewContext& ctx, ProgramState& state, Actions& actions) {
  const auto& launches = ctx.program.run->launches;
  if (launches.empty()) return;
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_ScrollX |
                                     ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerV |
                                     ImGuiTableFlags_Resizable | ImGuiTableFlags_SizingStretchProp |
                                     ImGuiTableFlags_PadOuterX | ImGuiTableFlags_Hideable;
  // What is left out where there is no room stands in the tooltip; what is still too wide scrolls.
  const float room = ImGui::GetContentRegionAvail().x;
  const bool narrow = room < kNarrow * ImGui::GetFontSize();
  const FontSize font(ctx, narrow ? kSmall : 1);
  const float inner = std::max(room - ImGui::GetStyle().ScrollbarSize, table_width(narrow));
  if (!ImGui::BeginTable(narrow ? "few" : "launches", kColumns, kFlags, {0, 0}, inner)) return;
  ImGui::TableSetupScrollFreeze(2, 1);
  for (const Column& column : kTable)
    ImGui::TableSetupColumn(column.title[0] == '#' ? column.title : tr(column.title), 0,
                            width_of(column));
  for (int column = 0; column < kColumns; ++column)
    ImGui::TableSetColumnEnabled(column, !narrow || kTable[column].narrow);
  header_row(ctx);
  const float height = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
  follow_shown(ctx, state, height);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(launches.size()), height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto index = static_cast<std::size_t>(i);
      row(ctx, *launches[index], kernel_color(state.kernel_of[index]), actions);
    }
  ImGui::EndTable();
}

}  // namespace lanescope::app

// The bars of the Timing view: a row a kernel or a setting, sorted as one likes. A click opens the
// setting.
#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "core/text/number.h"
#include "views/draw/glossary.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/timing/timing_row.h"
#include "views/timing/timing_view.h"

namespace lanescope::app {
namespace {

enum Column { kKernel, kBar, kSpeed, kCopy, kCublas, kWavefronts, kSectors, kResult, kColumns };

bool is_open(const ViewContext& ctx, const TimingRow& row) {
  if (!ctx.picture || row.measurement.kernel != ctx.picture->prepared->settings.name) return false;
  return row.measurement.parameters == ctx.picture->prepared->parameters;
}

double sort_value(const TimingRow& row, int column) {
  const Measurement& m = row.measurement;
  const Prediction none;
  const Prediction& p = row.predicted && row.predicted->known() ? *row.predicted : none;
  switch (column) {
  case kCopy:
    return m.share_of_copy();
  case kCublas:
    return m.share_of_cublas();
  case kWavefronts:
    return static_cast<double>(p.wavefronts());
  case kSectors:
    return static_cast<double>(p.sectors());
  case kResult:
    return m.check.checked + m.check.correct;
  default:
    return m.flops > 0 ? m.gflops() : m.gbps();
  }
}

std::vector<std::size_t> sorted(const std::vector<TimingRow>& rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
  if (!specs || specs->SpecsCount == 0) return order;
  const ImGuiTableColumnSortSpecs& by = specs->Specs[0];
  const bool falling = by.SortDirection == ImGuiSortDirection_Descending;
  if (by.ColumnIndex == kKernel) {
    if (falling) std::reverse(order.begin(), order.end());
    return order;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double x = sort_value(rows[a], by.ColumnIndex), y = sort_value(rows[b], by.ColumnIndex);
    return falling ? x > y : x < y;
  });
  return order;
}

std::string label_of(const TimingTable& table, const TimingRow& row) {
  if (table.query.which == TimingQuery::Which::kernel)
    return row.changes.empty() ? tr("as it comes") : row.changes;
  return tr(row.title.c_str()) + (row.changes.empty() ? "" : "  " + row.changes);
}

// To the right, so that digits stand under digits.
void number_cell(const std::string& text) {
  ImGui::TableNextColumn();
  const float space = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, space));
  ImGui::TextUnformatted(text.c_str());
}

std::string share_text(double share) { return share > 0 ? percent(share) : "–"; }

void draw_counts(const ViewContext& ctx, const TimingRow& row) {
  for (const bool shared : {true, false}) {
    ImGui::TableNextColumn();
    if (!row.predicted || !row.predicted->known()) {
      ImGui::TextDisabled("%s", row.predicted ? "?" : "…");
      continue;
    }
    const Prediction& p = *row.predicted;
    shared ? draw_cost(ctx, p.wavefronts(), p.ideal_wavefronts())
           : draw_cost(ctx, p.sectors(), p.ideal_sectors());
  }
}

void draw_row(const ViewContext& ctx, const TimingNews& news, const TimingRow& row,
              const TimingScale& scale, std::size_t index, Actions& actions) {
  const Measurement& m = row.measurement;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const bool open = is_open(ctx, row);
  if (open) {
    ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg1, faded(ctx.theme.selection, 0.22f));
  }
  const float wrap = ImGui::GetContentRegionAvail().x;
  const std::string label = in_lines(label_of(*news.table, row), wrap);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{0, ImGui::CalcTextSize(label.c_str(), nullptr, false, wrap).y};
  const ImGuiSelectableFlags flags =
      ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowOverlap;
  const bool clicked =
      ImGui::Selectable(fmt::format("###row {}", index).c_str(), false, flags, size);
  if (clicked && row.in_catalog) actions.push_back(UseSettings{row.settings});
  if (ImGui::IsItemHovered()) timing_tooltip(ctx, news, row);
  ImGui::GetWindowDrawList()->AddText(ctx.fonts.text, ImGui::GetFontSize(), at, ctx.theme.text,
                                      label.c_str(), nullptr, wrap);
  ImGui::TableNextColumn();
  draw_timing_bar(ctx, row, scale, !row.live() && has_live(news));
  number_cell(!m.time          ? "–"
              : scale.products ? grouped(static_cast<std::uint64_t>(m.gflops() + 0.5))
                               : grouped(static_cast<std::uint64_t>(m.gbps() + 0.5)));
  number_cell(share_text(m.share_of_copy()));
  number_cell(share_text(m.share_of_cublas()));
  draw_counts(ctx, row);
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, verdict_color(ctx, row));
  ImGui::TextUnformatted(timing_verdict(row).c_str());
  ImGui::PopStyleColor();
}

struct WantedColumn {
  const char* title;
  float width;
  ImGuiTableColumnFlags flags;
};
using WantedColumns = std::array<WantedColumn, kColumns>;

// A fifth of the window; names that take more than two lines there would like more, of which words
// fill six tenths.
float least_names(const ViewContext& ctx) {
  return std::min(400 * ctx.scale, ImGui::GetWindowWidth() * 0.2f);
}

float wanted_names(const ViewContext& ctx, const TimingTable& table) {
  const float least = least_names(ctx);
  float longest = 0;
  for (const TimingRow& row : table.rows)
    if (const std::string name = label_of(table, row);
        wrapped_size(name, least).y > 2.5f * ImGui::GetFontSize())
      longest = std::max(longest, ImGui::CalcTextSize(name.c_str()).x);
  return std::min(0.6f * longest, ImGui::GetWindowWidth() * 0.45f);
}

// Wide enough for what stands in them.
WantedColumns wanted_columns(const ViewContext& ctx, const TimingTable& table,
                             const TimingScale& scale) {
  const auto width = [](const char* title, const char* sample) {
    return std::max(ImGui::CalcTextSize(title).x + ImGui::GetFontSize(),
                    ImGui::CalcTextSize(sample).x);
  };
  const auto any = [&](double (Measurement::*share)() const) {
    return std::any_of(table.rows.begin(), table.rows.end(),
                       [&](const TimingRow& row) { return (row.measurement.*share)() > 0; });
  };
  float label = 0, verdict = width(tr("result"), "");
  for (const TimingRow& row : table.rows) {
    label = std::max(label, ImGui::CalcTextSize(label_of(table, row).c_str()).x);
    verdict = std::max(verdict, ImGui::CalcTextSize(timing_verdict(row).c_str()).x);
  }
  const ImGuiTableColumnFlags falling = ImGuiTableColumnFlags_PreferSortDescending;
  const auto if_any = [&](double (Measurement::*share)() const) {
    return falling | (any(share) ? 0 : ImGuiTableColumnFlags_Disabled);
  };
  const char* speed = scale.products ? "GFLOP/s" : "GB/s";
  return {
      {{tr("kernel"), std::max(std::min(label, least_names(ctx)), width(tr("kernel"), "")),
        ImGuiTableColumnFlags_DefaultSort},
       {"##bar", 0, ImGuiTableColumnFlags_NoSort},
       {speed, width(speed, "88 888"), falling},
       {tr("of copy"), width(tr("of copy"), "888.8 %"), if_any(&Measurement::share_of_copy)},
       {tr("of cuBLAS"), width(tr("of cuBLAS"), "888.8 %"), if_any(&Measurement::share_of_cublas)},
       {tr("wavefronts"), width(tr("wavefronts"), "MM 88.8 M ×88.8"), 0},
       {tr("sectors"), width(tr("sectors"), "MM 88.8 M ×88.8"), 0},
       {tr("result"), verdict, 0}}};
}

// The bars take what the others leave, but are never squeezed away. Long names may have what no
// column needs, and more where not all of them are seen anyway.
void set_up_columns(const ViewContext& ctx, const TimingTable& table, const TimingScale& scale) {
  WantedColumns columns = wanted_columns(ctx, table, scale);
  const float reserve = ImGui::GetStyle().ScrollbarSize + ImGui::GetFontSize();
  float others = reserve;
  for (const WantedColumn& column : columns)
    if (!(column.flags & ImGuiTableColumnFlags_Disabled))
      others += column.width + 2 * ImGui::GetStyle().CellPadding.x;
  const float bar = 150 * ctx.scale, spare = ImGui::GetWindowWidth() - others - bar;
  float more = std::max(0.0f, wanted_names(ctx, table) - columns[kKernel].width);
  if (spare + reserve >= 0) more = std::min(more, std::max(0.0f, spare));
  columns[kKernel].width += more;
  columns[kBar].width = std::max(ImGui::GetWindowWidth() - others - more, bar);
  for (const WantedColumn& column : columns)
    ImGui::TableSetupColumn(column.title, ImGuiTableColumnFlags_WidthFixed | column.flags,
                            column.width);
}

}  // namespace

void draw_timing_table(const ViewContext& ctx, const TimingNews& news, TimingState& state,
                       Actions& actions) {
  const TimingTable& table = *news.table;
  const TimingScale scale = timing_scale(table.rows);
  const ImGuiTableFlags flags = ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY |
                                ImGuiTableFlags_Sortable | ImGuiTableFlags_RowBg |
                                ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings;
  const float least = ImGui::GetTextLineHeightWithSpacing() * 5;
  const float height = std::max(ImGui::GetContentRegionAvail().y, least);
  ImGui::PushStyleVarX(ImGuiStyleVar_CellPadding, 7 * ctx.scale);
  if (!ImGui::BeginTable("rows", kColumns, flags, {0, height})) return ImGui::PopStyleVar();
  ImGui::TableSetupScrollFreeze(1, 1);
  set_up_columns(ctx, table, scale);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int i = 0; i < kColumns; ++i) {
    if (!ImGui::TableSetColumnIndex(i)) continue;
    i == kBar ? draw_timing_axis(ctx, scale) : header_cell(ctx, ImGui::TableGetColumnName(i));
  }
  for (const std::size_t i : sorted(table.rows)) {
    draw_row(ctx, news, table.rows[i], scale, i, actions);
    if (table.rows[i].settings.name == ctx.settings.name && state.in_sight != ctx.settings.name) {
      ImGui::SetScrollHereY(0.5f);
      state.in_sight = ctx.settings.name;
    }
  }
  ImGui::EndTable();
  ImGui::PopStyleVar();
}

}  // namespace lanescope::app

#include "views/timing/timing_view.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "core/kernel/kernel_size.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/draw/glossary.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/timing/timing_row.h"

namespace lanescope::app {
namespace {

enum Column { kKernel, kBar, kSpeed, kCopy, kCublas, kWavefronts, kSectors, kResult, kColumns };

bool has_live(const TimingNews& news) {
  return std::any_of(news.table->rows.begin(), news.table->rows.end(),
                     [](const TimingRow& row) { return row.live(); });
}

const Recording* shown_recording(const TimingNews& news) {
  for (const TimingRow& row : news.table->rows)
    if (!row.live()) return &news.recordings[static_cast<std::size_t>(row.recording)];
  return nullptr;
}

std::string device_and_driver(const GpuDevice& device) {
  return device.name + (device.driver.empty() ? "" : ", " + tr("driver {0}", {device.driver}));
}

std::string recorded_text(const Recording& recording) {
  return tr("Recorded on {0}, {1}", {device_and_driver(recording.device), recording.date});
}

// --- above the bars ---

void draw_banner(const ViewContext& ctx, const TimingNews& news) {
  const bool live = news.gpu && news.gpu->device;
  const ImU32 color = live ? ctx.theme.good : ctx.theme.warning;
  std::string words = timing_source(news), more;
  if (live && has_live(news) && shown_recording(news))
    more = std::string(tr("hatched")) + ": " + recorded_text(*shown_recording(news));
  if (!live && news.gpu) more = tr_message("nothing can be measured here: " + news.gpu->problem);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float bar = 5 * ctx.scale;
  ImGui::Indent(bar + 6 * ctx.scale);
  headline(ctx, words, color);
  if (!more.empty()) hint(ctx, more);
  if (news.gpu && !news.gpu->hint.empty())
    ImGui::SetItemTooltip("%s", tr_message(news.gpu->hint).c_str());
  ImGui::Unindent(bar + 6 * ctx.scale);
  ImGui::GetWindowDrawList()->AddRectFilled(
      at, {at.x + bar, ImGui::GetCursorScreenPos().y - ImGui::GetStyle().ItemSpacing.y}, color);
}

// Goes on to the next line where the rest of this one is too short.
void flow(float width, bool& first) {
  if (!first) {
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    if (ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width <= right)
      ImGui::SameLine();
  }
  first = false;
}

struct Choice {
  const char* id;
  const char* title;
};

bool combo(const Choice& choice, const std::vector<std::string>& values, std::string& value,
           bool& first) {
  float width = 0;
  for (const std::string& v : values) width = std::max(width, ImGui::CalcTextSize(tr(v.c_str())).x);
  width += ImGui::GetFrameHeight() + 3 * ImGui::GetStyle().FramePadding.x;
  flow(width + ImGui::CalcTextSize(choice.title).x + ImGui::GetStyle().ItemInnerSpacing.x, first);
  ImGui::BeginGroup();
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", choice.title);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::SetNextItemWidth(width);
  bool changed = false;
  if (ImGui::BeginCombo(choice.id, tr(value.c_str()))) {
    for (const std::string& v : values) {
      if (!ImGui::Selectable(tr(v.c_str()), v == value)) continue;
      value = v;
      changed = true;
    }
    ImGui::EndCombo();
  }
  ImGui::EndGroup();
  return changed;
}

void which_combo(TimingState& state, bool& first) {
  const std::vector<std::string> names = {tr("every kernel as it comes"),
                                          tr("this kernel, every setting"),
                                          tr("every kernel, every setting")};
  std::string name = names[static_cast<std::size_t>(state.query.which)];
  if (!combo({"##which", tr("show")}, names, name, first)) return;
  const auto chosen = std::find(names.begin(), names.end(), name) - names.begin();
  state.query.which = static_cast<TimingQuery::Which>(chosen);
}

void draw_choices(const TimingNews& news, TimingState& state, bool& first) {
  const TimingTable& table = *news.table;
  TimingQuery query = table.query;
  if (combo({"##family", tr("family")}, table.families, query.family, first)) {
    state.query.family = query.family;
    state.query.size.clear(), state.query.element.clear();
  }
  if (combo({"##size", tr("size")}, table.sizes, query.size, first)) state.query.size = query.size;
  if (table.elements.size() > 1 &&
      combo({"##element", tr("element")}, table.elements, query.element, first))
    state.query.element = query.element;
  which_combo(state, first);
}

bool button(const char* title, const char* id, bool enabled, const std::string& why, bool& first) {
  flow(ImGui::CalcTextSize(title).x + 2 * ImGui::GetStyle().FramePadding.x, first);
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button((std::string(title) + id).c_str());
  ImGui::EndDisabled();
  if (!why.empty() &&
      ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled | ImGuiHoveredFlags_DelayShort))
    ImGui::SetTooltip("%s", why.c_str());
  return pressed;
}

// What is shown, once more: every kernel as it comes, or the settings of the rows.
std::vector<Settings> all_launches(const ViewContext& ctx, const TimingNews& news) {
  if (news.table->query.which == TimingQuery::Which::defaults)
    return family_launches(ctx.catalog, news.table->query);
  std::vector<Settings> launches;
  for (const TimingRow& row : news.table->rows)
    if (row.in_catalog) launches.push_back(row.settings);
  return launches;
}

// The open setting's row is to be in sight when its time comes.
void show_own(const ViewContext& ctx, TimingState& state) {
  state.query.family.clear();
  if (!ctx.picture) return;
  std::map<std::string, std::string> arguments;
  for (const Argument& a : ctx.picture->launch.arguments)
    if (a.buffer.empty()) arguments[a.name] = a.scalar;
  state.query.size = size_of(arguments);
  const auto element = ctx.picture->parameters.find("ELEMENT");
  state.query.element = element == ctx.picture->parameters.end() ? "float" : element->second;
}

void draw_buttons(const ViewContext& ctx, const TimingNews& news, TimingState& state, bool& first,
                  Actions& actions) {
  const bool there = news.gpu && news.gpu->device;
  const std::string why = !news.gpu ? tr("looking for a GPU") : tr_message(news.gpu->problem);
  if (button(tr("Measure this"), "###measure this", there && !ctx.settings.text.empty(),
             there ? tr("time the open kernel with its setting on the GPU") : why, first)) {
    actions.push_back(TimingAction(MeasureLaunches{{ctx.settings}}));
    show_own(ctx, state);
  }
  if (button(tr("Measure all"), "###measure all", there,
             there ? tr("time everything that is shown, one after the other") : why, first))
    actions.push_back(TimingAction(MeasureLaunches{all_launches(ctx, news)}));
  if (button(tr("Cancel"), "###cancel", news.measuring, "", first))
    actions.push_back(TimingAction(CancelMeasuring{}));
  if (ctx.files && button(tr("Save as CSV"), "###csv", !news.table->rows.empty(), "", first))
    state.export_csv = true;
  if (!news.measuring) return;
  const double done =
      (static_cast<double>(news.done) + std::clamp(news.progress.fraction, 0.0, 1.0)) /
      static_cast<double>(std::max<std::size_t>(1, news.all));
  const std::string label =
      tr("{0} of {1}: {2}, {3}",
         {std::to_string(std::min(news.done + 1, news.all)), std::to_string(news.all), news.kernel,
          tr_message(news.progress.stage)});
  ImGui::ProgressBar(static_cast<float>(done), {-1, 0}, label.c_str());
}

void draw_troubles(const ViewContext& ctx, const TimingNews& news) {
  if (news.diagnostics.empty()) return;
  std::string all;
  for (Diagnostic d : news.diagnostics) {
    d.message = message_of(d), d.hint = hint_of(d);
    all += format_diagnostic(d);
  }
  const Diagnostic& last = news.diagnostics.back();
  ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.error);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(
      (last.file + ": " + message_of(last) +
       (news.diagnostics.size() > 1
            ? "  " + tr("(and {0} more)", {std::to_string(news.diagnostics.size() - 1)})
            : ""))
          .c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::SetItemTooltip("%s", all.c_str());
}

// --- the bars ---

bool is_open(const ViewContext& ctx, const TimingRow& row) {
  if (!ctx.picture || row.measurement.kernel != ctx.picture->settings.name) return false;
  return row.measurement.parameters == ctx.picture->parameters;
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

std::string share_text(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return share > 0 ? text : "–";
}

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
  const std::string label = label_of(*news.table, row);
  const float wrap = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{0, ImGui::CalcTextSize(label.c_str(), nullptr, false, wrap).y};
  const ImGuiSelectableFlags flags =
      ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowOverlap;
  const bool clicked =
      ImGui::Selectable(("###row " + std::to_string(index)).c_str(), false, flags, size);
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

// Wide enough for what stands in them; the bars take what is left, but are never squeezed away.
void set_up_columns(const ViewContext& ctx, const TimingTable& table, const TimingScale& scale) {
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
  struct Wanted {
    const char* title;
    float width;
    ImGuiTableColumnFlags flags;
  };
  const ImGuiTableColumnFlags falling = ImGuiTableColumnFlags_PreferSortDescending;
  const auto if_any = [&](double (Measurement::*share)() const) {
    return falling | (any(share) ? 0 : ImGuiTableColumnFlags_Disabled);
  };
  const char* speed = scale.products ? "GFLOP/s" : "GB/s";
  const float most_label = std::min(400 * ctx.scale, ImGui::GetWindowWidth() * 0.3f);
  Wanted columns[kColumns] = {
      {tr("kernel"), std::max(std::min(label, most_label), width(tr("kernel"), "")),
       ImGuiTableColumnFlags_DefaultSort},
      {"##bar", 0, ImGuiTableColumnFlags_NoSort},
      {speed, width(speed, "88 888"), falling},
      {tr("of copy"), width(tr("of copy"), "888.8 %"), if_any(&Measurement::share_of_copy)},
      {tr("of cuBLAS"), width(tr("of cuBLAS"), "888.8 %"), if_any(&Measurement::share_of_cublas)},
      {tr("wavefronts"), width(tr("wavefronts"), "MM 88.8 M ×88.8"), 0},
      {tr("sectors"), width(tr("sectors"), "MM 88.8 M ×88.8"), 0},
      {tr("result"), verdict, 0}};
  float others = ImGui::GetStyle().ScrollbarSize + ImGui::GetFontSize();
  for (const Wanted& column : columns)
    if (!(column.flags & ImGuiTableColumnFlags_Disabled))
      others += column.width + 2 * ImGui::GetStyle().CellPadding.x;
  columns[kBar].width = std::max(ImGui::GetWindowWidth() - others, 180 * ctx.scale);
  for (const Wanted& column : columns)
    ImGui::TableSetupColumn(column.title, ImGuiTableColumnFlags_WidthFixed | column.flags,
                            column.width);
}

void draw_table(const ViewContext& ctx, const TimingNews& news, Actions& actions) {
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
  for (const std::size_t i : sorted(table.rows))
    draw_row(ctx, news, table.rows[i], scale, i, actions);
  ImGui::EndTable();
  ImGui::PopStyleVar();
}

void draw_key(const ViewContext& ctx, const TimingTable& table) {
  const bool cublas = std::any_of(table.rows.begin(), table.rows.end(), [](const TimingRow& row) {
    return row.measurement.cublas.has_value();
  });
  const LegendEntry speed{ctx.theme.used, tr("median speed, quartiles as whiskers")};
  if (cublas)
    legend(ctx, {speed, {ctx.theme.barrier, tr("cuBLAS in the same run")}});
  else
    legend(ctx, {speed});
  const char* words =
      tr("Speed is measured; wavefronts and sectors are counted by the simulator, × the ideal.");
  ImGui::SetItemTooltip("%s", words);
  if (ImGui::GetContentRegionAvail().y > 260 * ctx.scale) hint(ctx, words);
}

}  // namespace

std::string compact(std::uint64_t count) {
  if (count < 100'000) return grouped(count);
  double scaled = static_cast<double>(count);
  std::size_t unit = 0;
  static constexpr const char* kUnits[] = {"", " k", " M", " G", " T", " P", " E"};
  for (; scaled >= 999.5; ++unit) scaled /= 1000;
  return decimal(scaled, scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0) + kUnits[unit];
}

std::string timing_source(const TimingNews& news) {
  if (news.gpu && news.gpu->device)
    return tr("Live on {0}", {device_and_driver(*news.gpu->device)});
  const Recording* recording = shown_recording(news);
  if (!recording && !news.recordings.empty()) recording = &news.recordings.front();
  return recording ? recorded_text(*recording) : tr("Nothing has been measured yet.");
}

void draw_timing(const ViewContext& ctx, TimingState& state, Actions& actions) {
  if (timing_family(state.query.kernel) != timing_family(ctx.settings.name))
    state.query.family.clear();
  state.query.kernel = ctx.settings.name;
  if (!state.any || state.asked != state.query) {
    actions.push_back(TimingAction(ShowTiming{state.query}));
    state.asked = state.query;
    state.any = true;
  }
  if (!ctx.timing || !ctx.timing->loaded)
    return nothing_to_show(ctx, tr("Reading what was recorded …"));
  const TimingNews& news = *ctx.timing;
  draw_banner(ctx, news);
  bool first = true;
  draw_choices(news, state, first);
  draw_buttons(ctx, news, state, first, actions);
  draw_troubles(ctx, news);
  if (news.table->rows.empty())
    return nothing_to_show(ctx, tr("No measurement of this. Choose another, or measure on a GPU."));
  draw_key(ctx, *news.table);
  draw_table(ctx, news, actions);
}

}  // namespace lanescope::app

#include "views/timing/timing_view.h"

#include <algorithm>

#include "core/text/messages.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/timing/timing_row.h"

namespace lanescope::app {
namespace {

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

void draw_banner(const ViewContext& ctx, const TimingNews& news) {
  const bool live = news.gpu && news.gpu->device;
  const ImU32 color = live ? ctx.theme.good : ctx.theme.warning;
  std::string words = timing_source(news), more;
  if (live && has_live(news) && shown_recording(news))
    more = std::string(tr("hatched")) + ": " + recorded_text(*shown_recording(news));
  if (!live && news.gpu) more = tr_message(say::nothing_can_be_measured(news.gpu->problem));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float bar = 5 * ctx.scale;
  ImGui::Indent(bar + 6 * ctx.scale);
  headline(ctx, words, color);
  if (!more.empty()) hint(ctx, more);
  if (news.gpu && !news.gpu->hint.empty()) item_tooltip(tr_message(news.gpu->hint));
  ImGui::Unindent(bar + 6 * ctx.scale);
  ImGui::GetWindowDrawList()->AddRectFilled(
      at, {at.x + bar, ImGui::GetCursorScreenPos().y - ImGui::GetStyle().ItemSpacing.y}, color);
}

void draw_troubles(const ViewContext& ctx, const TimingNews& news) {
  if (news.diagnostics.empty()) return;
  std::string all;
  for (Diagnostic d : news.diagnostics) {
    d.message = Message::verbatim(message_of(d)), d.hint = Message::verbatim(hint_of(d));
    all += format_diagnostic(d);
  }
  const Diagnostic& last = news.diagnostics.back();
  ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.error);
  wrapped_text(last.file + ": " + message_of(last) +
               (news.diagnostics.size() > 1
                    ? "  " + tr("(and {0} more)", {news.diagnostics.size() - 1})
                    : ""));
  ImGui::PopStyleColor();
  item_tooltip(all);
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
      tr("Speed is measured; wavefronts and sectors are counted by the simulator. × is their ratio "
         "to the ideal, the average of all accesses: the gutter tells it of one line, Banks of one "
         "execution.");
  item_tooltip(words);
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
  draw_timing_choices(ctx, news, state, actions);
  draw_troubles(ctx, news);
  if (news.table->rows.empty())
    return nothing_to_show(ctx, tr("No measurement of this. Choose another, or measure on a GPU."));
  draw_key(ctx, *news.table);
  draw_timing_table(ctx, news, state, actions);
}

}  // namespace lanescope::app

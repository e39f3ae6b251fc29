#include "views/timing/timing_row.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/text/number.h"
#include "views/draw/named_value.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/timing/timing_view.h"

namespace lanescope::app {
namespace {

std::string milliseconds(double ms) {
  return ms < 1 ? decimal(ms * 1000, 2) + " µs" : decimal(ms, 3) + " ms";
}

std::string dims(Dim3 d) {
  return fmt::format("{} × {}{}", d.x, d.y, d.z > 1 ? fmt::format(" × {}", d.z) : "");
}

ImU32 bar_color(const ViewContext& ctx, const TimingRow& row) {
  if (row.measurement.check.checked && !row.measurement.check.correct) return ctx.theme.error;
  return row.measurement.kernel.starts_with("copy/") ? ctx.theme.cell : ctx.theme.used;
}

// Left and right edges of the bars in this cell.
struct Span {
  float left, right;
  [[nodiscard]] float at(double value, const TimingScale& scale) const {
    return left + (right - left) * static_cast<float>(std::clamp(value / scale.most, 0.0, 1.0));
  }
};
Span span() {
  const float left = ImGui::GetCursorScreenPos().x;
  return {left, left + ImGui::GetContentRegionAvail().x - 2};
}

// --- the tooltip ---

void times(const Measurement& m) {
  if (!m.time) return;
  named_value(tr("median"), milliseconds(m.time->median) + "  (" + tr("quartiles") + " " +
                                milliseconds(m.time->q1) + " … " + milliseconds(m.time->q3) + ")");
  named_value(tr("range"), milliseconds(m.time->min) + " … " + milliseconds(m.time->max));
  named_value(tr("repetitions"), m.time->launches > 1 ? tr("{0}, each of {1} launches",
                                                           {m.time->repetitions, m.time->launches})
                                                      : std::to_string(m.time->repetitions));
  named_value(tr("speed"), decimal(m.gbps(), 0) + " GB/s" +
                               (m.flops > 0 ? ", " + decimal(m.gflops(), 0) + " GFLOP/s" : ""));
  if (m.copy)
    named_value(tr("copy"), decimal(gigabytes_per_second(m.bytes, m.copy->median), 0) + " GB/s  (" +
                                percent(m.share_of_copy(), Zeros::dropped) + ")");
  if (m.cublas) {
    const bool product = m.flops > 0;
    named_value("cuBLAS",
                decimal(gigabytes_per_second(product ? m.flops : m.bytes, m.cublas->median), 0) +
                    (product ? " GFLOP/s  (" : " GB/s  (") +
                    percent(m.share_of_cublas(), Zeros::dropped) + ")");
  }
}

void resources(const Measurement& m) {
  named_value(tr("grid, block"), dims(m.grid) + ", " + dims(m.block));
  if (m.registers == 0) return;
  named_value(tr("registers a thread"), std::to_string(m.registers));
  named_value(tr("shared bytes a block"), grouped(m.static_shared_bytes + m.dynamic_shared_bytes));
  if (m.local_bytes > 0) named_value(tr("local bytes a thread"), grouped(m.local_bytes));
  named_value(tr("blocks on a multiprocessor"), std::to_string(m.blocks_per_sm));
}

// "×16.5; the worst access, line 90: ×32": what the gutter and Banks say beside it.
void factor(std::uint64_t count, std::uint64_t ideal, const Prediction::Worst& worst) {
  if (ideal == 0 || worst.line == 0) return;
  const double ratio = static_cast<double>(count) / static_cast<double>(ideal);
  named_value("", tr("×{0}, the average of all accesses; the worst one, line {1}: ×{2}",
                     {decimal(ratio, 1), worst.line, decimal(worst.ratio, 1)}));
}

void counts(const TimingRow& row) {
  if (!row.predicted) return named_value(tr("simulated"), tr("still being counted"));
  if (!row.predicted->known())
    return named_value(tr("simulated"), tr_message(row.predicted->problem));
  const Prediction& p = *row.predicted;
  named_value(tr("wavefronts"),
              tr("{0}, ideal {1}, conflicts {2}",
                 {grouped(p.wavefronts()), grouped(p.ideal_wavefronts()), grouped(p.conflicts())}));
  factor(p.wavefronts(), p.ideal_wavefronts(), p.worst_shared);
  named_value(tr("sectors"),
              tr("{0}, ideal {1}", {grouped(p.sectors()), grouped(p.ideal_sectors())}));
  factor(p.sectors(), p.ideal_sectors(), p.worst_global);
}

void counters(const ViewContext& ctx, const TimingRow& row) {
  if (row.counters.empty()) return;
  ImGui::SeparatorText(tr("simulated, and read by the profiler"));
  if (!ImGui::BeginTable("counters", 4, ImGuiTableFlags_SizingFixedFit)) return;
  for (const CounterLine& one : row.counters) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(tr_message(one.name).c_str());
    for (const std::uint64_t value : {one.simulated, one.measured}) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(grouped(value).c_str());
    }
    ImGui::TableNextColumn();
    const bool differs = one.agreement == Agreement::differs;
    ImGui::PushStyleColor(ImGuiCol_Text, differs ? ctx.theme.error : ctx.theme.good);
    ImGui::TextUnformatted(one.agreement == Agreement::exact ? tr("equal")
                           : differs                         ? tr("differs")
                                                             : tr("explained"));
    ImGui::PopStyleColor();
  }
  ImGui::EndTable();
  for (const CounterLine& one : row.counters)
    if (!one.note.empty())
      wrapped_dim(tr_message(one.name) + ": " + tr_message(one.note), ImGui::GetFontSize() * 34);
}

}  // namespace

bool has_live(const TimingNews& news) {
  return std::any_of(news.table->rows.begin(), news.table->rows.end(),
                     [](const TimingRow& row) { return row.live(); });
}

double TimingScale::value(const TimingRow& row, double ms) const {
  const Measurement& m = row.measurement;
  if (!(ms > 0)) return 0;
  if (shares) return m.copy ? m.copy->median / ms : 0;
  return gigabytes_per_second(products ? m.flops : m.bytes, ms);
}

double TimingScale::cublas(const TimingRow& row) const {
  return row.measurement.cublas ? value(row, row.measurement.cublas->median) : 0;
}

TimingScale timing_scale(const std::vector<TimingRow>& rows) {
  TimingScale scale;
  scale.shares = std::any_of(rows.begin(), rows.end(),
                             [](const TimingRow& r) { return r.measurement.copy.has_value(); });
  scale.products = !scale.shares && std::any_of(rows.begin(), rows.end(), [](const TimingRow& r) {
    return r.measurement.flops > 0;
  });
  scale.most = scale.shares ? 1 : 0;
  for (const TimingRow& row : rows) {
    if (!row.measurement.time) continue;
    scale.most =
        std::max({scale.most, scale.value(row, row.measurement.time->q1), scale.cublas(row)});
  }
  scale.most = std::max(scale.most * 1.04, 1e-9);
  return scale;
}

void draw_timing_bar(const ViewContext& ctx, const TimingRow& row, const TimingScale& scale,
                     bool hatched) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Span bars = span();
  const float top = ImGui::GetCursorScreenPos().y, height = ImGui::GetTextLineHeight();
  const float thick = std::max(1.0f, std::round(1.5f * ctx.scale));
  const float pad = std::round(height * 0.12f);
  ImGui::Dummy({bars.right - bars.left, height});
  list.AddRectFilled({bars.left, top + pad}, {bars.right, top + height - pad}, ctx.theme.empty);
  const auto rule = [&](double value, ImU32 color, float width) {
    const float x = std::round(bars.at(value, scale));
    list.AddLine({x, top - 2 * ctx.scale}, {x, top + height + 2 * ctx.scale}, color, width);
  };
  const Measurement& m = row.measurement;
  if (m.time) {
    const ImVec2 min{bars.left, top + pad},
        max{bars.at(scale.value(row, m.time->median), scale), top + height - pad};
    list.AddRectFilled(min, max, bar_color(ctx, row));
    if (hatched) hatch(list, min, max, 6 * ctx.scale, ctx.theme.canvas);
    // Quartiles of the time; the faster one is the longer bar.
    const float from = bars.at(scale.value(row, m.time->q3), scale),
                to = bars.at(scale.value(row, m.time->q1), scale), middle = top + height / 2;
    list.AddLine({from, middle}, {to, middle}, ctx.theme.text, thick);
    for (const float x : {from, to})
      list.AddLine({x, middle - height * 0.22f}, {x, middle + height * 0.22f}, ctx.theme.text,
                   thick);
  }
  if (scale.shares) rule(1, ctx.theme.dim, thick);
  if (const double cublas = scale.cublas(row); cublas > 0)
    rule(cublas, ctx.theme.barrier, 2 * thick);
}

void draw_timing_axis(const ViewContext& ctx, const TimingScale& scale) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Span bars = span();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({bars.right - bars.left, ImGui::GetTextLineHeight()});
  const auto tick = [&](double value, const std::string& text) {
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    const float x = std::clamp(bars.at(value, scale) - width / 2, bars.left, bars.right - width);
    list.AddText({x, at.y}, ctx.theme.dim, text.c_str());
  };
  tick(0, "0");
  if (scale.shares) {
    if (bars.right - bars.left > 220 * ctx.scale) tick(0.5, "50 %");
    tick(1, tr("100 % of a copy"));
  } else {
    tick(scale.most / 1.04,
         decimal(scale.most / 1.04, 0) + (scale.products ? " GFLOP/s" : " GB/s"));
  }
}

void draw_cost(const ViewContext& ctx, std::uint64_t count, std::uint64_t ideal) {
  if (count == 0) return ImGui::TextDisabled("–");
  const double ratio = ideal > 0 ? static_cast<double>(count) / static_cast<double>(ideal) : 1;
  std::string text = compact(count);
  if (ratio > 1.005) text += " ×" + decimal(ratio, ratio < 10 ? 1 : 0);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float box = std::round(ImGui::GetFontSize() * 0.6f);
  const float top = at.y + (ImGui::GetTextLineHeight() - box) / 2;
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + box, top + box},
                                            heat_color(ratio));
  ImGui::Dummy({box, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, 5 * ctx.scale);
  ImGui::TextUnformatted(text.c_str());
}

std::string timing_verdict(const TimingRow& row) {
  const ResultCheck& check = row.measurement.check;
  std::string text = !check.checked  ? tr("not checked")
                     : check.correct ? tr("correct")
                                     : tr("wrong");
  if (row.counters.empty()) return text;
  return text + " · " + (all_agree(row.counters) ? tr("counters agree") : tr("counters differ"));
}

ImU32 verdict_color(const ViewContext& ctx, const TimingRow& row) {
  const ResultCheck& check = row.measurement.check;
  if (check.checked && !check.correct) return ctx.theme.error;
  if (!row.counters.empty() && !all_agree(row.counters)) return ctx.theme.warning;
  return check.checked ? ctx.theme.good : ctx.theme.dim;
}

void timing_tooltip(const ViewContext& ctx, const TimingNews& news, const TimingRow& row) {
  if (!ImGui::BeginTooltip()) return;
  const Measurement& m = row.measurement;
  ImGui::PushFont(ctx.fonts.strong, 0);
  ImGui::TextUnformatted(tr(row.title.c_str()));
  ImGui::PopFont();
  std::string parameters;
  for (const auto& [name, value] : m.parameters) parameters += name + "=" + value + "  ";
  wrapped_dim(m.kernel + "  " + parameters, tooltip_end(ImGui::GetFontSize() * 34));
  if (ImGui::BeginTable("all", 2, ImGuiTableFlags_SizingFixedFit)) {
    if (row.live()) {
      named_value(tr("measured"), tr("here, {0}", {row.date}));
    } else {
      const Recording& from = news.recordings[static_cast<std::size_t>(row.recording)];
      named_value(tr("recorded"), from.device.name + ", " + from.date);
    }
    times(m);
    resources(m);
    counts(row);
    named_value(tr("result"), timing_verdict(row));
    ImGui::EndTable();
  }
  counters(ctx, row);
  if (!m.check.message.empty())
    wrapped_text(tr_message(m.check.message), tooltip_end(ImGui::GetFontSize() * 34));
  if (row.in_catalog) ImGui::TextDisabled("%s", tr("Click to open it with this setting."));
  ImGui::EndTooltip();
}

}  // namespace lanescope::app

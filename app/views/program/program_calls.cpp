// Calls and copies in the Program view: their colours, their words, the legend.
#include <algorithm>
#include <array>
#include <vector>

#include "core/program/memory_size.h"
#include "core/run/counters.h"
#include "views/draw/named_value.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/program/program_timeline.h"
#include "views/program/program_view.h"

namespace lanescope::app {
namespace {

// Apart from the kernels' colours, and from one another in lightness too.
constexpr ImU32 kToDevice = IM_COL32(64, 200, 176, 255), kToHost = IM_COL32(250, 120, 150, 255),
                kOnDevice = IM_COL32(150, 125, 250, 255), kFill = IM_COL32(168, 124, 80, 255);

const char* way_text(CopyWay way) {
  switch (way) {
  case CopyWay::host_to_device:
    return tr("host → device");
  case CopyWay::device_to_host:
    return tr("device → host");
  case CopyWay::device_to_device:
    return tr("device → device");
  case CopyWay::host_to_host:
    return tr("host → host");
  case CopyWay::none:
    break;
  }
  return "";
}

std::string bytes_text(std::uint64_t bytes) {
  std::string text = size_text(bytes);
  if (bytes >= 1024) text += " (" + grouped(bytes) + ")";
  return text;
}

}  // namespace

bool is_device_work(const CallRecord& call) {
  return call.error.empty() && call.bytes != 0 &&
         (call.kind == CallKind::fill ||
          (call.kind == CallKind::copy && call.way != CopyWay::host_to_host));
}

ImU32 call_color(const ViewContext& ctx, const CallRecord& call) {
  if (!call.error.empty()) return ctx.theme.error;
  if (call.kind == CallKind::fill) return kFill;
  if (call.kind == CallKind::copy) {
    if (call.way == CopyWay::host_to_device) return kToDevice;
    if (call.way == CopyWay::device_to_host) return kToHost;
    if (call.way == CopyWay::device_to_device) return kOnDevice;
  }
  return mixed(ctx.theme.dim, ctx.theme.empty, call.kind == CallKind::wait ? 0.6f : 0.15f);
}

std::string call_label(const CallRecord& call) {
  if (call.way == CopyWay::host_to_device) return "H→D";
  if (call.way == CopyWay::device_to_host) return "D→H";
  if (call.way == CopyWay::device_to_device) return "D→D";
  return call.kind == CallKind::fill ? "memset" : call.function;
}

void call_tooltip(const ViewContext& ctx, const CallRecord& call) {
  if (!ImGui::BeginTooltip()) return ImGui::EndTooltip();
  ImGui::PushFont(ctx.fonts.strong, 0);
  ImGui::TextUnformatted(call.function.c_str());
  ImGui::PopFont();
  if (ImGui::BeginTable("call", 2, ImGuiTableFlags_SizingFixedFit)) {
    if (call.way != CopyWay::none) named_value(tr("direction"), way_text(call.way));
    if (call.bytes != 0) named_value(tr("bytes"), bytes_text(call.bytes));
    if (is_device_work(call) || call.stream != 0)
      named_value(tr("stream"), std::to_string(call.stream));
    if (call.from.line != 0) named_value(tr("called in"), place_text(call.from));
    named_value(tr("took"), decimal(call.end_ms - call.begin_ms, 3) + " ms");
    ImGui::EndTable();
  }
  if (call.in_graph) ImGui::TextDisabled("%s", tr("a node of the graph that was launched"));
  if (!call.error.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.error);
    wrapped_text(call.error, tooltip_end(420 * ctx.scale));
    ImGui::PopStyleColor();
  }
  if (call.from.line != 0 && call.from.file == ctx.settings.file)
    ImGui::TextDisabled("%s", tr("click: go to its line"));
  ImGui::EndTooltip();
}

void draw_call_legend(const ViewContext& ctx, ImVec2 at, float right) {
  const ProgramRun& run = *ctx.program.run;
  struct Entry {
    ImU32 color;
    const char *text, *brief;
  };
  const std::array<Entry, 4> all = {{{kToDevice, tr("host → device"), "H→D"},
                                     {kToHost, tr("device → host"), "D→H"},
                                     {kOnDevice, tr("device → device"), "D→D"},
                                     {kFill, tr("fill"), "memset"}}};
  const float edge = ImGui::GetTextLineHeight() * 0.62f, gap = 5 * ctx.scale;
  const float down = (ImGui::GetTextLineHeight() - edge) / 2;
  std::vector<Entry> there;
  float width = 0;
  for (const Entry& entry : all) {
    const auto is_one = [&](const auto& call) {
      return is_device_work(*call) && call_color(ctx, *call) == entry.color;
    };
    if (std::none_of(run.calls.begin(), run.calls.end(), is_one)) continue;
    there.push_back(entry);
    width += edge + 4 * gap + ImGui::CalcTextSize(entry.text).x;
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool brief = at.x + width > right + 3 * gap;
  for (const Entry& entry : there) {
    const char* text = brief ? entry.brief : entry.text;
    list.AddRectFilled({at.x, at.y + down}, {at.x + edge, at.y + down + edge}, entry.color,
                       2 * ctx.scale);
    list.AddText({at.x + edge + gap, at.y}, ctx.theme.dim, text);
    at.x += edge + 4 * gap + ImGui::CalcTextSize(text).x;
  }
  if (run.calls_left_out == 0) return;
  const std::string more = tr("and {0} calls that are not drawn", {grouped(run.calls_left_out)});
  list.AddText(at, ctx.theme.warning, shortened(more, right - at.x).c_str());
}

}  // namespace lanescope::app

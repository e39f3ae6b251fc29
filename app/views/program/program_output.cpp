// The right side of the Program view: what the program wrote, how it ended, what is wrong with it.
#include <algorithm>

#include <fmt/format.h>

#include "imgui_internal.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/draw/kernel_names.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/program/program_view.h"

namespace lanescope::app {
namespace {

constexpr std::size_t kMostTold = 50;  // of the sentences under the output
constexpr float kLowOutput = 9;        // lines of height under which only one of them is told

/// A sentence under the output.
struct Told {
  std::string text;
  ImU32 color = 0;
  HostPosition at = {};
};

std::string place_before(const HostPosition& at) {
  return at.file.empty() ? std::string() : place_text(at) + ": ";
}

void tell(const ViewContext& ctx, const std::vector<Diagnostic>& diagnostics,
          std::vector<Told>& all) {
  for (const Diagnostic& d : diagnostics) {
    const HostPosition at{d.line != 0 ? d.file : std::string(), d.line};
    std::string text = place_before(at) + message_of(d);
    if (!d.hint.empty()) text += " (" + hint_of(d) + ")";
    all.push_back({text, d.severity == Severity::error ? ctx.theme.error : ctx.theme.warning, at});
  }
}

// Each mistake of the launches once.
void tell_mistakes(const ViewContext& ctx, const ProgramRun& run, std::vector<Told>& all) {
  std::vector<const Diagnostic*> known;
  for (const auto& launch : run.launches)
    for (const Diagnostic& d : launch->mistakes) {
      const bool old = std::any_of(known.begin(), known.end(), [&](const Diagnostic* k) {
        return k->line == d.line && k->column == d.column && k->kind == d.kind && k->file == d.file;
      });
      if (old || known.size() >= kMostTold) continue;
      known.push_back(&d);
      all.push_back(
          {fmt::format("#{} {}{}", launch->number, place_before({d.file, d.line}), message_of(d)),
           ctx.theme.error,
           {d.file, d.line}});
    }
}

std::vector<Told> all_told(const ViewContext& ctx) {
  const ProgramRun& run = *ctx.program.run;
  std::vector<Told> all;
  const bool crashed = !run.result.end.crash.empty() && run.result.end.crash != kStopped;
  if (crashed)
    all.push_back({place_before(run.result.end.at) + tr("crash: {0}", {run.result.end.crash}),
                   ctx.theme.error, run.result.end.at});
  tell(ctx, run.result.diagnostics, all);
  if (!ctx.program.trouble.empty()) {
    all.push_back({tr("The launch cannot be shown:"), ctx.theme.error});
    tell(ctx, ctx.program.trouble, all);
  }
  for (const HostRemark& remark : run.result.remarks) {
    if (all.size() >= kMostTold) break;
    all.push_back({place_before(remark.at) + remark.text,
                   remark.is_error ? ctx.theme.error : ctx.theme.warning, remark.at});
  }
  if (!run.older) tell_mistakes(ctx, run, all);
  return all;
}

ImU32 color_of_state(const ViewContext& ctx) {
  const ProgramRun& run = *ctx.program.run;
  if (ctx.program.running || run.result.end.crash == kStopped) return ctx.theme.dim;
  if (!run.result.started || !run.result.end.crash.empty()) return ctx.theme.error;
  return run.result.end.status == 0 ? ctx.theme.good : ctx.theme.warning;
}

void draw_told(const ViewContext& ctx, const Told& told, int index, ProgramState& state) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushStyleColor(ImGuiCol_Text, told.color);
  wrapped_text(told.text);
  ImGui::PopStyleColor();
  if (told.at.line == 0 || told.at.file != ctx.settings.file) return;
  const ImVec2 end = ImGui::GetItemRectMax();
  const ImVec2 next = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(at);
  ImGui::PushID(index);
  const float width = std::max(1.0f, ImGui::GetContentRegionAvail().x);
  if (ImGui::InvisibleButton("told", {width, std::max(1.0f, end.y - at.y)}))
    state.go_to_line = told.at.line;
  if (ImGui::IsItemHovered())
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, end.y}, faded(told.color, 0.12f));
  ImGui::PopID();
  ImGui::SetCursorScreenPos(next);
  ImGui::Dummy({width, 0});
}

// The field that has just been drawn scrolls by itself. It stays at its end until somebody scrolls
// away from there, and from when he comes back.
void follow_end(ProgramState& state) {
  const ImGuiWindow& parent = *ImGui::GetCurrentWindow();
  if (parent.DC.ChildWindows.empty()) return;
  ImGuiWindow& text = *parent.DC.ChildWindows.back();
  const bool scrollbar = ImGui::GetActiveID() == ImGui::GetWindowScrollbarID(&text, ImGuiAxis_Y);
  const bool wheel =
      ImGui::GetIO().MouseWheel != 0 &&
      ImGui::IsMouseHoveringRect(text.OuterRectClipped.Min, text.OuterRectClipped.Max);
  if (scrollbar || wheel || ImGui::IsItemActive())
    state.follows_end = false;
  else if (text.Scroll.y >= text.ScrollMax.y - 1)
    state.follows_end = true;
  if (state.follows_end && text.Scroll.y < text.ScrollMax.y) ImGui::SetScrollY(&text, FLT_MAX);
}

void draw_text(const ViewContext& ctx, ProgramState& state, float height) {
  const ProgramRun& run = *ctx.program.run;
  ImGui::PushFont(ctx.fonts.mono, ImGui::GetStyle().FontSizeBase * 0.93f);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, ctx.theme.canvas);
  // It is only read.
  char* text = const_cast<char*>(run.output.c_str());
  ImGui::InputTextMultiline("##written", text, run.output.size() + 1, {-FLT_MIN, height},
                            ImGuiInputTextFlags_ReadOnly);
  follow_end(state);
  ImGui::PopStyleColor();
  ImGui::PopFont();
  if (!run.output.empty()) return;
  const ImVec2 at = ImGui::GetItemRectMin();
  ImGui::GetWindowDrawList()->AddText({at.x + 6 * ctx.scale, at.y + 3 * ctx.scale}, ctx.theme.dim,
                                      tr("nothing written"));
}

float height_of(const std::vector<Told>& all, float width) {
  float height = 0;
  for (const Told& told : all)
    height += wrapped_size(told.text, width).y + ImGui::GetStyle().ItemSpacing.y;
  return height;
}

// One line that stands for all of them.
void draw_briefly(const ViewContext& ctx, const std::vector<Told>& all, ProgramState& state) {
  Told first = all.front();
  std::string whole;
  for (const Told& told : all) whole += told.text + "\n";
  const std::string more = all.size() > 1 ? "  " + tr("(and {0} more)", {all.size() - 1}) : "";
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(more.c_str()).x;
  first.text = shortened(first.text, room) + more;
  draw_told(ctx, first, 0, state);
  if (!ImGui::IsMouseHoveringRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax())) return;
  whole.pop_back();
  ImGui::BeginTooltip();
  wrapped_text(whole, tooltip_end(ctx.scale * 480));
  ImGui::EndTooltip();
}

std::string rest_text(double ms) {
  const double seconds = ms / 1000;
  if (seconds < 90) return tr("about {0} s left", {decimal(std::max(1.0, seconds), 0)});
  if (seconds < 5400) return tr("about {0} min left", {decimal(seconds / 60, 0)});
  return tr("about {0} h left", {decimal(seconds / 3600)});
}

void draw_progress(const LaunchProgress& progress) {
  const auto rest = rest_ms(progress);
  const std::string left = rest ? rest_text(*rest) : std::string();
  const float share = progress.of == 0 ? 0
                                       : static_cast<float>(static_cast<double>(progress.blocks) /
                                                            static_cast<double>(progress.of));
  ImGui::ProgressBar(share, {-FLT_MIN, ImGui::GetTextLineHeight()}, left.c_str());
}

}  // namespace

std::string progress_text(const LaunchProgress& progress) {
  return tr("launch {0}, {1}: {2} of {3} blocks", {progress.number, short_name(progress.kernel),
                                                   grouped(progress.blocks), grouped(progress.of)});
}

std::string run_text(const ProgramStatus& program) {
  const std::size_t count = program.run->launches.size();
  if (program.running && !program.run->running) return tr("compiling …");
  if (program.running && program.run->progress) return progress_text(*program.run->progress);
  if (program.running) return tr("running, {0} launches so far", {count});
  const ProgramResult& result = program.run->result;
  if (result.end.crash == kStopped && result.unfinished)
    return tr("stopped after {0} launches", {count}) + ", " +
           tr("in: {0}", {progress_text(*result.unfinished)});
  if (result.end.crash == kStopped) return tr("stopped after {0} launches", {count});
  if (!result.started) return tr("not started: it does not compile");
  if (!result.end.crash.empty()) return tr("ended by a crash after {0} launches", {count});
  if (result.end.status == 0) return tr("ended well, {0} launches", {count});
  return tr("ended with status {0}, {1} launches", {result.end.status, count});
}

void draw_program_output(const ViewContext& ctx, ProgramState& state) {
  ImGui::PushStyleColor(ImGuiCol_Text, color_of_state(ctx));
  wrapped_text(run_text(ctx.program));
  ImGui::PopStyleColor();
  if (ctx.program.running && ctx.program.run->progress) draw_progress(*ctx.program.run->progress);
  if (ctx.program.capturing) {
    ImGui::SameLine();
    ImGui::TextDisabled("%s", tr("taking launch {0} …", {*ctx.program.capturing}).c_str());
  } else if (ctx.program.run->output_cut) {
    ImGui::SameLine();
    ImGui::TextDisabled("%s", tr("only the end of the output is kept"));
  }
  const std::vector<Told> all = all_told(ctx);
  const ImVec2 space = ImGui::GetContentRegionAvail();
  if (all.empty()) return draw_text(ctx, state, space.y);
  const float line = ImGui::GetTextLineHeight(), gap = ImGui::GetStyle().ItemSpacing.y;
  const bool low = space.y < kLowOutput * line;
  const float wanted = height_of(all, space.x - ImGui::GetStyle().ScrollbarSize);
  const float told = low ? line : std::min(space.y * 0.5f, wanted);
  draw_text(ctx, state, std::max(2 * line, space.y - told - gap));
  if (low) return draw_briefly(ctx, all, state);
  if (ImGui::BeginChild("told")) {
    int index = 0;
    for (const Told& each : all) draw_told(ctx, each, index++, state);
  }
  ImGui::EndChild();
}

}  // namespace lanescope::app

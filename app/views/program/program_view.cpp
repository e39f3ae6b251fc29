#include "views/program/program_view.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "core/run/counters.h"
#include "imgui_stdlib.h"
#include "views/command/commands.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/draw/named_value.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/program/program_timeline.h"

namespace lanescope::app {
namespace {

constexpr float kFieldsBeside = 52;  // em of width from which the fields are in one line
constexpr float kLow = 15;           // em of height under which nothing stands above anything
constexpr float kOutputShare = 0.36f;

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

void set_input(ProgramInput input, Actions& actions) {
  actions.push_back(ProgramAction(SetProgramInput{std::move(input)}));
}

// A caption and a field of one line. True when Enter was pressed in it.
bool field(const char* id, const char* caption, const char* example, float width,
           const ViewContext& ctx, std::string ProgramInput::*part, Actions& actions) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", caption);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  const float room = width - ImGui::CalcTextSize(caption).x - ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::SetNextItemWidth(std::max(4 * ImGui::GetFontSize(), room));
  ProgramInput typed = ctx.program.input;
  if (ImGui::InputTextWithHint(id, example, &(typed.*part))) set_input(typed, actions);
  return ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGuiKey_Enter, false);
}

bool fields(const ViewContext& ctx, ProgramState& state, Actions& actions) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const char* input = tr("standard input");
  const float button = ImGui::CalcTextSize(input).x + 2 * style.FramePadding.x;
  const bool beside = ImGui::GetContentRegionAvail().x > kFieldsBeside * ImGui::GetFontSize();
  if (beside) ImGui::SameLine();
  const float room = ImGui::GetContentRegionAvail().x - button - 2 * style.ItemSpacing.x;
  bool enter = field("##arguments", tr("arguments"), "256 256", room * 0.5f, ctx,
                     &ProgramInput::arguments, actions);
  item_tooltip(tr("what the program finds in argv, as one types it in a shell"));
  ImGui::SameLine();
  enter |= field("##flags", tr("flags"), "-D N=1024 -I include", room * 0.5f, ctx,
                 &ProgramInput::flags, actions);
  item_tooltip(
      tr("-D, -I and -std for the compiler, --memory SIZE, and further source files; paths "
         "start at the program's folder"));
  ImGui::SameLine();
  const bool lit = state.input_open || !ctx.program.input.standard_input.empty();
  if (lit) ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.selection);
  if (ImGui::Button((std::string(input) + "###standard input").c_str()))
    state.input_open = !state.input_open;
  if (lit) ImGui::PopStyleColor();
  item_tooltip(tr("what the program reads"));
  return enter;
}

void input_field(const ViewContext& ctx, Actions& actions) {
  ProgramInput typed = ctx.program.input;
  ImGui::PushFont(ctx.fonts.mono, 0);
  const ImVec2 size{-FLT_MIN, ImGui::GetTextLineHeight() * 3.5f};
  if (ImGui::InputTextMultiline("##input", &typed.standard_input, size)) set_input(typed, actions);
  ImGui::PopFont();
}

void header(const ViewContext& ctx, ProgramState& state, Actions& actions) {
  const bool running = ctx.program.running;
  const float width =
      std::max(ImGui::CalcTextSize(tr("Run")).x, ImGui::CalcTextSize(tr("Stop")).x) +
      4 * ImGui::GetStyle().FramePadding.x;
  const ImU32 color = running ? ctx.theme.error : ctx.theme.good;
  ImGui::PushStyleColor(ImGuiCol_Button, color);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, mixed(color, ctx.theme.text, 0.15f));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, mixed(color, ctx.theme.canvas, 0.15f));
  ImGui::PushStyleColor(ImGuiCol_Text, text_on(color));
  const std::string label = std::string(running ? tr("Stop") : tr("Run")) + "###run";
  const bool pressed = ImGui::Button(label.c_str(), {width, 0});
  ImGui::PopStyleColor(4);
  command_tooltip(running ? "program.stop" : "program.run");
  if (pressed)
    actions.push_back(running ? ProgramAction(StopProgram{}) : ProgramAction(RunProgram{}));
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(file_name(ctx.program.file).c_str());
  item_tooltip(ctx.program.file);
  if (fields(ctx, state, actions)) actions.push_back(ProgramAction(RunProgram{}));
  if (state.input_open) input_field(ctx, actions);
  if (ctx.program.problem.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.error);
  wrapped_text(tr("flags") + (": " + tr_message(ctx.program.problem)));
  ImGui::PopStyleColor();
}

void welcome(const ViewContext& ctx) {
  if (ctx.program.running)
    return nothing_to_show(ctx, tr("Compiling the host code and the kernels …"));
  const std::string text =
      tr("Run starts {0} from its main(): host code runs on this machine, kernels in the "
         "simulator, on the program's own data. Each launch then appears here; a click on one "
         "shows it in all views.",
         {file_name(ctx.program.file)});
  nothing_to_show(ctx, text.c_str());
}

void find_times(const ProgramRun& run, ProgramState& state) {
  state.first_ms = HUGE_VAL, state.last_ms = 0;
  const auto take = [&](const auto& all) {
    for (const auto& one : all) {
      state.first_ms = std::min(state.first_ms, one->begin_ms);
      state.last_ms = std::max(state.last_ms, one->end_ms);
    }
  };
  take(run.launches);
  take(run.calls);
  if (run.progress) {
    state.first_ms = std::min(state.first_ms, run.progress->begin_ms);
    state.last_ms = std::max(state.last_ms, run.progress->begin_ms + run.progress->ms);
  }
  state.first_ms = std::min(state.first_ms, state.last_ms);
}

// Which kernel and which stream each launch and call is of; grows with the run.
void sort_launches(const ProgramRun& run, ProgramState& state) {
  if (state.seen_serial == run.serial) return;
  const auto place = [](auto& known, const auto& value) {
    const auto found = std::find(known.begin(), known.end(), value);
    if (found != known.end()) return static_cast<std::uint32_t>(found - known.begin());
    known.push_back(value);
    return static_cast<std::uint32_t>(known.size() - 1);
  };
  state.kernels.clear(), state.kernel_of.clear();
  state.streams.clear(), state.stream_of.clear(), state.stream_of_call.clear();
  for (const auto& launch : run.launches) {
    state.kernel_of.push_back(place(state.kernels, launch->kernel));
    state.stream_of.push_back(place(state.streams, launch->stream));
  }
  if (run.progress) {
    state.running_kernel = place(state.kernels, run.progress->kernel);
    state.running_stream = place(state.streams, run.progress->stream);
  }
  // A stream with nothing but calls that wait has no lane: they are the host's.
  for (const auto& call : run.calls)
    state.stream_of_call.push_back(is_device_work(*call) ? place(state.streams, call->stream) : 0);
  // The default stream first, then as they were made.
  std::vector<std::uint64_t> sorted = state.streams;
  std::sort(sorted.begin(), sorted.end());
  const auto sort = [&](std::vector<std::uint32_t>& all) {
    for (std::uint32_t& stream : all)
      if (!state.streams.empty()) stream = place(sorted, state.streams[stream]);
  };
  sort(state.stream_of);
  sort(state.stream_of_call);
  if (run.progress) state.running_stream = place(sorted, run.progress->stream);
  find_times(run, state);
  state.streams = std::move(sorted);
  state.seen_serial = run.serial;
}

void launches(const ViewContext& ctx, ProgramState& state, ImVec2 size, Actions& actions) {
  const float line = ImGui::GetTextLineHeight();
  const float lanes = static_cast<float>(state.streams.size() + 1);
  const bool low = size.y < kLow * line;
  ImVec2 timeline{size.x, std::min(size.y * 0.45f, lanes * 30 * ctx.scale + 2.8f * line)};
  if (low) timeline = {size.x * 0.4f, size.y};
  if (ImGui::BeginChild("timeline", timeline)) draw_program_timeline(ctx, state, actions);
  ImGui::EndChild();
  if (low) ImGui::SameLine();
  if (ImGui::BeginChild("table", {low ? 0 : size.x, 0})) draw_program_table(ctx, state, actions);
  ImGui::EndChild();
}

void run_of(const ViewContext& ctx, ProgramState& state, Actions& actions) {
  sort_launches(*ctx.program.run, state);
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const float left = space.x * (1 - kOutputShare);
  // What is seen is of an older text, or of the run before.
  const bool old = ctx.program.run->older || (ctx.program.running && !ctx.program.run->running);
  if (old) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0.5f);
  if (ImGui::BeginChild("launches", {left, 0}))
    launches(ctx, state, ImGui::GetContentRegionAvail(), actions);
  ImGui::EndChild();
  if (old) ImGui::PopStyleVar();
  ImGui::SameLine(0, 10 * ctx.scale);
  if (ImGui::BeginChild("output", {0, 0})) draw_program_output(ctx, state);
  ImGui::EndChild();
}

}  // namespace

void draw_program(const ViewContext& ctx, ProgramState& state, Actions& actions) {
  state.go_to_line = 0;
  if (ctx.program.file.empty())
    return nothing_to_show(
        ctx, tr("This text has no main(), so there is no program to run. Open a CUDA file that has "
                "one."));
  if (state.file != ctx.program.file) {
    state = {};
    state.file = ctx.program.file;
  }
  header(ctx, state, actions);
  ctx.program.run ? run_of(ctx, state, actions) : welcome(ctx);
}

ImU32 kernel_color(std::uint32_t index) {
  // Okabe and Ito's, which colour-blind viewers tell apart.
  static constexpr ImU32 kColors[] = {IM_COL32(86, 180, 233, 255), IM_COL32(230, 159, 0, 255),
                                      IM_COL32(0, 158, 115, 255),  IM_COL32(204, 121, 167, 255),
                                      IM_COL32(240, 228, 66, 255), IM_COL32(0, 114, 178, 255),
                                      IM_COL32(213, 94, 0, 255),   IM_COL32(153, 153, 153, 255)};
  return kColors[index % std::size(kColors)];
}

std::uint64_t shown_launch(const ViewContext& ctx) {
  return ctx.settings.captured ? ctx.settings.captured->number : UINT64_MAX;
}

std::string shape_text(Dim3 shape) {
  std::string text = std::to_string(shape.x);
  if (shape.y > 1 || shape.z > 1) text += fmt::format("×{}", shape.y);
  if (shape.z > 1) text += fmt::format("×{}", shape.z);
  return text;
}

std::string place_text(const HostPosition& at) {
  return fmt::format("{}:{}", file_name(at.file), at.line);
}

void launch_tooltip(const ViewContext& ctx, const LaunchRecord& launch) {
  if (!ImGui::BeginTooltip()) return ImGui::EndTooltip();
  ImGui::PushFont(ctx.fonts.strong, 0);
  ImGui::TextUnformatted(
      shortened(fmt::format("#{}  {}", launch.number, launch.kernel), tooltip_end(420 * ctx.scale))
          .c_str());
  ImGui::PopFont();
  if (ImGui::BeginTable("launch", 2, ImGuiTableFlags_SizingFixedFit)) {
    const SharedCounts shared = shared_of(launch.totals);
    const GlobalCounts global = global_of(launch.totals);
    named_value(tr("grid"), shape_text(launch.grid));
    named_value(tr("block"), shape_text(launch.block));
    named_value(tr("stream"), std::to_string(launch.stream));
    if (launch.from.line != 0) named_value(tr("launched in"), place_text(launch.from));
    if (shared.wavefronts != 0) {
      named_value(tr("wavefronts"),
                  grouped(shared.wavefronts) + " / " + grouped(shared.ideal_wavefronts));
      named_value(tr("conflicts"), grouped(shared.conflicts));
    }
    if (global.sectors != 0) {
      named_value(tr("sectors"), grouped(global.sectors) + " / " + grouped(global.ideal_sectors));
      named_value(tr("efficiency"), decimal(global.efficiency() * 100) + " %");
    }
    if (!launch.repeated)
      named_value(tr("simulated in"), decimal(launch.end_ms - launch.begin_ms, 2) + " ms");
    ImGui::EndTable();
  }
  const float end = 420 * ctx.scale;
  if (launch.repeated)
    wrapped_text(
        tr("the launch before once more: it changed nothing, so it was counted and not run"), end);
  ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.error);
  if (!launch.stopped.empty()) wrapped_text(launch.stopped, end);
  constexpr std::size_t kMost = 3;
  for (std::size_t i = 0; i < launch.mistakes.size() && i < kMost; ++i) {
    const Diagnostic& d = launch.mistakes[i];
    wrapped_text(tr("line {0}", {d.line}) + ": " + message_of(d), end);
  }
  ImGui::PopStyleColor();
  if (launch.mistakes.size() > kMost)
    ImGui::TextDisabled("%s", tr("(and {0} more)", {launch.mistakes.size() - kMost}).c_str());
  ImGui::TextDisabled("%s", tr("click: show it in all views"));
  ImGui::EndTooltip();
}

}  // namespace lanescope::app

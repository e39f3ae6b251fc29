// The timeline of the Program view: the host's calls, and a lane for each stream with its launches, copies
// and fills.
#include <algorithm>
#include <cmath>
#include <vector>

#include "views/draw/kernel_names.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/program/program_timeline.h"

namespace lanescope::app {
namespace {

constexpr double kWheelStep = 1.25;
constexpr double kLeast = 1e-4;  // ms across the whole view, at the closest
constexpr std::size_t kNone = SIZE_MAX;
constexpr float kLowTimeline = 9,
                kSmallTimeline = 0.8f;  // lines of height, and the size of words below it

// Where the lanes are on screen, and which stretch of time.
struct Lanes {
  ImVec2 min, max;
  float row;
  /// Of time, milliseconds
  double begin, span;

  [[nodiscard]] float x(double ms) const {
    const double at = (ms - begin) / span * static_cast<double>(max.x - min.x);
    return min.x + static_cast<float>(std::clamp(at, -1e6, 1e6));
  }
  [[nodiscard]] double ms(float x) const {
    return begin + static_cast<double>((x - min.x) / (max.x - min.x)) * span;
  }
};

std::string stream_text(std::uint64_t stream) {
  return stream == 0 ? tr("default stream") : tr("stream {0}", {stream});
}

/// Of everything, with a little room behind it.
double length_of(const ProgramState& state) {
  return std::max(kLeast, (state.last_ms - state.first_ms) * 1.01);
}

Lanes lanes_of(const ViewContext& ctx, const ProgramState& state) {
  const ImVec2 space = ImGui::GetContentRegionAvail(), origin = ImGui::GetCursorScreenPos();
  float label = ImGui::CalcTextSize(tr("CUDA API")).x;
  for (const std::uint64_t stream : state.streams)
    label = std::max(label, ImGui::CalcTextSize(stream_text(stream).c_str()).x);
  // The axis, and the legend under it.
  const float below = 2 * ImGui::GetTextLineHeight() + 6 * ctx.scale;
  const float count = static_cast<float>(state.streams.size() + 1);
  const float row = row_height(space.y - below, count, 6 * ctx.scale, 30 * ctx.scale);
  const bool all = state.span_ms <= 0;
  return {{origin.x + label + 10 * ctx.scale, origin.y},
          {origin.x + space.x - 2, origin.y + row * count},
          row,
          all ? state.first_ms : state.begin_ms,
          all ? length_of(state) : state.span_ms};
}

// 1, 2 or 5 times a power of ten, so that `most` of them are in the span.
double tick_of(double span, double most) {
  const double least = span / std::max(1.0, most);
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

void draw_axis(const ViewContext& ctx, const Lanes& lanes) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const double width = static_cast<double>(lanes.max.x - lanes.min.x);
  const double tick =
      tick_of(lanes.span, width / (6.5 * static_cast<double>(ImGui::GetFontSize())));
  const int digits = std::max(0, static_cast<int>(-std::floor(std::log10(tick))));
  const float bottom = lanes.max.y;
  const bool narrow = width < 24 * static_cast<double>(ImGui::GetFontSize());
  const std::string unit = narrow ? "ms" : tr("ms of simulation");
  const float end = lanes.max.x - ImGui::CalcTextSize(unit.c_str()).x;
  for (double at = std::ceil(lanes.begin / tick) * tick; at <= lanes.begin + lanes.span;
       at += tick) {
    const float x = lanes.x(at);
    list.AddLine({x, lanes.min.y}, {x, bottom + 3 * ctx.scale}, ctx.theme.grid, 1);
    const std::string text = decimal(at, digits);
    const float right = x + 3 * ctx.scale + ImGui::CalcTextSize(text.c_str()).x;
    if (right < end - 8 * ctx.scale)
      list.AddText({x + 3 * ctx.scale, bottom + 2 * ctx.scale}, ctx.theme.dim, text.c_str());
  }
  list.AddText({end, bottom + 2 * ctx.scale}, ctx.theme.dim, unit.c_str());
}

void draw_labels(const ViewContext& ctx, const ProgramState& state, const Lanes& lanes) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float left = ImGui::GetCursorScreenPos().x;
  const float size = std::min(ImGui::GetFontSize(), lanes.row);
  for (std::size_t i = 0; i <= state.streams.size(); ++i) {
    const float y = lanes.min.y + lanes.row * static_cast<float>(i);
    list.AddRectFilled({lanes.min.x, y + 1}, {lanes.max.x, y + lanes.row - 1},
                       faded(ctx.theme.empty, 0.6f));
    list.AddText(ctx.fonts.text, size, {left, y + (lanes.row - size) / 2}, ctx.theme.dim,
                 i == 0 ? tr("CUDA API") : stream_text(state.streams[i - 1]).c_str());
  }
}

struct Bar {
  ImVec2 min, max;
};

/// `row`: 0 is the host's. `inset`: the share of the row's height left free above and below.
Bar bar_at(const Lanes& lanes, std::size_t row, double begin_ms, double end_ms, float inset) {
  const float y = lanes.min.y + lanes.row * static_cast<float>(row);
  const float pad = std::min(3.0f, lanes.row * 0.12f) + lanes.row * inset;
  const float left = lanes.x(begin_ms);
  return {{left, y + pad}, {std::max(left + 1.5f, lanes.x(end_ms)), y + lanes.row - pad}};
}

Bar bar_of(const Lanes& lanes, const ProgramState& state, const LaunchRecord& launch,
           std::size_t index) {
  return bar_at(lanes, state.stream_of[index] + 1, launch.begin_ms, launch.end_ms, 0);
}

bool is_in_sight(const Lanes& lanes, const Bar& bar) {
  return bar.max.x >= lanes.min.x && bar.min.x <= lanes.max.x;
}

bool is_under_pointer(const Bar& bar) {
  const ImVec2 mouse = ImGui::GetMousePos();
  return mouse.x >= bar.min.x - 1 && mouse.x <= bar.max.x + 1 && mouse.y >= bar.min.y &&
         mouse.y <= bar.max.y;
}

bool is_wrong(const LaunchRecord& launch) {
  return !launch.mistakes.empty() || !launch.stopped.empty();
}

// A corner and a line beneath: seen on every colour, and by who tells no colours apart.
void mark_mistakes(const ViewContext& ctx, const Bar& bar) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float edge = std::min(9 * ctx.scale, (bar.max.y - bar.min.y) * 0.5f);
  list.AddRectFilled({bar.min.x, bar.max.y - 3 * ctx.scale}, bar.max, ctx.theme.error);
  const ImVec2 a{bar.min.x, bar.min.y}, b{bar.min.x + edge, bar.min.y},
      c{bar.min.x, bar.min.y + edge};
  list.AddTriangleFilled(a, b, c, ctx.theme.error);
  list.AddTriangle(a, b, c, ctx.theme.canvas, 1);
}

void draw_bar(const ViewContext& ctx, const Bar& bar, const std::string& name, ImU32 color) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(bar.min, bar.max, color, 2 * ctx.scale);
  const float left = std::max(bar.min.x, ImGui::GetWindowPos().x), room = bar.max.x - left;
  const ImVec2 text = ImGui::CalcTextSize(name.c_str());
  if (text.x + 8 * ctx.scale < room && text.y <= bar.max.y - bar.min.y)
    list.AddText({left + (room - text.x) / 2, (bar.min.y + bar.max.y - text.y) / 2}, text_on(color),
                 name.c_str());
}

/// What the pointer is on: a place among the launches or among the calls, or the launch that runs.
struct Under {
  std::size_t launch = kNone, call = kNone;
  bool running = false;
};

// Of bars in sight that fall on one pixel of a row, one is drawn.
class Pixels {
 public:
  explicit Pixels(std::size_t rows) : right_(rows, -1e6f) {}
  bool take(std::size_t row, const Bar& bar) {
    if (bar.max.x - right_[row] < 1) return false;
    right_[row] = bar.max.x;
    return true;
  }

 private:
  std::vector<float> right_;
};

// On the host's row each launch is a call, too.
void draw_launches(const ViewContext& ctx, const ProgramState& state, const Lanes& lanes,
                   Under& under) {
  const auto& launches = ctx.program.run->launches;
  Pixels pixels(state.streams.size() + 1);
  std::size_t shown = kNone;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const LaunchRecord& launch = *launches[i];
    const Bar bar = bar_of(lanes, state, launch, i);
    if (!is_in_sight(lanes, bar)) continue;
    const Bar call = bar_at(lanes, 0, launch.begin_ms, launch.end_ms, 0.15f);
    if (is_under_pointer(bar) || is_under_pointer(call)) under.launch = i;
    if (launch.number == shown_launch(ctx)) shown = i;
    if (pixels.take(0, call)) draw_bar(ctx, call, tr("launch"), faded(ctx.theme.dim, 0.5f));
    if (!pixels.take(state.stream_of[i] + 1, bar) && !is_wrong(launch)) continue;
    draw_bar(ctx, bar, short_name(launch.kernel), kernel_color(state.kernel_of[i]));
    if (is_wrong(launch)) mark_mistakes(ctx, bar);
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const std::size_t i : {under.launch, shown}) {
    if (i == kNone) continue;
    const Bar bar = bar_of(lanes, state, *launches[i], i);
    outline(list, bar.min, bar.max, i == shown ? ctx.theme.selection : ctx.theme.text,
            (i == shown ? 2.5f : 1.5f) * ctx.scale);
  }
}

// Pale, as long as it has run, with a line beneath for the blocks that are done.
void draw_running(const ViewContext& ctx, const ProgramState& state, const Lanes& lanes,
                  Under& under) {
  if (!ctx.program.run->progress) return;
  const LaunchProgress& progress = *ctx.program.run->progress;
  const double end = progress.begin_ms + progress.ms;
  const Bar bar = bar_at(lanes, state.running_stream + 1, progress.begin_ms, end, 0);
  if (!is_in_sight(lanes, bar)) return;
  under.running = is_under_pointer(bar);
  const ImU32 color = kernel_color(state.running_kernel);
  draw_bar(ctx, bar, short_name(progress.kernel), mixed(color, ctx.theme.empty, 0.45f));
  const float share = progress.of == 0 ? 0
                                       : static_cast<float>(static_cast<double>(progress.blocks) /
                                                            static_cast<double>(progress.of));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({bar.min.x, bar.max.y - 3 * ctx.scale},
                     {bar.min.x + share * (bar.max.x - bar.min.x), bar.max.y}, color);
  outline(list, bar.min, bar.max, color, 1.5f * ctx.scale);
}

void draw_calls(const ViewContext& ctx, const ProgramState& state, const Lanes& lanes,
                Under& under) {
  const auto& calls = ctx.program.run->calls;
  Pixels pixels(state.streams.size() + 1);
  const auto draw = [&](std::size_t i, std::size_t row, float inset) {
    const CallRecord& call = *calls[i];
    const Bar bar = bar_at(lanes, row, call.begin_ms, call.end_ms, inset);
    if (!is_in_sight(lanes, bar)) return;
    if (is_under_pointer(bar)) under.call = i;
    if (pixels.take(row, bar) || !call.error.empty())
      draw_bar(ctx, bar, row == 0 ? call.function : call_label(call), call_color(ctx, call));
  };
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (!calls[i]->in_graph) draw(i, 0, 0.15f);
    // Lower than launches, so that they are told apart without colours.
    if (is_device_work(*calls[i])) draw(i, state.stream_of_call[i] + 1, 0.15f);
  }
}

// Wheel, drag and double click. True while a drag goes on.
bool move_view(ProgramState& state, const Lanes& lanes) {
  const ImGuiIO& io = ImGui::GetIO();
  const double first = state.first_ms, all = length_of(state);
  const auto show = [&](double begin, double span) {
    if (span >= all) {
      state.span_ms = 0;
      return;
    }
    state.span_ms = std::max(kLeast, span);
    state.begin_ms = std::clamp(begin, first, first + all - state.span_ms);
  };
  if (ImGui::IsItemHovered()) {
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
    if (io.MouseWheel != 0) {
      const double span = lanes.span / std::pow(kWheelStep, static_cast<double>(io.MouseWheel));
      const double at = lanes.ms(io.MousePos.x);
      show(at - (at - lanes.begin) * span / lanes.span, span);
    }
    if (ImGui::IsMouseDoubleClicked(0)) state.span_ms = 0;
  }
  if (!ImGui::IsItemActive() || !ImGui::IsMouseDragging(0)) return false;
  if (state.span_ms > 0)
    show(lanes.begin - (lanes.ms(io.MousePos.x) - lanes.ms(io.MousePos.x - io.MouseDelta.x)),
         lanes.span);
  return true;
}

void point_at(const ViewContext& ctx, ProgramState& state, Under under, bool clicked,
              Actions& actions) {
  const ProgramRun& run = *ctx.program.run;
  if (under.call != kNone) {
    const CallRecord& call = *run.calls[under.call];
    state.pointed_at = call.function;
    call_tooltip(ctx, call);
    if (clicked && call.from.file == ctx.settings.file) state.go_to_line = call.from.line;
  } else if (under.launch != kNone) {
    state.pointed_at = run.launches[under.launch]->kernel;
    launch_tooltip(ctx, *run.launches[under.launch]);
    if (clicked) actions.push_back(ProgramAction(ShowLaunch{run.launches[under.launch]->number}));
  } else if (under.running) {
    state.pointed_at = run.progress->kernel;
    tooltip(progress_text(*run.progress));
  }
}

}  // namespace

void draw_program_timeline(const ViewContext& ctx, ProgramState& state, Actions& actions) {
  const ProgramRun& run = *ctx.program.run;
  if (run.launches.empty() && run.calls.empty() && !run.progress) {
    const bool going = ctx.program.running;
    return nothing_to_show(ctx, going ? tr("No kernel has been launched yet.")
                                      : tr("The program launched no kernel."));
  }
  // In a low dock the words make room for the bars.
  const bool low = ImGui::GetContentRegionAvail().y < kLowTimeline * ImGui::GetTextLineHeight();
  const FontSize font(ctx, low ? kSmallTimeline : 1);
  const Lanes lanes = lanes_of(ctx, state);
  draw_labels(ctx, state, lanes);
  draw_axis(ctx, lanes);
  const float line = ImGui::GetTextLineHeight();
  draw_call_legend(ctx, {ImGui::GetCursorScreenPos().x, lanes.max.y + line + 5 * ctx.scale},
                   lanes.max.x);
  ImGui::SetCursorScreenPos(lanes.min);
  const bool released =
      ImGui::InvisibleButton("launches", {std::max(1.0f, lanes.max.x - lanes.min.x),
                                          std::max(1.0f, lanes.max.y - lanes.min.y)});
  const ImGuiIO& io = ImGui::GetIO();
  const bool clicked =
      released && io.MouseDragMaxDistanceSqr[0] < io.MouseDragThreshold * io.MouseDragThreshold;
  const bool hovered = ImGui::IsItemHovered();
  const bool dragged = move_view(state, lanes);
  ImGui::PushClipRect(lanes.min, {lanes.max.x, lanes.max.y + 1}, true);
  Under under;
  state.pointed_at.clear();
  draw_launches(ctx, state, lanes, under);
  draw_running(ctx, state, lanes, under);
  draw_calls(ctx, state, lanes, under);
  ImGui::PopClipRect();
  if (!dragged && hovered) point_at(ctx, state, under, clicked, actions);
}

}  // namespace lanescope::app

// What a frame of the whole window costs: on our side, and with OpenGL's drawing, in software where
// there is no graphics card.
#include "views/frame/frame.h"
#include "views/map/index_map.h"

#include <benchmark/benchmark.h>
#include <imgui.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "platform/headless.h"
#include "platform/paths.h"

namespace lanescope::app {
namespace {

// The whole window without a display, and a kernel in it.
struct BenchWindow {
  explicit BenchWindow(SurfaceOptions size = {.width = 1920, .height = 1080})
      : opened(open_headless(size)) {}
  BenchWindow(const benchmark::State& state, Preset preset)
      : BenchWindow({.width = static_cast<int>(state.range(0)),
                     .height = static_cast<int>(state.range(1))}) {
    workspace.layouts.wanted = preset;
  }

  // False, and told, where there is no window or no such kernel.
  bool open(benchmark::State& state, const char* name,
            std::map<std::string, std::string> arguments = {}) {
    OpenResult kernel = open_kernel(session.catalog(), name);
    if (!opened.surface)
      state.SkipWithError(opened.error.c_str());
    else if (!kernel.settings)
      state.SkipWithError("the kernel is missing");
    if (!opened.surface || !kernel.settings) return false;
    if (!arguments.empty()) kernel.settings->arguments = std::move(arguments);
    session.apply(*kernel.settings);
    frame.emplace(Frame{session, workspace, load_fonts(data_folder("fonts"))});
    return true;
  }
  // On our side alone.
  void draw() {
    opened.surface->begin_frame();
    frame->draw();
    ImGui::Render();
  }
  void draw_whole() {
    opened.surface->begin_frame();
    frame->draw();
    opened.surface->end_frame();
    opened.surface->finish();
  }
  void step() {
    const bool at_end = session.selection().step + 1 >= session.picture()->trace()->warps[0].size();
    session.apply(Action(MoveStep{at_end ? StepMove::first : StepMove::forward}));
  }

  SurfaceResult opened;
  Workspace workspace;
  Session session{load_catalog(std::string(LANESCOPE_SOURCE_DIR) + "/kernels")};
  std::optional<Frame> frame;
};

void count_frames(benchmark::State& state) {
  state.counters["fps"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

// range(0) × range(1) pixels, with a lane pinned so that its chain is drawn too.
void frame_of_the_window(benchmark::State& state) {
  BenchWindow window(state, Preset::explore);
  if (!window.open(state, "transpose/04_shared_tile_padded")) return;
  window.session.wait(true);
  window.session.apply(Action(SelectLane{5}));
  for (int i = 0; i < 10; ++i) window.draw_whole();
  for (auto _ : state) window.draw();
  state.counters["vertices"] = ImGui::GetDrawData()->TotalVtxCount;
}
BENCHMARK(frame_of_the_window)
    ->Args({1280, 800})
    ->Args({1920, 1080})
    ->Unit(benchmark::kMillisecond);

// The index map alone over 32768 x 32768 elements, from all of it to a warp's cells and back, a
// step a frame.
void frame_of_a_huge_map(benchmark::State& state) {
  BenchWindow window;
  window.workspace.only = "index_map";
  if (!window.open(state, "transpose/04_shared_tile_padded", {{"nx", "32768"}, {"ny", "32768"}}))
    return;
  window.session.wait();
  window.session.cancel();
  window.session.wait(true);
  int frames = 0;
  int most = 0;
  for (auto _ : state) {
    IndexMapState& map = state_of<IndexMapState>(window.workspace);
    if (frames == 3) show_whole_map(map);
    if (frames > 5 && !map.panels.empty()) {
      for (IndexMapState::Drawn& drawn : map.panels) {
        if (drawn.panel.role != PanelRole::tile)
          drawn.camera = zoomed(drawn.camera, frames / 60 % 2 == 0 ? 1.15 : 1 / 1.15, 0, 0);
      }
    }
    window.draw();
    most = std::max(most, ImGui::GetDrawData()->TotalVtxCount);
    ++frames;
  }
  state.counters["vertices"] = most;
}
BENCHMARK(frame_of_a_huge_map)->Unit(benchmark::kMillisecond)->Iterations(600);

// The window while one steps: the chains, the plans and the variables are worked out anew each
// time.
void frame_after_a_step(benchmark::State& state, const char* name) {
  BenchWindow window;
  if (!window.open(state, name)) return;
  window.session.wait(true);
  for (auto _ : state) {
    window.step();
    window.draw();
  }
}
BENCHMARK_CAPTURE(frame_after_a_step, transpose, "transpose/04_shared_tile_padded")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame_after_a_step, gemm, "gemm/01_block_tiled")->Unit(benchmark::kMillisecond);

// With the drawing, while the pointer goes over the lanes of the banks and the cells of the map, so
// that chains light up: the picture differs in every frame. range: width, height, preset, steps.
void frame_with_drawing(benchmark::State& state) {
  BenchWindow window(state, static_cast<Preset>(state.range(2)));
  if (!window.open(state, "transpose/03_shared_tile")) return;
  window.session.wait(true);
  const bool steps = state.range(3) != 0;
  int count = 0;
  const auto draw = [&] {
    const ImVec2 size = ImGui::GetMainViewport()->WorkSize;
    const auto t = static_cast<float>(count++ % 97) / 97;
    ImGui::GetIO().AddMousePosEvent(size.x * (0.3f + 0.3f * t), size.y * (0.15f + 0.5f * t));
    if (steps) window.step();
    window.draw_whole();
  };
  for (int i = 0; i < 20; ++i) draw();
  for (auto _ : state) draw();
  count_frames(state);
}
BENCHMARK(frame_with_drawing)
    ->ArgNames({"width", "height", "preset", "steps"})
    ->Args({1920, 1080, 0, 0})
    ->Args({1920, 1080, 0, 1})
    ->Args({1920, 1080, 1, 0})
    ->Args({1920, 1080, 2, 0})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

// With the drawing, in a lecture's layout, while the journey plays: the figure that a lecture hall
// sees. range: width, height.
void frame_of_the_journey(benchmark::State& state, const char* name) {
  BenchWindow window(state, Preset::lecture);
  if (!window.open(state, name)) return;
  window.session.wait(true);
  for (int i = 0; i < 20; ++i) window.draw_whole();
  auto& map = state_of<IndexMapState>(window.workspace);
  scrub_map(map, 0);
  for (auto _ : state) {
    if (!map.play.playing) play_map(map, true);
    window.draw_whole();
  }
  count_frames(state);
}
BENCHMARK_CAPTURE(frame_of_the_journey, remapped, "transpose/05_remapped")
    ->Args({1920, 1080})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(frame_of_the_journey, conflict, "transpose/03_shared_tile")
    ->Args({1920, 1080})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace lanescope::app

// What a frame of the whole window costs: on our side, and with OpenGL's drawing, in software where
// there is no graphics card.
#include "views/frame/frame.h"
#include "views/map/index_map.h"

#include <benchmark/benchmark.h>
#include <imgui.h>

#include <algorithm>

#include "platform/headless.h"
#include "platform/paths.h"

namespace lanescope::app {
namespace {

// range(0) × range(1) pixels, with a lane pinned so that its chain is drawn too.
void frame_of_the_window(benchmark::State& state) {
  const SurfaceResult opened = open_headless(
      {.width = static_cast<int>(state.range(0)), .height = static_cast<int>(state.range(1))});
  if (!opened.surface) return state.SkipWithError(opened.error.c_str());
  Workspace workspace;
  Session session(load_catalog(std::string(LANESCOPE_SOURCE_DIR) + "/kernels"));
  const OpenResult kernel = open_kernel(session.catalog(), "transpose/04_shared_tile_padded");
  if (!kernel.settings) return state.SkipWithError("the kernel is missing");
  session.apply(*kernel.settings);
  session.wait(true);
  session.apply(Action(SelectLane{5}));
  Frame frame{session, workspace, load_fonts(data_folder("fonts"))};
  const auto draw = [&] {
    opened.surface->begin_frame();
    frame.draw();
    ImGui::Render();
  };
  for (int i = 0; i < 10; ++i) {
    opened.surface->begin_frame();
    frame.draw();
    opened.surface->end_frame();
  }
  for (auto _ : state) draw();
  state.counters["vertices"] = ImGui::GetDrawData()->TotalVtxCount;
}
BENCHMARK(frame_of_the_window)
    ->Args({1280, 800})
    ->Args({1920, 1080})
    ->Unit(benchmark::kMillisecond);

// The index map alone over 32768 x 32768 elements, from all of it to a warp's cells and back, a
// step a frame.
void frame_of_a_huge_map(benchmark::State& state) {
  const SurfaceResult opened = open_headless({.width = 1920, .height = 1080});
  if (!opened.surface) return state.SkipWithError(opened.error.c_str());
  Workspace workspace;
  workspace.only = "index_map";
  Session session(load_catalog(std::string(LANESCOPE_SOURCE_DIR) + "/kernels"));
  OpenResult kernel = open_kernel(session.catalog(), "transpose/04_shared_tile_padded");
  if (!kernel.settings) return state.SkipWithError("the kernel is missing");
  kernel.settings->arguments = {{"nx", "32768"}, {"ny", "32768"}};
  session.apply(*kernel.settings);
  session.wait();
  session.cancel();
  session.wait(true);
  Frame frame{session, workspace, load_fonts(data_folder("fonts"))};
  int frames = 0;
  int most = 0;
  for (auto _ : state) {
    IndexMapState& map = state_of<IndexMapState>(workspace);
    if (frames == 3) show_whole_map(map);
    if (frames > 5 && !map.panels.empty()) {
      for (IndexMapState::Drawn& drawn : map.panels) {
        if (drawn.panel.role != PanelRole::tile)
          drawn.camera = zoomed(drawn.camera, frames / 60 % 2 == 0 ? 1.15 : 1 / 1.15, 0, 0);
      }
    }
    opened.surface->begin_frame();
    frame.draw();
    ImGui::Render();
    most = std::max(most, ImGui::GetDrawData()->TotalVtxCount);
    ++frames;
  }
  state.counters["vertices"] = most;
}
BENCHMARK(frame_of_a_huge_map)->Unit(benchmark::kMillisecond)->Iterations(600);

// The window while one steps: the chains, the plans and the variables are worked out anew each
// time.
void frame_after_a_step(benchmark::State& state, const char* name) {
  const SurfaceResult opened = open_headless({.width = 1920, .height = 1080});
  if (!opened.surface) return state.SkipWithError(opened.error.c_str());
  Workspace workspace;
  Session session(load_catalog(std::string(LANESCOPE_SOURCE_DIR) + "/kernels"));
  const OpenResult kernel = open_kernel(session.catalog(), name);
  if (!kernel.settings) return state.SkipWithError("the kernel is missing");
  session.apply(*kernel.settings);
  session.wait(true);
  Frame frame{session, workspace, load_fonts(data_folder("fonts"))};
  for (auto _ : state) {
    const bool at_end = session.selection().step + 1 >= session.picture()->trace()->warps[0].size();
    session.apply(Action(MoveStep{at_end ? StepMove::first : StepMove::forward}));
    opened.surface->begin_frame();
    frame.draw();
    ImGui::Render();
  }
}
BENCHMARK_CAPTURE(frame_after_a_step, transpose, "transpose/04_shared_tile_padded")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frame_after_a_step, gemm, "gemm/01_block_tiled")->Unit(benchmark::kMillisecond);

// With the drawing, while the pointer goes over the lanes of the banks and the cells of the map, so
// that chains light up: the picture differs in every frame. range: width, height, preset, steps.
void frame_with_drawing(benchmark::State& state) {
  const SurfaceResult opened = open_headless(
      {.width = static_cast<int>(state.range(0)), .height = static_cast<int>(state.range(1))});
  if (!opened.surface) return state.SkipWithError(opened.error.c_str());
  Workspace workspace;
  workspace.layouts.wanted = static_cast<Preset>(state.range(2));
  Session session(load_catalog(std::string(LANESCOPE_SOURCE_DIR) + "/kernels"));
  const OpenResult kernel = open_kernel(session.catalog(), "transpose/03_shared_tile");
  if (!kernel.settings) return state.SkipWithError("the kernel is missing");
  session.apply(*kernel.settings);
  session.wait(true);
  Frame frame{session, workspace, load_fonts(data_folder("fonts"))};
  const bool steps = state.range(3) != 0;
  int count = 0;
  const auto draw = [&] {
    const ImVec2 size = ImGui::GetMainViewport()->WorkSize;
    const auto t = static_cast<float>(count++ % 97) / 97;
    ImGui::GetIO().AddMousePosEvent(size.x * (0.3f + 0.3f * t), size.y * (0.15f + 0.5f * t));
    if (steps) {
      const bool last = session.selection().step + 1 >= session.picture()->trace()->warps[0].size();
      session.apply(Action(MoveStep{last ? StepMove::first : StepMove::forward}));
    }
    opened.surface->begin_frame();
    frame.draw();
    opened.surface->end_frame();
    opened.surface->finish();
  };
  for (int i = 0; i < 20; ++i) draw();
  for (auto _ : state) draw();
  state.counters["fps"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
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
  const SurfaceResult opened = open_headless(
      {.width = static_cast<int>(state.range(0)), .height = static_cast<int>(state.range(1))});
  if (!opened.surface) return state.SkipWithError(opened.error.c_str());
  Workspace workspace;
  workspace.layouts.wanted = Preset::lecture;
  Session session(load_catalog(std::string(LANESCOPE_SOURCE_DIR) + "/kernels"));
  const OpenResult kernel = open_kernel(session.catalog(), name);
  if (!kernel.settings) return state.SkipWithError("the kernel is missing");
  session.apply(*kernel.settings);
  session.wait(true);
  Frame frame{session, workspace, load_fonts(data_folder("fonts"))};
  const auto draw = [&] {
    opened.surface->begin_frame();
    frame.draw();
    opened.surface->end_frame();
    opened.surface->finish();
  };
  for (int i = 0; i < 20; ++i) draw();
  auto& map = state_of<IndexMapState>(workspace);
  scrub_map(map, 0);
  for (auto _ : state) {
    if (!map.play.playing) play_map(map, true);
    draw();
  }
  state.counters["fps"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
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

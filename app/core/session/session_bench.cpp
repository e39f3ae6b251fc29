// From a change of a parameter to the new picture of the inspected block, as a slider drag does it:
// each change cancels the whole-grid run of the one before.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "core/picture/chain.h"
#include "core/picture/navigate.h"
#include "core/picture/trace_index.h"
#include "core/run/prepare.h"
#include "core/session/session.h"

namespace lanescope::app {
namespace {

const char* const kKernel = "transpose/04_shared_tile_padded";

/// A text that was never compiled: of equal ones the program is kept (core/kernel/compile_request.h).
std::string fresh(const std::string& text) {
  static int texts = 0;
  return text + "// " + std::to_string(++texts);
}

Settings square(const Catalog& catalog, long size) {
  Settings settings = *open_kernel(catalog, kKernel).settings;
  settings.arguments = {{"nx", std::to_string(size)}, {"ny", std::to_string(size)}};
  return settings;
}

void BM_ParameterToPicture(benchmark::State& state) {
  Session session(load_catalog(LANESCOPE_SOURCE_DIR "/kernels"));
  session.apply(square(session.catalog(), state.range(0)));
  session.wait(true);
  const std::string text = session.settings().text;
  int padding = 0;
  for (auto _ : state) {
    state.PauseTiming();
    session.apply(Action(SetText{fresh(text)}));
    session.wait(false);
    state.ResumeTiming();
    session.apply(SetParameter{"PAD", std::to_string(padding = (padding + 1) % 33)});
    session.wait(false);
  }
  if (!session.picture() || session.status().stale) state.SkipWithError("no picture");
  state.counters["compile_ms"] = session.picture()->prepared->compile_ms;
  state.counters["run_ms"] = session.picture()->run_ms;
}
BENCHMARK(BM_ParameterToPicture)
    ->Arg(1024)
    ->Arg(4096)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void BM_PrepareWarm(benchmark::State& state) {
  Settings settings = square(load_catalog(LANESCOPE_SOURCE_DIR "/kernels"), 64);
  const std::string text = settings.text;
  double compile_ms = 0;
  for (auto _ : state) {
    settings.text = fresh(text);
    const PrepareResult result = prepare(settings);
    if (!result.ready) return state.SkipWithError("does not compile");
    compile_ms += result.ready->prepared->compile_ms;
  }
  state.counters["compile_ms"] = benchmark::Counter(compile_ms, benchmark::Counter::kAvgIterations);
}
BENCHMARK(BM_PrepareWarm)->Unit(benchmark::kMillisecond);

void BM_GemmByProof(benchmark::State& state) {
  const Catalog catalog = load_catalog(LANESCOPE_SOURCE_DIR "/kernels");
  Settings settings = *open_kernel(catalog, "gemm/01_block_tiled").settings;
  for (const char* extent : {"M", "N", "K"})
    settings.arguments[extent] = std::to_string(state.range(0));
  const PrepareResult result = prepare(settings);
  if (!result.ready) return state.SkipWithError("does not compile");
  std::uint64_t classes = 0;
  for (auto _ : state) classes = result.ready->count({}).coverage.classes;
  if (classes == 0) state.SkipWithError("not proved");
}
BENCHMARK(BM_GemmByProof)->Arg(1024)->Arg(4096)->Unit(benchmark::kMillisecond);

PicturePtr gemm(Session& session) {
  session.apply(*open_kernel(session.catalog(), "gemm/01_block_tiled").settings);
  session.wait(false);
  return session.picture();
}

void BM_IndexOfTheGemmBlock(benchmark::State& state) {
  Session session(load_catalog(LANESCOPE_SOURCE_DIR "/kernels"));
  const PicturePtr picture = gemm(session);
  std::size_t steps = 0;
  for (const WarpTrack& track : picture->trace()->warps) steps += track.size();
  for (auto _ : state) benchmark::DoNotOptimize(TraceIndex(picture->kernel(), *picture->trace()));
  state.counters["steps"] = static_cast<double>(steps);
}
BENCHMARK(BM_IndexOfTheGemmBlock)->Unit(benchmark::kMillisecond);

// What a step costs near the end of a long trace: the chains of all lanes, and the variables.
void BM_StepLateInTheGemmBlock(benchmark::State& state) {
  Session session(load_catalog(LANESCOPE_SOURCE_DIR "/kernels"));
  const PicturePtr picture = gemm(session);
  const WarpTrack& track = picture->trace()->warps[0];
  Selection selection;
  const std::size_t late = track.size() * 9 / 10;
  selection.step = late;
  std::size_t links = 0;
  for (auto _ : state) {
    move_step(*picture, selection, StepMove::forward);
    for (selection.lane = 0; selection.lane < kLanes; ++selection.lane)
      links += chain_of(*picture, selection).size();
    benchmark::DoNotOptimize(
        variables_at(*picture->index, picture->kernel(), *picture->trace(), 0, selection.step));
    if (selection.step > late + 1000) selection.step = late;
  }
  state.counters["links"] =
      benchmark::Counter(static_cast<double>(links), benchmark::Counter::kAvgIterations);
}
BENCHMARK(BM_StepLateInTheGemmBlock)->Unit(benchmark::kMillisecond);

// One key after another in the text of the kernel whose block is the longest trace of all.
void BM_KeystrokeInGemm(benchmark::State& state) {
  Session session(load_catalog(LANESCOPE_SOURCE_DIR "/kernels"));
  gemm(session);
  const std::string text = session.settings().text;
  double compile_ms = 0, run_ms = 0;
  for (auto _ : state) {
    session.apply(Action(SetText{fresh(text)}));
    session.wait(false);
    compile_ms += session.picture()->prepared->compile_ms;
    run_ms += session.picture()->run_ms;
  }
  if (session.status().stale) state.SkipWithError("no picture");
  state.counters["compile_ms"] = benchmark::Counter(compile_ms, benchmark::Counter::kAvgIterations);
  state.counters["run_ms"] = benchmark::Counter(run_ms, benchmark::Counter::kAvgIterations);
  state.counters["rows"] = static_cast<double>(session.picture()->trace()->rows.size());
}
BENCHMARK(BM_KeystrokeInGemm)->Unit(benchmark::kMillisecond)->UseRealTime();

// From a key typed into the text to the new picture of the inspected block, as the editor hands it
// over, while the whole-grid run of the text before is still going on. The editor's own pause of 15
// ms comes on top. The time is that of all kernels once; the counters are of single ones.
void BM_KeystrokeToPicture(benchmark::State& state) {
  Session session(load_catalog(LANESCOPE_SOURCE_DIR "/kernels"));
  std::vector<double> medians;
  std::string slowest;
  double worst = 0;
  int over = 0;
  for (auto _ : state) {
    for (const CatalogEntry& entry : session.catalog().entries) {
      if (entry.family == "broken") continue;
      session.apply(Action(SelectKernel{entry.name}));
      session.wait(false);
      std::vector<double> times;
      for (int key = 0; key < 9; ++key) {
        const auto start = std::chrono::steady_clock::now();
        session.apply(Action(SetText{fresh(entry.text)}));
        session.wait(false);
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count());
        if (!session.picture() || session.status().stale) return state.SkipWithError("no picture");
      }
      std::nth_element(times.begin(), times.begin() + 4, times.end());
      medians.push_back(times[4]);
      over += times[4] > 50;
      if (times[4] > worst) worst = times[4], slowest = entry.name;
    }
  }
  std::nth_element(medians.begin(), medians.begin() + static_cast<long>(medians.size() / 2),
                   medians.end());
  state.counters["median_ms"] = medians[medians.size() / 2];
  state.counters["slowest_ms"] = worst;
  state.counters["kernels"] = static_cast<double>(medians.size());
  state.counters["over_50_ms"] = over;
  state.SetLabel("slowest: " + slowest);
}
BENCHMARK(BM_KeystrokeToPicture)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);

}  // namespace
}  // namespace lanescope::app

// From a change of a parameter to the new picture of the inspected block, as a slider drag does it:
// each change cancels the whole-grid run of the one before.
#include <benchmark/benchmark.h>

#include <string>

#include "session/job.h"
#include "session/session.h"

namespace lanescope::app {
namespace {

const char* const kKernel = "transpose/04_shared_tile_padded";

Settings square(const Catalog& catalog, long size) {
  Settings settings = *open_kernel(catalog, kKernel).settings;
  settings.arguments = {{"nx", std::to_string(size)}, {"ny", std::to_string(size)}};
  return settings;
}

void BM_ParameterToPicture(benchmark::State& state) {
  Session session(load_catalog(LANESCOPE_SOURCE_DIR "/kernels"));
  session.apply(square(session.catalog(), state.range(0)));
  session.wait(true);
  int padding = 0;
  for (auto _ : state) {
    session.apply(SetParameter{"PAD", std::to_string(padding = (padding + 1) % 33)});
    session.wait(false);
  }
  if (!session.picture() || session.status().stale) state.SkipWithError("no picture");
  state.counters["compile_ms"] = session.picture()->compile_ms;
  state.counters["run_ms"] = session.picture()->run_ms;
}
BENCHMARK(BM_ParameterToPicture)
    ->Arg(1024)
    ->Arg(4096)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void BM_PrepareWarm(benchmark::State& state) {
  const Settings settings = square(load_catalog(LANESCOPE_SOURCE_DIR "/kernels"), 64);
  double compile_ms = 0;
  for (auto _ : state) {
    const JobResult result = prepare(settings);
    if (!result.job) return state.SkipWithError("does not compile");
    compile_ms += result.job->compile_ms;
  }
  state.counters["compile_ms"] = benchmark::Counter(compile_ms, benchmark::Counter::kAvgIterations);
}
BENCHMARK(BM_PrepareWarm)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lanescope::app

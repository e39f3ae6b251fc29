// The same transpose in OpenCL under PoCL, which counts nothing, beside ours, which counts: in one run.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "lanescope/compile.h"
#include "lanescope/run.h"
#include "run/bench_texts.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kSide = 32768;

/// 0 when it cannot be run.
double pocl_seconds() {
  const std::string command = LANESCOPE_POCL_TRANSPOSE " 2> /dev/null";
  FILE* out = popen(command.c_str(), "r");
  double seconds = 0;
  if (out == nullptr || std::fscanf(out, "%lf", &seconds) != 1) seconds = 0;
  if (out != nullptr) pclose(out);
  return seconds;
}

void BM_AgainstPocl(benchmark::State& state) {
  CompileRequest request;
  request.text = kernel_text("transpose/04_shared_tile_padded");
  request.kernel = "transpose_shared_tile_padded<float>";
  const CompileResult compiled = compile(request);
  if (!compiled.program) return state.SkipWithError("does not compile");
  const std::string side = std::to_string(kSide);
  const Launch launch{{kSide / 32, kSide / 32, 1},
                      {32, 32, 1},
                      0,
                      {{"in", "", "in"}, {"out", "", "out"}, {"nx", side, ""}, {"ny", side, ""}}};
  double theirs = 0, counts = 0, data = 0;
  for (auto _ : state) {
    theirs = pocl_seconds();
    GlobalMemory memory;
    for (const char* name : {"in", "out"})
      if (memory.add({name, ScalarType::f32, std::uint64_t{kSide} * kSide, Fill::index, true}))
        return state.SkipWithError("not enough memory");
    auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(count(*compiled.program, launch, memory, {.every_block = true}));
    counts = seconds_since(start);
    memory.complete();
    start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(execute(*compiled.program, launch, memory, {}));
    data = seconds_since(start);
  }
  if (theirs == 0)
    return state.SkipWithError(
        "no OpenCL device for the CPU (Debian packages ocl-icd-libopencl1, pocl-opencl-icd)");
  state.SetLabel("32 x 32 padded transpose of 32768 x 32768, every block, all cores");
  state.counters["pocl_s"] = theirs;
  state.counters["counting_s"] = counts;
  state.counters["with_data_s"] = data;
  state.counters["counting_to_pocl"] = counts / theirs;
  state.counters["with_data_to_pocl"] = data / theirs;
}
BENCHMARK(BM_AgainstPocl)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lanescope

// What the engine costs: throughput of the interpreter, compilation, one recorded block, whole
// grids by classes, and the same kernel under Oclgrind where that is installed. Nothing here is
// asserted.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "lanescope/compile.h"
#include "lanescope/run.h"
#include "run/bench_texts.h"

namespace lanescope {
namespace {

struct Case {
  const char* file;
  const char* kernel;
  Dim3 block;
  /// Elements a block covers
  std::uint32_t tile_x, tile_y;
};
const Case kCases[] = {
    {"transpose/04_shared_tile_padded", "transpose_shared_tile_padded<float>", {32, 32, 1}, 32, 32},
    {"transpose/03_shared_tile", "transpose_shared_tile<float>", {32, 32, 1}, 32, 32},
    {"transpose/05_remapped", "transpose_remapped<float>", {32, 8, 1}, 32, 8},
    {"transpose/10_coarsened", "transpose_coarsened<float>", {32, 8, 1}, 32, 32},
    {"transpose/01_naive_row", "transpose_naive_row<float>", {32, 8, 1}, 32, 8},
    {"transpose/20_fastest", "transpose_fastest", {256, 1, 1}, 64, 64},
};

CompileRequest request_of(const Case& c) {
  CompileRequest request;
  request.file = c.file;
  request.text = kernel_text(c.file);
  request.kernel = c.kernel;
  return request;
}

Launch launch_of(const Case& c, std::uint32_t n) {
  Launch launch;
  launch.block = c.block;
  launch.grid = {(n + c.tile_x - 1) / c.tile_x, (n + c.tile_y - 1) / c.tile_y, 1};
  launch.arguments = {{"in", "", "in"},
                      {"out", "", "out"},
                      {"nx", std::to_string(n), ""},
                      {"ny", std::to_string(n), ""}};
  return launch;
}

bool add_buffers(GlobalMemory& memory, std::uint64_t n) {
  return !memory.add({"in", ScalarType::f32, n * n, Fill::index, true}) &&
         !memory.add({"out", ScalarType::f32, n * n, Fill::zero, true});
}

void BM_Interpreter(benchmark::State& state) {
  const Case& c = kCases[state.range(0)];
  const CompileResult compiled = compile(request_of(c));
  GlobalMemory memory;
  if (!compiled.program || !add_buffers(memory, 4096)) return state.SkipWithError("cannot run");
  const ExecuteRequest request{.threads = 1, .control = {.engine = Engine::interpreter}};
  const Launch launch = launch_of(c, 4096);
  std::uint64_t instructions = 0;
  for (auto _ : state)
    instructions += execute(*compiled.program, launch, memory, request).warp_instructions;
  state.SetLabel(std::string(c.file) + ", 4096 x 4096, one core, counters on");
  state.counters["warp_instructions"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_Interpreter)
    ->DenseRange(0, std::size(kCases) - 1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void BM_CompileWarm(benchmark::State& state) {
  const CompileRequest request = request_of(kCases[state.range(0)]);
  compile(request);
  for (auto _ : state) benchmark::DoNotOptimize(compile(request).program);
  state.SetLabel(kCases[state.range(0)].file);
}
BENCHMARK(BM_CompileWarm)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void BM_RecordOneBlock(benchmark::State& state) {
  const Case& c = kCases[0];
  const CompileResult compiled = compile(request_of(c));
  GlobalMemory memory;
  if (!compiled.program || !add_buffers(memory, 4096)) return state.SkipWithError("cannot run");
  const InspectRequest request{.blocks = {{1, 1, 0}}};
  const Launch launch = launch_of(c, 4096);
  for (auto _ : state)
    benchmark::DoNotOptimize(inspect(*compiled.program, launch, memory, request).traces);
}
BENCHMARK(BM_RecordOneBlock)->Unit(benchmark::kMillisecond);

void BM_WholeGridByClasses(benchmark::State& state) {
  const Case& c = kCases[state.range(0)];
  const auto n = static_cast<std::uint32_t>(state.range(1));
  const CompileResult compiled = compile(request_of(c));
  GlobalMemory memory;
  if (!compiled.program || !add_buffers(memory, n)) return state.SkipWithError("cannot run");
  const Launch launch = launch_of(c, n);
  std::uint64_t classes = 0;
  for (auto _ : state) classes = count(*compiled.program, launch, memory, {}).coverage.classes;
  state.SetLabel(std::string(c.file) + ", exact counts of the whole grid");
  state.counters["classes"] = static_cast<double>(classes);
}
BENCHMARK(BM_WholeGridByClasses)
    ->ArgsProduct({{0, 2, 3, 5}, {32767, 32768}})
    ->Unit(benchmark::kMillisecond);

void BM_EveryBlockWithoutData(benchmark::State& state) {
  const Case& c = kCases[state.range(0)];
  const CompileResult compiled = compile(request_of(c));
  GlobalMemory memory;
  if (!compiled.program || !add_buffers(memory, 32768)) return state.SkipWithError("cannot run");
  const CountRequest request{.every_block = true};
  const Launch launch = launch_of(c, 32768);
  std::uint64_t instructions = 0;
  for (auto _ : state)
    instructions += count(*compiled.program, launch, memory, request).warp_instructions;
  state.SetLabel(std::string(c.file) + ", 32768 x 32768, every block, all cores, no data");
  state.counters["warp_instructions"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_EveryBlockWithoutData)
    ->Arg(0)
    ->Arg(3)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->UseRealTime();

// ---- the same kernel, in OpenCL, under Oclgrind ----

double seconds(const std::function<void()>& what) {
  const auto start = std::chrono::steady_clock::now();
  what();
  return seconds_since(start);
}

/// Seconds Oclgrind takes for an n × n transpose, start-up included.
double oclgrind_seconds(const std::filesystem::path& folder, int n) {
  const std::string side = std::to_string(n), bytes = std::to_string(4l * n * n);
  std::ofstream(folder / "t.cl") << kOpenClTranspose;
  std::ofstream(folder / "t.sim") << "t.cl\ntranspose\n"
                                  << side << ' ' << side << " 1\n32 32 1\n<size=" << bytes
                                  << " float range=0:1:" << n * n - 1 << ">\n<size=" << bytes
                                  << " float fill=0>\n<size=4 int>\n"
                                  << side << "\n<size=4 int>\n"
                                  << side << '\n';
  const std::string command =
      "cd '" + folder.string() + "' && oclgrind-kernel --num-threads 1 t.sim > out.txt 2>&1";
  return seconds([&] {
    if (std::system(command.c_str()) != 0) std::fputs("oclgrind-kernel failed\n", stderr);
  });
}

void BM_AgainstOclgrind(benchmark::State& state) {
  if (std::system("command -v oclgrind-kernel > /dev/null 2>&1") != 0)
    return state.SkipWithError("Oclgrind is not installed (Debian package oclgrind)");
  const auto folder = std::filesystem::temp_directory_path() / "lanescope-oclgrind";
  std::filesystem::create_directories(folder);
  const Case& c = kCases[0];
  const CompileResult compiled = compile(request_of(c));
  GlobalMemory memory;
  if (!compiled.program || !add_buffers(memory, 512)) return state.SkipWithError("cannot run");
  const ExecuteRequest request{.threads = 1};
  const Launch launch = launch_of(c, 512);
  execute(*compiled.program, launch, memory, request);
  double ours = 0, theirs = 0;
  for (auto _ : state) {
    ours = 1e9;
    for (int i = 0; i < 10; ++i)
      ours = std::min(ours, seconds([&] { execute(*compiled.program, launch, memory, request); }));
    theirs = oclgrind_seconds(folder, 512) - oclgrind_seconds(folder, 32);  // without its start-up
  }
  std::filesystem::remove_all(folder);
  state.SetLabel("32 x 32 padded transpose of 512 x 512, one core each");
  state.counters["ours_ms"] = 1e3 * ours;
  state.counters["oclgrind_ms"] = 1e3 * theirs;
  state.counters["times_faster"] = theirs / ours;
}
BENCHMARK(BM_AgainstOclgrind)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lanescope

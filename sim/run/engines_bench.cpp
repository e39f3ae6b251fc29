// Machine code beside the interpreter: the same launches, counters on, in one run. Nothing is asserted.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "lanescope/compile.h"
#include "lanescope/run.h"
#include "run/bench_texts.h"

namespace lanescope {
namespace {

constexpr const char* kHistogram = R"(
__global__ void histogram(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[in[i] >> 24], 1u);
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = bins[threadIdx.x];
})";
constexpr const char* kReduction = R"(
__global__ void reduction(const float* in, float* out, int n) {
  __shared__ float sums[256];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
})";
constexpr const char* kScan = R"(
__global__ void scan(const int* in, int* out, int n) {
  __shared__ int sums[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int before = threadIdx.x >= d ? sums[threadIdx.x - d] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
  if (i < n) out[i] = sums[threadIdx.x];
})";
constexpr const char* kSort = R"(
__global__ void bitonic_sort(const int* in, int* out, int n) {
  __shared__ int keys[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  keys[threadIdx.x] = in[i % n];
  __syncthreads();
  for (int k = 2; k <= blockDim.x; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int other = threadIdx.x ^ j;
      if (other > threadIdx.x) {
        int a = keys[threadIdx.x], b = keys[other];
        if ((a > b) == ((threadIdx.x & k) == 0)) keys[threadIdx.x] = b, keys[other] = a;
      }
      __syncthreads();
    }
  if (i < n) out[i] = keys[threadIdx.x];
})";

struct Work {
  std::string name, text, kernel;
  Launch launch;
  std::vector<BufferSpec> buffers;
};

Work of_text(const std::string& name, const char* text, ScalarType element, Dim3 grid) {
  constexpr std::uint64_t kCount = 4u << 20;
  const std::string n = std::to_string(kCount);
  return {name,
          text,
          "",
          {grid, {256, 1, 1}, 0, {{"in", "", "in"}, {"out", "", "out"}, {"n", n, ""}}},
          {{"in", element, kCount, Fill::random}, {"out", element, kCount, Fill::zero}}};
}

Work gemm(std::uint32_t n) {
  const std::string side = std::to_string(n);
  Work work{"gemm/01_block_tiled", kernel_text("gemm/01_block_tiled"), "gemm_block_tiled", {}, {}};
  work.launch = {{n / 64, n / 64, 1},
                 {64, 1, 1},
                 0,
                 {{"A", "", "A"},
                  {"B", "", "B"},
                  {"C", "", "C"},
                  {"M", side, ""},
                  {"N", side, ""},
                  {"K", side, ""}}};
  for (const char* name : {"A", "B", "C"})
    work.buffers.push_back({name, ScalarType::f32, std::uint64_t{n} * n, Fill::random});
  return work;
}

Work transpose(const std::string& file, const std::string& kernel, Dim3 block, Dim3 tile) {
  constexpr std::uint32_t kSide = 4096;
  const std::string side = std::to_string(kSide);
  Work work{file, kernel_text(file), kernel, {}, {}};
  work.launch = {{kSide / tile.x, kSide / tile.y, 1},
                 block,
                 0,
                 {{"in", "", "in"}, {"out", "", "out"}, {"nx", side, ""}, {"ny", side, ""}}};
  for (const char* name : {"in", "out"})
    work.buffers.push_back({name, ScalarType::f32, std::uint64_t{kSide} * kSide, Fill::index});
  return work;
}

const std::vector<Work>& all_work() {
  static const std::vector<Work> all{
      gemm(512),
      transpose("transpose/01_naive_row", "transpose_naive_row<float>", {32, 8, 1}, {32, 8, 1}),
      transpose("transpose/04_shared_tile_padded", "transpose_shared_tile_padded<float>",
                {32, 32, 1}, {32, 32, 1}),
      transpose("transpose/05_remapped", "transpose_remapped<float>", {32, 8, 1}, {32, 8, 1}),
      transpose("transpose/20_fastest", "transpose_fastest", {256, 1, 1}, {64, 64, 1}),
      of_text("histogram", kHistogram, ScalarType::u32, {1024, 1, 1}),
      of_text("reduction", kReduction, ScalarType::f32, {1024, 1, 1}),
      of_text("scan", kScan, ScalarType::i32, {16384, 1, 1}),
      of_text("sort", kSort, ScalarType::i32, {16384, 1, 1}),
  };
  return all;
}

/// Of all threads: other load on the machine changes it less than it does the time that passes.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Warp instructions a second of processor time, the best of a few runs: of short ones more.
double speed(const Program& program, const Work& work, Engine engine, unsigned threads) {
  GlobalMemory memory;
  for (const BufferSpec& buffer : work.buffers)
    if (memory.add(buffer)) return 0;
  const ExecuteRequest request{.threads = threads, .control = {.engine = engine}};
  double best = 0, all = 0;
  for (int i = 0; i < 3 || (i < 100 && all < 1); ++i) {
    const double start = processor_seconds();
    const RunResult result = execute(program, work.launch, memory, request);
    const double took = processor_seconds() - start;
    if (!result.ok()) return 0;
    all += took;
    best = std::max(best, static_cast<double>(result.warp_instructions) / took);
  }
  return best;
}

/// Code is made in the first of the runs, and the others are timed: see BM_MachineCodeIsMade for that.
void BM_MachineCodeAgainstInterpreter(benchmark::State& state) {
  const Work& work = all_work()[static_cast<std::size_t>(state.range(0))];
  CompileRequest request;
  request.file = work.name;
  request.text = work.text;
  request.kernel = work.kernel;
  const CompileResult compiled = compile(request);
  if (!compiled.program) return state.SkipWithError("does not compile");
  double code = 0, interpreter = 0;
  for (auto _ : state) {
    interpreter = speed(*compiled.program, work, Engine::interpreter, 0);
    code = speed(*compiled.program, work, Engine::compiled, 0);
  }
  if (code == 0 || interpreter == 0) return state.SkipWithError("cannot run");
  state.SetLabel(work.name + ", all cores, counters on");
  state.counters["interpreter_M_per_s"] = interpreter / 1e6;
  state.counters["machine_code_M_per_s"] = code / 1e6;
  state.counters["times_faster"] = code / interpreter;
}
BENCHMARK(BM_MachineCodeAgainstInterpreter)
    ->DenseRange(0, 8)
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lanescope

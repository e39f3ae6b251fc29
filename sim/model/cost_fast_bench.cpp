// How long the models take for one access.
#include <benchmark/benchmark.h>

#include <random>

#include "model/cost_fast.h"

namespace lanescope {
namespace {

std::array<std::uint32_t, kLanes> offsets(int shape) {
  std::mt19937 noise(7);
  std::array<std::uint32_t, kLanes> offset;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    if (shape == 0) offset[lane] = lane * 132;
    if (shape == 1) offset[lane] = lane % 16 * 4 + lane / 16 * 68;
    if (shape == 2) offset[lane] = lane % 8 * 4 + lane / 8 * 36;
    if (shape == 3) offset[lane] = noise() % 12288 * 4;
  }
  return offset;
}

void shared_access(benchmark::State& state) {
  const auto offset = offsets(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(offset.data());
    benchmark::ClobberMemory();
    benchmark::DoNotOptimize(cost::shared(offset.data(), kAllLanes, 4, true));
  }
}
BENCHMARK(shared_access)->ArgName("shape")->DenseRange(0, 3);

void global_access(benchmark::State& state) {
  const auto offset = offsets(static_cast<int>(state.range(0)));
  std::array<std::uint64_t, kLanes> address;
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    address[lane] = (1ull << 36) + offset[lane] * 8ull;
  for (auto _ : state) {
    benchmark::DoNotOptimize(address.data());
    benchmark::ClobberMemory();
    benchmark::DoNotOptimize(
        cost::global(address.data(), static_cast<LaneMask>(state.range(1)), 4));
  }
}
BENCHMARK(global_access)
    ->ArgNames({"shape", "mask"})
    ->ArgsProduct({{0, 1, 2, 3}, {0xffffffff, 0x0fffffff}});

}  // namespace
}  // namespace lanescope

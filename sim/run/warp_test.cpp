// What the lanes of a warp and the threads of a block do together: shuffles, votes, barriers that
// count, atomics, cooperative groups, asynchronous copies.
#include <algorithm>
#include <bit>

#include "run/run_text.h"

namespace lanescope {
namespace {

std::vector<int> any_numbers(std::size_t n) {
  std::vector<int> values(n);
  std::uint32_t seed = 99;
  for (int& v : values) v = static_cast<int>((seed = seed * 1664525u + 1013904223u) >> 8) % 1000;
  return values;
}

// ---- shuffles ----

struct Shuffle {
  const char* name;
  const char* call;
  int width;
  /// Lane whose value arrives
  int (*from)(int lane, int t, int width);
};
class Shuffles : public testing::TestWithParam<Shuffle> {};

// CUDA C++ Programming Guide, "Warp Shuffle Functions": a source outside the segment leaves the own
// value.
const Shuffle kShuffles[] = {
    {"idx", "__shfl_sync(0xffffffffu, v, t * 5", 32, [](int, int t, int) { return t * 5 % 32; }},
    {"idx8", "__shfl_sync(0xffffffffu, v, t * 5", 8,
     [](int lane, int t, int w) { return lane / w * w + t * 5 % w; }},
    {"up", "__shfl_up_sync(0xffffffffu, v, 3", 32,
     [](int lane, int, int) { return lane >= 3 ? lane - 3 : lane; }},
    {"up16", "__shfl_up_sync(0xffffffffu, v, 5", 16,
     [](int lane, int, int w) { return lane % w >= 5 ? lane - 5 : lane; }},
    {"down", "__shfl_down_sync(0xffffffffu, v, 16", 32,
     [](int lane, int, int) { return lane + 16 < 32 ? lane + 16 : lane; }},
    {"down4", "__shfl_down_sync(0xffffffffu, v, 1", 4,
     [](int lane, int, int w) { return lane % w + 1 < w ? lane + 1 : lane; }},
    {"xor", "__shfl_xor_sync(0xffffffffu, v, 21", 32, [](int lane, int, int) { return lane ^ 21; }},
    {"xor2", "__shfl_xor_sync(0xffffffffu, v, 1", 2, [](int lane, int, int) { return lane ^ 1; }},
    {"xor8", "__shfl_xor_sync(0xffffffffu, v, 8", 8,
     [](int lane, int, int w) { return (lane ^ 8) < lane / w * w + w ? lane ^ 8 : lane; }},
};

TEST_P(Shuffles, MoveEveryWidthOfValue) {
  const Shuffle& s = GetParam();
  const std::vector<int> in = any_numbers(64);
  const auto run_as = [&]<class T>(T, const std::string& type) {
    const std::string text = "__global__ void k(const int* in, " + type +
                             "* out) { int t = threadIdx.x; " + type + " v = (" + type +
                             ")in[t] * 3; out[t] = " + s.call + ", " + std::to_string(s.width) +
                             "); }";
    const Outcome outcome =
        run_text(text, "k", {1, 1, 1}, {64, 1, 1}, {data("in", in), buffer<T>("out", 64)});
    expect_each<T>(outcome, "out", [&](std::size_t i) {
      const int t = static_cast<int>(i);
      return static_cast<T>(
                 in[static_cast<std::size_t>(t / 32 * 32 + s.from(t % 32, t, s.width))]) *
             3;
    });
  };
  run_as(int{}, "int");
  run_as(float{}, "float");
  run_as(double{}, "double");
  run_as(0ull, "unsigned long long");
}
INSTANTIATE_TEST_SUITE_P(All, Shuffles, testing::ValuesIn(kShuffles),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Shuffles, ReduceAndScan) {
  const char* text = R"(
__global__ void k(const int* in, int* total, int* prefix) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize, v = in[t], sum = v, scan = v;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  for (int d = 1; d < 32; d *= 2) { int left = __shfl_up_sync(~0u, scan, d); if (lane >= d) scan += left; }
  if (lane == 0) total[t / 32] = sum;
  prefix[t] = scan;
})";
  const std::vector<int> in = any_numbers(256);
  const Outcome outcome =
      run_text(text, "k", {2, 1, 1}, {128, 1, 1},
               {data("in", in), buffer<int>("total", 8), buffer<int>("prefix", 256)});
  const auto sum = [&](std::size_t from, std::size_t to) {
    int s = 0;
    for (; from < to; ++from) s += in[from];
    return s;
  };
  expect_each<int>(outcome, "total", [&](std::size_t i) { return sum(i * 32, i * 32 + 32); });
  expect_each<int>(outcome, "prefix", [&](std::size_t i) { return sum(i / 32 * 32, i + 1); });
}

TEST(Shuffles, UnderDivergenceWithTheRightMask) {
  const char* text = R"(
__global__ void k(int* out) {
  int t = threadIdx.x, v = t * 10, r = -1;
  if (t % 2) r = __shfl_xor_sync(0xaaaaaaaau, v, 2); else r = __shfl_sync(0x55555555u, v, 0);
  if (t < 8) r += __shfl_down_sync(0x000000ffu, v, 1, 8);
  out[t] = r;
})";
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {32, 1, 1}, {buffer<int>("out", 32)});
  expect_each<int>(outcome, "out", [](std::size_t i) {
    const int t = static_cast<int>(i), r = t % 2 != 0 ? (t ^ 2) * 10 : 0;
    return t < 8 ? r + (t < 7 ? t + 1 : t) * 10 : r;
  });
}

// Threads that have ended need not take part (CUDA C++ Programming Guide: "all non-exited threads
// named in mask").
TEST(Shuffles, AfterAnEarlyReturnTheFullMaskIsRight) {
  const char* text = R"(
__global__ void k(int* out, int n) {
  int t = threadIdx.x;
  if (t >= n) return;
  out[t] = __ballot_sync(0xffffffffu, t % 2) + __shfl_sync(0xffffffffu, t, 0);
})";
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {64, 1, 1}, {buffer<int>("out", 50), scalar("n", 50)});
  expect_each<int>(outcome, "out", [](std::size_t t) {
    return t < 32 ? static_cast<int>(0xaaaaaaaau) : 0x2aaaa + 32;
  });
}

// ---- votes ----

TEST(Votes, BallotAnyAllMatchAndActiveMask) {
  const char* text = R"(
__global__ void k(const int* in, unsigned* out) {
  int t = threadIdx.x, v = in[t]; unsigned* o = out + t * 8;
  o[0] = __ballot_sync(~0u, v > 500); o[1] = __any_sync(~0u, v > 990); o[2] = __all_sync(~0u, v >= 0); o[3] = __match_any_sync(~0u, v % 4);
  o[4] = o[5] = o[6] = 0;
  if (t % 3 == 0) { unsigned m = __activemask(); o[4] = m; o[5] = __ballot_sync(m, t % 2); __syncwarp(m); o[6] = __all_sync(m, t % 3 == 0); }
  o[7] = __popc(__ballot_sync(~0u, v % 2) & ((1u << t % 32) - 1));
})";
  const std::vector<int> in = any_numbers(64);
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {64, 1, 1}, {data("in", in), buffer<unsigned>("out", 64 * 8)});
  expect_each<unsigned>(outcome, "out", [&](std::size_t i) -> unsigned {
    const std::size_t t = i / 8, first = t / 32 * 32;
    const auto mask_where = [&](auto test) {
      unsigned m = 0;
      for (std::size_t l = 0; l < 32; ++l) m |= static_cast<unsigned>(test(first + l)) << l;
      return m;
    };
    const unsigned thirds = mask_where([](std::size_t x) { return x % 3 == 0; });
    switch (i % 8) {
    case 0:
      return mask_where([&](std::size_t x) { return in[x] > 500; });
    case 1:
      return mask_where([&](std::size_t x) { return in[x] > 990; }) != 0;
    case 2:
      return 1;
    case 3:
      return mask_where([&](std::size_t x) { return in[x] % 4 == in[t] % 4; });
    case 4:
      return t % 3 == 0 ? thirds : 0;
    case 5:
      return t % 3 == 0 ? thirds & mask_where([](std::size_t x) { return x % 2 == 1; }) : 0;
    case 6:
      return t % 3 == 0;
    default:
      return static_cast<unsigned>(std::popcount(
          mask_where([&](std::size_t x) { return in[x] % 2 != 0; }) & ((1u << t % 32) - 1)));
    }
  });
}

TEST(Votes, BarriersThatCountSeeTheWholeBlock) {
  const char* text = R"(
__global__ void k(const int* in, int* out) {
  int t = threadIdx.x, v = in[blockIdx.x * blockDim.x + t]; int* o = out + (blockIdx.x * blockDim.x + t) * 4;
  int twice = v * 2;
  o[0] = __syncthreads_count(v > 700); o[1] = __syncthreads_or(v > 985); o[2] = __syncthreads_and(v > 5);
  o[3] = __syncthreads_count(twice > 1000 && t % 2);
})";
  const std::vector<int> in = any_numbers(300);
  const Outcome outcome =
      run_text(text, "k", {3, 1, 1}, {100, 1, 1}, {data("in", in), buffer<int>("out", 1200)});
  expect_each<int>(outcome, "out", [&](std::size_t i) -> int {
    const auto begin = in.begin() + static_cast<long>(i / 400 * 100), end = begin + 100;
    switch (i % 4) {
    case 0:
      return static_cast<int>(std::count_if(begin, end, [](int v) { return v > 700; }));
    case 1:
      return std::any_of(begin, end, [](int v) { return v > 985; });
    case 2:
      return std::all_of(begin, end, [](int v) { return v > 5; });
    default: {
      int count = 0;
      for (auto it = begin; it != end; ++it) count += *it * 2 > 1000 && (it - begin) % 2 == 1;
      return count;
    }
    }
  });
}

// ---- atomics ----

TEST(Atomics, EveryOperationOnGlobalAndShared) {
  const char* text = R"(
template <class T> __device__ void all(T* a, T v) {
  atomicAdd(&a[0], v); atomicSub(&a[1], v); atomicMin(&a[2], v); atomicMax(&a[3], v); atomicAnd(&a[4], v | 64); atomicOr(&a[5], v); atomicXor(&a[6], v);
  atomicInc((unsigned*)&a[7], 20u); atomicDec((unsigned*)&a[8], 20u);
  T seen = a[9], old; do { old = seen; seen = atomicCAS(&a[9], old, old + v * 3); } while (seen != old);
}
__global__ void k(const int* in, int* out, unsigned* uout) {
  __shared__ int s[10]; __shared__ unsigned u[10];
  int t = threadIdx.x;
  if (t < 10) { s[t] = t == 2 ? 5000 : t == 4 ? -1 : 0; u[t] = t == 2 ? 5000 : t == 4 ? ~0u : 0; }
  __syncthreads();
  all(s, in[t]); all(out, in[t]); all(u, (unsigned)in[t]); all(uout, (unsigned)in[t]);
  __syncthreads();
  if (t < 10) { out[10 + t] = s[t]; uout[10 + t] = u[t]; }
})";
  const std::vector<int> in = any_numbers(96);
  std::vector<int> start(20, 0);
  start[2] = 5000, start[4] = -1;
  const std::vector<unsigned> ustart(start.begin(), start.end());
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {96, 1, 1},
                                   {data("in", in), data("out", start), data("uout", ustart)});
  const auto want = [&](std::size_t i) {
    int a[10] = {0, 0, 5000, 0, -1};
    for (const int v : in) {
      a[0] += v, a[1] -= v, a[2] = std::min(a[2], v), a[3] = std::max(a[3], v), a[4] &= v | 64,
                            a[5] |= v, a[6] ^= v;
      a[7] = a[7] >= 20 ? 0 : a[7] + 1, a[8] = a[8] == 0 || a[8] > 20 ? 20 : a[8] - 1,
      a[9] += v * 3;
    }
    return a[i % 10];
  };
  expect_each<int>(outcome, "out", want);
  expect_each<unsigned>(outcome, "uout",
                        [&](std::size_t i) { return static_cast<unsigned>(want(i)); });
}

TEST(Atomics, FloatsAndSixtyFourBits) {
  const char* text = R"(
__global__ void k(float* f, double* d, unsigned long long* u, int* order) {
  __shared__ float s; __shared__ unsigned long long w;
  if (threadIdx.x == 0) { s = 0; w = 1ull << 40; }
  __syncthreads();
  atomicAdd(&s, 0.5f); atomicAdd(f, 0.25f); atomicAdd(d, 0.125); atomicAdd(&w, 1ull << 33); atomicMax(u + 1, (unsigned long long)threadIdx.x << 35);
  order[atomicAdd(u, 1ull)] = 1;
  float old = atomicExch(f + 1, (float)threadIdx.x);
  unsigned long long got = atomicCAS(u + 2, 0ull, 77ull);
  __syncthreads();
  if (threadIdx.x == 0) { f[2] = s; u[3] = w; f[3] = old >= 0 && (got == 0 || got == 77); }
})";
  const Outcome outcome = run_text(
      text, "k", {1, 1, 1}, {64, 1, 1},
      {buffer<float>("f", 4, Fill::zero), buffer<double>("d", 1, Fill::zero),
       buffer<unsigned long long>("u", 4, Fill::zero), buffer<int>("order", 64, Fill::zero)});
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  const auto f = outcome.values<float>("f");
  EXPECT_EQ(f[0], 16.0f);
  EXPECT_EQ(f[2], 32.0f);
  EXPECT_EQ(f[3], 1.0f);
  EXPECT_EQ(outcome.values<double>("d")[0], 8.0);
  const auto u = outcome.values<unsigned long long>("u");
  EXPECT_EQ(u[0], 64u);
  EXPECT_EQ(u[1], 63ull << 35);
  EXPECT_EQ(u[2], 77u);
  EXPECT_EQ(u[3], (1ull << 40) + (64ull << 33));
  expect_each<int>(outcome, "order", [](std::size_t) { return 1; });
}

TEST(Atomics, AHistogramOfManyBlocksIsTheSameEveryTime) {
  const char* text =
      "__global__ void k(const int* in, unsigned* bins, float* sum, int n) { for (int i = "
      "blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { "
      "atomicAdd(&bins[in[i] % 16], 1u); atomicAdd(sum, in[i] * 0.1f); } }";
  const std::vector<int> in = any_numbers(5000);
  float first = 0;
  for (const unsigned threads : {1u, 2u, 2u}) {
    ExecuteRequest request;
    request.threads = threads;
    const Outcome outcome = run_text(text, "k", {40, 1, 1}, {64, 1, 1},
                                     {data("in", in), buffer<unsigned>("bins", 16, Fill::zero),
                                      buffer<float>("sum", 1, Fill::zero), scalar("n", 5000)},
                                     request);
    expect_each<unsigned>(outcome, "bins", [&](std::size_t b) {
      return std::count_if(in.begin(), in.end(),
                           [b](int v) { return v % 16 == static_cast<int>(b); });
    });
    const float sum = outcome.values<float>("sum")[0];
    if (first == 0) first = sum;
    EXPECT_EQ(sum, first);
  }
}

// ---- cooperative groups ----

TEST(CooperativeGroups, BlocksAndTiles) {
  const char* text = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <class G> __device__ int reduce(G g, int v) { for (int d = g.size() / 2; d > 0; d /= 2) v += g.shfl_down(v, d); return g.shfl(v, 0); }
__global__ void k(const int* in, int* out) {
  __shared__ int s[128];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int t = block.thread_rank();
  s[t] = in[t];
  cg::sync(block);
  int v = s[block.size() - 1 - t];
  tile.sync(); block.sync();
  out[t * 6] = reduce(tile, v); out[t * 6 + 1] = tile.thread_rank() + 100 * tile.meta_group_rank() + 10000 * tile.meta_group_size(); out[t * 6 + 2] = reduce(warp, v);
  out[t * 6 + 3] = tile.ballot(v > 500); out[t * 6 + 4] = tile.any(v > 900) + 2 * tile.all(v > 100); out[t * 6 + 5] = tile.shfl_xor(v, 3) + tile.shfl_up(v, 1);
})";
  const std::vector<int> in = any_numbers(128);
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {16, 8, 1}, {data("in", in), buffer<int>("out", 128 * 6)});
  expect_each<int>(outcome, "out", [&](std::size_t i) -> int {
    const std::size_t t = i / 6, first = t / 8 * 8;
    const auto v = [&](std::size_t x) { return in[127 - x]; };
    int sum = 0, ballot = 0, any = 0, all = 1, whole = 0;
    for (std::size_t l = first; l < first + 8; ++l)
      sum += v(l), ballot |= (v(l) > 500) << (l - first), any |= v(l) > 900, all &= v(l) > 100;
    for (std::size_t l = t / 32 * 32; l < t / 32 * 32 + 32; ++l) whole += v(l);
    switch (i % 6) {
    case 0:
      return sum;
    case 1:
      return static_cast<int>(t % 8 + 100 * (t / 8) + 10000 * 16);
    case 2:
      return whole;
    case 3:
      return ballot;
    case 4:
      return any + 2 * all;
    default:
      return v(t ^ 3) + v(t % 8 >= 1 ? t - 1 : t);
    }
  });
}

TEST(CooperativeGroups, MemcpyAsyncThenWait) {
  const char* text = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void k(const float* in, float* out, int n) {
  __shared__ __align__(16) float s[256];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, in + blockIdx.x * n, sizeof(float) * n);
  cg::wait(block);
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * n + i] = s[n - 1 - i];
})";
  for (const int n : {256, 64, 63, 33}) {
    const auto count = static_cast<std::uint64_t>(3 * n);
    const Outcome outcome = run_text(
        text, "k", {3, 1, 1}, {64, 1, 1},
        {buffer<float>("in", count, Fill::index), buffer<float>("out", count), scalar("n", n)});
    expect_each<float>(outcome, "out", [n](std::size_t i) {
      const int block = static_cast<int>(i) / n;
      return static_cast<float>(block * n + n - 1 - static_cast<int>(i) % n);
    });
    std::uint64_t copied = 0;
    for (const AccessInfo& access : outcome.info().accesses)
      if (access.op == AccessOp::async_copy)
        copied += outcome.result.accesses[access.id].global.bytes_asked;
    EXPECT_EQ(copied, count * 4) << n;
  }
}

TEST(Barriers, InPtxKeepWhatLivesAcrossThem) {
  const Outcome outcome =
      run_text(R"(
__global__ void k(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x, mine = t * t + out[t];
  s[t] = mine;
  asm volatile("bar.sync 0;" ::: "memory");
  out[t] = s[63 - t] + mine;
})",
               "k", {1, 1, 1}, {64, 1, 1}, {buffer<int>("out", 64, Fill::index)});
  expect_each<int>(outcome, "out", [](std::size_t at) {
    const int t = static_cast<int>(at), other = 63 - t;
    return t * t + t + other * other + other;
  });
}

}  // namespace
}  // namespace lanescope

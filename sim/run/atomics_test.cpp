// Atomics beyond the common ones, cuda::atomic, and the copies, pipelines and barriers of libcu++.
#include <array>

#include "run/nothing_wrong.h"

namespace lanescope {
namespace {

using U = std::uint32_t;
using U16 = std::uint16_t;
using I64 = std::int64_t;

TEST(Atomics, SixteenBitsSixtyFourBitsAndScopes) {
  const char* text = R"(
__global__ void k(unsigned short* narrow, long long* wide, unsigned* words, float* floats, unsigned long long* longs) {
  int t = threadIdx.x;
  // The sum of all t by compare and swap, in the upper of two that share a word.
  unsigned short old = narrow[1], seen;
  do { seen = old; old = atomicCAS(&narrow[1], seen, (unsigned short)(seen + t)); } while (old != seen);
  atomicMin(&wide[0], -(long long)t << 33); atomicMax(&wide[1], (long long)t << 33); atomicAnd(&wide[2], ~(1ll << t)); atomicXor(&wide[3], 1ll << t);
  atomicAdd_block(&words[0], 2); atomicMax_system(&words[1], t); atomicInc_block(&words[2], 9u); atomicExch_block(&words[3], 7u); atomicCAS_system(&words[4], 0u, 5u); atomicOr_block(&words[5], 1u << t);
  atomicAdd((float2*)floats, make_float2(1.0f, 0.5f)); atomicAdd((float4*)(floats + 4), make_float4(1, 2, 3, 4)); atomicAdd_system(&floats[2], 0.25f); atomicExch(&floats[3], 3.0f);
  atomicMax(&longs[0], 1ull << 63 | t); atomicCAS(&longs[1], 0ull, 1ull << 40); atomicExch(&longs[2], 9ull << 40); atomicAdd_block(&longs[3], 1ull << 32);
})";
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {32, 1, 1},
               {data("narrow", std::vector<U16>(2, 0)), data("wide", std::vector<I64>{0, 0, -1, 0}),
                data("words", std::vector<U>(6, 0)), data("floats", std::vector<float>(8, 0)),
                data("longs", std::vector<std::uint64_t>(4, 0))});
  EXPECT_TRUE(outcome.info().exchanges);
  expect_each<U16>(outcome, "narrow", [](std::size_t i) { return i * 496; });
  expect_each<I64>(outcome, "wide", [](std::size_t i) {
    return std::array<I64, 4>{-(I64{31} << 33), I64{31} << 33, ~I64{0xffffffff}, 0xffffffff}[i];
  });
  expect_each<U>(outcome, "words",
                 [](std::size_t i) { return std::array<U, 6>{64, 31, 2, 7, 5, 0xffffffffu}[i]; });
  expect_each<float>(outcome, "floats", [](std::size_t i) {
    return std::array<float, 8>{32, 16, 8, 3, 32, 64, 96, 128}[i];
  });
  expect_each<std::uint64_t>(outcome, "longs", [](std::size_t i) {
    return std::array<std::uint64_t, 4>{1ull << 63 | 31, 1ull << 40, 9ull << 40, 32ull << 32}[i];
  });
}

TEST(Atomics, OfLibcuxx) {
  const char* text = R"(
#include <cuda/atomic>
#include <cuda/std/atomic>
__global__ void k(cuda::atomic<int, cuda::thread_scope_device>* counter, cuda::std::atomic<unsigned>* bits, double* sum, int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> most;
  int t = threadIdx.x;
  if (t == 0) most.store(-1, cuda::memory_order_relaxed);
  __syncthreads();
  int old = counter->fetch_add(2, cuda::std::memory_order_relaxed);
  most.fetch_max(t * 3 % 40); bits->fetch_or(1u << t);
  cuda::atomic_ref<double, cuda::thread_scope_device> total(*sum); total.fetch_add(0.5); total += 1.0;
  int expected = 64, swapped = 0;
  __syncthreads();
  if (t == 5) { swapped = counter->compare_exchange_strong(expected, 100); expected = 64; swapped += 2 * counter->compare_exchange_strong(expected, 7) + expected * 10; }
  __syncthreads();
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
  out[t * 4] = old; out[t * 4 + 1] = most.load(); out[t * 4 + 2] = swapped; out[t * 4 + 3] = *counter;
})";
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {32, 1, 1},
               {data("counter", std::vector<int>{0}), data("bits", std::vector<U>{0}),
                data("sum", std::vector<double>{0}), buffer<int>("out", 128)});
  expect_each<int>(outcome, "out", [](std::size_t i) {
    const int t = static_cast<int>(i / 4);
    return std::array<int, 4>{2 * t, 39, t == 5 ? 1 + 1000 : 0, 100}[i % 4];
  });
  EXPECT_EQ(outcome.values<U>("bits")[0], 0xffffffffu);
  EXPECT_EQ(outcome.values<double>("sum")[0], 48.0);
}

TEST(Atomics, LatchesAndSemaphoresAreWaitedFor) {
  const char* text = R"(
#include <cuda/latch>
#include <cuda/semaphore>
__global__ void k(int* out, int* counts) {
  using Latch = cuda::latch<cuda::thread_scope_block>;
  using Semaphore = cuda::binary_semaphore<cuda::thread_scope_block>;
  __shared__ alignas(Latch) char latch_room[sizeof(Latch)];
  __shared__ alignas(Semaphore) char semaphore_room[sizeof(Semaphore)];
  __shared__ int s[64];
  Latch* latch = reinterpret_cast<Latch*>(latch_room);
  Semaphore* turn = reinterpret_cast<Semaphore*>(semaphore_room);
  int t = threadIdx.x;
  if (t == 0) new (latch) Latch(64), new (turn) Semaphore(1);
  __syncthreads();
  s[t] = t;
  latch->arrive_and_wait();
  out[t] = s[63 - t];
  if (t % 32 == 0) { turn->acquire(); ++*counts; turn->release(); }
})";
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {64, 1, 1},
                                   {buffer<int>("out", 64), data("counts", std::vector<int>{0})},
                                   ExecuteRequest{.checks = true});
  expect_each<int>(outcome, "out", [](std::size_t i) { return 63 - static_cast<int>(i); });
  expect_each<int>(outcome, "counts", [](std::size_t) { return 2; });
  EXPECT_EQ(outcome.report(), "");
}

TEST(Atomics, SumsOfSharedWordsThatMeetInOneBank) {
  const char* text = R"(
__global__ void k(unsigned* out) {
  __shared__ unsigned words[32 * 32];
  unsigned t = threadIdx.x, seen = 0;
  for (unsigned i = t; i < 32 * 32; i += 32) words[i] = 0;
  __syncthreads();
  for (unsigned n = 1; n <= 32; ++n) {
    unsigned at = t < n ? t * 32 : t;  // n lanes in one bank, the others in banks of their own
    atomicAdd(&words[at], 1u);
    if (t % 3 != 1) atomicAdd(&words[at], t);
    seen += atomicAdd(&words[at], n);
  }
  out[t] = seen;
})";
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {32, 1, 1}, {buffer<U>("out", 32)});
  expect_each<U>(outcome, "out", [](std::size_t t) {
    std::size_t seen = 0, far = 0, near = 0;
    for (std::size_t n = 1; n <= 32; ++n) {
      std::size_t& word = t < n ? far : near;
      word += t % 3 != 1 ? 1 + t : 1;
      seen += word, word += n;
    }
    return seen;
  });
  std::size_t whole = 0;
  for (const AccessInfo& access : outcome.info().accesses) {
    const AccessCounts& counts = outcome.result.accesses[access.id];
    if (access.op != AccessOp::atomic || counts.shared.requests != 32) continue;
    whole += counts.shared.wavefronts == 32 * 33 / 2;
    EXPECT_EQ(counts.shared.conflicts, counts.shared.wavefronts - 32);
  }
  EXPECT_EQ(whole, 2u);
  EXPECT_FALSE(outcome.info().exchanges);
}

TEST(Copies, ByPrimitivesPipelinesAndBarriers) {
  const char* text = R"(
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
__global__ void k(const float* in, float* out) {
  __shared__ float4 a[64]; __shared__ float b[64], c[64], d[2][64];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block(); int t = threadIdx.x;
  if (t == 0) init(&bar, blockDim.x);
  __syncthreads();
  __pipeline_memcpy_async(&a[t], (const float4*)in + t % 16, sizeof(float4)); __pipeline_memcpy_async(&b[t], &in[63 - t], 4, t % 2 ? 4 : 0); __pipeline_commit(); __pipeline_wait_prior(0);
  cuda::memcpy_async(block, c, in, cuda::aligned_size_t<4>(sizeof(float) * 64), bar);
  auto token = bar.arrive(); bar.wait(std::move(token)); bar.arrive_and_wait();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int i = 0; i < 4; ++i) {
    pipe.producer_acquire(); cuda::memcpy_async(&d[i % 2][t], &in[(t + i) % 64], 4, pipe); pipe.producer_commit();
    pipe.consumer_wait(); sum += d[i % 2][63 - t]; pipe.consumer_release();
  }
  out[t] = a[t].z + 100 * b[t] + 10000 * c[63 - t] + 0.001f * sum;
})";
  std::vector<float> in(64);
  for (std::size_t i = 0; i < 64; ++i) in[i] = static_cast<float>(i % 8);
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {64, 1, 1}, {data("in", in), buffer<float>("out", 64)});
  EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
  expect_each<float>(
      outcome, "out",
      [&](std::size_t t) {
        double sum = 0;
        for (std::size_t i = 0; i < 4; ++i) sum += in[(63 - t + i) % 64];
        return in[t % 16 * 4 + 2] + (t % 2 != 0 ? 0 : 100 * in[63 - t]) + 10000 * in[63 - t] +
               0.001 * sum;
      },
      1e-6);
}

TEST(Copies, ABarrierThatMoreArriveAtIsTold) {
  const char* text = R"(
#include <cuda/barrier>
__global__ void k(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, 16);
  __syncthreads();
  bar.arrive_and_wait(); out[0] = 1;
})";
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {32, 1, 1}, {buffer<int>("out", 1)});
  EXPECT_NE(outcome.report().find("that is waited for is never over"), std::string::npos)
      << outcome.report();
}

TEST(Pointers, KnowTheirMemory) {
  const char* text = R"(
__device__ int global_value;
__global__ void k(const int* in, int* out) {
  __shared__ int s[32]; int local[4]; local[threadIdx.x % 4] = 1; s[threadIdx.x] = local[threadIdx.x % 2];
  out[threadIdx.x] = __isShared(s) + 2 * __isGlobal(in) + 4 * __isLocal(local) + 8 * __isGlobal(&global_value) + 16 * __isGlobal(s) + 32 * __isShared(in) + 64 * __isLocal(s);
})";
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {32, 1, 1},
                                   {data("in", std::vector<int>(1)), buffer<int>("out", 32)});
  expect_each<int>(outcome, "out", [](std::size_t) { return 15; });
}

}  // namespace
}  // namespace lanescope

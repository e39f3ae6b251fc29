// Races, asynchronous copies and shuffles: what is said of a kernel, and that its correct twin is
// silent.
#include <algorithm>

#include "run/nothing_wrong.h"

namespace lanescope {
namespace {

struct Ordered {
  const char* name;
  /// Behind "__global__ void k(int* a, int* b, unsigned* n)"; a holds 512 numbers, b 512 zeros, n 4
  const char* body;
  std::uint32_t blocks = 1;
  /// Empty: nothing is said
  const char* says = "";
  Severity severity = Severity::error;
};

constexpr const char* kLastBlock = R"({
  __shared__ bool last;
  if (threadIdx.x == 0) {
    b[blockIdx.x] = a[blockIdx.x];
    FENCE;
    last = atomicAdd(n, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) a[64 + threadIdx.x] = b[threadIdx.x];
  if (last && threadIdx.x == 0) *n = 0;
})";
constexpr const char* kStages = R"({
  __shared__ int s[2][64];
  int t = threadIdx.x, sum = 0;
  __pipeline_memcpy_async(&s[0][t], &a[t], 4);
  __pipeline_commit();
  for (int i = 0; i < 8; ++i) {
    if (i < 7) __pipeline_memcpy_async(&s[(i + 1) & 1][t], &a[(i + 1) * 64 + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(STAYS);
    __syncthreads();
    sum += s[i & 1][63 - t];
    __syncthreads();
  }
  b[t] = sum;
})";

// The next stage is filled while one is read; `RELEASED` says where that is over.
constexpr const char* kPipe = R"({
  __shared__ int s[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int i = 0; i <= 8; ++i) {
    if (i < 8) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, s[i & 1], a + i * 64, sizeof s[0], pipe);
      pipe.producer_commit();
    }
    if (i == 0) continue;
    pipe.consumer_wait();
    RELEASED_BEFORE;
    sum += s[(i - 1) & 1][63 - threadIdx.x];
    RELEASED_AFTER;
  }
  b[threadIdx.x] = sum;
})";

// A warp that fills two stages, and one that empties them; `HANDED_BACK` says that a stage is empty.
constexpr const char* kTurns = R"({
  __shared__ int s[2][32];
  int t = threadIdx.x % 32;
  for (int i = 0; i < 6; ++i) {
    int stage = i & 1;
    if (threadIdx.x < 32) {
      if (i >= 2) asm volatile(HANDED_BACK :: "r"(3 + stage) : "memory");
      s[stage][t] = i * t;
      asm volatile("bar.arrive %0, 64;" :: "r"(1 + stage) : "memory");
    } else {
      asm volatile("bar.sync %0, 64;" :: "r"(1 + stage) : "memory");
      b[t] += s[stage][t];
      if (i < 4) asm volatile("bar.arrive %0, 64;" :: "r"(3 + stage) : "memory");
    }
  }
})";
// Blocks that add up what stands before them, each waiting for the one before.
constexpr const char* kLookBack = R"({
  if (threadIdx.x != 0) return;
  volatile int* sum = b;
  volatile unsigned* ready = n;
  int before = 0;
  if (blockIdx.x > 0) {
    while (ready[blockIdx.x - 1] == 0) {
    }
    READS;
    before = sum[blockIdx.x - 1];
  }
  sum[blockIdx.x] = before + a[blockIdx.x];
  WRITES;
  ready[blockIdx.x] = 1;
})";

const Ordered kOrdered[] = {
    {"lanes_of_one_store", "{ b[0] = threadIdx.x; }", 1, "write to element 0 of 'b'"},
    {"the_same_value", "{ b[0] = 7; }", 1, "both write the same value", Severity::warning},
    {"the_same_value_of_blocks", "{ b[threadIdx.x] = 7; }", 3, "both write the same value",
     Severity::warning},
    {"another_value_of_blocks", "{ b[threadIdx.x] = blockIdx.x; }", 3,
     "of block (0, 0, 0) at line"},
    {"global_without_barrier", "{ int t = threadIdx.x; a[t] = t; b[t] = a[63 - t]; }", 1,
     "are not ordered"},
    {"global_with_a_fence_alone",
     "{ int t = threadIdx.x; a[t] = t; __threadfence(); b[t] = a[63 - t]; }", 1, "are not ordered"},
    {"global_with_barrier",
     "{ int t = threadIdx.x; a[t] = t; __syncthreads(); b[t] = a[63 - t]; }"},
    {"warp_with_sync", "{ int t = threadIdx.x, v = a[t ^ 1]; __syncwarp(); a[t] = v; }"},
    {"warp_without_sync", "{ int t = threadIdx.x; if (t & 1) b[0] = 5; else a[t] = b[0]; }", 1,
     "not ordered"},
    {"plain_against_atomic", "{ if (threadIdx.x == 40) b[0] = 5; atomicAdd(b, 1); }", 1,
     "concurrent atomic operation"},
    {"own_store_before_atomics",
     "{ __shared__ int c; if (threadIdx.x == 0) c = 0; atomicAdd(&c, 1); __syncthreads(); "
     "b[threadIdx.x] = c; }",
     1, "concurrent atomic operation"},
    {"atomics_between_barriers",
     "{ __shared__ int c; if (threadIdx.x == 0) c = 0; __syncthreads(); atomicAdd(&c, 1); "
     "__syncthreads(); b[threadIdx.x] = c; }"},
    {"bytes_side_by_side", "{ ((char*)b)[blockIdx.x * 64 + threadIdx.x] = 1; }", 2},
    {"flag_of_the_same_warp",
     "{ volatile int* f = b; if (threadIdx.x == 31) f[0] = 1; else if (threadIdx.x < 31) while "
     "(f[0] == 0) {} }",
     1, "waits for another of its own warp", Severity::warning},
    {"flag_of_another_warp",
     "{ volatile int* f = b; if (threadIdx.x == 0) { a[0] = 5; __threadfence(); f[0] = 1; } "
     "if (threadIdx.x == 32) { while (f[0] == 0) {} __threadfence(); a[1] = a[0]; } }"},
    {"flags_from_block_to_block",
     "{ volatile unsigned* f = n; if (threadIdx.x == 0) { int before = 0; if (blockIdx.x > 0) { "
     "while (f[blockIdx.x - 1] == 0) {} __threadfence(); before = b[blockIdx.x - 1]; } "
     "b[blockIdx.x] = before + 1; __threadfence(); f[blockIdx.x] = 1; } }",
     4},
    {"flags_and_no_fence",
     "{ volatile unsigned* f = n; if (threadIdx.x == 0) { int before = 0; if (blockIdx.x > 0) { "
     "while (f[blockIdx.x - 1] == 0) {} before = b[blockIdx.x - 1]; } "
     "b[blockIdx.x] = before + 1; f[blockIdx.x] = 1; } }",
     4, "are not ordered"},
    {"no_fence_after_the_flag",
     "{ volatile unsigned* f = n; if (threadIdx.x == 0) { int before = 0; if (blockIdx.x > 0) { "
     "while (f[blockIdx.x - 1] == 0) {} before = b[blockIdx.x - 1]; } "
     "b[blockIdx.x] = before + 1; __threadfence(); f[blockIdx.x] = 1; } }",
     4, "no fence follows", Severity::warning},
    {"lock",
     "{ if (threadIdx.x == 0) { while (atomicCAS(n, 0u, 1u) != 0) {} __threadfence(); ++*b; "
     "__threadfence(); atomicExch(n, 0u); } }",
     8},
    {"lock_let_go_by_volatile",
     "{ if (threadIdx.x == 0) { while (atomicCAS(n, 0u, 1u) != 0) {} __threadfence(); ++*b; "
     "__threadfence(); *(volatile unsigned*)n = 0; } }",
     8},
    {"lock_let_go_by_a_plain_store",
     "{ if (threadIdx.x == 0) { while (atomicCAS(n, 0u, 1u) != 0) {} __threadfence(); ++*b; "
     "__threadfence(); *n = 0; } }",
     8, "write to element 0 of 'n'"},
    {"lock_without_fences",
     "{ if (threadIdx.x == 0) { while (atomicCAS(n, 0u, 1u) != 0) {} ++*b; atomicExch(n, 0u); } }",
     8, "element 0 of 'b'"},
    {"copy_waited_for",
     "{ __shared__ int s[64]; int t = threadIdx.x; __pipeline_memcpy_async(&s[t], &a[t], 4); "
     "__pipeline_commit(); __pipeline_wait_prior(0); __syncthreads(); b[t] = s[63 - t]; }"},
    {"copy_not_waited_for",
     "{ __shared__ int s[64]; int t = threadIdx.x; __pipeline_memcpy_async(&s[t], &a[t], 4); "
     "__pipeline_commit(); __syncthreads(); b[t] = s[t]; }",
     1, "before the asynchronous copy by thread (0, 0, 0)"},
    {"copy_not_committed",
     "{ __shared__ int s[64]; int t = threadIdx.x; __pipeline_memcpy_async(&s[t], &a[t], 4); "
     "__pipeline_wait_prior(0); __syncthreads(); b[t] = s[t]; }",
     1, "before the asynchronous copy"},
    {"copy_and_no_barrier",
     "{ __shared__ int s[64]; int t = threadIdx.x; __pipeline_memcpy_async(&s[t], &a[t], 4); "
     "__pipeline_commit(); __pipeline_wait_prior(0); b[t] = s[t ^ 1]; }",
     1, "with no barrier after the asynchronous copy"},
    {"source_of_a_copy_overwritten",
     "{ __shared__ int s[64]; int t = threadIdx.x; __pipeline_memcpy_async(&s[t], &a[t], 4); "
     "__pipeline_commit(); a[t] = 0; __pipeline_wait_prior(0); __syncthreads(); b[t] = s[t]; }",
     1, "write to element 0 of 'a' (int, 512 elements) before the asynchronous copy"},
    {"shuffle_from_ended_lanes",
     "{ int t = threadIdx.x; if (t >= 20) return; int v = a[t]; for (int d = 16; d > 0; d /= 2) "
     "v += __shfl_down_sync(~0u, v, d); if (t == 0) b[0] = v; }",
     1, "which has ended"},
    {"shuffle_from_a_lane_elsewhere",
     "{ int t = threadIdx.x, v = a[t]; if (t < 16) v += __shfl_xor_sync(0xffffu, v, 16); b[t] = v; "
     "}",
     1, "takes no part in the shuffle"},
    {"shuffle_that_nobody_uses",
     "{ int t = threadIdx.x, v = a[t]; if (t < 4) { v += __shfl_down_sync(0xfu, v, 2); v += "
     "__shfl_down_sync(0xfu, v, 1); if (t == 0) b[0] = v; } }"},
    {"half_a_warp_met",
     "{ __shared__ int s[64]; int t = threadIdx.x; s[t] = a[t]; __syncwarp(t & 16 ? 0xffff0000u : "
     "0xffffu); b[t] = s[t ^ 31]; }",
     1, "are not ordered"},
    {"half_a_warp_met_and_reads_its_own",
     "{ __shared__ int s[64]; int t = threadIdx.x; s[t] = a[t]; __syncwarp(t & 16 ? 0xffff0000u : "
     "0xffffu); b[t] = s[t ^ 15]; }"},
    {"what_an_unnamed_lane_wrote",
     "{ __shared__ int s[64]; int t = threadIdx.x; s[t] = a[t]; if (t & 1) { "
     "__syncwarp(0xaaaaaaaau); b[t] = s[t - 1]; } }",
     1, "are not ordered"},
    {"known_by_way_of_others",
     "{ __shared__ int s[64]; int t = threadIdx.x & 31; s[threadIdx.x] = 1; if (threadIdx.x < 32) "
     "{ if (t < 16) __syncwarp(0xffffu); if (t >= 8 && t < 24) __syncwarp(0xffff00u); "
     "if (t == 20) b[0] = s[0]; } }"},
    {"votes_order_nothing",
     "{ __shared__ int s[64]; int t = threadIdx.x; s[t] = a[t]; unsigned m = __ballot_sync(~0u, "
     "t & 1); b[t] = s[t ^ 1] + m; }",
     1, "which orders no memory", Severity::warning},
    {"atomics_of_a_block", "{ atomicAdd_block(&b[blockIdx.x], 1); }", 2},
    {"atomics_of_two_blocks", "{ atomicAdd_block(&b[0], 1); }", 2, "of its block alone"},
    {"atomic_ref_of_a_block",
     "{ cuda::atomic_ref<int, cuda::thread_scope_block> r(b[blockIdx.x]); r.fetch_add(1); }", 2},
    {"atomic_ref_of_two_blocks",
     "{ cuda::atomic_ref<int, cuda::thread_scope_block> r(b[0]); r.fetch_add(1, "
     "cuda::memory_order_relaxed); }",
     2, "of its block alone"},
    {"atomic_ref_of_the_device", "{ cuda::atomic_ref<int> r(b[0]); r.fetch_max(threadIdx.x); }", 2},
    {"flag_of_a_block_seen_by_another",
     "{ cuda::atomic_ref<unsigned, cuda::thread_scope_block> f(*n); if (threadIdx.x == 0) { if "
     "(blockIdx.x == 0) { a[0] = 5; f.store(1, cuda::memory_order_release); } else if "
     "(f.load(cuda::memory_order_acquire)) b[0] = a[0]; } }",
     2, "of its block alone"},
    {"ptx_atomic_of_two_blocks",
     "{ asm volatile(\"red.relaxed.cta.global.add.s32 [%0], 1;\" :: \"l\"(b) : \"memory\"); }", 2,
     "of its block alone"},
    {"what_only_one_lane_loads",
     "{ __shared__ int own; if (threadIdx.x == 0) own = 1; int v = 3; if (threadIdx.x == 0) v = "
     "own; b[threadIdx.x] = v; }"},
    {"read_only_and_written",
     "{ int t = threadIdx.x; a[t] = t; __syncthreads(); b[t] = __ldg(&a[63 - t]); }", 1,
     "past the caches"},
    {"shuffle_of_no_width", "{ int t = threadIdx.x; b[t] = __shfl_down_sync(~0u, a[t], 1, 24); }",
     1, "a shuffle of width 24"},
    {"masks_that_differ",
     "{ int t = threadIdx.x; unsigned m = (t & 31) < 10 ? 0x3ffu : ~0u; b[t] = "
     "__reduce_add_sync(m, (unsigned)a[t]); }",
     1, "whose own mask is another"},
    {"mask_of_ended_lanes",
     "{ int t = threadIdx.x; if ((t & 31) < 20) b[t] = __ballot_sync(~0u, a[t] & 1); }", 1,
     "names lane 20, which has ended", Severity::warning},
    {"a_warp_waits_for_a_later_one",
     "{ volatile int* f = b; if (threadIdx.x == 32) { a[0] = 5; __threadfence(); f[0] = 1; } "
     "if (threadIdx.x == 0) { while (f[0] == 0) {} __threadfence(); a[1] = a[0]; } }"},
    {"warps_wait_for_each_other_in_turn",
     "{ volatile int* f = b; if (threadIdx.x == 0) for (int i = 0; i < 4; ++i) { f[0] = i + 1; "
     "while (f[1] != i + 1) {} } if (threadIdx.x == 32) for (int i = 0; i < 4; ++i) { "
     "while (f[0] != i + 1) {} f[1] = i + 1; } }"},
    {"a_block_waits_for_a_later_one",
     "{ volatile unsigned* f = n; if (threadIdx.x == 0 && blockIdx.x == 1) { a[0] = 5; "
     "__threadfence(); *f = 1; } if (threadIdx.x == 0 && blockIdx.x == 0) { while (*f == 0) {} "
     "__threadfence(); a[1] = a[0]; } }",
     2},
    {"blocks_meet_by_a_counter",
     "{ a[blockIdx.x * 64 + threadIdx.x] = 1; __threadfence(); __syncthreads(); if (threadIdx.x == "
     "0) { atomicAdd(n, 1u); while (atomicAdd(n, 0u) < 4u) {} __threadfence(); } __syncthreads(); "
     "b[blockIdx.x * 64 + threadIdx.x] = a[255 - blockIdx.x * 64 - threadIdx.x]; }",
     4},
    {"a_guess_that_an_exchange_confirms",
     "{ int old = *b, was; do { was = old; old = atomicCAS(b, was, was + 2); } while (old != was); "
     "}",
     2},
    {"the_same_of_a_double",
     "{ unsigned long long *d = (unsigned long long*)b, old = *d, was; do { was = old; old = "
     "atomicCAS(d, was, (unsigned long long)__double_as_longlong(1 + __longlong_as_double(was))); "
     "} while (old != was); }",
     2},
    {"a_guess_that_may_be_left_alone",
     "{ int old = *b; while (old < a[threadIdx.x]) { int was = old; old = atomicCAS(b, was, "
     "a[threadIdx.x]); if (old == was) break; } }"},
    {"a_read_that_no_exchange_confirms",
     "{ int old = *b; atomicCAS(b, 1, 2); a[threadIdx.x] = old; }", 1,
     "concurrent atomic operation"},
    {"counters_of_a_ring",
     "{ __shared__ int slot[2]; __shared__ volatile int head, tail; int t = threadIdx.x; if (t == "
     "0) head = tail = 0; __syncthreads(); if (t == 0) for (int i = 0; i < 8; ++i) { while (head - "
     "tail == 2) {} __threadfence_block(); slot[i & 1] = a[i]; __threadfence_block(); head = i + "
     "1; } if (t == 32) for (int i = 0; i < 8; ++i) { while (head - i <= 0) {} "
     "__threadfence_block(); b[i] = slot[i & 1]; __threadfence_block(); tail = i + 1; } }"},
    {"nobody_sets_the_flag",
     "{ volatile unsigned* f = n; if (threadIdx.x == 0) while (f[blockIdx.x ^ 1] == 0) {} }", 2,
     "an endless loop"},
    {"a_tile_of_lanes_orders_its_own",
     "{ __shared__ int s[64]; auto tile = "
     "cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block()); int t = "
     "threadIdx.x; s[t] = t; tile.sync(); b[t] = s[t ^ 15]; }"},
    {"a_tile_of_lanes_orders_no_other",
     "{ __shared__ int s[64]; auto tile = "
     "cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block()); int t = "
     "threadIdx.x; s[t] = t; tile.sync(); b[t] = s[t ^ 16]; }",
     1, "are not ordered"},
    {"shuffle_outside_of_its_width",
     "{ int t = threadIdx.x, v = a[t]; b[t] = v + __shfl_down_sync(~0u, v, 4, 8); }"},
};

class Orders : public testing::TestWithParam<Ordered> {};

void expect_said(const Ordered& o, const std::string& body) {
  const std::string text = "#include <cooperative_groups.h>\n#include "
                           "<cuda_pipeline.h>\n#include <cuda/atomic>\n#include "
                           "<cuda/pipeline>\n__global__ void k(int* a, int* b, unsigned* n) " +
                           body;
  const Outcome outcome =
      run_text(text, "k", {o.blocks, 1, 1}, {64, 1, 1},
               {buffer<int>("a", 512, Fill::index), buffer<int>("b", 512, Fill::zero),
                buffer<unsigned>("n", 4, Fill::zero)},
               ExecuteRequest{.checks = true});
  ASSERT_NE(outcome.compiled.program, nullptr) << outcome.report();
  const std::vector<Diagnostic>& all = outcome.result.diagnostics;
  if (*o.says == '\0') {
    EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
    return;
  }
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Diagnostic& d) {
    return d.severity == o.severity && d.message.english().find(o.says) != std::string::npos;
  })) << outcome.report();
  EXPECT_EQ(outcome.result.ok(), o.severity != Severity::error) << outcome.report();
}

TEST_P(Orders, AreFollowed) { expect_said(GetParam(), GetParam().body); }

INSTANTIATE_TEST_SUITE_P(Kernels, Orders, testing::ValuesIn(kOrdered),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(LastBlock, NeedsAFenceThatOtherBlocksSee) {
  expect_said({"", "", 8}, with(kLastBlock, "FENCE", "__threadfence()"));
  const Ordered bad{"", "", 8, "element 0 of 'b'"};
  expect_said(bad, with(kLastBlock, "FENCE", "(void)0"));
  expect_said(bad, with(kLastBlock, "FENCE", "__threadfence_block()"));
}

TEST(Stages, AreWaitedForByGroups) {
  expect_said({"", ""}, with(kStages, "STAYS", "1"));
  expect_said({"", "", 1, "before the asynchronous copy"}, with(kStages, "STAYS", "2"));
}

TEST(Stages, AreReleasedWhenTheyHaveBeenRead) {
  const auto released = [](const std::string& before, const std::string& after) {
    return with(with(kPipe, "RELEASED_BEFORE", before), "RELEASED_AFTER", after);
  };
  const std::string release = "pipe.consumer_release()";
  expect_said({"", ""}, released("", release));
  expect_said({"", "", 1, "are not ordered"}, released(release, ""));
}

// One warp copies, the other adds up; `WAITS`, and `RELEASES`, what it does before and after.
TEST(Stages, AreHandedOnByWhoProducesThem) {
  const std::string roles = R"({
  __shared__ int s[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cooperative_groups::this_thread_block();
  const bool produces = threadIdx.x < 32;
  auto pipe = cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  const int t = threadIdx.x % 32;
  int sum = 0;
  for (int i = 0; i < 8; ++i)
    if (produces) {
      pipe.producer_acquire();
      for (int at = t; at < 64; at += 32)
        cuda::memcpy_async(&s[i & 1][at], a + i * 64 + at, sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      WAITS;
      sum += s[i & 1][t] + s[i & 1][63 - t];
      RELEASES;
    }
  if (!produces) b[t] = sum;
})";
  const std::string right =
      with(with(roles, "WAITS", "pipe.consumer_wait()"), "RELEASES", "pipe.consumer_release()");
  expect_said({"", ""}, right);
  const Outcome outcome =
      run_text("#include <cooperative_groups.h>\n#include <cuda/pipeline>\n__global__ void k(int* "
               "a, int* b) " +
                   right,
               "k", {1, 1, 1}, {64, 1, 1},
               {buffer<int>("a", 512, Fill::index), buffer<int>("b", 64, Fill::zero)});
  expect_each<int>(outcome, "b", [](int i) { return i < 32 ? 8 * 63 + 2 * 64 * 28 : 0; });
  expect_said({"", "", 1, "is never over"},
              with(with(roles, "WAITS", "pipe.consumer_wait()"), "RELEASES", "(void)0"));
  expect_said({"", "", 1, "are not ordered"},
              with(with(roles, "WAITS", "pipe.consumer_wait(), pipe.consumer_release()"),
                   "RELEASES", "(void)0"));
}

TEST(Races, OfOneExpressionAreToldOnce) {
  for (const char* body :
       {"{ b[threadIdx.x & 7] += 1; }", "{ b[threadIdx.x] += b[threadIdx.x ^ 1]; }",
        "{ struct B { unsigned a : 5, b : 11; }; ((B*)b)->a = threadIdx.x; }"}) {
    const Outcome outcome =
        run_text(std::string("__global__ void k(int* b) ") + body, "k", {1, 1, 1}, {64, 1, 1},
                 {buffer<int>("b", 64, Fill::zero)}, ExecuteRequest{.checks = true});
    EXPECT_EQ(outcome.result.diagnostics.size(), 1u) << outcome.report();
  }
}

TEST(NamedBarriers, OrderBothWays) {
  expect_said({"", ""}, with(kTurns, "HANDED_BACK", "\"bar.sync %0, 64;\""));
  expect_said({"", "", 1, "are not ordered"}, with(kTurns, "HANDED_BACK", "\"\""));
}

TEST(LookBack, NeedsAFenceOnBothSides) {
  const auto fenced = [](const std::string& reads, const std::string& writes) {
    return with(with(kLookBack, "READS", reads), "WRITES", writes);
  };
  const std::string fence = "__threadfence()", none = "(void)0";
  expect_said({"", "", 4}, fenced(fence, fence));
  expect_said({"", "", 4, "element 0 of 'b'", Severity::warning}, fenced(fence, none));
  expect_said({"", "", 4, "element 0 of 'b'", Severity::warning}, fenced(none, none));
}

}  // namespace
}  // namespace lanescope

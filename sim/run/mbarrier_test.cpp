// mbarriers and barriers of a part of a block: what waits goes on, what orders is followed, and what can never
// go on is told.
#include <algorithm>

#include "run/nothing_wrong.h"

namespace lanescope {
namespace {

/// Functions of the texts below; each stands for one instruction.
constexpr const char* kMbarrierFunctions = R"(
typedef unsigned long long u64;
__device__ unsigned at(void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(u64* bar, unsigned n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(bar)), "r"(n) : "memory"); }
__device__ void arrive(u64* bar) { asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" :: "r"(at(bar)) : "memory"); }
__device__ void arrive(u64* bar, unsigned n) { asm volatile("mbarrier.arrive.shared.b64 _, [%0], %1;" :: "r"(at(bar)), "r"(n) : "memory"); }
__device__ void expect(u64* bar, unsigned n) { asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(at(bar)), "r"(n) : "memory"); }
__device__ void complete(u64* bar, unsigned n) { asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" :: "r"(at(bar)), "r"(n) : "memory"); }
__device__ void wait(u64* bar, unsigned parity) {
  asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p bra DONE; bra WAIT; DONE: }"
               :: "r"(at(bar)), "r"(parity) : "memory");
}
__device__ bool test(u64* bar, unsigned parity) {
  unsigned over;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(over) : "r"(at(bar)), "r"(parity) : "memory");
  return over;
}
__device__ void sync(unsigned id, unsigned n) { asm volatile("bar.sync %0, %1;" :: "r"(id), "r"(n) : "memory"); }
__device__ void come(unsigned id, unsigned n) { asm volatile("bar.arrive %0, %1;" :: "r"(id), "r"(n) : "memory"); }
)";

Outcome run_mbarrier(const std::string& body, std::uint32_t threads = 64, bool checks = false,
                     std::uint32_t blocks = 1) {
  return run_text(std::string(kMbarrierFunctions) + "__global__ void k(int* a, int* b) {\n" + body +
                      "\n}",
                  "k", {blocks, 1, 1}, {threads, 1, 1},
                  {buffer<int>("a", 512, Fill::index), buffer<int>("b", 512, Fill::zero)},
                  ExecuteRequest{.checks = checks});
}

struct MbarrierCase {
  const char* name;
  std::uint32_t threads;
  const char* body;
  /// Of b
  int (*expected)(int i);
};

/// The last warp copies stage by stage, the others add up what it brings.
constexpr const char* kPipeline = R"(
  __shared__ u64 full[2], empty[2];
  __shared__ int s[2][64];
  int t = threadIdx.x, sum = 0;
  if (t == 0) for (int i = 0; i < 2; ++i) init(&full[i], 32), init(&empty[i], 64);
  __syncthreads();
  if (t >= 64) {
    for (int i = 0; i < 8; ++i) {
      FREE wait(&empty[i % 2], i / 2 % 2 ^ 1);
      s[i % 2][t - 64] = a[i * 64 + t - 64], s[i % 2][t - 32] = a[i * 64 + t - 32];
      arrive(&full[i % 2]);
    }
  } else {
    for (int i = 0; i < 8; ++i) {
      wait(&full[i % 2], i / 2 % 2);
      sum += s[i % 2][63 - t];
      arrive(&empty[i % 2]);
    }
    b[t] = sum;
  })";
int pipeline(int i) { return i < 64 ? 8 * (63 - i) + 64 * 28 : 0; }

const MbarrierCase kMbarrierCases[] = {
    {"everybody_meets_again_and_again", 96,
     "__shared__ u64 bar; __shared__ int s[96]; int t = threadIdx.x, v = t;"
     "if (t == 0) init(&bar, 96); __syncthreads();"
     "for (int i = 0; i < 6; i += 2) { s[t] = v; arrive(&bar); wait(&bar, 0); v = s[(t + 32) % 96];"
     "arrive(&bar); wait(&bar, 1); } b[t] = v;",
     [](int i) { return i < 96 ? i : 0; }},
    {"states_and_their_counts", 64,
     "__shared__ u64 bar; int t = threadIdx.x; if (t == 0) init(&bar, 64); __syncthreads();"
     "u64 state; unsigned left;"
     "asm volatile(\"mbarrier.arrive.shared::cta.b64 %0, [%1];\" : \"=l\"(state) : \"r\"(at(&bar)) "
     ": "
     "\"memory\");"
     "asm volatile(\"mbarrier.pending_count.b64 %0, %1;\" : \"=r\"(left) : \"l\"(state));"
     "asm volatile(\"{ .reg .pred p; W: mbarrier.try_wait.shared::cta.b64 p, [%0], %1, 0x989680; "
     "@!p bra "
     "W; }\" :: \"r\"(at(&bar)), \"l\"(state) : \"memory\"); b[t] = left;",
     [](int i) { return i < 64 ? 64 - i : 0; }},
    {"who_drops_out_is_no_longer_counted", 64,
     "__shared__ u64 bar; int t = threadIdx.x; if (t == 0) init(&bar, 64); __syncthreads();"
     "if (t >= 32) { asm volatile(\"mbarrier.arrive_drop.shared::cta.b64 _, [%0];\" :: "
     "\"r\"(at(&bar)) "
     ": \"memory\"); return; }"
     "arrive(&bar); wait(&bar, 0); arrive(&bar); wait(&bar, 1); b[t] = t;",
     [](int i) { return i < 32 ? i : 0; }},
    {"bytes_are_waited_for_too", 64,
     "__shared__ u64 bar; int t = threadIdx.x; if (t == 0) init(&bar, 1); __syncthreads();"
     "if (t == 0) expect(&bar, 96); bool before = test(&bar, 0);"
     "if (t == 32) complete(&bar, 64), complete(&bar, 32); wait(&bar, 0); b[t] = 1 + before;",
     [](int i) { return i < 32   ? 1
                        : i < 64 ? 1
                                 : 0; }},
    {"asynchronous_copies_arrive", 64,
     "__shared__ u64 bar; __shared__ int s[64]; int t = threadIdx.x; if (t == 0) init(&bar, 64); "
     "__syncthreads();"
     "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: \"r\"(at(s + t)), \"l\"(a + t) "
     ": "
     "\"memory\");"
     "asm volatile(\"cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];\" :: \"r\"(at(&bar)) : "
     "\"memory\");"
     "wait(&bar, 0); b[t] = s[63 - t];",
     [](int i) { return i < 64 ? 63 - i : 0; }},
    {"one_lane_waits_for_its_warp", 32,
     "__shared__ u64 bar; int t = threadIdx.x; if (t == 0) init(&bar, 1); __syncwarp();"
     "if (t == 0) { arrive(&bar, 1); wait(&bar, 0); b[0] = 7; }",
     [](int i) { return i == 0 ? 7 : 0; }},
    {"barriers_of_some_warps", 128,
     "__shared__ int s[128]; int t = threadIdx.x, group = t / 64; s[t] = t; sync(1 + group, 64);"
     "int v = s[t ^ 63]; sync(1 + group, 64); s[t] = v; sync(1 + group, 64); b[t] = s[t ^ 63];",
     [](int i) { return i < 128 ? i : 0; }},
    {"who_arrives_does_not_wait", 64,
     "__shared__ int s[32]; int t = threadIdx.x;"
     "for (int i = 0; i < 3; ++i) {"
     "if (t < 32) { s[t] = t + i; come(1, 64); sync(2, 64); } else { sync(1, 64); b[t] += s[t - "
     "32]; "
     "come(2, 64); } }",
     [](int i) { return i >= 32 && i < 64 ? 3 * (i - 32) + 3 : 0; }},
    {"movmatrix", 32,
     "int t = threadIdx.x; unsigned from = t * 2 | (t * 2 + 1) << 16, to;"
     "asm volatile(\"movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;\" : \"=r\"(to) : \"r\"(from));"
     "b[t] = to & 0xffff; b[32 + t] = to >> 16;",
     [](int i) {
       const int row = i % 32 / 4, column = i % 4 * 2 + i / 32;
       return i < 64 ? column * 8 + row : 0;
     }},
};

class Mbarriers : public testing::TestWithParam<MbarrierCase> {};

TEST_P(Mbarriers, MeetAsTheManualSays) {
  const Outcome outcome = run_mbarrier(GetParam().body, GetParam().threads);
  expect_each<int>(outcome, "b",
                   [](std::size_t i) { return GetParam().expected(static_cast<int>(i)); });
}

TEST_P(Mbarriers, AreNoMistakes) {
  const Outcome outcome = run_mbarrier(GetParam().body, GetParam().threads, true);
  ASSERT_NE(outcome.compiled.program, nullptr) << outcome.report();
  EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
}

INSTANTIATE_TEST_SUITE_P(Texts, Mbarriers, testing::ValuesIn(kMbarrierCases),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Pipelines, BringEachStageOnce) {
  for (const bool checks : {false, true}) {
    const Outcome outcome = run_mbarrier(with(kPipeline, "FREE", ""), 96, checks);
    EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
    expect_each<int>(outcome, "b", [](std::size_t i) { return pipeline(static_cast<int>(i)); });
  }
}

TEST(Pipelines, AreCountedByProof) {
  const std::string text = std::string(kMbarrierFunctions) + "__global__ void k(int* a, int* b) {" +
                           with(kPipeline, "FREE", "") + "}";
  const std::vector<TextArgument> arguments{buffer<int>("a", 512, Fill::index),
                                            buffer<int>("b", 512, Fill::zero)};
  const Outcome counted = run_text(text, "k", {40, 1, 1}, {96, 1, 1}, arguments, CountRequest{});
  EXPECT_GT(counted.result.coverage.classes, 0u) << counted.result.coverage.fallback;
  const Outcome all = run_text(text, "k", {40, 1, 1}, {96, 1, 1}, arguments);
  EXPECT_EQ(counted.result.accesses, all.result.accesses);
  EXPECT_EQ(counted.result.warp_instructions, all.result.warp_instructions);
}

struct MbarrierMistake {
  const char* name;
  const char* body;
  const char* says;
  DiagnosticKind kind = DiagnosticKind::divergent_barrier;
  bool checks = false;
};

const MbarrierMistake kMbarrierMistakes[] = {
    {"an_arrival_is_missing",
     "__shared__ u64 bar; if (threadIdx.x == 0) init(&bar, 65); __syncthreads(); arrive(&bar); "
     "wait(&bar, "
     "0);",
     "element 0 of 'bar' (1 element) that is waited for is never over: 1 of 65 arrivals and 0 "
     "bytes"},
    {"bytes_are_missing",
     "__shared__ u64 bar; if (threadIdx.x == 0) init(&bar, 1); __syncthreads(); if (threadIdx.x == "
     "0) "
     "expect(&bar, 1024); wait(&bar, 0);",
     "0 of 1 arrivals and 1024 bytes are missing"},
    {"nobody_expects_the_bytes",
     "__shared__ u64 bar; if (threadIdx.x == 0) init(&bar, 2); __syncthreads(); if (threadIdx.x == "
     "0) "
     "complete(&bar, 48); wait(&bar, 0);",
     "2 of 2 arrivals are missing, and 48 bytes have been copied that nobody expects"},
    {"the_wrong_parity",
     "__shared__ u64 bar; if (threadIdx.x == 0) init(&bar, 64); __syncthreads(); arrive(&bar); "
     "wait(&bar, "
     "1);",
     "never over: 64 of 64 arrivals"},
    {"nobody_initialises", "__shared__ u64 bar; wait(&bar, 0);", "is no mbarrier"},
    {"polled_for_ever",
     "__shared__ u64 bar; if (threadIdx.x == 0) init(&bar, 1); __syncthreads(); while (!test(&bar, "
     "0)) {}",
     "1 of 1 arrivals"},
    {"others_wait_at_the_barrier_of_all",
     "__shared__ u64 bar; if (threadIdx.x == 0) init(&bar, 32); __syncthreads(); if (threadIdx.x < "
     "32) "
     "wait(&bar, 0); __syncthreads(); if (threadIdx.x >= 32) arrive(&bar);",
     "32 of 32 arrivals"},
    {"a_part_that_nobody_completes", "sync(3, 96);",
     "barrier 3 waits for 96 threads, of which 64 have come"},
    {"a_part_of_a_warp", "sync(3, 48);", "barrier 3 for 48 threads makes no sense"},
    {"a_barrier_that_there_is_not", "sync(16, 64);", "barrier 16 for 64 threads makes no sense"},
    {"outside_of_shared_memory", "wait((u64*)a, 0);", "out-of-bounds read of 8 bytes",
     DiagnosticKind::out_of_bounds},
    {"between_two_words",
     "__shared__ u64 bar[2]; if (threadIdx.x == 0) init(bar, 1); __syncthreads(); "
     "wait((u64*)((int*)bar + "
     "1), 0);",
     "misaligned read of 8 bytes", DiagnosticKind::misaligned},
    {"more_arrive_than_are_counted",
     "__shared__ u64 bar; if (threadIdx.x == 0) init(&bar, 1); __syncthreads(); if (threadIdx.x < "
     "2) "
     "arrive(&bar, 2);",
     "2 arrivals at an mbarrier whose phase waits for 1", DiagnosticKind::overflow, true},
    {"used_before_others_see_it",
     "__shared__ u64 bar; if (threadIdx.x == 0) init(&bar, 64); arrive(&bar); wait(&bar, 0);",
     "race: write to shared byte 0", DiagnosticKind::race, true},
    {"nobody_waits_for_the_stage",
     "__shared__ u64 bar; __shared__ int s[32]; int t = threadIdx.x; if (t == 0) init(&bar, 32); "
     "__syncthreads(); if (t < 32) { s[t] = t; arrive(&bar); } else b[t] = s[t - 32];",
     "race: read of shared byte", DiagnosticKind::race, true},
    {"a_stage_is_overwritten_while_it_is_read", kPipeline, "race:", DiagnosticKind::race, true},
    {"a_part_does_not_order_the_others",
     "__shared__ int s[64]; int t = threadIdx.x; s[t] = t; sync(1 + t / 32, 64 >> 1); b[t] = s[t ^ "
     "32];",
     "race: write to shared byte", DiagnosticKind::race, true},
};

class MbarrierMistakes : public testing::TestWithParam<MbarrierMistake> {};

TEST_P(MbarrierMistakes, AreTold) {
  const MbarrierMistake& mistake = GetParam();
  std::string body = mistake.body;
  // Without the producer's wait, and with a consumer that has not come yet.
  if (mistake.body == kPipeline) body = with(body, "FREE", "if (i < 2)");
  const Outcome outcome = run_mbarrier(body, mistake.body == kPipeline ? 96 : 64, mistake.checks);
  ASSERT_NE(outcome.compiled.program, nullptr) << outcome.report();
  const std::vector<Diagnostic>& all = outcome.result.diagnostics;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Diagnostic& d) {
    return d.kind == mistake.kind && d.message.english().find(mistake.says) != std::string::npos;
  });
  ASSERT_NE(found, all.end()) << outcome.report();
  EXPECT_GT(found->line, 0u);
  EXPECT_GT(found->column, 0u);
}

INSTANTIATE_TEST_SUITE_P(Texts, MbarrierMistakes, testing::ValuesIn(kMbarrierMistakes),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Mbarriers, WhoPollsMayGiveUpAndArriveItself) {
  const Outcome outcome = run_mbarrier(
      "__shared__ u64 bar; if (threadIdx.x == 0) init(&bar, 2); __syncthreads();"
      "if (threadIdx.x % 32 == 0) { int polls = 0; while (!test(&bar, 0) && polls < 20) ++polls;"
      "arrive(&bar); wait(&bar, 0); b[threadIdx.x / 32] = polls; }");
  expect_each<int>(outcome, "b", [](std::size_t i) { return i < 2 ? 20 : 0; });
}

}  // namespace
}  // namespace lanescope

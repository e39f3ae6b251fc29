// Whole runs: cancelled, out of budget, on several threads, of some blocks only.
#include <algorithm>
#include <chrono>
#include <thread>

#include "run/run_text.h"

namespace lanescope {
namespace {

// Unasked, these kernels never end; how soon they do when asked is for a quiet machine to say.
constexpr int kCancelMilliseconds = 10'000;

// ---- stopping ----

TEST(Cancelling, EndsALoopWithinATenthOfASecond) {
  const char* texts[] = {
      "__global__ void k(int* out) { for (;;) out[threadIdx.x] += 1; }",
      "__global__ void k(int* out) { do { } while (out[0] == 0); }",
      "__global__ void k(int* out) { for (;;) __syncthreads(); }",
      "__global__ void k(int* out) { for (int i = 0; i < 1000; ++i) out[threadIdx.x] += i; }"};
  for (const char* text : texts) {
    const Dim3 grid = {2'000'000, 1, 1};
    using Clock = std::chrono::steady_clock;
    std::stop_source source;
    Clock::time_point asked;
    std::jthread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      asked = Clock::now();
      source.request_stop();
    });
    RunOptions options;
    options.step_budget = 1ull << 60;
    options.stop = source.get_token();
    const Outcome outcome =
        run_text(text, "k", grid, {64, 1, 1}, {buffer<int>("out", 64, Fill::zero)}, options);
    const auto ended = Clock::now();
    other.join();
    EXPECT_EQ(outcome.error().kind, DiagnosticKind::cancelled) << text << outcome.report();
    EXPECT_LT(std::chrono::duration_cast<std::chrono::milliseconds>(ended - asked).count(),
              kCancelMilliseconds)
        << text;
    EXPECT_FALSE(outcome.result.coverage.exact);
  }
}

TEST(Cancelling, BeforeTheStartRunsNothingMuch) {
  std::stop_source source;
  source.request_stop();
  RunOptions options;
  options.stop = source.get_token();
  const Outcome outcome = run_text("__global__ void k(int* out) { out[threadIdx.x] = 1; }", "k",
                                   {100000, 1, 1}, {64, 1, 1}, {buffer<int>("out", 64)}, options);
  EXPECT_EQ(outcome.error().kind, DiagnosticKind::cancelled);
  EXPECT_LT(outcome.result.coverage.blocks_executed, 50000u);
}

TEST(Cancelling, GivesUpCountingWithoutTryingTheBlocksInstead) {
  std::stop_source source;
  source.request_stop();
  RunOptions options;
  options.stop = source.get_token();
  options.counts_only = options.checks = true;
  const Outcome outcome = run_text("__global__ void k(int* out) { out[threadIdx.x] = 1; }", "k",
                                   {100000, 1, 1}, {64, 1, 1}, {buffer<int>("out", 64)}, options);
  EXPECT_EQ(outcome.error().kind, DiagnosticKind::cancelled);
  EXPECT_EQ(outcome.result.coverage.fallback, "cancelled");
  EXPECT_EQ(outcome.result.coverage.blocks_executed, 0u);
  EXPECT_FALSE(outcome.result.coverage.exact);
}

TEST(StepBudget, CountsWarpInstructionsOfOneBlock) {
  const char* text = "__global__ void k(int* out, int n) { int s = 0; for (int i = 0; i < n; ++i) "
                     "s += i ^ s; out[threadIdx.x] = s; }";
  RunOptions options;
  const auto go = [&](int n, std::uint64_t budget) {
    options.step_budget = budget;
    return run_text(text, "k", {3, 1, 1}, {32, 1, 1}, {buffer<int>("out", 32), scalar("n", n)},
                    options);
  };
  const Outcome free = go(1000, 0);
  ASSERT_TRUE(free.ok()) << free.report();
  const std::uint64_t one_block = free.result.warp_instructions / 3;
  EXPECT_TRUE(go(1000, one_block * 2).ok());
  EXPECT_EQ(go(1000, one_block / 2).error().kind, DiagnosticKind::step_budget);
  EXPECT_EQ(go(100'000'000, 5'000'000).error().kind, DiagnosticKind::step_budget);
}

// ---- determinism of runs that succeed ----

TEST(Determinism, OneAndTwoThreadsGiveTheSameResultAndMemory) {
  const char* text = R"(
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i % 3) for (int j = 0; j < i % 7; ++j) s[threadIdx.x] += j;
  if (i < n) out[i] = s[threadIdx.x];
})";
  RunOptions one, two;
  one.threads = 1, two.threads = 2;
  const auto go = [&](const RunOptions& options) {
    return run_text(
        text, "k", {200, 1, 1}, {64, 1, 1},
        {buffer<float>("in", 12750, Fill::random), buffer<float>("out", 12750), scalar("n", 12750)},
        options);
  };
  const Outcome a = go(one), b = go(two);
  ASSERT_TRUE(a.ok()) << a.report();
  expect_same(a.result, b.result);
  const auto x = a.values<std::uint32_t>("out"), y = b.values<std::uint32_t>("out");
  EXPECT_TRUE(std::equal(x.begin(), x.end(), y.begin(), y.end()));
  EXPECT_TRUE(a.result.coverage.exact);
  EXPECT_EQ(a.result.coverage.blocks_executed, 200u);
}

TEST(Blocks, OnlyTheAskedOnesRunAndOnlyTheyAreCounted) {
  const char* text =
      "__global__ void k(int* out) { out[blockIdx.y * gridDim.x + blockIdx.x] = 1; }";
  RunOptions options;
  options.all_blocks = false;
  options.blocks = {{2, 1, 0}, {0, 3, 0}};
  const Outcome outcome =
      run_text(text, "k", {4, 4, 1}, {32, 1, 1}, {buffer<int>("out", 16, Fill::zero)}, options);
  expect_each<int>(outcome, "out", [](std::size_t i) { return i == 6 || i == 12; });
  EXPECT_EQ(outcome.result.coverage.blocks_executed, 2u);
  EXPECT_EQ(outcome.result.coverage.blocks, 16u);
  EXPECT_FALSE(outcome.result.coverage.exact);
  EXPECT_EQ(outcome.result.accesses[0].executions, 2u);
  options.blocks = {{4, 0, 0}};
  EXPECT_EQ(
      run_text(text, "k", {4, 4, 1}, {32, 1, 1}, {buffer<int>("out", 16)}, options).error().kind,
      DiagnosticKind::usage);
}

}  // namespace
}  // namespace lanescope

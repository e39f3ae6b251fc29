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
      // What is plainly endless is found before anybody cancels it.
      "__global__ void k(int* out) { for (int i = 1; out[1] == 0; ++i) out[2 * threadIdx.x] += i; "
      "}",
      "__global__ void k(int* out) { for (int i = 0; out[0] == 0; ++i) __syncthreads(); }",
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
    ExecuteRequest request;
    request.control = {.stop = source.get_token(), .step_budget = 1ull << 60};
    const Outcome outcome =
        run_text(text, "k", grid, {64, 1, 1}, {buffer<int>("out", 128, Fill::zero)}, request);
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
  const ExecuteRequest request{.control = {.stop = source.get_token()}};
  const Outcome outcome = run_text("__global__ void k(int* out) { out[threadIdx.x] = 1; }", "k",
                                   {100000, 1, 1}, {64, 1, 1}, {buffer<int>("out", 64)}, request);
  EXPECT_EQ(outcome.error().kind, DiagnosticKind::cancelled);
  EXPECT_LT(outcome.result.coverage.blocks_executed, 50000u);
}

TEST(Cancelling, GivesUpCountingWithoutTryingTheBlocksInstead) {
  std::stop_source source;
  source.request_stop();
  const CountRequest request{.checks = true, .control = {.stop = source.get_token()}};
  const Outcome outcome = run_text("__global__ void k(int* out) { out[threadIdx.x] = 1; }", "k",
                                   {100000, 1, 1}, {64, 1, 1}, {buffer<int>("out", 64)}, request);
  EXPECT_EQ(outcome.error().kind, DiagnosticKind::cancelled);
  EXPECT_EQ(outcome.result.coverage.fallback, "cancelled");
  EXPECT_EQ(outcome.result.coverage.blocks_executed, 0u);
  EXPECT_FALSE(outcome.result.coverage.exact);
}

TEST(StepBudget, CountsWarpInstructionsOfOneBlock) {
  const char* text = "__global__ void k(int* out, int n) { int s = 0; for (int i = 0; i < n; ++i) "
                     "s += i ^ s; out[threadIdx.x] = s; }";
  ExecuteRequest request;
  const auto go = [&](int n, std::uint64_t budget) {
    request.control.step_budget = budget;
    return run_text(text, "k", {3, 1, 1}, {32, 1, 1}, {buffer<int>("out", 32), scalar("n", n)},
                    request);
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
  const ExecuteRequest one{.threads = 1}, two{.threads = 2};
  const auto go = [&](const ExecuteRequest& request) {
    return run_text(
        text, "k", {200, 1, 1}, {64, 1, 1},
        {buffer<float>("in", 12750, Fill::random), buffer<float>("out", 12750), scalar("n", 12750)},
        request);
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
  ExecuteRequest request;
  request.blocks = {{2, 1, 0}, {0, 3, 0}};
  const Outcome outcome =
      run_text(text, "k", {4, 4, 1}, {32, 1, 1}, {buffer<int>("out", 16, Fill::zero)}, request);
  expect_each<int>(outcome, "out", [](std::size_t i) { return i == 6 || i == 12; });
  EXPECT_EQ(outcome.result.coverage.blocks_executed, 2u);
  EXPECT_EQ(outcome.result.coverage.blocks, 16u);
  EXPECT_FALSE(outcome.result.coverage.exact);
  EXPECT_EQ(outcome.result.accesses[0].executions, 2u);
  request.blocks = {{4, 0, 0}};
  EXPECT_EQ(
      run_text(text, "k", {4, 4, 1}, {32, 1, 1}, {buffer<int>("out", 16)}, request).error().kind,
      DiagnosticKind::usage);
}

// ---- the four requests ----

constexpr const char* kOneElement =
    "__global__ void k(int* out) { if (threadIdx.x < 3) out[0] = blockIdx.x; if (blockIdx.x == 1) "
    "out[2 + threadIdx.x] = 5; }";

TEST(FindWriter, NamesTheLastStoreInTheOrderOfTheBlocks) {
  const Outcome outcome =
      run_text(kOneElement, "k", {4, 1, 1}, {32, 1, 1}, {buffer<int>("out", 34, Fill::zero)});
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  const auto writer_of = [&](std::uint64_t element) {
    const std::uint64_t base = outcome.memory->find("out")->base;
    return find_writer(*outcome.compiled.program, outcome.launch, *outcome.memory,
                       {.address = base + 4 * element});
  };
  const WriterResult everybodys = writer_of(0), ones = writer_of(9), nobodys = writer_of(1);
  EXPECT_TRUE(everybodys.ok() && ones.ok() && nobodys.ok());
  ASSERT_TRUE(everybodys.writer && ones.writer);
  EXPECT_EQ(everybodys.writer->block, (Dim3{3, 0, 0}));
  // Of a warp's lanes at one address the lowest remains.
  EXPECT_EQ(everybodys.writer->thread, (Dim3{0, 0, 0}));
  EXPECT_EQ(ones.writer->block, (Dim3{1, 0, 0}));
  EXPECT_EQ(ones.writer->thread, (Dim3{7, 0, 0}));
  EXPECT_EQ(ones.writer->line, 1u);
  EXPECT_FALSE(nobodys.writer);
}

TEST(Inspect, RecordsTheBlocksAskedForInTheirOrder) {
  const InspectRequest request{.blocks = {{3, 0, 0}, {1, 0, 0}}};
  const Outcome outcome = run_text(kOneElement, "k", {4, 1, 1}, {32, 1, 1},
                                   {buffer<int>("out", 34, Fill::zero)}, request);
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  ASSERT_EQ(outcome.result.traces.size(), 2u);
  EXPECT_EQ(outcome.result.traces[0].block, (Dim3{3, 0, 0}));
  EXPECT_EQ(outcome.result.traces[1].block, (Dim3{1, 0, 0}));
  EXPECT_EQ(outcome.result.coverage.blocks_executed, 2u);
  EXPECT_FALSE(outcome.result.coverage.exact);
  EXPECT_EQ(outcome.values<int>("out")[0], 1);
}

TEST(Count, IsTheSameProvedAndFromEveryBlock) {
  const std::vector<TextArgument> arguments = {buffer<int>("out", 34, Fill::zero)};
  const auto go = [&](const CountRequest& request) {
    return run_text(kOneElement, "k", {4, 1, 1}, {32, 1, 1}, arguments, request).result;
  };
  const RunResult proved = go({}), every = go({.every_block = true}),
                  looked = go({.every_block = true, .checks = true});
  EXPECT_GT(proved.coverage.classes, 0u) << proved.coverage.fallback;
  EXPECT_EQ(every.coverage.classes, 0u);
  EXPECT_TRUE(every.coverage.without_data);
  EXPECT_TRUE(proved.coverage.exact && every.coverage.exact);
  EXPECT_EQ(proved.accesses, every.accesses);
  EXPECT_EQ(proved.op_executions, every.op_executions);
  EXPECT_EQ(proved.accesses, looked.accesses);
  EXPECT_FALSE(looked.ok()) << "several blocks write the same element";
}

// Blocks that may run side by side are looked at alike whether they do or not: nothing is watched for one worker
// that would not be watched for two.
TEST(Count, TellsTheSameWithOneWorkerAndWithTwo) {
  const std::string text = R"(
__global__ void k(const int* in, int* out) {
  __shared__ int s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = in[i];
  if (in[blockIdx.x * 64] != 20 * 64) __syncthreads();
  out[in[i]] = s[63 - threadIdx.x];
})";
  std::string told[2];
  for (unsigned threads : {1u, 2u}) {
    const Outcome outcome =
        run_text(text, "k", {40, 1, 1}, {64, 1, 1},
                 {buffer<int>("in", 2560, Fill::index), buffer<int>("out", 2560)},
                 CountRequest{.every_block = true, .checks = true, .threads = threads});
    told[threads - 1] = outcome.report();
    EXPECT_EQ(outcome.result.coverage.blocks_executed, 40u);
  }
  EXPECT_EQ(told[0], told[1]);
}

TEST(Requests, AreRefusedWithNothingRun) {
  Outcome outcome = run_text(kOneElement, "k", {4, 1, 1}, {32, 1, 1},
                             {buffer<int>("out", 34, Fill::zero)}, CountRequest{});
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  const auto refused = [](const std::vector<Diagnostic>& found) {
    return found.size() == 1 && found[0].kind == DiagnosticKind::usage;
  };
  EXPECT_TRUE(refused(answer(outcome, InspectRequest{.blocks = {{4, 0, 0}}}).diagnostics));
  outcome.launch.grid = {0, 1, 1};
  EXPECT_TRUE(refused(answer(outcome, InspectRequest{}).diagnostics));
  EXPECT_TRUE(refused(answer(outcome, CountRequest{}).diagnostics));
  EXPECT_TRUE(refused(answer(outcome, ExecuteRequest{}).diagnostics));
  EXPECT_TRUE(refused(
      find_writer(*outcome.compiled.program, outcome.launch, *outcome.memory, {}).diagnostics));
}

}  // namespace
}  // namespace lanescope

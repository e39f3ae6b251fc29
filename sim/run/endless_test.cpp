// Loops that never end are found long before a block's budget is spent, in machine code too; those that wait
// for another warp are not taken for such.
#include <gmock/gmock.h>

#include "run/run_text.h"

namespace lanescope {
namespace {

struct Endless {
  const char* name;
  /// Kernel k(const float* in, float* out, int n)
  const char* text;
  const char* says;
};
const Endless kEndless[] = {
    {"waits_for_memory", "do { } while (((volatile const float*)in)[0] == 0);", "come back"},
    {"spin_lock", "while (atomicCAS((int*)out, 5, 6) != 5) ;", "come back"},
    {"stores_the_same", "while (in[1] > 0) out[threadIdx.x] = n;", "come back"},
    {"goes_round", "int x = n; while (x != 1000) x = x * 3 % 1000; out[0] = x;", "come back"},
    {"some_lanes", "if (threadIdx.x == 7) while (in[2] > 0) ;", "come back"},
    {"local_array",
     "int a[4] = {n, 1, 2, 3}; while (a[n & 3] < 999) { a[n & 3] = n; n = (n + 4) % 16; } out[0] = "
     "a[0];",
     "come back"},
    {"halves_nothing",
     "__shared__ float s[128]; s[threadIdx.x] = s[threadIdx.x + 64] = 0; __syncthreads();\n"
     "for (int i = 32; i >= 0; i /= 2) { if (threadIdx.x < i) s[threadIdx.x] += s[threadIdx.x + "
     "i]; "
     "__syncthreads(); } out[0] = s[0];",
     "come back"},
    {"adds_up_what_nobody_asks_for",
     "int s = 0; while (((volatile const float*)in)[0] == 0) ++s; out[0] = s;", "come back"},
    {"stores_more_and_more", "while (n > 0) out[threadIdx.x] += 1;", "come back"},
    {"counts_for_ever", "for (int i = 0;; ++i) out[threadIdx.x] = i;", "nothing leads out"},
    {"meets_for_ever", "for (;;) { out[threadIdx.x] += 1; __syncthreads(); }", "nothing leads out"},
};

TEST(EndlessLoops, AreFoundLongBeforeTheBudgetIsSpent) {
  for (const Endless& each : kEndless)
    for (const bool checks : {false, true}) {
      const std::string text = "__global__ void k(const float* in, float* out, int n) {\n" +
                               std::string(each.text) + "\n}";
      ExecuteRequest request;
      request.checks = checks;
      const Outcome outcome =
          run_text(text, "k", {1, 1, 1}, {64, 1, 1}, usual_arguments(), request);
      ASSERT_FALSE(outcome.result.diagnostics.empty()) << each.name;
      const Diagnostic& d = outcome.result.diagnostics.back();
      EXPECT_EQ(d.kind, DiagnosticKind::step_budget) << each.name << outcome.report();
      EXPECT_NE(d.message.english().find(each.says), std::string::npos)
          << each.name << outcome.report();
      EXPECT_THAT(d.line, testing::AnyOf(2u, 3u)) << each.name;
      EXPECT_LT(outcome.result.warp_instructions, 40'000'000u) << each.name;
    }
}

TEST(EndlessLoops, AreFoundInOneWarpAfterTheOther) {
  const Outcome outcome =
      run_text("__global__ void k(const float* in, float* out, int n) {\n"
               "int i = 0; while (((volatile const float*)in)[0] == 0) ++i; out[0] = i; }",
               "k", {16, 1, 1}, {128, 1, 1}, usual_arguments(), ExecuteRequest{});
  EXPECT_NE(outcome.report().find("come back"), std::string::npos) << outcome.report();
  EXPECT_LT(outcome.result.warp_instructions, 16'000'000u);  // not a million in each of 64 warps
}

/// Machine code hands a warp that polls memory over to the interpreter, with all that it holds.
TEST(EndlessLoops, AreFoundInMachineCode) {
  for (const char* loop : {"while (((volatile const float*)in)[0] == 0) ++i;",
                           "while (atomicAdd((int*)out, 0) == 0) ++i;"}) {
    const std::string text =
        "__global__ void k(const float* in, float* out, int n) {\nint i = 0; " + std::string(loop) +
        " out[1] = i; }";
    ExecuteRequest request;
    request.control.engine = Engine::compiled;
    const Outcome outcome = run_text(text, "k", {1, 1, 1}, {64, 1, 1}, usual_arguments(), request);
    EXPECT_NE(outcome.report().find("come back"), std::string::npos) << outcome.report();
  }
}

TEST(EndlessLoops, OfMachineCodeThatWaitForALaterWarpEnd) {
  const char* text = R"(__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  volatile float* flag = out + 100;
  int t = threadIdx.x, i = 3 * t + n, odd = t & 1;
  double x = in[t] * 2.5;
  bool is_first = t < 32;
  for (int round = 1; round <= 2; ++round) {
    int polls = 0;
    if (is_first) {
      while (flag[0] != round) ++polls;
      x += round + (polls < 0);
    } else if (t == 40) {
      flag[0] = round;
    }
    s[t] = odd ? i : i * 2;
    __syncthreads();
    x += s[63 - t];
    __syncthreads();
  }
  out[t] = x + (is_first ? i : -i);
})";
  ExecuteRequest request;
  std::vector<float> results[2];
  for (const Engine engine : {Engine::interpreter, Engine::compiled}) {
    request.control.engine = engine;
    const Outcome outcome = run_text(text, "k", {1, 1, 1}, {64, 1, 1}, usual_arguments(), request);
    ASSERT_TRUE(outcome.ok()) << outcome.report();
    const auto out = outcome.values<float>("out");
    results[engine == Engine::compiled].assign(out.begin(), out.begin() + 64);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_NE(results[0][0], results[0][63]);
}

TEST(EndlessLoops, AreNotSeenInWhatEnds) {
  const char* texts[] = {
      // The same values for a long time, and a counter.
      "float x = 0; for (int i = 0; i < 3000000; ++i) x = in[threadIdx.x]; out[threadIdx.x] = x;",
      // A counter in memory.
      "while (out[0] < 1000000) { if (threadIdx.x == 0) out[0] += 1; __syncthreads(); }",
      "volatile float* p = out; while (p[threadIdx.x] < 1000000) p[threadIdx.x] = p[threadIdx.x] + "
      "1;",
      // A counter of each thread's own memory.
      "volatile int a[2]; a[n & 1] = 0; while (a[n & 1] < 2000000) a[n & 1] = a[n & 1] + 1;",
      // Time passes.
      "long long begin = clock64(); while (clock64() - begin < 8000000) ; out[0] = 1;"};
  for (const char* text : texts) {
    const std::string kernel =
        "__global__ void k(const float* in, float* out, int n) {\n" + std::string(text) + "\n}";
    const Outcome outcome =
        run_text(kernel, "k", {1, 1, 1}, {32, 1, 1}, usual_arguments(), ExecuteRequest{});
    EXPECT_TRUE(outcome.result.diagnostics.empty()) << text << outcome.report();
    EXPECT_GT(outcome.result.warp_instructions, 3'000'000u) << text;
  }
}

}  // namespace
}  // namespace lanescope

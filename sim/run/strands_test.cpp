// Lanes of one warp that wait for one another: each makes progress, as on hardware from Volta on.
#include <gmock/gmock.h>

#include "run/run_text.h"

namespace lanescope {
namespace {

struct Waiting {
  const char* name;
  /// Kernel k(int* a, int* b, int* n), a holds its indices, b and n zeros
  const char* body;
  /// Of b, by its index
  int (*expected)(int);
  std::uint32_t blocks = 1;
};

constexpr const char* kBars = R"(
__device__ unsigned at(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(unsigned long long* bar, unsigned n) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at(bar)), "r"(n) : "memory");
}
__device__ void arrive(unsigned long long* bar) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(at(bar)) : "memory");
}
__device__ void wait(unsigned long long* bar, unsigned parity) {
  asm volatile("{ .reg .pred p;\nWAIT:\nmbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n"
               "@p bra DONE;\nbra WAIT;\nDONE: }" :: "r"(at(bar)), "r"(parity) : "memory");
}
)";

const Waiting kWaiting[] = {
    {"ALockTakenLaneByLane", R"(
      while (atomicCAS(n, 0, 1) != 0) {}
      __threadfence();
      volatile int* sum = n + 1;
      *sum = *sum + a[threadIdx.x];
      __threadfence();
      atomicExch(n, 0);
      __syncthreads();
      b[threadIdx.x] = *sum + threadIdx.x;)",
     [](int i) { return i < 64 ? 64 * 63 / 2 + i : 0; }},
    {"ALockOfAllBlocks", R"(
      while (atomicCAS(n, 0, 1) != 0) {}
      __threadfence();
      volatile int* sum = n + 1;
      *sum = *sum + 1;
      b[blockIdx.x * 64 + threadIdx.x] = *sum > 0 ? 7 : 0;
      __threadfence();
      atomicExch(n, 0);)",
     [](int i) { return i < 256 ? 7 : 0; }, 4},
    {"ALockInShared", R"(
      __shared__ int lock, sum;
      if (threadIdx.x == 0) lock = sum = 0;
      __syncthreads();
      for (int round = 0; round < 3; ++round) {
        while (atomicCAS(&lock, 0, 1) != 0) {}
        __threadfence_block();
        *(volatile int*)&sum = *(volatile int*)&sum + a[threadIdx.x] + round;
        __threadfence_block();
        atomicExch(&lock, 0);
      }
      __syncthreads();
      b[threadIdx.x] = sum;)",
     [](int i) { return i < 64 ? 3 * 64 * 63 / 2 + 64 * 3 : 0; }},
    {"OneLaneProducesForTheOthers", R"(
      __shared__ volatile int flag, value;
      flag = 0;
      __syncthreads();
      if (threadIdx.x % 32 == 5) {
        if (threadIdx.x == 5) { value = 42; __threadfence_block(); flag = 1; }
      } else {
        while (flag == 0) {}
        __threadfence_block();
      }
      __syncwarp();
      b[threadIdx.x] = value + threadIdx.x;)",
     [](int i) { return i < 64 ? 42 + i : 0; }},
    {"TheOthersComeFirst", R"(
      __shared__ volatile int flag, value;
      flag = 0;
      __syncthreads();
      if (threadIdx.x != 37) {
        while (flag == 0) {}
        __threadfence_block();
      } else {
        value = a[3];
        __threadfence_block();
        flag = 1;
      }
      const int got = value;
      b[threadIdx.x] = __shfl_sync(0xffffffffu, got, 9) + threadIdx.x;)",
     [](int i) { return i < 64 ? 3 + i : 0; }},
    {"LanesHandATicketOn", R"(
      volatile int* turn = n;
      const int t = threadIdx.x;
      int x = a[t] * 3;
      while (*turn != t) {}
      __threadfence();
      b[t] = n[1] + x;
      n[1] = n[1] + 1;
      __threadfence();
      *turn = t + 1;)",
     [](int i) { return i < 64 ? 4 * i : 0; }},
    {"ALaneArrivesAfterTheOthersWait", R"(
      __shared__ unsigned long long bar;
      __shared__ int s;
      if (threadIdx.x == 0) init(&bar, 1);
      __syncthreads();
      const int mine = a[threadIdx.x] * a[threadIdx.x + 1] + 5;
      if (threadIdx.x != 33) {
        wait(&bar, 0);
        b[threadIdx.x] = s + mine;
      } else {
        s = mine;
        arrive(&bar);
        b[threadIdx.x] = s + mine;
      })",
     [](int i) { return i < 64 ? 33 * 34 + 5 + i * (i + 1) + 5 : 0; }},
    {"PhasesBackAndForth", R"(
      __shared__ unsigned long long full, empty;
      __shared__ int s;
      if (threadIdx.x == 0) init(&full, 1), init(&empty, 1);
      __syncthreads();
      if (threadIdx.x == 0) {
        for (int i = 0; i < 8; ++i) {
          if (i > 0) wait(&empty, i + 1 & 1);
          s = a[i] + 10;
          arrive(&full);
        }
      } else if (threadIdx.x == 1) {
        int sum = 0;
        for (int i = 0; i < 8; ++i) {
          wait(&full, i & 1);
          sum += s;
          arrive(&empty);
        }
        b[0] = sum;
      })",
     [](int i) { return i == 0 ? 28 + 80 : 0; }},
};

class WaitingLanesOfAWarp : public testing::TestWithParam<Waiting> {};

TEST_P(WaitingLanesOfAWarp, MakeProgress) {
  const Waiting& text = GetParam();
  for (const bool checks : {false, true})
    for (const Engine engine : {Engine::interpreter, Engine::compiled}) {
      ExecuteRequest request;
      request.checks = checks;
      request.control.engine = engine;
      const Outcome outcome = run_text(
          kBars + std::string("__global__ void k(int* a, int* b, int* n) {\n") + text.body + "\n}",
          "k", {text.blocks, 1, 1}, {64, 1, 1},
          {buffer<int>("a", 256, Fill::index), buffer<int>("b", 256, Fill::zero),
           buffer<int>("n", 4, Fill::zero)},
          request);
      expect_each<int>(outcome, "b", text.expected);
    }
}

INSTANTIATE_TEST_SUITE_P(All, WaitingLanesOfAWarp, testing::ValuesIn(kWaiting),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(LanesThatWaitForEver, AreToldAtTheirLine) {
  const std::pair<const char*, unsigned> texts[] = {
      // Nobody gives the lock back.
      {"while (atomicCAS(n, 0, 1) != 0) {}\nb[threadIdx.x] = 1;", 2},
      // The flag is set behind the barrier.
      {"volatile int* flag = n;\nif (threadIdx.x < 7)\nwhile (*flag == 0) "
       "{}\n__syncthreads();\n*flag = 1;",
       4}};
  for (const auto& [body, line] : texts) {
    const Outcome outcome =
        run_text("__global__ void k(int* a, int* b, int* n) {\n" + std::string(body) + "\n}", "k",
                 {1, 1, 1}, {32, 1, 1},
                 {buffer<int>("a", 64, Fill::index), buffer<int>("b", 64, Fill::zero),
                  buffer<int>("n", 4, Fill::zero)});
    EXPECT_EQ(outcome.error().kind, DiagnosticKind::step_budget) << outcome.report();
    EXPECT_EQ(outcome.error().line, line) << outcome.report();
  }
}

/// Who has gone ahead meets the others again: what comes behind is one access of all lanes.
TEST(LanesThatWait, MeetAgain) {
  ExecuteRequest request;
  request.control.engine = Engine::interpreter;  // how often a flag is polled differs
  const Outcome outcome =
      run_text(R"(__global__ void k(int* a, int* b, int* n) {
  volatile int* flag = n;
  if (threadIdx.x != 31) {
    while (*flag == 0) {}
  } else {
    *flag = 1;
  }
  b[threadIdx.x] = 1;
})",
               "k", {1, 1, 1}, {32, 1, 1},
               {buffer<int>("a", 64, Fill::index), buffer<int>("b", 64, Fill::zero),
                buffer<int>("n", 4, Fill::zero)},
               request);
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  for (const AccessInfo& access : outcome.info().accesses)
    if (access.text.find("b[") == 0) {
      EXPECT_EQ(outcome.result.accesses[access.id].executions, 1u);
      EXPECT_EQ(outcome.result.accesses[access.id].global.sectors, 4u);
    }
}

}  // namespace
}  // namespace lanescope

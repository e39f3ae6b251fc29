// Device functions that call themselves more than once, or one another, on a stack: as the host computes them.
#include <algorithm>

#include "run/run_text.h"

namespace lanescope {
namespace {

Outcome run_recursive(const std::string& text, int n, const ExecuteRequest& request = {}) {
  const auto run = [&](const ExecuteRequest& one) {
    return run_text(
        text, "k", {1, 1, 1}, {64, 1, 1},
        {buffer<int>("out", 256, Fill::zero), buffer<int>("in", 256, Fill::index), scalar("n", n)},
        one);
  };
  Outcome outcome = run(request);
  if (outcome.ok()) {
    const Outcome watched = run({.checks = true});
    EXPECT_TRUE(watched.result.diagnostics.empty()) << watched.report();
  }
  return outcome;
}

int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

constexpr const char* kFib = R"(
__device__ int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
__global__ void k(int* out, const int* in, int n) { if (threadIdx.x < 32) out[threadIdx.x] = fib(in[threadIdx.x] % n); })";

TEST(RecursionOnAStack, Fibonacci) {
  for (const bool checks : {false, true})
    expect_each<int>(run_recursive(kFib, checks ? 12 : 21, ExecuteRequest{.checks = checks}), "out",
                     [&](int i) { return i < 32 ? fib(i % (checks ? 12 : 21)) : 0; });
}

TEST(RecursionOnAStack, Ackermann) {
  const Outcome outcome = run_recursive(R"(
__device__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__global__ void k(int* out, const int* in, int n) { out[threadIdx.x] = ackermann(in[threadIdx.x] & n, threadIdx.x % 5); })",
                                        1 | 2, {});
  expect_each<int>(outcome, "out", [](int i) { return i < 64 ? ackermann(i & 3, i % 5) : 0; });
}

TEST(RecursionOnAStack, Quicksort) {
  const Outcome outcome = run_recursive(R"(
__device__ void sort(int* a, int low, int high) {
  if (low >= high) return;
  const int pivot = a[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot) ++i;
    while (a[j] > pivot) --j;
    if (i <= j) { const int t = a[i]; a[i] = a[j]; a[j] = t; ++i, --j; }
  }
  sort(a, low, j);
  sort(a, i, high);
}
__global__ void k(int* out, const int* in, int n) {
  if (threadIdx.x >= 8) return;
  int* own = out + threadIdx.x * 32;
  for (int i = 0; i < n; ++i) own[i] = (in[i] * 37 + threadIdx.x * 11) % 101;
  sort(own, 0, n - 1);
})",
                                        32);
  std::vector<int> expected(256);
  for (int t = 0; t < 8; ++t) {
    for (int i = 0; i < 32; ++i)
      expected[static_cast<std::size_t>(t * 32 + i)] = (i * 37 + t * 11) % 101;
    std::sort(expected.begin() + t * 32, expected.begin() + t * 32 + 32);
  }
  expect_each<int>(outcome, "out", [&](int i) { return expected[static_cast<std::size_t>(i)]; });
}

// A local array in each frame, a pointer to it handed on, and loops that call.
TEST(RecursionOnAStack, FramesOfTheirOwn) {
  const Outcome outcome = run_recursive(R"(
struct Pair { int low, high; };
__device__ void count(const int* path, int depth, int n, Pair& found) {
  if (depth == n) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += path[i];
    (sum & 1 ? found.high : found.low) += sum;
    return;
  }
  int own[6];
  for (int i = 0; i < depth; ++i) own[i] = path[i];
  for (int choice = 0; choice < 3; ++choice) {
    own[depth] = choice;
    count(own, depth + 1, n, found);
  }
}
__global__ void k(int* out, const int* in, int n) {
  Pair found = {0, 0};
  count(nullptr, 0, 1 + threadIdx.x % n, found);
  out[threadIdx.x] = 1000 * found.low + found.high;
})",
                                        4);
  expect_each<int>(outcome, "out", [](int i) {
    if (i >= 64) return 0;
    const int n = 1 + i % 4;
    int all = 1, low = 0, high = 0;
    for (int d = 0; d < n; ++d) all *= 3;
    for (int path = 0; path < all; ++path) {
      int sum = 0;
      for (int d = 0, rest = path; d < n; ++d, rest /= 3) sum += rest % 3;
      (sum % 2 != 0 ? high : low) += sum;
    }
    return 1000 * low + high;
  });
}

TEST(RecursionOnAStack, OfTwoThatCallEachOther) {
  const Outcome outcome = run_recursive(R"(
__device__ int male(int n);
__device__ int female(int n) { return n == 0 ? 1 : n - male(female(n - 1)); }
__device__ int male(int n) { return n == 0 ? 0 : n - female(male(n - 1)); }
__global__ void k(int* out, const int* in, int n) { out[threadIdx.x] = 100 * female(threadIdx.x % n) + male(threadIdx.x % n); })",
                                        14);
  struct Hofstadter {
    static int female(int n) { return n == 0 ? 1 : n - male(female(n - 1)); }
    static int male(int n) { return n == 0 ? 0 : n - female(male(n - 1)); }
  };
  expect_each<int>(outcome, "out", [](int i) {
    return i < 64 ? 100 * Hofstadter::female(i % 14) + Hofstadter::male(i % 14) : 0;
  });
}

TEST(RecursionOnAStack, ATreeInMemory) {
  const Outcome outcome = run_recursive(R"(
// The children of node i are 2i + 1 and 2i + 2.
__device__ int deepest_sum(const int* tree, int at, int n) {
  if (at >= n) return 0;
  const int left = deepest_sum(tree, 2 * at + 1, n), right = deepest_sum(tree, 2 * at + 2, n);
  return tree[at] + (left > right ? left : right);
}
__global__ void k(int* out, const int* in, int n) { out[threadIdx.x] = deepest_sum(in, threadIdx.x, n); })",
                                        100);
  struct Tree {
    static int sum(int at, int n) {
      return at >= n ? 0 : at + std::max(sum(2 * at + 1, n), sum(2 * at + 2, n));
    }
  };
  expect_each<int>(outcome, "out", [](int i) { return i < 64 ? Tree::sum(i, 100) : 0; });
}

TEST(RecursionOnAStack, TooDeepIsToldAtTheCall) {
  const Outcome outcome = run_recursive(R"(
__device__ int both(int n, int m) {
  if (n <= 0) return m;
  return both(n - 1, m + 1)
       + both(n - 100000, m);
}
__global__ void k(int* out, const int* in, int n) { out[threadIdx.x] = both(n, 0); })",
                                        5000);
  EXPECT_EQ(outcome.error().kind, DiagnosticKind::unsupported);
  EXPECT_EQ(outcome.error().line, 4u) << outcome.report();
  EXPECT_NE(outcome.error().message.english().find("recursive call of 'both(int, int)'"),
            std::string::npos)
      << outcome.report();
}

}  // namespace
}  // namespace lanescope

// Divergence and reconvergence: each kernel's lanes against a plain loop over threads on the host.
#include "run/run_text.h"

// Falling through is what the bodies with a switch are for.
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"

namespace lanescope {
namespace {

constexpr int kBlockThreads = 128, kBlocks = 3, kGridThreads = kBlockThreads * kBlocks;

/// A body of statements over `t` (thread in the grid), `in` (with a guard of zeros), and its result
/// `r`; and the same as a function on the host. Bodies are texts that both compilers read.
struct Body {
  const char* name;
  const char* text;
  int (*host)(int t, const int* in);
};
#define BODY(NAME, ...)                                                                            \
  Body {                                                                                           \
    NAME, #__VA_ARGS__, [](int t, [[maybe_unused]] const int* in) -> int {                         \
      int r = t;                                                                                   \
      [&]() { __VA_ARGS__ }();                                                                     \
      return r;                                                                                    \
    }                                                                                              \
  }

const Body kBodies[] = {
    BODY("if", if (t % 3 == 0) r = 5;),
    BODY("if-else", if (t % 2) r *= 3; else r -= 7;),
    BODY("nested", if (t % 2) { if (t % 3) r = 1; else if (t % 5) r = 2; else r = 3; } else { if (in[t] > 50) { r = 4; if (in[t] > 80) r += 10; } } r += 100;),
    BODY("per-lane trip count", for (int i = 0; i < t % 37; ++i) r += i * i;),
    BODY("while with loads", int i = 0; while (in[t + i] != 0) { r += in[t + i]; ++i; }),
    BODY("do-while, loaded value used after", int i = 0; int v; do { v = in[t + i]; i += 1; } while (v % 4 != 0); r = v * 1000 + i;),
    BODY("loaded value leaves by break", int v = -1; for (int i = 0; i < 40; ++i) { v = in[t + i]; if (v % 7 == 3) break; if (i > 30 + t % 5) break; } r = v;),
    BODY("continue", for (int i = 0; i < 20; ++i) { if ((i + t) % 3 == 0) continue; r += in[t + i]; }),
    BODY("break and continue", for (int i = 0; i < 50; ++i) { if (in[t + i] > 90) break; if (in[t + i] % 2) continue; r += i; }),
    BODY("nested loops with both", for (int i = 0; i < t % 9 + 1; ++i) { for (int j = i; j < 12; ++j) { int v = in[t + i * 3 + j]; if (v == 13) return; if (v > 60 + i) break; if (v % 5 == 1) continue; r += v * (j + 1); } r ^= i; }),
    BODY("return out of two loops", for (int i = 0; i < 9; ++i) { int v = in[t + i]; for (int j = 0; j < 9; ++j) { int w = in[t + i + j]; if (w + v == 99) { r = i * 100 + j; return; } if (w > v) break; r += w; } r += v; } r = -r;),
    BODY("early return", if (in[t] > 70) return; r = in[t] * 2; if (t % 11 == 0) return; r += 1;),
    BODY("switch", switch (in[t] % 6) { case 0: r = 10; break; case 1: r = 20; case 2: r += 5; break; case 4: { if (t % 2) break; r = 9; } default: r -= 1; }),
    BODY("switch in a loop", for (int i = 0; i < 25; ++i) { switch (in[t + i] % 5) { case 0: continue; case 1: r += 3; break; case 3: r -= i; break; default: r ^= 1; } if (r < -40) break; }),
    BODY("switch into a loop", int n = t % 23; int i = 0; int last = 0; switch (n % 4) { case 0: do { last = in[t + i]; r += last; ++i; case 3: last = in[t + i]; r += last * 2; ++i; case 2: last = in[t + i]; r += last * 3; ++i; case 1: last = in[t + i]; r += 4; ++i; } while (i < n); } r += last * 7;),
    BODY("goto", int i = 0; again: r += in[t + i]; ++i; if (i < t % 13) goto again; if (r % 2) goto out; r *= 2; out: r += 1;),
    BODY("irreducible", int i = 0; int v = 0; if (t % 2) goto middle; top: v = in[t + i]; r += v; ++i; middle: r += i * 3; ++i; if (i < 5 + t % 12) goto top; r = r * 31 + v;),
    BODY("swap in a loop", int a = t; int b = 1; for (int i = 0; i < t % 15; ++i) { int c = a; a = b; b = c; } r = a * 1000 + b;),
    BODY("rotation of three", int a = 1; int b = 2; int c = t; for (int i = 0; i < in[t] % 10; ++i) { int d = a; a = b; b = c; c = d + i; } r = a * 10000 + b * 100 + c;),
    BODY("fibonacci", int a = 0; int b = 1; while (b < t * 5) { int c = a + b; a = b; b = c; } r = a;),
    BODY("gcd", int a = t + 1; int b = in[t] + 1; while (b != 0) { int c = a % b; a = b; b = c; } r = a;),
    BODY("collatz", int n = t + 1; int k = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; ++k; } r = k;),
    BODY("short circuit guards a load", if (t < 10 || in[t - 10] > 50) r = 1; else r = 2; if (t > 5 && in[t - 6] % 2 && in[t + 6] % 2) r += 10;),
    BODY("ternaries", r = in[t] > 50 ? (in[t] % 2 ? 1 : in[t + 1]) : t % 3 ? in[t + 2] : -1;),
    BODY("comma and compound", int k = 3; r += (k += in[t], k * 2); r <<= 1; r |= 1; r ^= k; r %= 1000;),
    BODY("loop with two exits and a use", int i = 0; int v = 0; int w = 0; for (;;) { v = in[t + i]; if (v > 85) { r = v; break; } w = in[t + i + 1]; if (w < 12) { r = -w; break; } ++i; if (i > 35) break; } r += i * 100 + v * 10000 + w * 1000000;),
    BODY("break out of the inner, outer goes on", int s = 0; for (int i = 0; i < 6; ++i) { int best = -1; for (int j = 0; j < 8; ++j) { int v = in[t + i * 4 + j]; if (v > 88) { best = v; break; } if (v == 50) { r = s; return; } s += v & 3; } s = s * 2 + best; } r = s;),
    BODY("loop in a branch of a loop", for (int i = 0; i < 8; ++i) { if ((t + i) % 3 == 0) { int v; int j = 0; do { v = in[t + i + j++]; } while (v > 30 && j < 9); r += v; } else { for (int j = 0; j < i; ++j) r -= in[t + j] & 7; } }),
    BODY("long long and mixed widths", unsigned long long s = t; for (int i = 0; i < t % 17; ++i) s = s * 31 + in[t + i]; r = (int)(s ^ (s >> 32));),
    BODY("bools carried by a loop", bool seen = false; bool odd = false; for (int i = 0; i < 20 && !seen; ++i) { seen = in[t + i] > 92; odd = !odd && in[t + i] % 3 != 0; } r = seen * 2 + odd;),
    BODY("double in a loop", double d = t; while (d > 1.5) d = d / 1.7; r = (int)(d * 1e6);),
};

std::vector<int> input() {
  std::vector<int> values(kGridThreads + 100);
  std::uint32_t seed = 12345;
  for (int& v : values) v = static_cast<int>((seed = seed * 1664525u + 1013904223u) >> 16) % 100;
  return values;
}

class ControlFlow : public testing::TestWithParam<Body> {};

TEST_P(ControlFlow, EveryLaneGoesItsOwnWay) {
  const Body& body = GetParam();
  const std::string text =
      "__device__ int f(int t, const int* in) { int r = t; auto body = [&]() { " +
      std::string(body.text) +
      " }; body(); return r; }\n"
      "__global__ void k(const int* in, int* out) { int t = blockIdx.x * blockDim.x + threadIdx.x; "
      "out[t] = f(t, in); }\n";
  const std::vector<int> in = input();
  const auto want = [&](std::size_t i) { return body.host(static_cast<int>(i), in.data()); };
  const std::vector<TextArgument> arguments = {data("in", in), buffer<int>("out", kGridThreads)};
  const Outcome lean = run_text(text, "k", {kBlocks, 1, 1}, {kBlockThreads, 1, 1}, arguments);
  expect_each<int>(lean, "out", want);
  InspectRequest recording;
  recording.blocks = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  const Outcome recorded =
      run_text(text, "k", {kBlocks, 1, 1}, {kBlockThreads, 1, 1}, arguments, recording);
  expect_each<int>(recorded, "out", want);
  EXPECT_EQ(lean.result.accesses, recorded.result.accesses);
  EXPECT_EQ(lean.result.warp_instructions, recorded.result.warp_instructions);
}

std::string name_of(const testing::TestParamInfo<Body>& info) {
  std::string name = info.param.name;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Bodies, ControlFlow, testing::ValuesIn(kBodies), name_of);

// ---- shapes ----

struct Shape {
  Dim3 grid, block;
};
class Shapes : public testing::TestWithParam<Shape> {};

TEST_P(Shapes, EveryThreadOfEveryBlockRunsOnceWithItsCoordinates) {
  const auto [grid, block] = GetParam();
  const char* text = R"(
__global__ void k(int* out) {
  int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int volume = blockDim.x * blockDim.y * blockDim.z;
  atomicAdd(&out[block * volume + thread], 1 + threadIdx.x + 1000 * threadIdx.y + 1000000 * threadIdx.z);
})";
  const std::uint64_t volume = block.count();
  const Outcome outcome =
      run_text(text, "k", grid, block, {buffer<int>("out", grid.count() * volume, Fill::zero)});
  const Dim3 shape = block;
  expect_each<int>(outcome, "out", [&](std::size_t i) {
    const auto thread = static_cast<std::uint32_t>(i % volume);
    return static_cast<int>(1 + thread % shape.x + 1000 * (thread / shape.x % shape.y) +
                            1000000 * (thread / shape.x / shape.y));
  });
}
INSTANTIATE_TEST_SUITE_P(All, Shapes,
                         testing::Values(Shape{{1, 1, 1}, {1, 1, 1}}, Shape{{2, 3, 4}, {5, 3, 7}},
                                         Shape{{7, 1, 1}, {33, 1, 1}}, Shape{{1, 5, 1}, {31, 1, 1}},
                                         Shape{{2, 2, 2}, {32, 32, 1}},
                                         Shape{{3, 1, 2}, {1, 1, 64}}, Shape{{1, 1, 9}, {4, 4, 4}},
                                         Shape{{13, 1, 1}, {1, 100, 1}}));

// ---- barriers ----

TEST(Barriers, InLoopsWithUniformTripCounts) {
  const char* text = R"(
__global__ void scan(const int* in, int* out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = s[t];
})";
  const std::vector<int> in = input();
  const Outcome outcome = run_text(text, "scan", {kBlocks, 1, 1}, {kBlockThreads, 1, 1},
                                   {data("in", in), buffer<int>("out", kGridThreads)});
  expect_each<int>(outcome, "out", [&](std::size_t i) {
    int sum = 0;
    for (std::size_t j = i / kBlockThreads * kBlockThreads; j <= i; ++j) sum += in[j];
    return sum;
  });
}

TEST(Barriers, ValuesOfEveryWidthLiveAcrossThem) {
  const char* text = R"(
__global__ void k(const int* in, double* out) {
  int t = threadIdx.x; bool odd = in[t] & 1; short h = (short)(in[t] * 300); double d = in[t] / 3.0; long long w = (long long)in[t] << 33;
  float4 q = make_float4(t, t + 1, t + 2, t + 3); const int* p = in + t;
  __shared__ int s[100];
  s[t] = t;
  __syncthreads();
  int other = s[99 - t];
  __syncthreads();
  out[t] = odd + h + d + (double)(w >> 33) + q.x + q.y * 2 + q.z * 3 + q.w * 4 + *p + other;
})";
  const std::vector<int> in = input();
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {100, 1, 1}, {data("in", in), buffer<double>("out", 100)});
  expect_each<double>(
      outcome, "out",
      [&](std::size_t i) {
        const int t = static_cast<int>(i), v = in[i];
        return (v & 1) + static_cast<short>(v * 300) + v / 3.0 + v + t + 2.0 * (t + 1) +
               3.0 * (t + 2) + 4.0 * (t + 3) + v + (99 - t);
      },
      1e-12);
}

TEST(Barriers, UnderAConditionThatTheWholeBlockShares) {
  const char* text = R"(
__global__ void k(int* out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; ++i) {
    s[t] = t * i;
    if (i % 2 == blockIdx.x % 2) { __syncthreads(); sum += s[63 - t]; }
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
})";
  const Outcome outcome =
      run_text(text, "k", {4, 1, 1}, {64, 1, 1}, {buffer<int>("out", 256), scalar("n", 7)});
  expect_each<int>(outcome, "out", [](std::size_t i) {
    int sum = 0;
    for (int k = 0; k < 7; ++k)
      if (k % 2 == static_cast<int>(i / 64 % 2)) sum += (63 - static_cast<int>(i % 64)) * k;
    return sum;
  });
}

}  // namespace
}  // namespace lanescope

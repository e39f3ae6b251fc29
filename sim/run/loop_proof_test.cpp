// Whole-grid counts of kernels with loops: what is proved equals what is executed.
#include <gtest/gtest.h>

#include <string>

#include "run/run_text.h"

namespace lanescope {
namespace {

struct Looping {
  const char* name;
  const char* body;
  Dim3 grid, block;
  /// Of the kernel's n
  int n;
  bool proved = true;
};

void PrintTo(const Looping& c, std::ostream* out) { *out << c.name; }

constexpr std::uint64_t kLoopElements = 1 << 16;

Outcome counted(const Looping& c, bool every_block) {
  const std::string text = std::string("__global__ void k(float* a, const int* d, int n) {\n"
                                       "  const int t = threadIdx.x, b = blockIdx.x;\n"
                                       "  __shared__ float s[4096];\n") +
                           c.body + "\n}\n";
  CountRequest request;
  request.every_block = every_block;
  return run_text(text, "k", c.grid, c.block,
                  {buffer<float>("a", kLoopElements, Fill::zero), buffer<int>("d", 64, Fill::zero),
                   scalar<int>("n", c.n)},
                  request);
}

class LoopProof : public testing::TestWithParam<Looping> {};

TEST_P(LoopProof, EqualsExecution) {
  const Outcome proof = counted(GetParam(), false), run = counted(GetParam(), true);
  ASSERT_TRUE(proof.ok()) << proof.report();
  ASSERT_TRUE(run.ok()) << run.report();
  EXPECT_EQ(proof.result.coverage.classes > 0, GetParam().proved) << proof.result.coverage.fallback;
  EXPECT_EQ(proof.result.accesses, run.result.accesses);
  EXPECT_EQ(proof.result.warp_instructions, run.result.warp_instructions);
}

const Looping kLoops[] = {
    {"Straight", "for (int i = 0; i < n; ++i) a[(b * 64 + t) + i * 32] = i;", {4}, {64}, 1000},
    {"GridStride",
     "for (int i = b * 64 + t; i < n; i += gridDim.x * 64) a[i] = i;",
     {7},
     {64},
     65000},
    {"Sectors", "for (int i = 0; i < n; ++i) a[t + i * 3] = i;", {3}, {32}, 999},
    {"Banks", "for (int i = 0; i < n; ++i) s[(t * 2 + i) % 4096] = i;", {2}, {64}, 77, true},
    {"SharedRows", "for (int i = 0; i < n; ++i) s[t * 33 + i] += a[i * 64 + t];", {2}, {64}, 31},
    {"Barriers",
     "for (int i = 0; i < n; ++i) { s[t] = a[i * 64 + t]; __syncthreads(); a[i * 64 + t] = s[63 - "
     "t]; "
     "__syncthreads(); }",
     {3},
     {64},
     900},
    {"Nested",
     "for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) a[(i * n + j) * 4 + b] = j;",
     {4},
     {32},
     100},
    {"ThreeDeep",
     "for (int i = 0; i < 30; ++i) for (int j = 0; j < 30; ++j) for (int k = 0; k < n; ++k) "
     "a[i * 900 + j * 30 + k] = t;",
     {2},
     {32},
     20},
    {"Triangle",
     "for (int i = 0; i < n; ++i) for (int j = 0; j < i; ++j) a[i * n + j] = t;",
     {2},
     {32},
     60},
    {"ByBlock", "for (int i = 0; i < b * 10; ++i) a[i * 32 + t] = i;", {9}, {32}, 0},
    {"ByThread", "for (int i = 0; i < t * 4; ++i) a[i] = i;", {2}, {64}, 0},
    {"Guarded",
     "for (int i = 0; i < n; ++i) if (i * 32 + t < 20000) a[i * 32 + t] = i;",
     {2},
     {32},
     1500},
    {"Middle",
     "for (int i = 0; i < n; ++i) { if (i == 40) a[t] = 1; else a[i * 2 + 1] = 2; }",
     {2},
     {32},
     300},
    {"EveryThird", "for (int i = 0; i < n; ++i) if (i % 3 == 0) a[i * 8 + t] = 1;", {2}, {32}, 300},
    {"EverySecond",
     "for (int i = 0; i < n; ++i) if (i % 2 == 0) a[i * 8 + t] = 1; else a[i] = 2;",
     {2},
     {32},
     300},
    {"TwoBuffers",
     "float (*tile)[64] = (float (*)[64])s; for (int i = 0; i < n; ++i) { tile[(i + 1) % 2][t] = "
     "a[(i + 1) * 64 + t]; a[i * 64 + 63 - t + b] = tile[i % 2][63 - t]; __syncthreads(); }",
     {4},
     {64},
     700},
    {"BuffersInTurn",
     "int now = 0; for (int i = 0; i < n; ++i) { s[now * 64 + t] = a[i * 64 + t]; now ^= 1; "
     "a[i * 64 + 63 - t] = s[now * 64 + 63 - t]; __syncthreads(); }",
     {4},
     {64},
     700},
    {"TwoPaddedBuffers",
     "for (int i = 0; i < n; ++i) { s[(i + 1) % 2 * 65 + t] = a[i * 64 + t]; __syncthreads(); "
     "a[i * 64 + t] = s[i % 2 * 65 + 63 - t]; }",
     {4},
     {64},
     700},
    {"Swizzled",
     "for (int i = 0; i < n; ++i) { s[(i & 15) * 32 + (t ^ (i & 15))] = a[i * 32 + t]; "
     "a[i * 32 + t] = s[(t & 15) * 32 + ((i & 15) ^ t)]; }",
     {2},
     {32},
     1000},
    {"NeighboursInTurn", "a[(b * 64 + t) ^ 1] = t;", {40}, {64}, 0},
    {"BlocksAsBits", "a[((b & 15) * 64) ^ (t | 1024)] = t;", {40}, {64}, 0},
    {"Down", "for (int i = n; i >= 0; --i) a[i * 32 + t] = i;", {2}, {32}, 900},
    {"Halving",
     "for (int i = 32; i > 0; i /= 2) { if (t < i) s[t] += s[t + i]; __syncthreads(); }",
     {2},
     {64},
     0},
    {"Pointer", "float* p = a + t; while (p < a + n) { *p = 1; p += 32; }", {2}, {32}, 60000},
    {"Break",
     "for (int i = 0; i < 10000; ++i) { if (i * 32 > n) break; a[i * 32 + t] = i; }",
     {2},
     {32},
     30000},
    {"LastFewLanes", "for (int i = t; i < n; i += 32) a[i] = i;", {2}, {32}, 1003},
    {"ByQuotient", "for (int i = 0; i / 4 < n; ++i) a[i * 8 + t] = 1;", {2}, {32}, 500},
    {"OfData", "for (int i = 0; i < d[0] + 3; ++i) a[i * 32 + t] = i;", {2}, {32}, 0, false},
    {"WrapAround", "for (unsigned i = 0; i < 300; ++i) a[(unsigned char)i] = t;", {2}, {32}, 0},
    {"Exchange",
     "int x = t, y = 63 - t; for (int i = 0; i < n; ++i) { a[x + i * 64] = 1; int z = x; x = y; y "
     "= z; }",
     {2},
     {64},
     500},
};

INSTANTIATE_TEST_SUITE_P(Texts, LoopProof, testing::ValuesIn(kLoops),
                         [](const auto& c) { return std::string(c.param.name); });

// More iterations than the symbolic run has operations for: only a loop that is run as a whole ends.
TEST(LoopProofs, LongLoopsAreRunAsAWhole) {
  const Looping c{"", "for (int i = 0; i < n; ++i) a[t] += i;", {1u << 20}, {256}, 100'000'000};
  const Outcome proof = counted(c, false);
  ASSERT_TRUE(proof.ok()) << proof.report();
  EXPECT_EQ(proof.result.coverage.classes, 1u) << proof.result.coverage.fallback;
  std::uint64_t stores = 0;
  for (const AccessCounts& access : proof.result.accesses) stores += access.executions;
  // A load and a store, or only one of them where the compiler keeps the sum.
  EXPECT_EQ(stores % ((1ull << 20) * 8), 0u);
  EXPECT_GE(stores, (1ull << 20) * 8 * 100'000'000);
}

}  // namespace
}  // namespace lanescope

// wgmma: the products of warpgroups, from registers and from shared memory in every layout that a descriptor can name.
#include <algorithm>
#include <cmath>

#include "run/run_text.h"

namespace lanescope {
namespace {

constexpr const char* kFunctions = R"(
#include <cuda_fp16.h>
typedef unsigned long long u64;
__device__ unsigned at(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ u64 descriptor(unsigned start, unsigned leading, unsigned stride, unsigned mode) {
  return start >> 4 | (u64)(leading >> 4) << 16 | (u64)(stride >> 4) << 32 | (u64)mode << 62;
}
__device__ void begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void end() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
__device__ void fence() { asm volatile("fence.proxy.async;" ::: "memory"); }
)";

/// The asm statement: `registers` accumulators d, then operands.
std::string multiply(int registers, const std::string& opcode, const std::string& operands,
                     const std::string& given, const char* kind = "f") {
  std::string list, outputs;
  for (int i = 0; i < registers; ++i) {
    list += (i ? ", %" : "%") + std::to_string(i);
    outputs += std::string(i ? ", " : "") + "\"+" + kind + "\"(d[" + std::to_string(i) + "])";
  }
  std::string text = operands;
  for (std::size_t at; (at = text.find('#')) != std::string::npos;)
    text.replace(at, 2, "%" + std::to_string(registers + text[at + 1] - '0'));
  return "asm volatile(\"{ .reg .pred p; setp.ne.b32 p, " + std::string("%") +
         std::to_string(registers + 2) + ", 0; " + opcode + " {" + list + "}, " + text +
         "; }\" : " + outputs + " : " + given + ");\n";
}

/// Where element (line, k) of an operand of halves lies, as TMA leaves a tile whose rows are `width` bytes, or as core
/// matrices without a swizzle do; and its descriptor for the k that begins at 16·s.
struct Layout {
  const char* name;
  const char* place;
  const char* descriptor;
  int by_columns;
};
/// Of 64 of k, `lines` lines
const Layout kLayouts[] = {
    {"none", "(k / 8) * 128 + (l / 8) * 1024 + l % 8 * 16 + k % 8 * 2",
     "descriptor(at(S) + s * 256, 128, 1024, 0)", 0},
    {"swizzle128", "l * 128 + ((k / 8) ^ (l % 8)) * 16 + k % 8 * 2",
     "descriptor(at(S) + s * 32, 16, 1024, 1)", 0},
    {"swizzle64", "(k / 32) * LINES * 64 + l * 64 + ((k / 8 % 4) ^ (l / 2 % 4)) * 16 + k % 8 * 2",
     "descriptor(at(S) + s / 2 * LINES * 64 + s % 2 * 32, 16, 512, 2)", 0},
    {"swizzle32", "(k / 16) * LINES * 32 + l * 32 + ((k / 8 % 2) ^ (l / 4 % 2)) * 16 + k % 8 * 2",
     "descriptor(at(S) + s * LINES * 32, 16, 256, 3)", 0},
    {"columns_none", "(k / 8) * 128 + (l / 8) * 1024 + k % 8 * 16 + l % 8 * 2",
     "descriptor(at(S) + s * 256, 128, 1024, 0)", 1},
    {"columns_swizzle128", "(l / 64) * 8192 + k * 128 + ((l / 8 % 8) ^ (k % 8)) * 16 + l % 8 * 2",
     "descriptor(at(S) + s * 2048, 8192, 1024, 1)", 1},
};

std::string with(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at; (at = text.find(from)) != std::string::npos;)
    text.replace(at, from.size(), to);
  return text;
}

/// A (64 × 64) times B (64 × n), both filled with small whole numbers.
std::string product_text(const Layout& a, const Layout& b, int n) {
  const std::string lines = std::to_string(n);
  const auto place = [&](const Layout& of, const char* count) {
    return with(of.place, "LINES", count);
  };
  const auto named = [&](const Layout& of, const char* array, const char* count) {
    return with(with(of.descriptor, "S)", std::string(array) + ")"), "LINES", count);
  };
  std::string text =
      std::string(kFunctions) +
      "__global__ void k(float* c) {\n"
      "__shared__ __align__(1024) char A[8192], B[" +
      std::to_string(n * 128) +
      "];\n"
      "int t = threadIdx.x;\n"
      "for (int i = t; i < 64 * 64; i += 128) { int l = i / 64, k = i % 64;\n"
      "*(half*)(A + " +
      place(a, "64") +
      ") = __float2half((float)((l * 3 + k * 5) % 17 - 8)); }\n"
      "for (int i = t; i < " +
      lines +
      " * 64; i += 128) { int l = i / 64, k = i % 64;\n"
      "*(half*)(B + " +
      place(b, lines.c_str()) +
      ") = __float2half((float)((l * 7 + k * 2) % 13 - 6)); }\n"
      "fence(); __syncthreads();\n"
      "float d[" +
      std::to_string(n / 2) +
      "];\n"
      "for (int i = 0; i < " +
      std::to_string(n / 2) +
      "; ++i) d[i] = 99;\n"
      "begin();\n#pragma unroll\nfor (int s = 0; s < 4; ++s) {\n" +
      multiply(n / 2, "wgmma.mma_async.sync.aligned.m64n" + lines + "k16.f32.f16.f16",
               "#0, #1, p, 1, 1, " + std::to_string(a.by_columns) + ", " +
                   std::to_string(b.by_columns),
               "\"l\"(" + named(a, "A", "64") + "), \"l\"(" + named(b, "B", lines.c_str()) +
                   "), \"r\"(s)") +
      "}\nend();\n"
      "for (int i = 0; i < " +
      std::to_string(n / 2) +
      "; ++i) {\n"
      "int row = t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + t % 4 * 2 + i % "
      "2;\n"
      "c[row * " +
      lines + " + column] = d[i]; } }";
  return text;
}

float product_at(int row, int column) {
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += static_cast<float>((row * 3 + k * 5) % 17 - 8) *
           static_cast<float>((column * 7 + k * 2) % 13 - 6);
  return sum;
}

void expect_product(const std::string& text, int n, bool checks) {
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {128, 1, 1},
                                   {buffer<float>("c", static_cast<std::uint64_t>(64 * n))},
                                   ExecuteRequest{.checks = checks});
  EXPECT_TRUE(outcome.result.diagnostics.empty()) << outcome.report();
  expect_each<float>(outcome, "c", [n](std::size_t i) {
    return product_at(static_cast<int>(i) / n, static_cast<int>(i) % n);
  });
}

class GroupLayouts : public testing::TestWithParam<Layout> {};

TEST_P(GroupLayouts, OfBothOperands) {
  expect_product(product_text(GetParam(), kLayouts[1], 64), 64, false);
  expect_product(product_text(kLayouts[1], GetParam(), 128), 128, true);
}

INSTANTIATE_TEST_SUITE_P(Layouts, GroupLayouts, testing::ValuesIn(kLayouts),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(GroupProducts, OfEveryWidthThatIsTried) {
  for (const int n : {8, 24, 96, 256})
    expect_product(product_text(kLayouts[1], kLayouts[1], n), n, false);
}

/// A lane's registers hold A as those of mma.m16n8k16 do.
TEST(GroupProducts, TakeAFromRegisters) {
  std::string text =
      std::string(kFunctions) +
      "__global__ void k(float* c) { __shared__ __align__(1024) char B[4096];\n"
      "int t = threadIdx.x;\n"
      "for (int i = t; i < 32 * 64; i += 128) { int l = i / 64, k = i % 64;\n"
      "*(half*)(B + " +
      std::string(kLayouts[1].place) +
      ") = __float2half((float)((l * 7 + k * 2) % 13 - 6)); }\n"
      "fence(); __syncthreads(); float d[16] = {}; begin();\n"
      "for (int s = 0; s < 4; ++s) { unsigned a[4]; for (int r = 0; r < 4; ++r) {\n"
      "int row = t / 32 * 16 + t % 32 / 4 + r % 2 * 8, k = s * 16 + t % 4 * 2 + r / 2 * 8;\n"
      "half2 two = __floats2half2_rn((row * 3 + k * 5) % 17 - 8, (row * 3 + k * 5 + 5) % 17 - 8);\n"
      "a[r] = *(unsigned*)&two; }\n"
      "u64 b = " +
      with(kLayouts[1].descriptor, "S)", "B)") + ";\n" +
      multiply(16, "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16",
               "{#3, #4, #5, #6}, #0, p, 1, 1, 0",
               "\"l\"(b), \"r\"(0), \"r\"(1), \"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3])") +
      "} end(); for (int i = 0; i < 16; ++i) {\n"
      "int row = t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + t % 4 * 2 + i % "
      "2;\n"
      "c[row * 32 + column] = d[i]; } }";
  expect_product(text, 32, true);
}

struct Mistake {
  const char* name;
  const char* before;
  const char* descriptor;
  std::uint32_t threads;
  const char* says;
  bool checks = false;
};

const Mistake kMistakes[] = {
    {"outside_of_shared_memory", "fence(); __syncthreads();", "descriptor(200704, 16, 1024, 1)",
     128, "a matrix of wgmma outside of shared memory: byte 200704 of"},
    {"a_warpgroup_that_is_not_complete", "fence(); __syncthreads();",
     "descriptor(at(B), 16, 1024, 1)", 96, "by a warp whose warpgroup is not complete"},
    {"some_lanes_alone", "fence(); __syncthreads(); if (t % 32 < 16) return;",
     "descriptor(at(B), 16, 1024, 1)", 128, "a matrix instruction without all lanes of its warp"},
    {"no_fence_behind_what_threads_write", "__syncthreads();", "descriptor(at(B), 16, 1024, 1)",
     128, "no fence.proxy.async follows the write by thread", true},
    {"nobody_waits_for_who_writes", "fence();", "descriptor(at(B), 16, 1024, 1)", 128,
     "race: read of shared byte", true},
};

class GroupMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(GroupMistakes, AreTold) {
  const Mistake& mistake = GetParam();
  const std::string text =
      std::string(kFunctions) +
      "__global__ void k(float* c) { __shared__ __align__(1024) half B[1024]; int t = "
      "threadIdx.x;\n"
      "for (int i = t; i < 1024; i += blockDim.x) B[i] = __float2half(1.0f);\n" +
      mistake.before + "float d[4] = {}; begin();\n" +
      multiply(4, "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", "#0, #1, p, 1, 1, 0, 0",
               "\"l\"(descriptor(at(B), 16, 0, 1)), \"l\"(" + std::string(mistake.descriptor) +
                   "), \"r\"(0)") +
      "end(); c[t] = d[0] + d[1] + d[2] + d[3]; }";
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {mistake.threads, 1, 1}, {buffer<float>("c", 128, Fill::zero)},
               ExecuteRequest{.checks = mistake.checks});
  ASSERT_NE(outcome.compiled.program, nullptr) << outcome.report();
  const std::vector<Diagnostic>& all = outcome.result.diagnostics;
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Diagnostic& d) {
    return d.line > 0 && d.message.english().find(mistake.says) != std::string::npos;
  })) << outcome.report();
}

INSTANTIATE_TEST_SUITE_P(Texts, GroupMistakes, testing::ValuesIn(kMistakes),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace lanescope

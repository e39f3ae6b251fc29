// wgmma: the products of warpgroups, from registers and from shared memory in every layout that a descriptor can name.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "run/nothing_wrong.h"

namespace lanescope {
namespace {

constexpr const char* kGroupFunctions = R"(
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
      std::string(kGroupFunctions) +
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
  EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
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

/// As templates write them: scale, signs and orders are immediates of the statement.
TEST(GroupProducts, AreCounted) {
  const Outcome outcome = run_text(
      std::string(kGroupFunctions) +
          "__global__ void k(float* out) {\n__shared__ __align__(1024) half "
          "s[8192]; float d[32]; for (int i = threadIdx.x; i < 8192; i += "
          "128) s[i] = __float2half(1); fence(); __syncthreads(); u64 g = "
          "descriptor(at(s), 16, 1024, 1); begin();" +
          multiply(32, "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16",
                   "#0, #1, p, 1, 1, 0, 0", "\"l\"(g), \"l\"(g), \"r\"(0)") +
          "end(); out[threadIdx.x] = d[0]; }",
      "k", {3, 1, 1}, {128, 1, 1}, {buffer<float>("out", 128, Fill::zero)}, ExecuteRequest{});
  EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
  for (const AccessInfo& access : outcome.info().accesses) {
    if (access.op != AccessOp::product) continue;
    const AccessCounts& counts = outcome.result.accesses[access.id];
    EXPECT_EQ(counts.executions, 12u);
    EXPECT_EQ(counts.shared, (SharedCounts{12, 96, 96, 0, 0}));
    return;
  }
  ADD_FAILURE() << "no product among the accesses";
}

TEST(GroupProducts, TakeImmediatesOfTheStatement) {
  std::string text = product_text(kLayouts[1], kLayouts[1], 16);
  const std::string plain = ", p, 1, 1, 0, 0;";
  ASSERT_NE(text.find(plain), std::string::npos);
  text = with(text, plain, ", %11, %12, %13, %14, %15;");
  text = with(text, "\"r\"(s))", "\"r\"(s), \"n\"(1), \"n\"(-1), \"n\"(1), \"n\"(0), \"n\"(0))");
  text = with(text, "d[i] = 99;", "d[i] = 1;");
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {128, 1, 1}, {buffer<float>("c", 64 * 16)});
  expect_each<float>(outcome, "c", [](std::size_t i) {
    return 1 - product_at(static_cast<int>(i) / 16, static_cast<int>(i) % 16);
  });
}

/// A lane's registers hold A as those of mma.m16n8k16 do.
TEST(GroupProducts, TakeAFromRegisters) {
  std::string text =
      std::string(kGroupFunctions) +
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

/// A type of factors, and how it writes -2 to 2.
struct Factors {
  const char* name;
  const char* opcode;
  std::uint32_t bytes;
  std::uint32_t (*bits)(int value);
  /// Behind the scale: signs, and orders where there are
  const char* behind;
  const char* result = "float";
};

std::uint32_t float_bits(int value) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}
std::uint32_t small_float(int value, std::uint32_t one, std::uint32_t two) {
  const std::uint32_t size = value == 0 ? 0 : std::abs(value) == 1 ? one : two;
  return value < 0 ? size | 0x80u : size;
}

const Factors kFactors[] = {
    {"bf16", "k16.f32.bf16.bf16", 2, [](int v) { return float_bits(v) >> 16; }, ", 1, 1, 0, 0"},
    {"tf32", "k8.f32.tf32.tf32", 4, [](int v) { return float_bits(v); }, ", 1, 1"},
    {"e4m3", "k32.f32.e4m3.e4m3", 1, [](int v) { return small_float(v, 0x38, 0x40); }, ", 1, 1"},
    {"e5m2", "k32.f32.e5m2.e5m2", 1, [](int v) { return small_float(v, 0x3c, 0x40); }, ", 1, 1"},
    {"s8", "k32.s32.s8.s8", 1, [](int v) { return static_cast<std::uint32_t>(v) & 0xffu; }, "",
     "int"},
};

class GroupTypes : public testing::TestWithParam<Factors> {};

TEST_P(GroupTypes, AreMultiplied) {
  const Factors& of = GetParam();
  const auto factor = [](std::size_t line, std::size_t k, std::size_t step) {
    return static_cast<int>((line * 3 + k * step) % 5) - 2;
  };
  const std::size_t depth = 32 / of.bytes;
  std::vector<std::uint8_t> a(64 * 32), b(16 * 32);
  const auto fill = [&](std::vector<std::uint8_t>& to, std::size_t step) {
    for (std::size_t i = 0; i < to.size() / of.bytes; ++i) {
      const std::uint32_t bits = of.bits(factor(i / depth, i % depth, step));
      std::memcpy(&to[i * of.bytes], &bits, of.bytes);
    }
  };
  fill(a, 1), fill(b, 2);
  const bool whole = std::string(of.result) == "int";
  const std::string result = of.result;
  const std::string text =
      std::string(kGroupFunctions) +
      "__global__ void k(const unsigned char* a, const unsigned char* b, " + result +
      "* c) { __shared__ __align__(1024) unsigned char A[2048], B[512]; int t = threadIdx.x;\n"
      "for (int i = t; i < 2048; i += 128) { int l = i / 32, at = l * 32 + (i % 32 ^ (l / 4 % 2) * "
      "16); A[at] = a[i]; if (i < 512) B[at] = b[i]; }\n"
      "fence(); __syncthreads(); " +
      result + " d[8] = {}; begin();\n" +
      multiply(
          8, std::string("wgmma.mma_async.sync.aligned.m64n16") + of.opcode,
          std::string("#0, #1, p") + of.behind,
          "\"l\"(descriptor(at(A), 16, 256, 3)), \"l\"(descriptor(at(B), 16, 256, 3)), \"r\"(0)",
          whole ? "r" : "f") +
      "end(); for (int i = 0; i < 8; ++i)\n"
      "c[(t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8) * 16 + i / 4 * 8 + t % 4 * 2 + i % 2] = d[i]; "
      "}";
  const TextArgument c = whole ? buffer<int>("c", 1024) : buffer<float>("c", 1024);
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {128, 1, 1},
                                   {data("a", a), data("b", b), c}, ExecuteRequest{.checks = true});
  EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
  const auto expected = [&](std::size_t i) {
    int sum = 0;
    for (std::size_t x = 0; x < depth; ++x) sum += factor(i / 16, x, 1) * factor(i % 16, x, 2);
    return sum;
  };
  if (whole)
    expect_each<int>(outcome, "c", expected);
  else
    expect_each<float>(outcome, "c", expected);
}

INSTANTIATE_TEST_SUITE_P(Types, GroupTypes, testing::ValuesIn(kFactors),
                         [](const auto& row) { return std::string(row.param.name); });

/// One thread says for its warpgroup that a stage is free, of which `groups` products may still read.
std::string staged_text(int groups) {
  const std::string text =
      std::string(kGroupFunctions) + R"(
__device__ void wait(u64* bar, unsigned parity) {
  asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p bra DONE; bra WAIT; DONE: }"
               :: "r"(at(bar)), "r"(parity) : "memory");
}
__device__ void arrive(u64* bar) { asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(at(bar)) : "memory"); }
__global__ void k(float* c) {
  __shared__ __align__(1024) half A[1024], B[256]; __shared__ u64 full, empty; int t = threadIdx.x;
  if (t == 0) { asm volatile("mbarrier.init.shared.b64 [%0], 32;" :: "r"(at(&full))); asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(at(&empty))); }
  if (t < 128) for (int i = t; i < 1024; i += 128) A[i] = __float2half(1.0f);
  fence(); __syncthreads();
  if (t >= 128) {
    for (int i = 0; i < 4; ++i) {
      wait(&empty, i % 2 ^ 1);
      for (int j = t - 128; j < 256; j += 32) B[j] = __float2half((float)(i + 1));
      fence(); arrive(&full);
    }
  } else {
    float d[8] = {};
    for (int i = 0; i < 4; ++i) {
      wait(&full, i % 2);
      begin();
)" +
      multiply(8, "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16", "#0, #1, p, 1, 1, 0, 0",
               "\"l\"(descriptor(at(A), 128, 256, 0)), \"l\"(descriptor(at(B), 128, 256, 0)), "
               "\"r\"(1)") +
      R"(
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      asm volatile("wgmma.wait_group.sync.aligned GROUPS;" ::: "memory");
      if (t == 0) arrive(&empty);
    }
    end();
    for (int i = 0; i < 8; ++i) c[t * 8 + i] = d[i];
  }
})";
  return with(text, "GROUPS", std::to_string(groups));
}

TEST(GroupProducts, AreWaitedForBeforeAStageIsWrittenAgain) {
  const Outcome outcome = run_text(staged_text(1), "k", {1, 1, 1}, {160, 1, 1},
                                   {buffer<float>("c", 1024)}, ExecuteRequest{.checks = true});
  EXPECT_NE(outcome.report().find("before the wgmma by thread"), std::string::npos)
      << outcome.report();
}

TEST(GroupProducts, AreReadByAllBeforeOneSaysSo) {
  const std::string text = staged_text(0);
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {160, 1, 1}, {buffer<float>("c", 1024)},
                                   ExecuteRequest{.checks = true});
  EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
  expect_each<float>(outcome, "c", [](std::size_t) { return 160; });
}

TEST(GroupProducts, ArePutAwayByAnyPointer) {
  const std::string text =
      std::string(kGroupFunctions) +
      "__global__ void k(float* c) { __shared__ __align__(1024) half B[1024]; int t = "
      "threadIdx.x;\n"
      "for (int i = t; i < 1024; i += blockDim.x) B[i] = __float2half(1.0f);\n"
      "fence(); __syncthreads(); float room[4] = {}; float* volatile way = room; float* d = way; "
      "begin();\n" +
      multiply(
          4, "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", "#0, #1, p, 1, 1, 0, 0",
          "\"l\"(descriptor(at(B), 16, 0, 1)), \"l\"(descriptor(at(B), 16, 1024, 1)), \"r\"(0)") +
      "end(); c[t] = d[0] + d[1] + d[2] + d[3]; }";
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {128, 1, 1}, {buffer<float>("c", 128, Fill::zero)},
               ExecuteRequest{.checks = true});
  EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
  expect_each<float>(outcome, "c", [](std::size_t) { return 64; });
}

struct GroupMistake {
  const char* name;
  const char* before;
  const char* descriptor;
  std::uint32_t threads;
  const char* says;
  bool checks = false;
  const char* behind = "end();";
};

const GroupMistake kGroupMistakes[] = {
    {"outside_of_shared_memory", "fence(); __syncthreads();", "descriptor(200704, 16, 1024, 1)",
     128, "a matrix of wgmma outside of shared memory: byte 200704 of"},
    {"a_warpgroup_that_is_not_complete", "fence(); __syncthreads();",
     "descriptor(at(B), 16, 1024, 1)", 96, "by a warp whose warpgroup is not complete"},
    {"some_lanes_alone", "fence(); __syncthreads(); if (t % 32 < 16) return;",
     "descriptor(at(B), 16, 1024, 1)", 128, "a matrix instruction without all lanes of its warp"},
    {"no_fence_behind_what_threads_write", "__syncthreads();", "descriptor(at(B), 16, 1024, 1)",
     128, "no fence.proxy.async follows the write by thread", true},
    {"the_sums_are_used_too_early", "fence(); __syncthreads();", "descriptor(at(B), 16, 1024, 1)",
     128, "the accumulators of wgmma are used before wgmma.wait_group", true, ""},
    {"nobody_waits_for_who_writes", "fence();", "descriptor(at(B), 16, 1024, 1)", 128,
     "race: read of shared byte", true},
};

class GroupMistakes : public testing::TestWithParam<GroupMistake> {};

TEST_P(GroupMistakes, AreTold) {
  const GroupMistake& mistake = GetParam();
  const std::string text =
      std::string(kGroupFunctions) +
      "__global__ void k(float* c) { __shared__ __align__(1024) half B[1024]; int t = "
      "threadIdx.x;\n"
      "for (int i = t; i < 1024; i += blockDim.x) B[i] = __float2half(1.0f);\n" +
      mistake.before + "float d[4] = {}; begin();\n" +
      multiply(4, "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", "#0, #1, p, 1, 1, 0, 0",
               "\"l\"(descriptor(at(B), 16, 0, 1)), \"l\"(" + std::string(mistake.descriptor) +
                   "), \"r\"(0)") +
      std::string(mistake.behind) + " c[t] = d[0] + d[1] + d[2] + d[3]; }";
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {mistake.threads, 1, 1}, {buffer<float>("c", 128, Fill::zero)},
               ExecuteRequest{.checks = mistake.checks});
  ASSERT_NE(outcome.compiled.program, nullptr) << outcome.report();
  const std::vector<Diagnostic>& all = outcome.result.diagnostics;
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Diagnostic& d) {
    return d.line > 0 && d.message.english().find(mistake.says) != std::string::npos;
  })) << outcome.report();
}

INSTANTIATE_TEST_SUITE_P(Texts, GroupMistakes, testing::ValuesIn(kGroupMistakes),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace lanescope

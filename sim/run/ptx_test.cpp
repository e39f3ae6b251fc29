// Inline PTX, a family at a time: what its instructions compute, in both engines.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "run/run_text.h"

namespace lanescope {
namespace {

using std::uint32_t;

/// One instruction on 32-bit numbers: `statement` computes $0 from a = in[i] and b = in[i + 32].
struct Computed {
  const char* name;
  const char* statement;
  std::uint32_t (*expected)(std::uint32_t a, std::uint32_t b);
};

float number(std::uint32_t b) { return std::bit_cast<float>(b); }

std::vector<std::uint32_t> operands() {
  std::vector<std::uint32_t> out;
  std::uint32_t x = 0x12345678;
  for (int i = 0; i < 64; ++i) out.push_back(x = x * 1664525u + 1013904223u);
  out[0] = 0, out[32] = 0x80000000u, out[1] = ~0u, out[33] = 31, out[2] = 0x80000000u, out[34] = 40;
  return out;
}

const Computed kIntegers[] = {
    {"add", "add.s32 %0, %1, %2;", [](uint32_t a, uint32_t b) { return a + b; }},
    {"add_saturated", "add.sat.s32 %0, %1, %2;",
     [](uint32_t a, uint32_t b) {
       const std::int64_t sum =
           std::int64_t{static_cast<std::int32_t>(a)} + static_cast<std::int32_t>(b);
       return static_cast<uint32_t>(
           std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                    std::numeric_limits<std::int32_t>::max()));
     }},
    {"mad_lo", "mad.lo.u32 %0, %1, %2, 17;", [](uint32_t a, uint32_t b) { return a * b + 17; }},
    {"mul_hi", "mul.hi.s32 %0, %1, %2;",
     [](uint32_t a, uint32_t b) {
       return static_cast<uint32_t>(
           (std::int64_t{static_cast<std::int32_t>(a)} * static_cast<std::int32_t>(b)) >> 32);
     }},
    {"mul_wide", "{ .reg .b64 w; mul.wide.u32 w, %1, %2; mov.b64 {_, %0}, w; }",
     [](uint32_t a, uint32_t b) { return static_cast<uint32_t>(std::uint64_t{a} * b >> 32); }},
    {"carry", "{ .reg .u32 lo; add.cc.u32 lo, %1, %2; addc.u32 %0, 0, 0; }",
     [](uint32_t a, uint32_t b) { return static_cast<uint32_t>((std::uint64_t{a} + b) >> 32); }},
    {"borrow", "{ .reg .u32 lo; sub.cc.u32 lo, %1, %2; subc.u32 %0, 5, 0; }",
     [](uint32_t a, uint32_t b) { return 5u - (a < b); }},
    {"shift_too_far", "shl.b32 %0, %1, 33;", [](uint32_t, uint32_t) { return 0u; }},
    {"shift_right_signed", "shr.s32 %0, %1, 40;",
     [](uint32_t a, uint32_t) { return static_cast<std::int32_t>(a) < 0 ? ~0u : 0u; }},
    {"lop3_choice", "lop3.b32 %0, %1, %2, 0xff00ff00, 0xca;",
     [](uint32_t a, uint32_t b) { return (a & b) | (~a & 0xff00ff00u); }},
    {"lop3_other", "lop3.b32 %0, %1, %2, 0x0f0f0f0f, 0x29;",
     [](uint32_t a, uint32_t b) {
       uint32_t out = 0;
       for (int i = 0; i < 32; ++i) {
         const uint32_t which = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (0x0f0f0f0fu >> i & 1);
         out |= (0x29u >> which & 1) << i;
       }
       return out;
     }},
    {"prmt", "prmt.b32 %0, %1, %2, 0x5410;",
     [](uint32_t a, uint32_t b) { return (a & 0xffffu) | b << 16; }},
    {"prmt_sign", "prmt.b32 %0, %1, %2, 0xba98;",
     [](uint32_t a, uint32_t) {
       uint32_t out = 0;
       for (int i = 0; i < 4; ++i) out |= (a >> (8 * i + 7) & 1 ? 0xffu : 0u) << 8 * i;
       return out;
     }},
    {"bfe_unsigned", "bfe.u32 %0, %1, 5, 9;", [](uint32_t a, uint32_t) { return a >> 5 & 511; }},
    {"bfe_signed", "bfe.s32 %0, %1, 27, 9;",
     [](uint32_t a, uint32_t) {
       return static_cast<uint32_t>(static_cast<std::int32_t>(a) >> 27);
     }},
    {"bfi", "bfi.b32 %0, %1, %2, 8, 12;",
     [](uint32_t a, uint32_t b) { return (b & ~0xfff00u) | (a << 8 & 0xfff00u); }},
    {"popc", "popc.b32 %0, %1;",
     [](uint32_t a, uint32_t) { return static_cast<uint32_t>(std::popcount(a)); }},
    {"bfind", "bfind.u32 %0, %1;",
     [](uint32_t a, uint32_t) { return 31u - static_cast<uint32_t>(std::countl_zero(a)); }},
    {"funnel", "shf.l.wrap.b32 %0, %1, %2, 7;",
     [](uint32_t a, uint32_t b) { return b << 7 | a >> 25; }},
    {"sad", "sad.u32 %0, %1, %2, 3;",
     [](uint32_t a, uint32_t b) { return (a < b ? b - a : a - b) + 3; }},
    {"select", "{ .reg .pred p; setp.lt.u32 p, %1, %2; selp.b32 %0, %1, 9, p; }",
     [](uint32_t a, uint32_t b) { return a < b ? a : 9; }},
    {"guarded",
     "{ .reg .pred p, q; setp.ge.s32 p|q, %1, %2; @p mov.b32 %0, 1; @q mov.b32 %0, 2; "
     "@!p add.u32 %0, %0, 10; }",
     [](uint32_t a, uint32_t b) {
       return static_cast<std::int32_t>(a) >= static_cast<std::int32_t>(b) ? 1u : 12u;
     }},
    {"combined",
     "{ .reg .pred p, q; setp.ne.u32 p, %1, 0; setp.lt.and.u32 q, %2, 100, p; selp.u32 "
     "%0, 1, 0, q; }",
     [](uint32_t a, uint32_t b) { return b < 100 && a != 0 ? 1u : 0u; }},
    {"set", "set.lt.u32.s32 %0, %1, %2;",
     [](uint32_t a, uint32_t b) {
       return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? ~0u : 0u;
     }},
    {"narrowed", "cvt.s8.s32 %0, %1;",
     [](uint32_t a, uint32_t) {
       return static_cast<uint32_t>(std::int32_t{static_cast<std::int8_t>(a)});
     }},
    {"narrowed_saturated", "cvt.sat.u8.s32 %0, %1;",
     [](uint32_t a, uint32_t) {
       return static_cast<uint32_t>(std::clamp(static_cast<std::int32_t>(a), 0, 255));
     }},
    {"loop",
     "{ .reg .pred p; .reg .u32 n; and.b32 n, %1, 15; mov.u32 %0, 0;\n"
     "again: setp.eq.u32 p, n, 0; @p bra done; add.u32 %0, %0, n; sub.u32 n, n, 1; bra again;\n"
     "done: }",
     [](uint32_t a, uint32_t) { return (a & 15) * ((a & 15) + 1) / 2; }},
    {"packed", "{ .reg .b16 h, l; mov.b32 {l, h}, %1; mov.b32 %0, {h, l}; }",
     [](uint32_t a, uint32_t) { return a << 16 | a >> 16; }},
    {"packed_bytes", "cvt.pack.sat.u8.s32.b32 %0, %1, 300, %2;",
     [](uint32_t a, uint32_t b) {
       const auto held = static_cast<uint32_t>(std::clamp(static_cast<std::int32_t>(a), 0, 255));
       return b << 16 | held << 8 | 255u;
     }},
    {"dot", "dp4a.u32.u32 %0, %1, %2, 1;",
     [](uint32_t a, uint32_t b) {
       uint32_t sum = 1;
       for (int i = 0; i < 32; i += 8) sum += (a >> i & 255) * (b >> i & 255);
       return sum;
     }},
};

class PtxIntegers : public testing::TestWithParam<Computed> {};

TEST_P(PtxIntegers, ComputeWhatTheManualSays) {
  const Computed& row = GetParam();
  const std::string text = std::string("__global__ void k(const unsigned* in, unsigned* out) {\n"
                                       "  unsigned a = in[threadIdx.x], b = in[threadIdx.x + 32], "
                                       "r = 0;\n  asm(\"") +
                           [&] {
                             std::string escaped;
                             for (const char* c = row.statement; *c != '\0'; ++c)
                               escaped += *c == '\n' ? std::string("\\n") : std::string(1, *c);
                             return escaped;
                           }() +
                           "\" : \"+r\"(r) : \"r\"(a), \"r\"(b));\n  out[threadIdx.x] = r;\n}";
  const std::vector<uint32_t> in = operands();
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {32, 1, 1}, {data("in", in), buffer<uint32_t>("out", 32)});
  expect_each<uint32_t>(outcome, "out",
                        [&](std::size_t i) { return row.expected(in[i], in[i + 32]); });
}
INSTANTIATE_TEST_SUITE_P(Texts, PtxIntegers, testing::ValuesIn(kIntegers),
                         [](const auto& row) { return std::string(row.param.name); });

/// The same on floats.
struct Floating {
  const char* name;
  const char* statement;
  float (*expected)(float a, float b);
};
const Floating kFloats[] = {
    {"fma", "fma.rn.f32 %0, %1, %2, 0f3F800000;",
     [](float a, float b) { return std::fma(a, b, 1.0f); }},
    {"add_towards_zero", "add.rz.f32 %0, %1, %2;",
     [](float a, float b) {
       const double sum = double{a} + double{b};
       const auto nearest = static_cast<float>(sum);
       return std::fabs(double{nearest}) > std::fabs(sum) ? std::nextafter(nearest, 0.0f) : nearest;
     }},
    {"add_saturated", "add.sat.f32 %0, %1, 0.5;",
     [](float a, float) { return std::clamp(a + 0.5f, 0.0f, 1.0f); }},
    {"flushed", "mul.ftz.f32 %0, %1, 0f00400000;", [](float, float) { return 0.0f; }},
    {"exponential", "ex2.approx.ftz.f32 %0, %1;", [](float a, float) { return std::exp2(a); }},
    {"root", "sqrt.rn.f32 %0, %1;", [](float a, float) { return std::sqrt(a); }},
    {"reciprocal_root", "rsqrt.approx.f32 %0, %1;",
     [](float a, float) { return static_cast<float>(1.0 / std::sqrt(double{a})); }},
    {"quotient", "div.full.f32 %0, %1, %2;", [](float a, float b) { return a / b; }},
    {"least", "min.f32 %0, %1, %2;", [](float a, float b) { return std::fmin(a, b); }},
    {"tanh", "tanh.approx.f32 %0, %1;", [](float a, float) { return std::tanh(a); }},
    {"to_integer_and_back", "{ .reg .s32 i; cvt.rmi.s32.f32 i, %1; cvt.rn.f32.s32 %0, i; }",
     [](float a, float) { return std::floor(a); }},
    {"held", "{ .reg .b32 i; cvt.rni.sat.u8.f32 i, %1; cvt.rn.f32.u8 %0, i; }",
     [](float a, float) { return std::nearbyint(a); }},
    {"whole", "cvt.rpi.f32.f32 %0, %1;", [](float a, float) { return std::ceil(a); }},
    {"through_half", "{ .reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.f32.f16 %0, h; }",
     [](float a, float) { return static_cast<float>(std::round(a * 8) / 8); }},
    {"pair_of_halves",
     "{ .reg .b32 p; .reg .b16 l, h; cvt.rn.f16x2.f32 p, %1, %2; fma.rn.f16x2 p, p, p, p; mov.b32 "
     "{l, h}, p; cvt.f32.f16 %0, l; }",
     [](float, float b) { return b * b + b; }},
    {"pair_of_bfloats",
     "{ .reg .b32 p; .reg .b16 l, h; cvt.rn.bf16x2.f32 p, %1, %2; mov.b32 {l, h}, p; cvt.f32.bf16 "
     "%0, h; }",
     [](float a, float) { return a; }},
    {"tf32", "{ .reg .b32 t; cvt.rna.tf32.f32 t, 0f3F801000; mov.b32 %0, t; }",
     [](float, float) { return number(0x3f802000); }},
    {"compared", "{ .reg .pred p; setp.gtu.f32 p, %1, %2; selp.f32 %0, %1, %2, p; }",
     [](float a, float b) { return a > b ? a : b; }},
};

class PtxFloats : public testing::TestWithParam<Floating> {};

TEST_P(PtxFloats, ComputeWhatTheManualSays) {
  const Floating& row = GetParam();
  const std::string text = std::string("__global__ void k(const float* in, float* out) {\n"
                                       "  float a = in[threadIdx.x], b = in[threadIdx.x + 32], r = "
                                       "0;\n  asm(\"") +
                           row.statement +
                           "\" : \"=f\"(r) : \"f\"(a), \"f\"(b));\n  out[threadIdx.x] = r;\n}";
  std::vector<float> in;
  for (int i = 0; i < 32; ++i) in.push_back(static_cast<float>(i) / 8);
  for (int i = 0; i < 32; ++i) in.push_back(static_cast<float>(i + 1) / 4);
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {32, 1, 1}, {data("in", in), buffer<float>("out", 32)});
  expect_each<float>(
      outcome, "out", [&](std::size_t i) { return row.expected(in[i], in[i + 32]); }, 3e-7);
}
INSTANTIATE_TEST_SUITE_P(Texts, PtxFloats, testing::ValuesIn(kFloats),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Ptx, LoadsAndStoresOfAllSpacesAndWidths) {
  const Outcome outcome =
      run_text(R"(
__global__ void k(const float* in, float* out) {
  __shared__ __align__(16) float tile[32 * 4];
  const unsigned i = threadIdx.x, at = (unsigned)__cvta_generic_to_shared(tile + 4 * i);
  float a, b, c, d;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(in + 4 * i));
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" :: "r"(at), "f"(d), "f"(c), "f"(b), "f"(a));
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("{ .reg .b64 p; cvta.to.global.u64 p, %4; ld.shared.v2.f32 {%0, %1}, [%3];\n"
               "ld.volatile.shared.f32 %2, [%3 + 8]; st.global.v2.f32 [p], {%0, %1};\n"
               "st.global.cs.f32 [p+8], %2; }"
               : "=f"(a), "=f"(b), "=f"(c) : "r"(at ^ 16), "l"(out + 4 * i));
  unsigned short narrow;
  asm volatile("ld.shared.u8 %0, [%1 + 12]; st.global.b32 [%2], 0f40000000;"
               : "=h"(narrow) : "r"(at), "l"(out + 4 * i + 3));
  if (narrow == 255) out[0] = -1;
}
)",
               "k", {1, 1, 1}, {32, 1, 1},
               {buffer<float>("in", 128, Fill::index), buffer<float>("out", 128)});
  expect_each<float>(outcome, "out", [](std::size_t i) {
    const std::size_t thread = i / 4 ^ 1, part = i % 4;
    return part == 3 ? 2.0 : static_cast<double>(4 * thread + 3 - part);
  });
  ASSERT_TRUE(outcome.ok());
  std::size_t shared = 0;
  for (const AccessInfo& access : outcome.info().accesses)
    if (access.space == MemorySpace::shared) {
      ++shared;
      EXPECT_GT(outcome.result.accesses[access.id].shared.requests, 0u);
      EXPECT_GT(access.pos.line, 0u);
    }
  EXPECT_EQ(shared, 4u);
}

TEST(Ptx, Atomics) {
  const Outcome outcome =
      run_text(R"(
__global__ void k(unsigned* out, float* sum) {
  __shared__ unsigned most;
  if (threadIdx.x == 0) most = 0;
  __syncthreads();
  unsigned old, at = (unsigned)__cvta_generic_to_shared(&most);
  asm volatile("atom.shared.max.u32 %0, [%1], %2;" : "=r"(old) : "r"(at), "r"(threadIdx.x * 3));
  asm volatile("red.global.add.u32 [%0], 2;" :: "l"(out) : "memory");
  asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" :: "l"(sum), "f"(0.5f) : "memory");
  asm volatile("atom.global.cas.b32 %0, [%1], 0, %2;" : "=r"(old) : "l"(out + 2), "r"(threadIdx.x + 1));
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 5; @p atom.global.exch.b32 %0, [%2], 77; }"
               : "+r"(old) : "r"(threadIdx.x), "l"(out + 3));
  asm volatile("atom.global.inc.u32 %0, [%1], 9;" : "=r"(old) : "l"(out + 4));
  __syncthreads();
  out[1] = most;
}
)",
               "k", {1, 1, 1}, {32, 1, 1},
               {buffer<unsigned>("out", 5, Fill::zero), buffer<float>("sum", 1, Fill::zero)});
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  const auto out = outcome.values<unsigned>("out");
  EXPECT_EQ(out[0], 64u);
  EXPECT_EQ(out[1], 93u);
  EXPECT_EQ(out[2], 1u);
  EXPECT_EQ(out[3], 77u);
  EXPECT_EQ(out[4], 2u);
  EXPECT_EQ(outcome.values<float>("sum")[0], 16.0f);
}

TEST(Ptx, LanesTogether) {
  const Outcome outcome = run_text(R"(
__global__ void k(unsigned* out) {
  const unsigned i = threadIdx.x;
  unsigned lane, value, inside, votes, same, sum, leader, mask;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 3, 0x1f, 0xffffffff;\n"
               "selp.u32 %1, 1, 0, p; }" : "=r"(value), "=r"(inside) : "r"(lane));
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 7; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(votes) : "r"(i));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(same) : "r"(i / 4));
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(i));
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(leader));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  unsigned* row = out + 8 * i;
  row[0] = value, row[1] = inside, row[2] = votes, row[3] = same, row[4] = sum, row[5] = leader;
  row[6] = mask;
  asm volatile("activemask.b32 %0;" : "=r"(row[7]));
}
)",
                                   "k", {1, 1, 1}, {32, 1, 1}, {buffer<unsigned>("out", 256)});
  expect_each<unsigned>(outcome, "out", [](std::size_t at) -> unsigned {
    const auto i = static_cast<unsigned>(at / 8);
    switch (at % 8) {
    case 0:
      return i + 3 < 32 ? i + 3 : i;
    case 1:
      return i + 3 < 32;
    case 2:
      return 127;
    case 3:
      return 15u << i / 4 * 4;
    case 4:
      return 496;
    case 5:
      return i == 0;
    case 6:
      return (1u << i) - 1;
    default:
      return ~0u;
    }
  });
}

TEST(Ptx, CopiesWithGroupsAndZerosForWhatIsNotCopied) {
  const Outcome outcome = run_text(
      R"(
__global__ void k(const float4* in, float4* out, int n) {
  __shared__ float4 tile[32];
  const int i = threadIdx.x;
  const unsigned at = (unsigned)__cvta_generic_to_shared(tile + i);
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;"
               :: "r"(at), "l"(in + i), "r"(i < n ? 16 : 0));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group %0;" :: "n"(0));
  __syncthreads();
  out[i] = tile[31 - i];
}
)",
      "k", {1, 1, 1}, {32, 1, 1},
      {buffer<float>("in", 128, Fill::index), buffer<float>("out", 128), scalar<int>("n", 20)});
  expect_each<float>(outcome, "out", [](std::size_t i) {
    const std::size_t from = 31 - i / 4;
    return from < 20 ? static_cast<double>(4 * from + i % 4) : 0.0;
  });
}

TEST(Ptx, WhatLeavesNoTraceIsPassedOver) {
  const Outcome outcome = run_text(R"(
__global__ void k(int* out) {
  unsigned long long policy;
  int inside;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("prefetch.global.L2 [%0];" :: "l"(out));
  asm volatile("griddepcontrol.wait; nanosleep.u32 20; fence.acq_rel.gpu; membar.cta;" ::: "memory");
  asm volatile("{ .reg .pred p; isspacep.shared p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(inside) : "l"(out));
  asm volatile("" ::: "memory");
  out[threadIdx.x] = inside + (int)policy;
}
)",
                                   "k", {1, 1, 1}, {32, 1, 1}, {buffer<int>("out", 32)});
  expect_each<int>(outcome, "out", [](std::size_t) { return 0; });
}

struct Refused {
  const char* name;
  const char* statement;
  const char* says;
};
const Refused kRefused[] = {
    {"unknown", "tcgen05.alloc.b32 [%0], 32;", "'tcgen05.alloc.b32 [$0], 32'"},
    {"unreadable", "mov.b32 %0 = 3;", "'= 3'"},
    {"no_such_label", "bra nowhere;", "nowhere"},
    {"no_such_register", "mov.b32 %0, x;", "'mov.b32 $0, x'"},
};
class PtxRefusals : public testing::TestWithParam<Refused> {};

TEST_P(PtxRefusals, AreToldWhereTheyAreExecuted) {
  const std::string text = std::string("__global__ void k(int* out) {\n  int r = threadIdx.x;\n"
                                       "  if (out != nullptr)\n    asm volatile(\"") +
                           GetParam().statement + "\" : \"+r\"(r));\n  out[threadIdx.x] = r;\n}";
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {128, 1, 1}, {buffer<int>("out", 128)});
  const Diagnostic d = outcome.error();
  EXPECT_EQ(d.kind, DiagnosticKind::unsupported) << outcome.report();
  EXPECT_NE(d.message.english().find(GetParam().says), std::string::npos) << outcome.report();
  EXPECT_EQ(d.line, 4u) << outcome.report();
  EXPECT_GT(d.column, 0u);
}
INSTANTIATE_TEST_SUITE_P(Texts, PtxRefusals, testing::ValuesIn(kRefused),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace lanescope

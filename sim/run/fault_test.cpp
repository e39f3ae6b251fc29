// Every mistake that stops a run: what is said, and exactly where. The marker /*@*/ stands in front
// of the place.
#include <gmock/gmock.h>

#include <algorithm>

#include "run/run_text.h"

namespace lanescope {
namespace {

SourcePos marked(const std::string& text, const std::string& marker = "/*@*/") {
  const std::size_t at = text.find(marker) + marker.size(), line = text.rfind('\n', at);
  return {static_cast<std::uint32_t>(
              1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n')),
          static_cast<std::uint32_t>(at - line), 0};
}

struct FaultyText {
  const char* name;
  /// Kernel k(const float* in, float* out, int n); in holds 100 floats, out 128, n is 100
  const char* text;
  DiagnosticKind kind;
  Dim3 block, thread;
  const char* says;
};
// Two blocks of 64 threads unless `says` needs otherwise. Positions: a load is at its expression, a
// store at its `=`.
const FaultyText kFaults[] = {
    {"global_read_past_the_end",
     R"(
__global__ void k(const float* in, float* out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[i] = 2.0f * /*@*/in[i + 5];
})",
     DiagnosticKind::out_of_bounds,
     {1, 0, 0},
     {31, 0, 0},
     "element 100 of 'in' (float, 100 elements)"},
    {"global_read_before_the_start",
     R"(
__global__ void k(const float* in, float* out, int n) {
  out[threadIdx.x] = /*@*/in[(int)threadIdx.x - 3];
})",
     DiagnosticKind::out_of_bounds,
     {0, 0, 0},
     {0, 0, 0},
     "element -3 of 'in'"},
    {"global_write",
     R"(
__global__ void k(const float* in, float* out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[i * 2] /*@*/= 1;
})",
     DiagnosticKind::out_of_bounds,
     {1, 0, 0},
     {0, 0, 0},
     "out-of-bounds write of 4 bytes through 'out[i * 2]': element 128 of 'out'"},
    {"global_write_under_a_condition",
     R"(
__global__ void k(const float* in, float* out, int n) {
  if (threadIdx.x % 8 == 3) {
    out[threadIdx.x * 3]
        /*@*/= 1;
  }
})",
     DiagnosticKind::out_of_bounds,
     {0, 0, 0},
     {43, 0, 0},
     "element 129 of 'out'"},
    {"compound_assignment",
     R"(
__global__ void k(const float* in, float* out, int n) {
  out[threadIdx.x + n] /*@*/+= 1;
})",
     DiagnosticKind::out_of_bounds,
     {0, 0, 0},
     {28, 0, 0},
     "read of 4 bytes through 'out[threadIdx.x + n]'"},
    {"atomic",
     R"(
__global__ void k(const float* in, float* out, int n) {
  /*@*/atomicAdd(&out[threadIdx.x * 4], 1.0f);
})",
     DiagnosticKind::out_of_bounds,
     {0, 0, 0},
     {32, 0, 0},
     "element 128 of 'out'"},
    {"wide_read_across_the_end",
     R"(
__global__ void k(const float* in, float* out, int n) {
  float4 v = /*@*/reinterpret_cast<const float4*>(in)[threadIdx.x];
  out[threadIdx.x] = v.x;
})",
     DiagnosticKind::out_of_bounds,
     {0, 0, 0},
     {25, 0, 0},
     "read of 16 bytes"},
    {"in_a_device_function",
     R"(
__device__ float fetch(const float* p, int i) {
  return /*@*/p[i];
}
__global__ void k(const float* in, float* out, int n) {
  out[threadIdx.x] = fetch(in, threadIdx.x * 2);
})",
     DiagnosticKind::out_of_bounds,
     {0, 0, 0},
     {50, 0, 0},
     "element 100 of 'in'"},
    {"far_away",
     R"(
__global__ void k(const float* in, float* out, int n) {
  out[threadIdx.x] = /*@*/in[((long long)threadIdx.x << 40) + 7];
})",
     DiagnosticKind::out_of_bounds,
     {0, 0, 0},
     {1, 0, 0},
     "out-of-bounds read"},
    {"shared_read",
     R"(
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = /*@*/s[threadIdx.x + 1];
})",
     DiagnosticKind::out_of_bounds,
     {0, 0, 0},
     {63, 0, 0},
     "element 64 of 's' (64 elements)"},
    {"shared_write_negative",
     R"(
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[8][8];
  s[threadIdx.x / 8][(int)threadIdx.x % 8 - 1] /*@*/= 1;
})",
     DiagnosticKind::out_of_bounds,
     {0, 0, 0},
     {0, 0, 0},
     "write of 4 bytes"},
    {"dynamic_shared_too_small",
     R"(
extern __shared__ float pool[];
__global__ void k(const float* in, float* out, int n) {
  pool[threadIdx.x] /*@*/= 1;
})",
     DiagnosticKind::out_of_bounds,
     {0, 0, 0},
     {0, 0, 0},
     "'pool'"},
    {"local_array",
     R"(
__global__ void k(const float* in, float* out, int n) {
  int a[6] = {1, 2, 3, 4, 5, 6};
  out[threadIdx.x] = /*@*/a[threadIdx.x];
})",
     DiagnosticKind::out_of_bounds,
     {0, 0, 0},
     {6, 0, 0},
     "element 6 of 'a' (6 elements)"},
    {"null_read",
     R"(
__global__ void k(const float* in, float* out, int n) {
  const float* p = threadIdx.x == 9 ? nullptr : in;
  out[threadIdx.x] = /*@*/*p;
})",
     DiagnosticKind::null_pointer,
     {0, 0, 0},
     {9, 0, 0},
     "read of 4 bytes through a null pointer"},
    {"null_write_with_an_offset",
     R"(
__global__ void k(const float* in, float* out, int n) {
  float* p = nullptr;
  p[threadIdx.x + n] /*@*/= 1;
})",
     DiagnosticKind::null_pointer,
     {0, 0, 0},
     {0, 0, 0},
     "write"},
    {"misaligned_float4",
     R"(
__global__ void k(const float* in, float* out, int n) {
  float4 v = /*@*/*(const float4*)(in + 4 * (threadIdx.x % 8) + (threadIdx.x == 5));
  out[threadIdx.x] = v.y;
})",
     DiagnosticKind::misaligned,
     {0, 0, 0},
     {5, 0, 0},
     "no multiple of 16"},
    {"misaligned_shared_double",
     R"(
__global__ void k(const float* in, float* out, int n) {
  __shared__ __align__(16) char s[1024];
  *(double*)(s + 8 * (threadIdx.x % 4) + 4) /*@*/= 1.0;
})",
     DiagnosticKind::misaligned,
     {0, 0, 0},
     {0, 0, 0},
     "no multiple of 8"},
    {"barrier_in_a_branch",
     R"(
__global__ void k(const float* in, float* out, int n) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] = 1;
    /*@*/__syncthreads();
  }
})",
     DiagnosticKind::divergent_barrier,
     {0, 0, 0},
     {16, 0, 0},
     "not reached by all threads"},
    {"barrier_in_a_loop_of_uneven_length",
     R"(
__global__ void k(const float* in, float* out, int n) {
  for (int i = 0; i < (int)threadIdx.x % 3 + 1; ++i) {
    out[threadIdx.x] = i;
    /*@*/__syncthreads();
  }
})",
     DiagnosticKind::divergent_barrier,
     {0, 0, 0},
     {0, 0, 0},
     "not reached by all threads"},
    {"returned_before_the_barrier",
     R"(
__global__ void k(const float* in, float* out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i];
  /*@*/__syncthreads();
  out[i] += 1;
})",
     DiagnosticKind::divergent_barrier,
     {1, 0, 0},
     {36, 0, 0},
     "took another path or returned"},
    {"a_whole_warp_returned",
     R"(
__global__ void k(const float* in, float* out, int n) {
  if (threadIdx.x >= 32) return;
  /*@*/__syncthreads();
  out[threadIdx.x] = 1;
})",
     DiagnosticKind::divergent_barrier,
     {0, 0, 0},
     {32, 0, 0},
     "ended before this barrier"},
    {"warps_at_different_barriers",
     R"(
__global__ void k(const float* in, float* out, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  if (threadIdx.x < 32) {
    /*@*/__syncthreads();
    out[threadIdx.x] = s[threadIdx.x + 32];
  } else {
    s[threadIdx.x] += 1;
    __syncthreads();
  }
})",
     DiagnosticKind::divergent_barrier,
     {0, 0, 0},
     {32, 0, 0},
     "took another path"},
    {"counting_barrier_in_a_branch",
     R"(
__global__ void k(const float* in, float* out, int n) {
  int c = 0;
  if (threadIdx.x != 33) c = /*@*/__syncthreads_count(1);
  out[threadIdx.x] = c;
})",
     DiagnosticKind::divergent_barrier,
     {0, 0, 0},
     {33, 0, 0},
     "not reached by all threads"},
    {"shuffle_names_absent_lanes",
     R"(
__global__ void k(const float* in, float* out, int n) {
  float v = threadIdx.x;
  if (threadIdx.x % 32 < 16) v = /*@*/__shfl_sync(0xffffffffu, v, 3);
  out[threadIdx.x] = v;
})",
     DiagnosticKind::divergent_barrier,
     {0, 0, 0},
     {16, 0, 0},
     "mask"},
    {"shuffle_not_in_its_own_mask",
     R"(
__global__ void k(const float* in, float* out, int n) {
  out[threadIdx.x] = /*@*/__shfl_down_sync(0x0000ffffu, (float)threadIdx.x, 1);
})",
     DiagnosticKind::divergent_barrier,
     {0, 0, 0},
     {16, 0, 0},
     "mask"},
    {"ballot_names_absent_lanes",
     R"(
__global__ void k(const float* in, float* out, int n) {
  if (threadIdx.x > 40) return;
  out[threadIdx.x] = 1;
  if (threadIdx.x % 2) out[threadIdx.x] = /*@*/__ballot_sync(0xffffffffu, 1);
  out[threadIdx.x] += 1;
})",
     DiagnosticKind::divergent_barrier,
     {0, 0, 0},
     {0, 0, 0},
     "mask"},
    {"endless_while",
     R"(
__global__ void k(const float* in, float* out, int n) {
  /*@*/while (true) out[threadIdx.x] += 1;
})",
     DiagnosticKind::step_budget,
     {0, 0, 0},
     {0, 0, 0},
     "endless loop"},
    {"endless_wait_for_a_flag",
     R"(
__global__ void k(const float* in, float* out, int n) {
  do { } while (in[0] == 0);
  out[0] = 1;
})",
     DiagnosticKind::step_budget,
     {0, 0, 0},
     {0, 0, 0},
     "endless loop"},
    {"endless_with_a_barrier",
     R"(
__global__ void k(const float* in, float* out, int n) {
  for (;;) __syncthreads();
})",
     DiagnosticKind::step_budget,
     {0, 0, 0},
     {0, 0, 0},
     "endless loop"},
    {"endless_spin_lock",
     R"(
__global__ void k(const float* in, float* out, int n) {
  if (threadIdx.x == 7) while (atomicCAS((int*)out, 5, 6) != 5) ;
})",
     DiagnosticKind::step_budget,
     {0, 0, 0},
     {7, 0, 0},
     "endless loop"},
    {"product_of_128_bits",
     R"(
__global__ void k(const float* in, float* out, int n) {
  unsigned __int128 p = (unsigned __int128)/*@*/(unsigned)n * threadIdx.x;
  out[threadIdx.x] = (unsigned)(p >> 64);
})",
     DiagnosticKind::unsupported,
     {0, 0, 0},
     {0, 0, 0},
     "wider than 64 bits"},
    {"copy_of_128_bits",
     R"(
__global__ void k(const float* in, float* out, int n) {
  unsigned __int128* wide = (unsigned __int128*)out;
  wide[threadIdx.x & 7] = wide[8 + (threadIdx.x & 7)];
  if (wide[n & 7] > 3) out[0] = (float)(bool)(wide[1] & 1);
})",
     DiagnosticKind::unsupported,
     {0, 0, 0},
     {0, 0, 0},
     "wider than 64 bits"},
    {"endless_empty",
     R"(
__global__ void k(const float* in, float* out, int n) {
  for (volatile int i = 0; i < 1; ) { }
})",
     DiagnosticKind::step_budget,
     {0, 0, 0},
     {0, 0, 0},
     "endless loop"},
};

class Faults : public testing::TestWithParam<FaultyText> {};

TEST_P(Faults, NameThePlaceAndTheThread) {
  const FaultyText& m = GetParam();
  ExecuteRequest request;
  request.control.step_budget = 20'000;
  const Outcome outcome = run_text(m.text, "k", {2, 1, 1}, {64, 1, 1}, usual_arguments(), request);
  ASSERT_NE(outcome.compiled.program, nullptr) << outcome.report();
  ASSERT_EQ(outcome.result.diagnostics.size(), 1u) << outcome.report();
  const Diagnostic& d = outcome.result.diagnostics[0];
  EXPECT_EQ(diagnostic_kind_name(d.kind), diagnostic_kind_name(m.kind)) << outcome.report();
  EXPECT_EQ(d.file, "kernel.cu");
  if (std::string(m.text).find("/*@*/") != std::string::npos) {
    EXPECT_EQ((SourcePos{d.line, d.column, 0}), marked(m.text)) << outcome.report();
  }
  EXPECT_GT(d.line, 0u) << outcome.report();
  EXPECT_EQ(d.block, m.block) << outcome.report();
  EXPECT_EQ(d.thread, m.thread) << outcome.report();
  EXPECT_NE(d.message.english().find(m.says), std::string::npos) << outcome.report();
  // A run goes on where the hardware does.
  EXPECT_EQ(outcome.result.coverage.exact, d.severity != Severity::error);
}

TEST_P(Faults, AreTheSameOnOneAndOnTwoThreads) {
  const FaultyText& m = GetParam();
  const RunControl control{.step_budget = 20'000};
  const ExecuteRequest one{.threads = 1, .control = control}, two{.threads = 2, .control = control};
  const Outcome a = run_text(m.text, "k", {40, 1, 1}, {64, 1, 1}, usual_arguments(), one),
                b = run_text(m.text, "k", {40, 1, 1}, {64, 1, 1}, usual_arguments(), two);
  expect_same(a.result, b.result);
  // A recorded block fails at the same place, and its trace holds all that came before.
  if (a.result.diagnostics.empty()) return;
  const InspectRequest recording{.blocks = {*a.result.diagnostics[0].block}, .control = control};
  const Outcome c = run_text(m.text, "k", {40, 1, 1}, {64, 1, 1}, usual_arguments(), recording);
  ASSERT_EQ(c.result.diagnostics.size(), 1u);
  if (m.kind == DiagnosticKind::step_budget)
    return;  // recording computes more, so it ends elsewhere in the loop
  EXPECT_EQ(format_diagnostic(c.result.diagnostics[0]), format_diagnostic(a.result.diagnostics[0]));
  EXPECT_EQ(c.result.traces.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Mistakes, Faults, testing::ValuesIn(kFaults),
                         [](const auto& row) { return std::string(row.param.name); });

// ---- threads of a 3-D block, and what the launch lacks ----

TEST(FaultPositions, ThreadsOfThreeDimensions) {
  const char* text = "__global__ void k(int* out) { int t = (threadIdx.z * blockDim.y + "
                     "threadIdx.y) * blockDim.x + threadIdx.x; out[t + 1000 * blockIdx.y] = t; }";
  const Outcome outcome = run_text(text, "k", {1, 2, 1}, {5, 4, 3}, {buffer<int>("out", 1047)});
  const Diagnostic d = outcome.error();
  EXPECT_EQ(d.block, (Dim3{0, 1, 0}));
  EXPECT_EQ(d.thread, (Dim3{2, 1, 2}));  // thread 47 = 2 + 5 * (1 + 4 * 2)
  EXPECT_EQ(d.address, outcome.memory->find("out")->base + 1047 * 4);
}

struct BadLaunch {
  const char* name;
  Dim3 grid, block;
  std::vector<TextArgument> arguments;
  const char* says;
};
class BadLaunches : public testing::TestWithParam<BadLaunch> {};

TEST_P(BadLaunches, AreUsageErrors) {
  const BadLaunch& b = GetParam();
  const char* text = "struct S { int a, b; };\n__global__ void k(float* p, int n, unsigned char u, "
                     "double d, bool f) { if (f) p[0] = n + u + d; }";
  const Outcome outcome = run_text(text, "k", b.grid, b.block, b.arguments);
  ASSERT_NE(outcome.compiled.program, nullptr) << outcome.report();
  const Diagnostic d = outcome.error();
  EXPECT_EQ(d.kind, DiagnosticKind::usage);
  EXPECT_EQ(d.file, "<launch>");
  EXPECT_NE(d.message.english().find(b.says), std::string::npos) << outcome.report();
  EXPECT_EQ(outcome.result.coverage.blocks_executed, 0u);
}

std::vector<TextArgument> arguments_with(const char* name, const char* value) {
  std::vector<TextArgument> list = {buffer<float>("p", 4),
                                    scalar("n", 1),
                                    scalar("u", 1),
                                    scalar("d", 1.5),
                                    {{"f", "true", ""}, {}, {}}};
  for (TextArgument& argument : list)
    if (argument.argument.name == name) argument = {{name, value, ""}, {}, {}};
  return list;
}
std::vector<TextArgument> arguments_without(const char* name) {
  std::vector<TextArgument> list = arguments_with("", "");
  std::erase_if(list, [name](const TextArgument& a) { return a.argument.name == name; });
  return list;
}
std::vector<TextArgument> arguments_and(TextArgument extra) {
  std::vector<TextArgument> list = arguments_with("", "");
  list.push_back(std::move(extra));
  return list;
}
INSTANTIATE_TEST_SUITE_P(
    All, BadLaunches,
    testing::Values(
        BadLaunch{"missing_scalar", {1, 1, 1}, {1, 1, 1}, arguments_without("n"), "'n'"},
        BadLaunch{"missing_pointer", {1, 1, 1}, {1, 1, 1}, arguments_without("p"), "'p'"},
        BadLaunch{
            "unknown", {1, 1, 1}, {1, 1, 1}, arguments_and(scalar("q", 1)), "no parameter 'q'"},
        BadLaunch{"not_a_number", {1, 1, 1}, {1, 1, 1}, arguments_with("n", "12x"), "'12x'"},
        BadLaunch{"fraction_for_int", {1, 1, 1}, {1, 1, 1}, arguments_with("n", "1.5"), "'1.5'"},
        BadLaunch{"empty", {1, 1, 1}, {1, 1, 1}, arguments_with("n", ""), "''"},
        BadLaunch{
            "int_too_big", {1, 1, 1}, {1, 1, 1}, arguments_with("n", "3000000000"), "3000000000"},
        BadLaunch{"negative_for_unsigned", {1, 1, 1}, {1, 1, 1}, arguments_with("u", "-1"), "'-1'"},
        BadLaunch{"byte_too_big", {1, 1, 1}, {1, 1, 1}, arguments_with("u", "256"), "'256'"},
        BadLaunch{"word_for_double", {1, 1, 1}, {1, 1, 1}, arguments_with("d", "one"), "'one'"},
        BadLaunch{
            "number_for_pointer", {1, 1, 1}, {1, 1, 1}, arguments_with("p", "5"), "needs a buffer"},
        BadLaunch{
            "empty_block", {1, 1, 1}, {0, 1, 1}, arguments_with("", ""), "block of 0 threads"},
        BadLaunch{
            "huge_block", {1, 1, 1}, {32, 32, 2}, arguments_with("", ""), "block of 2048 threads"},
        BadLaunch{"empty_grid", {1, 0, 1}, {1, 1, 1}, arguments_with("", ""), "empty grid"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Arguments, UnknownBuffersNullAndStructs) {
  const char* text =
      "struct S { int a, b; };\n__global__ void k(float* p, S s) { if (p) p[0] = s.a; }";
  CompileRequest request;
  request.text = text;
  const CompileResult compiled = compile(request);
  ASSERT_NE(compiled.program, nullptr);
  GlobalMemory memory;
  const auto problems = check_arguments(
      *compiled.program, {{1, 1, 1}, {1, 1, 1}, 0, {{"p", "", "nowhere"}, {"s", "1", ""}}}, memory);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_NE(problems[0].message.english().find("no buffer 'nowhere'"), std::string::npos);
  EXPECT_NE(problems[1].message.english().find("of type S"), std::string::npos);
  EXPECT_TRUE(check_arguments(*compiled.program,
                              {{1, 1, 1}, {1, 1, 1}, 0, {{"p", "", "null"}, {"s", "1", ""}}},
                              memory)
                  .size() == 1);
}

TEST(Arguments, ReachTheKernelUnchanged) {
  const char* text =
      "__global__ void k(double* out, signed char a, unsigned short b, int c, long long d, "
      "unsigned long long e, float f, double g, bool h) {\n"
      "  out[0] = a; out[1] = b; out[2] = c; out[3] = d == -9223372036854775807ll - 1; out[4] = e "
      "== 18446744073709551615ull; out[5] = f; out[6] = g; out[7] = h; }";
  const auto text_argument = [](const char* name, const char* value) {
    return TextArgument{{name, value, ""}, {}, {}};
  };
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {1, 1, 1},
               {buffer<double>("out", 8), text_argument("a", "-128"), text_argument("b", "65535"),
                text_argument("c", "0x10"), text_argument("d", "-9223372036854775808"),
                text_argument("e", "18446744073709551615"), text_argument("f", "0.25"),
                text_argument("g", "-1e300"), text_argument("h", "true")});
  const double want[] = {-128, 65535, 16, 1, 1, 0.25, -1e300, 1};
  expect_each<double>(outcome, "out", [&](std::size_t i) { return want[i]; });
}

}  // namespace
}  // namespace lanescope

// What the checks find in memory that an access may touch and should not: overruns from one array into
// another, scopes that have ended, the device's heap, arithmetic without a result; and what they must
// not find. The marker /*@*/ stands in front of the place.
#include <algorithm>

#include "run/run_text.h"

namespace lanescope {
namespace {

struct Case {
  const char* name;
  /// Kernel k(const float* in, float* out, unsigned n); in and out hold 128 floats each, n is 70000
  const char* text;
  /// Null where nothing may be found
  const char* says;
  DiagnosticKind kind = DiagnosticKind::out_of_bounds;
  Dim3 thread = {0, 0, 0};
  Severity severity = Severity::error;
};

const Case kObjects[] = {
    {"local_neighbour",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  float a[4], b[4];
  for (int i = 0; i < 4; ++i) a[i] = b[i] = in[i];
  a[threadIdx.x & 7] /*@*/= 9;
  out[threadIdx.x] = a[threadIdx.x & 3] + b[threadIdx.x & 3];
})",
     "element 4 of 'a' (4 elements)",
     DiagnosticKind::out_of_bounds,
     {4, 0, 0}},
    {"shared_neighbour_before",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  __shared__ float a[32], b[32];
  a[threadIdx.x] = b[threadIdx.x] = 0;
  out[threadIdx.x] = a[threadIdx.x] + /*@*/b[(int)threadIdx.x - 2];
})",
     "element -2 of 'b' (32 elements)"},
    {"row",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  __shared__ float s[8][9];
  for (int i = 0; i < 8; ++i) if (threadIdx.x < 9) s[i][threadIdx.x] = i;
  __syncthreads();
  out[threadIdx.x] = threadIdx.x < 8 ? /*@*/s[threadIdx.x & 3][threadIdx.x + 2] : 0;
})",
     "element 9 of a row or member of 's' that has 9 elements",
     DiagnosticKind::out_of_bounds,
     {7, 0, 0}},
    {"member",
     R"(struct S { float a[3]; float b; };
__device__ S table[4];
__global__ void k(const float* in, float* out, unsigned n) {
  table[threadIdx.x & 3].a[threadIdx.x >> 3] /*@*/= 1;
})",
     "of a row or member of 'table' that has 3 elements",
     DiagnosticKind::out_of_bounds,
     {24, 0, 0}},
    {"array_initialised_in_part",
     R"(__constant__ float c[16] = {1, 2, 3};
__global__ void k(const float* in, float* out, unsigned n) {
  out[threadIdx.x] = /*@*/c[threadIdx.x];
})",
     "element 16 of 'c' (16 elements)",
     DiagnosticKind::out_of_bounds,
     {16, 0, 0}},
    {"other_buffer",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  out[threadIdx.x] = /*@*/in[(out - in) + threadIdx.x];
})",
     "of 'in' (float, 128 elements)"},
    {"scope",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  float* p;
  { float a[4]; for (int i = 0; i < 4; ++i) a[i] = in[i]; p = a; }
  out[threadIdx.x] = /*@*/p[threadIdx.x & 3];
})",
     "'a' after its scope has ended", DiagnosticKind::uninitialised},
    {"scope_of_a_round",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  float sum = 0;
  for (int i = 0; i < 2; ++i) {
    float a[4];
    if (i == 0) for (int j = 0; j < 4; ++j) a[(j + threadIdx.x) & 3] = j;
    sum += /*@*/a[threadIdx.x & 3];
  }
  out[threadIdx.x] = sum;
})",
     "nothing has written", DiagnosticKind::uninitialised},
    {"unset",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  float x;
  if (threadIdx.x != 7) x = in[threadIdx.x];
  out[threadIdx.x] /*@*/= x;
})",
     "'x' is used, and nothing has set it",
     DiagnosticKind::uninitialised,
     {7, 0, 0}},
    {"unset_sum",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  float sum;
  for (int i = 0; i < 4; ++i) sum /*@*/+= in[i];
  out[threadIdx.x] = sum;
})",
     "'sum' is used", DiagnosticKind::uninitialised},
    {"unset_member",
     R"(struct V { float x, y; };
__global__ void k(const float* in, float* out, unsigned n) {
  V v; v.x = 1;
  out[threadIdx.x] = v.x /*@*/+ v.y;
})",
     "'v' is used", DiagnosticKind::uninitialised},
    {"unset_of_another_lane",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  float x;
  if (threadIdx.x < 16) x = in[threadIdx.x];
  out[threadIdx.x] /*@*/= __shfl_xor_sync(~0u, x, 16);
})",
     "'x' is used", DiagnosticKind::uninitialised},
    {"unset_by_the_callee",
     R"(__device__ bool find(const float* in, int i, float* to) {
  if (in[i] > 3) { *to = in[i]; return true; }
  return false;
}
__global__ void k(const float* in, float* out, unsigned n) {
  float x;
  find(in, threadIdx.x, &x);
  out[threadIdx.x] /*@*/= x;
})",
     "'x' is used", DiagnosticKind::uninitialised},
    {"heap_unwritten",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  float* p = (float*)malloc(64);
  p[0] = 1;
  out[threadIdx.x] = p[0] + /*@*/p[1];
  free(p);
})",
     "byte 4 of a block of 64 bytes", DiagnosticKind::uninitialised},
    {"heap_never_freed",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  float* p = (float*)/*@*/malloc(64);
  p[0] = 1;
  out[threadIdx.x] = p[0];
})",
     "is not given to free",
     DiagnosticKind::out_of_bounds,
     {0, 0, 0},
     Severity::warning},
    {"local_of_another",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  __shared__ float* p;
  float mine[4];
  for (int i = 0; i < 4; ++i) mine[i] = in[i];
  if (threadIdx.x == 0) p = mine;
  __syncthreads();
  out[threadIdx.x] = /*@*/p[threadIdx.x & 3];
})",
     "a local variable of thread (0, 0, 0)",
     DiagnosticKind::out_of_bounds,
     {1, 0, 0}},
    {"zero_divisor",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  out[threadIdx.x] = n /*@*/% (threadIdx.x ^ 5);
})",
     "divided by zero",
     DiagnosticKind::overflow,
     {5, 0, 0}},
    {"shift",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  out[threadIdx.x] = n /*@*/>> (threadIdx.x + 20);
})",
     "shift by the width",
     DiagnosticKind::overflow,
     {12, 0, 0},
     Severity::warning},
    {"index_product",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  size_t at = n /*@*/* n;
  out[at - 605032704u] = 1;
})",
     "32-bit product wraps",
     DiagnosticKind::overflow,
     {0, 0, 0},
     Severity::warning},
    {"constant",
     R"(__constant__ float c[32];
__global__ void k(const float* in, float* out, unsigned n) {
  ((float*)c)[threadIdx.x] /*@*/= 1;
})",
     "'c', which is __constant__"},
    {"const_argument",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  ((float*)in)[threadIdx.x] /*@*/= 1;
})",
     "pointer to const",
     DiagnosticKind::out_of_bounds,
     {0, 0, 0},
     Severity::warning},
    {"heap_past_the_end",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  float* p = (float*)malloc(20);
  p[5] /*@*/= 1;
  free(p);
})",
     "byte 20 of a block of 20 bytes"},
    {"heap_after_free",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  float* p = new float[4];
  p[0] = 1;
  delete[] p;
  out[threadIdx.x] = /*@*/p[0];
})",
     "given to free before"},
    {"heap_freed_twice",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  void* p = malloc(8);
  free(p);
  /*@*/free(p);
})",
     "a second time"},

    {"fine_matrix_as_a_row",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  __shared__ float s[4][33];
  float *first = &s[0][0], *end = &s[4][0];
  for (int i = threadIdx.x; i < 4 * 33; i += 32) first[i] = i;
  __syncthreads();
  float sum = end[-1];
  for (float* p = first + threadIdx.x; p < end; p += 32) sum += *p;
  out[threadIdx.x] = sum;
})",
     nullptr},
    {"fine_wide_and_narrow",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  __shared__ float4 v[32];
  v[threadIdx.x] = reinterpret_cast<const float4*>(in)[threadIdx.x & 31];
  (&v[threadIdx.x].x)[3] = 2;
  out[threadIdx.x] = reinterpret_cast<float*>(&v[threadIdx.x])[2];
})",
     nullptr},
    {"fine_guards_and_hashes",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  unsigned hash = threadIdx.x * 2654435761u, m = n < 32 ? 1u << n : 0, d = threadIdx.x & 3;
  out[threadIdx.x] = in[hash & 127] + in[hash >> 25] + m + (d ? 12 / d : 0);
})",
     nullptr},
    {"fine_array_of_as_many_as_there_is_room_for",
     R"(struct F { int n; int v[1]; };
__global__ void k(const float* in, float* out, unsigned n) {
  __shared__ __align__(8) char raw[132];
  F* f = (F*)raw;
  if (threadIdx.x == 0) f->n = 32;
  f->v[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = f->v[31 - threadIdx.x] + f->n;
})",
     nullptr},
    {"fine_negative_pitch",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  int pitch = -1;
  out[threadIdx.x] = in[127 + threadIdx.x * pitch];
})",
     nullptr},
    {"fine_bits_and_padding",
     R"(struct B { unsigned a : 5, b : 11; };
struct P { char c; double d; short e; };
__global__ void k(const float* in, float* out, unsigned n) {
  __shared__ B s[32];
  __shared__ P t[32];
  s[threadIdx.x].b = threadIdx.x;
  t[threadIdx.x].c = 1, t[threadIdx.x].d = 2, t[threadIdx.x].e = 3;
  __syncwarp();
  P copy = t[31 - threadIdx.x];
  copy.d += 1;
  __syncwarp();
  t[threadIdx.x] = copy;
  out[threadIdx.x] = s[threadIdx.x].b + t[threadIdx.x].d;
})",
     nullptr},
    {"fine_heap",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  float* p = (float*)malloc(64);
  memset(p, 0, 64);
  for (int i = 0; i < 16; ++i) p[i] += in[i];
  out[threadIdx.x] = p[threadIdx.x & 15];
  free(p);
  free(nullptr);
})",
     nullptr},
    {"fine_set_where_used",
     R"(struct M { float value; int index; bool valid; };
__device__ M best(float x) {
  M m;
  m.valid = x > 3;
  if (m.valid) m.value = x, m.index = 2;
  return m;
}
__global__ void k(const float* in, float* out, unsigned n) {
  float last, x, y = 0;
  for (int i = 0; i < 4; ++i) {
    const float v = in[i];
    if (i > 0) y += v - last;
    last = v;
  }
  const bool is_set = in[threadIdx.x] > 9;
  if (is_set) x = in[threadIdx.x];
  __syncwarp();
  if (is_set && x > 11) y += x;
  const M m = best(in[threadIdx.x]);
  __shared__ M all[32];
  all[threadIdx.x] = m;
  __syncwarp();
  const M other = all[31 - threadIdx.x];
  out[threadIdx.x] = other.valid ? other.value + y : m.valid && m.index > 1 ? y : 0;
})",
     nullptr},
    {"fine_copies_of_a_library",
     R"(# 1 "/usr/include/library.h" 3
__device__ void shift(float* to, const float* from) {
  float all[4];
  for (int i = 0; i < 3; ++i) all[(i + threadIdx.x) & 3] = from[i];
  for (int i = 0; i < 4; ++i) to[i] = all[i];
}
__global__ void k(const float* in, float* out, unsigned n) {
  __shared__ float s[4];
  shift(s, in + threadIdx.x);
  out[threadIdx.x] = s[threadIdx.x & 3];
})",
     nullptr},
    {"fine_scopes_of_rounds",
     R"(__global__ void k(const float* in, float* out, unsigned n) {
  float sum = 0;
  for (int i = 0; i < 3; ++i) {
    float a[4];
    for (int j = 0; j < 4; ++j) a[(j + threadIdx.x) & 3] = in[j];
    sum += a[(threadIdx.x + i) & 3];
  }
  out[threadIdx.x] = sum;
})",
     nullptr},
};

class Objects : public testing::TestWithParam<Case> {};

TEST_P(Objects, AreKept) {
  const Case& c = GetParam();
  ExecuteRequest request;
  request.checks = true;
  const Outcome outcome = run_text(c.text, "k", {1, 1, 1}, {32, 1, 1},
                                   {buffer<float>("in", 128, Fill::index),
                                    buffer<float>("out", 128, Fill::zero), scalar("n", 70000)},
                                   request);
  ASSERT_NE(outcome.compiled.program, nullptr) << outcome.report();
  const auto& found = outcome.result.diagnostics;
  if (c.says == nullptr) {
    EXPECT_TRUE(found.empty()) << outcome.report();
    return;
  }
  ASSERT_FALSE(found.empty());
  const Diagnostic& d = found[0];
  const std::string text = c.text, marker = "/*@*/";
  const std::size_t at = text.find(marker) + marker.size(), line = text.rfind('\n', at);
  EXPECT_EQ(d.line, 1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'))
      << outcome.report();
  EXPECT_EQ(d.column, at - line) << outcome.report();
  EXPECT_EQ(d.kind, c.kind) << outcome.report();
  EXPECT_EQ(d.severity, c.severity) << outcome.report();
  EXPECT_EQ(d.thread, c.thread) << outcome.report();
  EXPECT_NE(d.message.english().find(c.says), std::string::npos) << outcome.report();
}

INSTANTIATE_TEST_SUITE_P(Checks, Objects, testing::ValuesIn(kObjects),
                         [](const auto& row) { return std::string(row.param.name); });

// ---- what no device has room for ----

TEST(Variables, AreRefusedWithTheirSize) {
  const std::pair<const char*, const char*> texts[] = {
      {"__global__ void k(int* o) {\n  __shared__ int s[1 << 30];\n  s[*o] = 1; *o = s[1]; }",
       "'s' takes 4294967296 bytes"},
      {"__global__ void k(int* o) {\n  int a[1 << 20]; a[o[1]] = 2; *o = a[o[2]]; }",
       "'a' takes 4194304 bytes"},
      {"__global__ void k(int* o);\n__device__ int b[1 << 30];\n__global__ void k(int* o) { *o = "
       "b[1]; }",
       "'b' takes 4294967296 bytes"},
      {"__global__ void k(int* o);\n__constant__ int c[1 << 20];\n__global__ void k(int* o) { *o = "
       "c[*o]; }",
       "'c' takes 4194304 bytes"},
  };
  for (const auto& [text, says] : texts) {
    CompileRequest request;
    request.text = text;
    const CompileResult compiled = compile(request);
    EXPECT_EQ(compiled.program, nullptr) << text;
    ASSERT_FALSE(compiled.diagnostics.empty()) << text;
    EXPECT_NE(compiled.diagnostics[0].message.english().find(says), std::string::npos)
        << compiled.diagnostics[0].message.english();
  }
}

// ---- functions that call themselves ----

TEST(Recursion, InACircleIsUnfoldedToo) {
  const char* text = R"(
__device__ int odd(int n);
__device__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__device__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }
// A sum of products of digits, read as a parser reads it.
__device__ int sum(const char*& at);
__device__ int factor(const char*& at) {
  if (*at != '(') return *at++ - '0';
  ++at;
  const int value = sum(at);
  ++at;
  return value;
}
__device__ int product(const char*& at) {
  int value = factor(at);
  while (*at == '*') value *= factor(++at);
  return value;
}
__device__ int sum(const char*& at) {
  int value = product(at);
  while (*at == '+') value += product(++at);
  return value;
}
__global__ void k(int* out, int n) {
  const char* at = "2*(3+4*(1+2))+n";
  out[threadIdx.x] = even(threadIdx.x + n) + 10 * sum(at);
})";
  const auto run = [&](int n) {
    return run_text(text, "k", {1, 1, 1}, {32, 1, 1}, {buffer<int>("out", 32), scalar("n", n)});
  };
  expect_each<int>(run(200), "out",
                   [](std::size_t i) { return (i % 2 == 0) + 10 * (30 + 'n' - '0'); });
  const Outcome deep = run(1000);
  EXPECT_EQ(deep.error().kind, DiagnosticKind::unsupported);
  EXPECT_NE(deep.error().message.english().find("recursive call of"), std::string::npos)
      << deep.report();
}

TEST(Recursion, IsUnfoldedAsDeepAsItMayGo) {
  const char* text = R"(
__device__ int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
__device__ int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }
__global__ void k(int* out, int n) { out[threadIdx.x] = fib(threadIdx.x & 7) + down(n); })";
  const int fib[] = {0, 1, 1, 2, 3, 5, 8, 13};
  const Outcome shallow =
      run_text(text, "k", {1, 1, 1}, {32, 1, 1}, {buffer<int>("out", 32), scalar("n", 40)});
  expect_each<int>(shallow, "out", [&](std::size_t i) { return fib[i & 7] + 40; });
  const Outcome deep =
      run_text(text, "k", {1, 1, 1}, {32, 1, 1}, {buffer<int>("out", 32), scalar("n", 400)});
  EXPECT_EQ(deep.error().kind, DiagnosticKind::unsupported);
  EXPECT_NE(deep.error().message.english().find("'down(int)'"), std::string::npos) << deep.report();
}

}  // namespace
}  // namespace lanescope

// Values of which a part has been set: unions, bit-fields, what memcpy moves; and what lies at any address, which is
// accessed in pieces. The marker /*@*/ stands in front of the place.
#include <algorithm>

#include "run/nothing_wrong.h"

namespace lanescope {
namespace {

struct Part {
  const char* name;
  /// Kernel k(const unsigned char* in, int* out); in holds 256 bytes, out 192 numbers
  const char* text;
  /// Null where nothing may be found
  const char* says;
};

const Part kParts[] = {
    {"half_of_a_union", R"(
union U { struct { short lo, hi; } h; int w; };
__global__ void k(const unsigned char* in, int* out) {
  U u;
  u.h.lo = threadIdx.x;
  out[threadIdx.x] /*@*/= u.w;
})",
     "'u' is used"},
    {"half_of_a_shared_union", R"(
union U { struct { short lo, hi; } h; int w; };
__global__ void k(const unsigned char* in, int* out) {
  __shared__ U u[32];
  u[threadIdx.x].h.lo = threadIdx.x;
  out[threadIdx.x] = u[threadIdx.x]./*@*/w;
})",
     "shared byte 2 of 128"},
    {"neighbour_of_a_bit_field", R"(
struct B { unsigned a : 5, b : 11; };
__global__ void k(const unsigned char* in, int* out) {
  B b;
  b.a = threadIdx.x;
  out[threadIdx.x] /*@*/= b.b;
})",
     "'b' is used"},
    {"sum_of_an_unset_bit_field", R"(
struct B { unsigned a : 5, b : 11; };
__global__ void k(const unsigned char* in, int* out) {
  B b;
  b.b = threadIdx.x;
  out[threadIdx.x] = b.b /*@*/+ b.a;
})",
     "'b' is used"},
    {"padding_byte_by_byte", R"(
struct K { int a; short b; };
__global__ void k(const unsigned char* in, int* out) {
  K x;
  x.a = threadIdx.x;
  x.b = 3;
  unsigned h = 0;
  const unsigned char* p = (const unsigned char*)&x;
  for (int i = 0; i < sizeof x; ++i) h = h * 31 + /*@*/p[i];
  out[threadIdx.x] = h;
})",
     "byte 6 of 'x'"},
    {"memcpy_of_three_of_five", R"(
__global__ void k(const unsigned char* in, int* out) {
  int a[5];
  a[0] = 1; a[1] = 2; a[2] = 3;
  /*@*/memcpy(out + threadIdx.x * 5, a, 20);
})",
     "'a' is used"},
    {"fine_union_set_by_halves", R"(
union U { struct { short lo, hi; } h; int w; };
__global__ void k(const unsigned char* in, int* out) {
  U u;
  u.h.lo = threadIdx.x;
  u.h.hi = in[threadIdx.x];
  out[threadIdx.x] = u.w;
})",
     nullptr},
    {"fine_half_that_is_read", R"(
union U { struct { short lo, hi; } h; int w; };
__global__ void k(const unsigned char* in, int* out) {
  U u;
  u.h.lo = threadIdx.x;
  if (in[3] > 9) u.w = in[threadIdx.x];
  out[threadIdx.x] = (u.w & 0xffff) + u.h.lo;
})",
     nullptr},
    {"fine_bit_field_by_bit_field", R"(
struct B { unsigned a : 5, b : 11; };
__global__ void k(const unsigned char* in, int* out) {
  B b, c;
  b.a = threadIdx.x;
  c.b = 7;
  out[threadIdx.x] = b.a + (c.b > 3 ? 1 : 0) + (c.b == 5);
  b.b = threadIdx.x * 3;
  __shared__ B s[32];
  s[threadIdx.x] = b;
  __syncwarp();
  out[32 + threadIdx.x] = __shfl_sync(~0u, b.b, 3) + s[31 - threadIdx.x].b;
})",
     nullptr},
    {"fine_variant_by_its_tag", R"(
struct V { int tag; union { int i; float f; double d; }; };
__device__ V make(int t) {
  V v;
  v.tag = t & 1;
  if (v.tag) v.f = t; else v.i = t;
  return v;
}
__global__ void k(const unsigned char* in, int* out) {
  V v = make(threadIdx.x);
  out[threadIdx.x] = v.tag ? (int)v.f : v.i;
})",
     nullptr},
    {"fine_memcpy_of_what_is_read", R"(
struct S { int v[5]; };
__global__ void k(const unsigned char* in, int* out) {
  int a[5];
  a[0] = 1; a[1] = 2; a[2] = 3;
  S s;
  memcpy(&s, a, 20);
  out[threadIdx.x] = s.v[0] + s.v[2];
})",
     nullptr},
    {"fine_memcpy_from_any_address", R"(
__global__ void k(const unsigned char* in, int* out) {
  int v;
  memcpy(&v, in + 1 + threadIdx.x * 5, 4);
  double d = v;
  memcpy((unsigned char*)out + 1 + threadIdx.x * 9, &d, 8);
})",
     nullptr},
    {"fine_packed", R"(
struct __attribute__((packed)) P { char t; int v; double d; };
__global__ void k(const unsigned char* in, int* out) {
  __shared__ P s[32];
  s[threadIdx.x].t = 1, s[threadIdx.x].v = 2, s[threadIdx.x].d = 3;
  __syncwarp();
  P p = s[31 - threadIdx.x];
  out[threadIdx.x] = ((const P*)in)[threadIdx.x & 7].v + p.v + (int)p.d + p.t;
})",
     nullptr},
};

class Parts : public testing::TestWithParam<Part> {};

TEST_P(Parts, AreToldApart) {
  const Part& p = GetParam();
  ExecuteRequest request;
  request.checks = true;
  const Outcome outcome = run_text(
      p.text, "k", {1, 1, 1}, {32, 1, 1},
      {buffer<std::uint8_t>("in", 256, Fill::index), buffer<int>("out", 192, Fill::zero)}, request);
  ASSERT_NE(outcome.compiled.program, nullptr) << outcome.report();
  const auto& found = outcome.result.diagnostics;
  if (p.says == nullptr) {
    EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
    return;
  }
  ASSERT_FALSE(found.empty());
  const std::string text = p.text, marker = "/*@*/";
  const std::size_t at = text.find(marker) + marker.size();
  EXPECT_EQ(found[0].line, 1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'))
      << outcome.report();
  EXPECT_EQ(found[0].column, at - text.rfind('\n', at)) << outcome.report();
  EXPECT_NE(found[0].message.english().find(p.says), std::string::npos) << outcome.report();
}

INSTANTIATE_TEST_SUITE_P(Values, Parts, testing::ValuesIn(kParts),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(UnalignedAccesses, MoveWhatTheyShould) {
  const Outcome outcome = run_text(R"(
struct __attribute__((packed)) P { char t; int v; double d; };
__global__ void k(const unsigned char* in, int* out, double* d) {
  int v;
  memcpy(&v, in + 1 + threadIdx.x, 4);
  out[threadIdx.x] = v;
  P p[2];
  p[threadIdx.x & 1].d = v, p[threadIdx.x & 1].v = threadIdx.x;
  d[threadIdx.x] = p[threadIdx.x & 1].d + p[threadIdx.x & 1].v;
})",
                                   "k", {1, 1, 1}, {32, 1, 1},
                                   {buffer<std::uint8_t>("in", 64, Fill::index),
                                    buffer<int>("out", 32), buffer<double>("d", 32)});
  const auto value = [](std::size_t i) {
    return static_cast<int>((i + 1) | (i + 2) << 8 | (i + 3) << 16 | (i + 4) << 24);
  };
  expect_each<int>(outcome, "out", value);
  expect_each<double>(outcome, "d",
                      [&](std::size_t i) { return value(i) + static_cast<double>(i); });
}

}  // namespace
}  // namespace lanescope

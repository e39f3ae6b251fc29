// The C++ that kernels are written in: functions, templates, lambdas, classes, macros. Each text's
// kernel fills `out` with what the host's formula gives.
#include "run/run_text.h"

namespace lanescope {
namespace {

constexpr int kElements = 96;

struct Text {
  const char* name;
  const char* kernel;
  const char* text;
  /// Of out[t], with in[t] = t
  int (*expected)(int t);
};

const Text kTexts[] = {
    {"device_functions", "", R"(
__device__ int twice(int x) { return 2 * x; }
__device__ __forceinline__ int thrice(int x) { return 3 * x; }
__host__ __device__ inline int sum(int a, int b = 5) { return twice(a) + thrice(b); }
__device__ __noinline__ int deep(int x) { return sum(x) + sum(x, 1); }
__global__ void k(const int* in, int* out) { int t = threadIdx.x; out[t] = deep(in[t]); })",
     [](int t) { return 2 * t + 15 + 2 * t + 3; }},
    {"constants_of_no_header", "", R"(
__global__ void k(const int* in, int* out) {
  int t = threadIdx.x;
  float least = fminf(INFINITY, in[t]);
  out[t] = in[t] == INT_MAX || !isnan(NAN * 0) ? -1 : (int)least + (M_PI > 3 ? CHAR_BIT : 0) + (in == NULL);
})",
     [](int t) { return t + 8; }},
    {"templates", "k<int, 7>", R"(
template <int N> struct Unrolled { template <class F> static __device__ void run(F f) { Unrolled<N - 1>::run(f); f(N - 1); } };
template <> struct Unrolled<0> { template <class F> static __device__ void run(F) {} };
template <class... Ts> __device__ int total(Ts... values) { return (values + ... + 0); }
template <class T> __device__ T pick(T a, T b) { if constexpr (sizeof(T) == 8) return a; else return b; }
template <class T, int N> __global__ void k(const T* in, T* out) {
  T sum = 0;
  Unrolled<N>::run([&](int i) { sum += in[threadIdx.x] * i; });
  out[threadIdx.x] = sum + total(1, 2, 3) + pick(10, 20) + (int)pick(100ll, 200ll);
})",
     [](int t) { return 21 * t + 6 + 20 + 100; }},
    {"lambdas", "", R"(
template <class F> __device__ int apply(F f, int x) { return f(f(x)); }
__global__ void k(const int* in, int* out) {
  int t = threadIdx.x, calls = 0;
  const auto step = [&calls, t](int x) { ++calls; return x * 3 + t; };
  auto generic = [](auto a, auto b) { return a > b ? a : b; };
  auto counter = [n = 0]() mutable { return ++n; };
  counter(); counter();
  out[t] = apply(step, in[t]) + 1000 * calls + generic(t, 50) + 10000 * counter();
})",
     [](int t) { return (3 * (3 * t + t) + t) + 2000 + (t > 50 ? t : 50) + 30000; }},
    {"classes", "", R"(
struct Shape { int rows, cols; __device__ int at(int r, int c) const { return r * cols + c; } };
class Counter { int n_ = 3; public: __device__ Counter& operator+=(int d) { n_ += d; return *this; } __device__ operator int() const { return n_; } __device__ ~Counter() { n_ = -1; } };
struct Complex { float re, im; };
__device__ Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
struct Base { int x; __device__ Base(int v) : x(v) {} __device__ int get() const { return x; } };
struct Derived : Base { int y; __device__ Derived(int a, int b) : Base(a), y(b) {} __device__ int get() const { return Base::get() * 100 + y; } };
struct Square { int side; __device__ explicit Square(int s) : side(s) {} __device__ int area() const; };
__device__ int Square::area() const { return side * side; }
__global__ void k(const int* in, int* out) {
  int t = threadIdx.x;
  Shape shape{4, 9}; Counter c; c += t; c += 1;
  Complex z = Complex{1.0f * t, 2.0f} * Complex{3.0f, 1.0f};
  Derived d(t, 7);
  out[t] = shape.at(2, in[t]) + c + (int)z.re + (int)z.im + d.get() + Square(t % 5).area();
})",
     [](int t) {
       return 18 + t + (3 + t + 1) + (3 * t - 2) + (t + 6) + t * 100 + 7 + (t % 5) * (t % 5);
     }},
    {"structs_by_value_and_reference", "", R"(
struct State { int a[3]; float f; short s; };
__device__ State advance(State s, int by) { for (int i = 0; i < 3; ++i) s.a[i] += by * i; s.f *= 2; s.s--; return s; }
__device__ void bump(State& s) { s.a[0] += 100; }
__device__ void both(const State* in, State* out) { *out = *in; out->a[2] += 1000; }
__global__ void k(const int* in, int* out) {
  int t = threadIdx.x;
  State s = {{t, 2, 3}, 1.5f, 4}, r;
  s = advance(advance(s, in[t]), 1); bump(s); both(&s, &r);
  out[t] = r.a[0] + r.a[1] * 10 + r.a[2] * 100 + (int)r.f + r.s + s.a[2];
})",
     [](int t) {
       return t + 100 + (2 + t + 1) * 10 + (3 + 2 * t + 2 + 1000) * 100 + 6 + 2 + (3 + 2 * t + 2);
     }},
    {"enums_using_constexpr", "", R"(
enum class Mode : int { add = 1, mul = 2 }; enum { kOffset = 5 };
using Index = unsigned; typedef int Number;
namespace shapes { namespace detail { constexpr int kSide = 4; } constexpr int area() { return detail::kSide * detail::kSide; } }
constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
template <Mode M> __device__ Number combine(Number a, Number b) { return M == Mode::add ? a + b : a * b; }
__global__ void k(const int* in, int* out) {
  Index t = threadIdx.x;
  static_assert(factorial(5) == 120); constexpr int kTwentyFour = factorial(4);
  __shared__ int s[shapes::area() * 8];
  s[t] = combine<Mode::mul>(in[t], kOffset);
  __syncthreads();
  out[t] = combine<Mode::add>(s[t], kTwentyFour) + sizeof(s) / sizeof(s[0]);
})",
     [](int t) { return t * 5 + 24 + 128; }},
    {"macros_and_pragmas", "", R"(
#define TILE 32
#define SQ(x) ((x) * (x))
#define IDX(r, c) ((r) * TILE + (c))
#if __CUDA_ARCH__ >= 700 && defined(__CUDACC__)
#define EXTRA 3
#else
#error "not CUDA"
#endif
#ifndef N
#define N 4
#endif
__global__ void __launch_bounds__(128, 2) k(const int* __restrict__ in, int* __restrict__ out) {
  int t = threadIdx.x, sum = 0;
  #pragma unroll
  for (int i = 0; i < N; ++i) sum += SQ(i + 1);
  #pragma unroll 4
  for (int i = 0; i < t; i++) sum += 2;
  out[t] = sum + IDX(1, in[t]) + EXTRA;
})",
     [](int t) { return 30 + 2 * t + 32 + t + 3; }},
    {"namespaces_and_overloads", "outer::k", R"(
namespace outer {
namespace { __device__ int hidden(int x) { return x + 1; } }
__device__ int f(int) { return 1; } __device__ int f(float) { return 2; } __device__ int f(double) { return 3; } __device__ int f(const int*) { return 4; }
__global__ void k(const int* in, int* out) { int t = threadIdx.x; out[t] = f(t) * 1000 + f(1.0f * t) * 100 + f(1.0 * t) * 10 + f(in) + hidden(in[t]); }
})",
     [](int t) { return 1234 + t + 1; }},
    {"std_helpers", "", R"(
#include <type_traits>
#include <utility>
#include <algorithm>
#include <cstdint>
#include <limits>
template <class T> __device__ int kind(T&&) { return std::is_same<std::decay_t<T>, int>::value ? 1 : std::is_floating_point_v<std::remove_reference_t<T>> ? 2 : 3; }
__global__ void k(const int* in, int* out) {
  std::uint32_t t = threadIdx.x; std::int64_t big = (std::int64_t)in[t] << 40; std::size_t n = sizeof(int);
  out[t] = kind(5) + 10 * kind(2.0f) + 100 * kind(big) + (int)(big >> 40) + (int)n + std::max(in[t], 3) + std::min((int)t, 9) + (std::numeric_limits<int>::max() == INT32_C(2147483647) ? 1 : 0);
})",
     [](int t) { return 1 + 20 + 300 + t + 4 + (t > 3 ? t : 3) + (t < 9 ? t : 9) + 1; }},
    {"intrinsics", "", R"(
__global__ void k(const int* in, int* out) {
  int t = threadIdx.x;
  float f = __fmaf_rn((float)t, 2.0f, 1.0f) + __fadd_rn(1.0f, 2.0f) + fmaf(1.0f, 2.0f, 3.0f) + __saturatef(5.0f) + rsqrtf(4.0f) * 2 + __fdividef(8.0f, 2.0f);
  out[t] = (int)(f + 0.01f) + __ldg(&in[t]) + __ldg(in + t) + __mul24(t, 3) + __clz(1) + __popc(0xff) + (int)__float2int_rn(2.5f) + __double2int_rz(3.9);
})",
     [](int t) { return (2 * t + 1) + 3 + 5 + 1 + 1 + 4 + t + t + 3 * t + 31 + 8 + 2 + 3; }},
    {"local_statics_unions_bitfields", "", R"(
union Bits { float f; unsigned u; };
struct Packed { unsigned low : 4, mid : 10, high : 18; };
__global__ void k(const int* in, int* out) {
  int t = threadIdx.x;
  Bits b; b.f = 1.0f * t;
  Packed p; p.low = t; p.mid = t * 3; p.high = t * 7;
  Packed q = p; q.mid += 1;
  float back = __uint_as_float(b.u);
  out[t] = (int)back + p.low + q.mid * 2 + q.high * 3 + (b.u == 0);
})",
     [](int t) { return t + (t & 15) + ((t * 3 + 1) & 1023) * 2 + t * 7 * 3 + (t == 0); }},
    {"dim3_and_index_types", "", R"(
__device__ int flat(dim3 i, uint3 shape) { return (i.z * shape.y + i.y) * shape.x + i.x; }
__global__ void k(const int* in, int* out) {
  uint3 id = threadIdx; dim3 shape = blockDim; dim3 d(2, 3);
  int2 p = make_int2(id.x, 5); uchar4 c = make_uchar4(1, 2, 3, 255);
  out[flat(id, shape)] = flat(threadIdx, blockDim) + in[p.x] + p.y + d.x * d.y * d.z + c.w + gridDim.x + warpSize;
})",
     [](int t) { return t + t + 5 + 6 + 255 + 1 + 32; }},
    {"printf_assert_and_clock", "", R"(
#include <cstdio>
#include <cassert>
__global__ void k(const int* in, int* out) {
  int t = threadIdx.x; long long start = clock64();
  assert(in[t] == t);
  if (t == 0) printf("hello %d %s\n", t, "lanes");
  out[t] = in[t] + (clock64() >= start);
})",
     [](int t) { return t + 1; }},
    {"function_pointer_known_when_compiled", "", R"(
template <int (*F)(int)> __device__ int call(int x) { return F(x); }
__device__ int five(int x) { return x + 5; }
__global__ void k(const int* in, int* out) { int t = threadIdx.x; out[t] = call<five>(in[t]); })",
     [](int t) { return t + 5; }},
    {"recursion_of_templates", "", R"(
template <int N> __device__ int fib() { if constexpr (N < 2) return N; else return fib<N - 1>() + fib<N - 2>(); }
__global__ void k(const int* in, int* out) { out[threadIdx.x] = fib<10>() + in[threadIdx.x]; })",
     [](int t) { return 55 + t; }},
    {"i64_arithmetic_and_shifts_by_variables", "", R"(
__global__ void k(const int* in, int* out) {
  long long x = (long long)in[threadIdx.x] * 1000000007ll; unsigned s = in[threadIdx.x] % 40;
  unsigned long long y = (unsigned long long)x << s >> s;
  out[threadIdx.x] = (int)(x % 1009) + (int)(y == (unsigned long long)x || s > 20) + (int)((1ull << s) >> (s / 2) > 0);
})",
     [](int t) { return static_cast<int>(t * 1000000007ll % 1009) + 1 + 1; }},
};

class Language : public testing::TestWithParam<Text> {};

TEST_P(Language, ComputesWhatTheHostDoes) {
  const Text& row = GetParam();
  const Outcome outcome =
      run_text(row.text, row.kernel, {1, 1, 1}, {kElements, 1, 1},
               {buffer<int>("in", kElements, Fill::index), buffer<int>("out", kElements)});
  expect_each<int>(outcome, "out",
                   [&](std::size_t i) { return row.expected(static_cast<int>(i)); });
}
INSTANTIATE_TEST_SUITE_P(Texts, Language, testing::ValuesIn(kTexts),
                         [](const auto& row) { return std::string(row.param.name); });

// ---- what cannot be executed says so ----

struct Unsupported {
  const char* name;
  const char* text;
  std::uint32_t line;
  const char* says;
};
const Unsupported kUnsupported[] = {
    {"recursion",
     "__device__ int f(int n) {\n  return n < 2 ? 1 : n * f(n - 1);\n}\n__global__ void k(int* "
     "out) { out[0] = f(threadIdx.x + 400); }",
     0, "recursive"},
    {"function_pointer",
     "__device__ int a(int x) { return x; }\n__global__ void k(int* out) {\n  int (*f)(int) = a;\n"
     "  if (threadIdx.x > 3) f = (int (*)(int))(unsigned long long)out;\n  out[0] = f(3);\n}",
     5, "function pointer"},
    {"inline_assembly",
     "__global__ void k(int* out) {\n  int r;\n  asm volatile(\"tex.1d.v4.s32.s32 %0, %1;\" : "
     "\"=r\"(r) : \"r\"(1));\n  out[0] = r;\n}",
     3, "PTX"},
};
class Unsupporteds : public testing::TestWithParam<Unsupported> {};

TEST_P(Unsupporteds, AreDiagnosedWhereTheyStand) {
  const Unsupported& row = GetParam();
  const Outcome outcome = run_text(row.text, "k", {1, 1, 1}, {32, 1, 1}, {buffer<int>("out", 1)});
  ASSERT_FALSE(outcome.ok());
  const Diagnostic d = outcome.error();
  EXPECT_EQ(d.kind, DiagnosticKind::unsupported) << outcome.report();
  EXPECT_NE(d.message.english().find(row.says), std::string::npos) << outcome.report();
  if (row.line != 0) {
    EXPECT_EQ(d.line, row.line) << outcome.report();
  }
  EXPECT_GT(d.line, 0u);
  EXPECT_GT(d.column, 0u);
}
INSTANTIATE_TEST_SUITE_P(Texts, Unsupporteds, testing::ValuesIn(kUnsupported),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Language, CallsThroughPointers) {
  const Outcome outcome = run_text(R"(
__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
__device__ int other(int x) { return x - 1; }
typedef int (*function)(int);
__device__ function table[3] = {twice, square, other};
__global__ void k(const int* in, int* out) {
  const int i = threadIdx.x;
  out[i] = table[i % 3](in[i]);
  function chosen = i < 16 ? twice : other;
  out[i] += chosen(1000);
})",
                                   "k", {1, 1, 1}, {32, 1, 1},
                                   {buffer<int>("in", 32, Fill::index), buffer<int>("out", 32)});
  expect_each<int>(outcome, "out", [](std::size_t at) {
    const int i = static_cast<int>(at);
    return (i % 3 == 0 ? 2 * i : i % 3 == 1 ? i * i : i - 1) + (i < 16 ? 2000 : 999);
  });
}

TEST(Language, VirtualCalls) {
  const Outcome outcome = run_text(R"(
struct Shape { __device__ virtual int area() const = 0; };
struct Square : Shape { int side; __device__ Square(int s) : side(s) {} __device__ int area() const override { return side * side; } };
struct Line : Shape { __device__ int area() const override { return 0; } };
struct Oblong : Square { int other; __device__ Oblong(int a, int b) : Square(a), other(b) {} __device__ int area() const override { return side * other; } };
__global__ void k(int* out) {
  const int i = threadIdx.x;
  Square square(i); Line line; Oblong oblong(i, 3);
  const Shape* all[] = {&square, &line, &oblong};
  out[i] = all[i % 3]->area();
})",
                                   "k", {1, 1, 1}, {32, 1, 1}, {buffer<int>("out", 32)});
  expect_each<int>(outcome, "out", [](std::size_t at) {
    const int i = static_cast<int>(at);
    return i % 3 == 0 ? i * i : i % 3 == 1 ? 0 : 3 * i;
  });
}

TEST(Language, CopiesAndFillsOfSizesThatTheRunKnows) {
  const Outcome outcome =
      run_text(R"(
__global__ void k(const unsigned char* in, unsigned char* out) {
  const int i = threadIdx.x;
  __builtin_memset(out + 32 * i, 7, 32);
  __builtin_memcpy(out + 32 * i, in, i);
})",
               "k", {1, 1, 1}, {32, 1, 1},
               {buffer<std::uint8_t>("in", 32, Fill::index), buffer<std::uint8_t>("out", 1024)});
  expect_each<std::uint8_t>(outcome, "out",
                            [](std::size_t at) { return at % 32 < at / 32 ? at % 32 : 7; });
}

// As tensors of libraries are: an iterator and a layout, handed on by value.
TEST(Language, StructsWithPointersNeedNoMemory) {
  const Outcome outcome = run_text(
      R"(
struct Iterator { const float* at; };
struct Rows { int pitch, count; };
struct Tensor {
  Iterator data;
  Rows rows;
  __device__ Tensor offset(int by) const { Tensor moved = *this; moved.data.at += by; return moved; }
  __device__ float operator()(int y, int x) const { return data.at[y * rows.pitch + x]; }
};
__device__ Iterator wrap(const Iterator& iterator) { Iterator copy = iterator; return copy; }
__device__ Tensor tensor(const float* at, int pitch, int count) { return {wrap({at}), {pitch, count}}; }
__global__ void k(const float* in, float* out) {
  Tensor all = tensor(in, 8, 4);
  Tensor part = all.offset(8);
  out[threadIdx.x] = part(threadIdx.x / 8, threadIdx.x % 8) + float(part.rows.count);
})",
      "k", {1, 1, 1}, {32, 1, 1}, {buffer<float>("in", 64, Fill::index), buffer<float>("out", 32)});
  expect_each<float>(outcome, "out", [](std::size_t at) { return float(at + 8 + 4); });
  for (const AccessInfo& access : outcome.info().accesses)
    EXPECT_NE(access.space, MemorySpace::local) << access.text;
}

TEST(SharedMemory, IsAlignedInWhateverOrderThatIsSaid) {
  const Outcome outcome = run_text(R"cuda(
template <class T> __device__ int at(const T* p) { return (int)__cvta_generic_to_shared(p); }
extern __shared__ alignas(1024) char dynamic[];
__global__ void k(int* out) {
  __shared__ char one; __shared__ alignas(128) char a[3]; static __shared__ alignas(alignof(double)) char b[5];
  one = a[0] = b[0] = 0;  // "__shared__ alignas(7) char" is no declaration
  out[0] = at(a) % 128, out[1] = at(b) % 8, out[2] = at(dynamic) % 1024, out[3] = at(&one) - at(&one);
})cuda",
                                   "k", {1, 1, 1}, {1, 1, 1}, {buffer<int>("out", 4)}, {}, 64);
  expect_each<int>(outcome, "out", [](std::size_t) { return 0; });
}

}  // namespace
}  // namespace lanescope

// Text in, program or diagnostics out: positions, names, constant expressions, whole host programs,
// hostile texts.
#include "lanescope/compile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace lanescope {
namespace {

CompileResult compile_text(const std::string& text, const std::string& kernel = {}) {
  CompileRequest request;
  request.file = "my.cu";
  request.text = text;
  request.kernel = kernel;
  return compile(request);
}

const Diagnostic* first_error(const CompileResult& result) {
  for (const Diagnostic& d : result.diagnostics)
    if (d.severity == Severity::error) return &d;
  return nullptr;
}

std::string report(const CompileResult& result) {
  std::string text;
  for (const Diagnostic& d : result.diagnostics) text += format_diagnostic(d);
  return text;
}

// ---- errors have places ----

struct Broken {
  const char* name;
  const char* text;
  const char* kernel;
  std::uint32_t line, column;
  const char* says;
  const char* source_line;
};
class BrokenTexts : public testing::TestWithParam<Broken> {};

TEST_P(BrokenTexts, AreErrorsWithAPlaceAndTheLineItself) {
  const Broken& b = GetParam();
  const CompileResult result = compile_text(b.text, b.kernel);
  EXPECT_EQ(result.program, nullptr);
  const Diagnostic* d = first_error(result);
  ASSERT_NE(d, nullptr) << report(result);
  EXPECT_EQ(d->kind, DiagnosticKind::compile);
  EXPECT_EQ(d->file, "my.cu") << report(result);
  EXPECT_EQ(d->line, b.line) << report(result);
  EXPECT_EQ(d->column, b.column) << report(result);
  EXPECT_NE(d->message.english().find(b.says), std::string::npos) << report(result);
  EXPECT_EQ(d->source_line, b.source_line) << report(result);
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenTexts,
    testing::Values(
        Broken{"syntax", "__global__ void k(int* p) {\n  p[0] = 1\n  p[1] = 2;\n}\n", "k", 2, 11,
               "expected ';'", "  p[0] = 1"},
        Broken{"unknown_name", "__global__ void k(int* p) {\n  p[0] = nothing;\n}\n", "k", 2, 10,
               "undeclared identifier 'nothing'", "  p[0] = nothing;"},
        Broken{"unknown_type", "__global__ void k(floatt* p) { }\n", "k", 1, 19,
               "undeclared identifier 'floatt'", "__global__ void k(floatt* p) { }"},
        Broken{"missing_include", "// a comment\n#include \"mine.h\"\n__global__ void k() { }\n",
               "k", 2, 10, "'mine.h' file not found", "#include \"mine.h\""},
        Broken{"in_a_template_instance",
               "template <class T> __device__ void f(T* p) {\n  p->nothing = 1;\n}\n__global__ "
               "void k(int* p) { f(p); }\n",
               "k", 2, 4, "not a structure or union", "  p->nothing = 1;"},
        Broken{"in_a_macro",
               "#define STORE(p, v) p[0] = v + missing\n__global__ void k(int* p) {\n  STORE(p, "
               "1);\n}\n",
               "k", 3, 3, "undeclared identifier 'missing'", "  STORE(p, 1);"},
        Broken{"wrong_argument",
               "__device__ int f(int a, int b);\n__global__ void k(int* p) {\n\tp[0] = f(1);\n}",
               "k", 3, 9, "no matching function for call to 'f'", "\tp[0] = f(1);"},
        Broken{"static_assert_fails",
               "template <int N> __global__ void k() {\n  static_assert(N % 32 == 0, \"a multiple "
               "of 32\");\n}\n",
               "k<33>", 2, 17, "a multiple of 32",
               "  static_assert(N % 32 == 0, \"a multiple of 32\");"},
        Broken{"error_directive",
               "#ifndef TILE\n#error \"define TILE\"\n#endif\n__global__ void k() { }\n", "k", 2, 2,
               "define TILE", "#error \"define TILE\""},
        Broken{"const_violation", "__global__ void k(const float* in) {\n  in[0] = 1;\n}\n", "k", 2,
               9, "read-only", "  in[0] = 1;"},
        Broken{"host_function_in_a_kernel",
               "int host(int x) { return x; }\n__global__ void k(int* p) {\n  p[0] = host(1);\n}\n",
               "k", 3, 10, "no matching function for call to 'host'", "  p[0] = host(1);"},
        Broken{"unclosed_brace", "__global__ void k(int* p) {\n  if (p) {\n    p[0] = 1;\n}\n", "k",
               4, 2, "expected '}'", "}"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Diagnostics, FollowLineDirectivesIncludesAndTabs) {
  const CompileResult result =
      compile_text("#include <cuda_runtime.h>\n\n\n__global__ void k(int* p) { p[0] = x; }", "k");
  ASSERT_NE(first_error(result), nullptr);
  EXPECT_EQ(first_error(result)->line, 4u);
}

TEST(Diagnostics, WarningsLeaveAProgram) {
  const CompileResult result =
      compile_text("#warning \"careful\"\n__global__ void k(int* p) { int a; p[0] = a; }", "k");
  EXPECT_NE(result.program, nullptr);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].severity, Severity::warning);
  EXPECT_FALSE(has_errors(result.diagnostics));
}

TEST(Diagnostics, TooManyErrorsAreCut) {
  std::string text = "__global__ void k() {\n";
  for (int i = 0; i < 1000; ++i) text += "  x" + std::to_string(i) + " = 1;\n";
  const CompileResult result = compile_text(text + "}\n");
  EXPECT_EQ(result.program, nullptr);
  EXPECT_GE(result.diagnostics.size(), 10u);
  EXPECT_LE(result.diagnostics.size(), 200u);
}

// ---- which kernel ----

const char* const kSeveral =
    "template <class T, int N> __global__ void first(T* out, int n) { out[n] = N; }\n"
    "namespace deep { __global__ void second(const float4* in, double scale, bool on) { } }\n"
    "__global__ void third() { }\n";

TEST(Kernels, AreListedWithParameters) {
  CompileRequest request;
  request.text = kSeveral;
  const CompileResult result = list_kernels(request);
  EXPECT_EQ(result.program, nullptr);
  ASSERT_EQ(result.kernels.size(), 3u) << report(result);
  EXPECT_EQ(result.kernels[0].name, "first");
  EXPECT_TRUE(result.kernels[0].is_template);
  EXPECT_EQ(result.kernels[0].template_parameters, (std::vector<std::string>{"class T", "int N"}));
  EXPECT_EQ(result.kernels[0].declared, (SourcePos{1, 43, 0}));
  EXPECT_EQ(result.kernels[1].name, "deep::second");
  const auto& parameters = result.kernels[1].arguments;
  ASSERT_EQ(parameters.size(), 3u);
  EXPECT_EQ(parameters[0].name, "in");
  EXPECT_EQ(parameters[0].type_text, "const float4 *");
  EXPECT_TRUE(parameters[0].is_pointer && parameters[0].is_const);
  EXPECT_EQ(parameters[0].type, ScalarType::f32);
  EXPECT_EQ(parameters[0].components, 4u);
  EXPECT_EQ(parameters[1].type, ScalarType::f64);
  EXPECT_EQ(parameters[1].bytes, 8u);
  EXPECT_EQ(parameters[2].type, ScalarType::boolean);
  EXPECT_EQ(result.kernels[2].declared.line, 3u);
}

TEST(Kernels, AreFoundEvenWhenCompilationFails) {
  const CompileResult result = compile_text(
      "__global__ void good(int* p) { }\n__global__ void bad(int* p) { p = nothing; }\n", "good");
  EXPECT_EQ(result.program, nullptr);
  EXPECT_GE(result.kernels.size(), 1u);
  EXPECT_EQ(result.kernels[0].name, "good");
}

TEST(Kernels, NamedOrOnlyOne) {
  const CompileResult only = compile_text("__global__ void alone(int n) { }");
  ASSERT_NE(only.program, nullptr) << report(only);
  EXPECT_EQ(only.program->info().name, "alone");
  const CompileResult instance = compile_text(kSeveral, "first<float, 3>");
  ASSERT_NE(instance.program, nullptr) << report(instance);
  EXPECT_EQ(instance.program->info().name, "first<float, 3>");
  EXPECT_EQ(instance.program->info().display, "first");
  EXPECT_EQ(instance.program->info().arguments.at(0).type, ScalarType::f32);
  EXPECT_EQ(instance.program->info().declared.line, 1u);
  for (const char* name : {"deep::second", "third", "first<int,1>",
                           "first<unsigned char, (4 > 3 ? 2 : 1)>", "first<deep_t,1>"}) {
    const CompileResult result =
        compile_text(std::string("using deep_t = short;\n") + kSeveral, name);
    EXPECT_NE(result.program, nullptr) << name << report(result);
  }
}

struct BadName {
  const char* name;
  const char* text;
  const char* kernel;
  const char* says;
  const char* hints;
};
class BadNames : public testing::TestWithParam<BadName> {};

TEST_P(BadNames, AreUsageErrorsThatList) {
  const BadName& b = GetParam();
  const CompileResult result = compile_text(b.text, b.kernel);
  EXPECT_EQ(result.program, nullptr);
  const Diagnostic* d = first_error(result);
  ASSERT_NE(d, nullptr);
  EXPECT_EQ(d->kind, DiagnosticKind::usage) << report(result);
  EXPECT_NE(d->message.english().find(b.says), std::string::npos) << report(result);
  EXPECT_NE(d->hint.english().find(b.hints), std::string::npos) << report(result);
}
INSTANTIATE_TEST_SUITE_P(
    All, BadNames,
    testing::Values(BadName{"no_kernel", "int main() { return 0; }", "", "no kernel", "__global__"},
                    BadName{"no_kernel_but_named", "__device__ void f() { }", "f", "no kernel", ""},
                    BadName{"empty_text", "", "", "no kernel", ""},
                    BadName{"several", kSeveral, "", "several kernels", "third"},
                    BadName{"template_alone", "template <int N> __global__ void k() { }", "",
                            "is a template", "k<int N>"},
                    BadName{"unknown", kSeveral, "forth", "no kernel 'forth'", "third"},
                    BadName{"unknown_instance", kSeveral, "forth<int>", "no kernel 'forth'",
                            "first"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Kernels, ATemplateWithoutItsArgumentsOrWithWrongOnesIsAnError) {
  for (const char* name :
       {"first", "first<float>", "first<float,1,2>", "first<3,float>", "first<float,", "third<int>",
        "first<float,n>", "third; int x", "\"", "third\nthird"}) {
    const CompileResult result = compile_text(kSeveral, name);
    EXPECT_EQ(result.program, nullptr) << name;
    EXPECT_TRUE(has_errors(result.diagnostics)) << name;
    ASSERT_NE(first_error(result), nullptr) << name;
    EXPECT_FALSE(first_error(result)->message.empty());
    EXPECT_TRUE(first_error(result)->file == "<kernel>" || first_error(result)->file == "my.cu")
        << name << ": " << report(result);
  }
}

// ---- constant expressions and macros ----

TEST(ConstantExpressions, AreEvaluatedAfterTheTextAndSeeItsNames) {
  CompileRequest request;
  request.text =
      "constexpr int TILE = 32;\n#define PAD 1\nenum { kRows = 8 };\n__global__ void k() { }\n";
  request.macros = {{"NX", "1000"}, {"SCALE", "(2 + 3)"}};
  request.expressions = {{"grid_x", "ceil_div(NX, TILE)"},
                         {"twice", "grid_x * 2"},
                         {"shared", "TILE * (TILE + PAD) * sizeof(float)"},
                         {"big", "1ll << 40"},
                         {"negative", "-kRows * SCALE"},
                         {"yes", "TILE == 32"}};
  const CompileResult result = compile(request);
  ASSERT_NE(result.program, nullptr) << report(result);
  const std::map<std::string, long long> want = {{"grid_x", 32},          {"twice", 64},
                                                 {"shared", 32 * 33 * 4}, {"big", 1ll << 40},
                                                 {"negative", -40},       {"yes", 1}};
  EXPECT_EQ(result.values, want);
}

TEST(ConstantExpressions, ErrorsNameTheExpression) {
  const auto error_of = [](const char* expression) {
    CompileRequest request;
    request.file = "my.cu";
    request.text = "__global__ void k() { }";
    request.expressions = {{"width", "4"}, {"rows", expression}};
    const CompileResult result = compile(request);
    EXPECT_EQ(result.program, nullptr);
    return first_error(result) != nullptr ? *first_error(result) : Diagnostic{};
  };
  for (const char* expression : {"width +", "nothing * 2", "1 / 0", "rows", "\"text\" + width", "",
                                 "1) + (", "4; int x", "5 5"}) {
    const Diagnostic d = error_of(expression);
    EXPECT_EQ(d.file, "<launch: rows>") << expression << "\n" << format_diagnostic(d);
    EXPECT_FALSE(d.message.empty());
  }
  const Diagnostic d = error_of("width * nothing");
  EXPECT_NE(d.message.english().find("'nothing'"), std::string::npos);
  EXPECT_EQ(d.source_line, "width * nothing");
  EXPECT_EQ(d.column, 9u);
}

TEST(ConstantExpressions, OfTypesThatAreNoIntegersAreErrors) {
  CompileRequest request;
  request.text = "struct S { int a; }; __global__ void k() { }";
  for (const char* expression : {"S{3}", "\"text\"", "1.5"}) {
    request.expressions = {{"v", expression}};
    const CompileResult result = compile(request);
    EXPECT_TRUE(result.values.count("v") == 1 || has_errors(result.diagnostics)) << expression;
  }
}

TEST(Macros, ReachTheTextAndItsConditions) {
  CompileRequest request;
  request.text = "#if TILE != 16\n#error\n#endif\n#ifdef FLAG\ntemplate <class T> __global__ void "
                 "k(T* p) { p[0] = VALUE; }\n#endif";
  request.kernel = "k<TYPE>";
  request.macros = {{"TILE", "16"}, {"FLAG", ""}, {"VALUE", "TILE * 2"}, {"TYPE", "double"}};
  const CompileResult result = compile(request);
  ASSERT_NE(result.program, nullptr) << report(result);
  EXPECT_EQ(result.program->info().arguments[0].type, ScalarType::f64);
}

// ---- whole programs ----

const char* const kSample = R"(
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iomanip>
#include <vector>
#include <string>
#include <algorithm>
#include <numeric>
#include <chrono>
#include <random>
#include <memory>
#include <cmath>
#include <cassert>
#include <cuda_runtime.h>
#include "device_launch_parameters.h"
using namespace std;

#define CHECK(call)                                                                        \
  do {                                                                                     \
    cudaError_t status = (call);                                                           \
    if (status != cudaSuccess) {                                                           \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));       \
      exit(EXIT_FAILURE);                                                                  \
    }                                                                                      \
  } while (0)
inline void gpuAssert(cudaError_t code, const char* file, int line, bool abort = true) {
  if (code != cudaSuccess) { fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line); if (abort) exit(code); }
}
template <typename T> struct DeviceBuffer {
  T* ptr = nullptr; size_t n;
  explicit DeviceBuffer(size_t count) : n(count) { CHECK(cudaMalloc(&ptr, n * sizeof(T))); }
  ~DeviceBuffer() { cudaFree(ptr); }
  std::vector<T> download() const { std::vector<T> host(n); cudaMemcpy(host.data(), ptr, n * sizeof(T), cudaMemcpyDeviceToHost); return host; }
};
static const int N = 1 << 20;
const dim3 kBlock(256);
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
void reference(const std::vector<float>& x, std::vector<float>& y) { for (size_t i = 0; i < x.size(); ++i) y[i] += 2.0f * x[i]; }
double seconds() { return std::chrono::duration<double>(std::chrono::high_resolution_clock::now().time_since_epoch()).count(); }
int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : N;
  std::vector<float> x(n, 1.0f), y(n, 2.0f);
  std::mt19937 generator(42); std::uniform_real_distribution<float> uniform(0, 1);
  std::generate(x.begin(), x.end(), [&] { return uniform(generator); });
  float *d_x, *d_y;
  CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CHECK(cudaMalloc((void**)&d_y, n * sizeof(float)));
  CHECK(cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop; cudaEventCreate(&start); cudaEventCreate(&stop);
  auto t0 = std::chrono::steady_clock::now();
  saxpy<<<(n + 255) / 256, kBlock>>>(n, 2.0f, d_x, d_y);
  CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize());
  gpuAssert(cudaPeekAtLastError(), __FILE__, __LINE__);
  std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - t0;
  float ms = 0; cudaEventElapsedTime(&ms, start, stop);
  std::unique_ptr<float[]> host(new float[n]);
  for (auto& v : y) v += 1;
  cout << "time " << fixed << setprecision(2) << elapsed.count() << " ms " << *std::max_element(y.begin(), y.end()) << endl;
  std::string name = "result: "; name += std::to_string(ms); printf("%s\n", name.c_str());
  cudaFree(d_x); free(nullptr);
  return 0;
}
)";

TEST(WholePrograms, ParseWithTheirHostCodeSkipped) {
  const CompileResult result = compile_text(kSample);
  ASSERT_NE(result.program, nullptr) << report(result);
  EXPECT_EQ(result.program->info().name, "saxpy");
  EXPECT_EQ(result.program->info().arguments.size(), 4u);
}

TEST(WholePrograms, TypesOfTheRuntimeAndItsLibrariesAreKnown) {
  const CompileResult result = compile_text(R"(
#include <cublas_v2.h>
#include <cuComplex.h>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_profiler_api.h>
#include <curand.h>
#include <nvtx3/nvToolsExt.h>
struct Context {
  cublasHandle_t blas; curandGenerator_t random; CUdevice device; cudaGraphExec_t graph;
  cudaTextureObject_t texture; cudaStream_t stream = cudaStreamPerThread;
  cudaDeviceProp properties; cudaMemcpy3DParms copy; cudaLaunchConfig_t config;
  CUtensorMap map; CUtensorMapSwizzle swizzle; PFN_cuInit init; PFN_cuTensorMapEncodeTiled encode;
};
__device__ double4_32a sum_of(longlong4_16a v) { return make_double4_32a(v.x, v.y, v.z, v.w); }
__device__ bool detects(...);
template <class T> __device__ int chosen(const T* p) { if (!p) __brkpt(); return sizeof(detects(*p)); }
static_assert(alignof(long4_16a) == 16 && alignof(ulong4_32a) == 32);
const cudaDataType kType = CUDA_R_16F;
const cudaError_t kError = cudaErrorCooperativeLaunchTooLarge;
static_assert(cudaDevAttrMaxSharedMemoryPerBlockOptin == 97 && CUBLAS_COMPUTE_32F == 68);
__global__ void k(cuComplex* p, int by) { p[threadIdx.x] = cuCmulf(p[threadIdx.x], make_cuComplex(by, 0)); }
int main() { Context c; cublasCreate(&c.blas); k<<<1, 32, 0, c.stream>>>(nullptr, 1); nvtxRangePushA("x"); }
)");
  ASSERT_NE(result.program, nullptr) << report(result);
  EXPECT_EQ(result.program->info().arguments[0].components, 2u);
}

// ---- hostile texts: an answer, soon, and no crash ----

std::string repeated(const std::string& piece, int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += piece;
  return text;
}

// Every macro is eight of the one before.
std::string macro_tree(int depth) {
  std::string text = "#define A0 1\n";
  for (int i = 1; i <= depth; ++i) {
    const std::string before = "A" + std::to_string(i - 1);
    text += "#define A" + std::to_string(i) + " " + repeated(before + " + ", 7) + before + "\n";
  }
  return text + "__global__ void k(int* p) { p[0] = A" + std::to_string(depth) + "; }";
}

TEST(HostileTexts, EndInAnErrorSoon) {
  const std::string nul("__global__ void k(int* p) { p[0] = 1; \0 \0 }", 46);
  std::string bytes;
  for (int i = 0; i < 4096; ++i) bytes += static_cast<char>(i * 131 + i / 7);
  const std::pair<const char*, std::string> texts[] = {
      {"template recursion", "template <int N> struct F { static constexpr int v = F<N + 1>::v + "
                             "1; };\n__global__ void k(int* p) { p[0] = F<0>::v; }"},
      {"template explosion",
       "template <int N> struct F { static constexpr int v = F<N - 1>::v + F<N - 2>::v; "
       "};\ntemplate <int A, int B> __device__ int f() { return f<A + 1, B * 2>() + f<A * 2, B + "
       "1>(); }\n__global__ void k(int* p) { p[0] = f<1, 1>(); }"},
      {"endless constexpr", "constexpr int f() { int n = 0; while (true) ++n; return n; "
                            "}\nstatic_assert(f() > 0);\n__global__ void k() { }"},
      {"huge constexpr",
       "constexpr long long f() { long long n = 0; for (long long i = 0; i < 100000000000ll; ++i) "
       "n += i; return n; }\nconstexpr long long v = f();\n__global__ void k() { }"},
      {"constexpr recursion", "constexpr int f(int n) { return f(n + 1); "
                              "}\nstatic_assert(f(0));\n__global__ void k() { }"},
      {"parentheses", "__global__ void k(int* p) { p[0] = " + repeated("(", 100000) + "1" +
                          repeated(")", 100000) + "; }"},
      {"braces", "__global__ void k(int* p) { " + repeated("{", 100000)},
      {"brackets", "__global__ void k(int* p) { p" + repeated("[0", 100000)},
      {"unary", "__global__ void k(int* p) { p[0] = " + repeated("- ", 100000) + "1; }"},
      {"angle", "template <class T> struct S { };\n" + repeated("S<", 100000)},
      {"pointers", "__global__ void k(int " + repeated("*", 100000) + " p) { }"},
      {"include itself",
       "#include \"kernel.cu\"\n#include \"/lanescope/kernel.cu\"\n__global__ void k() { }"},
      {"NUL", nul},
      {"bytes", bytes},
      {"blank", "   \n\n\t "},
      {"unterminated string", "__global__ void k() { const char* s = \"abc\n; }"},
      {"unterminated comment", "__global__ void k() { } /* "},
      {"lone directive", "#if 1\n__global__ void k() { }"},
      {"huge array",
       "__global__ void k(int* p) { __shared__ int s[1 << 30][1 << 30]; p[0] = s[0][0]; }"},
      {"huge local", "__global__ void k(int* p) { int a[1 << 28]; a[p[0]] = 1; p[1] = a[p[2]]; }"},
      {"macro bomb", "#define A x x x x x x x x x x\n#define B A A A A A A A A A A\n#define C B B "
                     "B B B B B B B B\n#define D C C C C C C C C C C\n#define E D D D D D D D D D "
                     "D\n#define F E E E E E E E E E E\n__global__ void k() { F }"},
      {"macro tree", macro_tree(12)},
      {"macro arguments", "#define D(x) x + x + x + x + x + x + x + x\n#define C(x) D(D(x))\n"
                          "__global__ void k(int* p) { p[0] = C(C(C(C(C(C(1)))))); }"},
      {"nested arguments", "#define D(x) x + x + x + x + x + x + x + x\n"
                           "__global__ void k(int* p) { p[0] = " +
                               repeated("D(", 16) + "1" + repeated(")", 16) + "; }"},
      {"template tree",
       "template <int N, int M> struct F { static constexpr int v = F<N - 1, 2 * M>::v + F<N - 1, "
       "2 "
       "* M + 1>::v; };\ntemplate <int M> struct F<0, M> { static constexpr int v = 1; };\n"
       "__global__ void k(int* p) { p[0] = F<40, 0>::v; }"},
  };
  for (const auto& [name, text] : texts) {
    SCOPED_TRACE(name);
    const CompileResult result = compile_text(text);
    EXPECT_TRUE(result.program != nullptr || has_errors(result.diagnostics)) << name;
    for (const Diagnostic& d : result.diagnostics)
      EXPECT_LT(d.source_line.size() + d.message.english().size(), 20000u) << name;
  }
}

TEST(HostileTexts, ACompilationCanBeStopped) {
  std::stop_source stop;
  stop.request_stop();
  CompileRequest request;
  request.stop = stop.get_token();
  request.text = "__global__ void k(int* p) { " + repeated("p[0] += 1; ", 2000) + "}";
  const CompileResult stopped = compile(request);
  EXPECT_EQ(stopped.program, nullptr);
  ASSERT_NE(first_error(stopped), nullptr);
  EXPECT_EQ(first_error(stopped)->message.english(), "cancelled");
  request.stop = {};
  EXPECT_NE(compile(request).program, nullptr);
}

TEST(HostileTexts, ATextWithoutAFinalNewlineIsFine) {
  EXPECT_NE(compile_text("__global__ void k(int* p) { p[0] = 1; }").program, nullptr);
  EXPECT_NE(compile_text("__global__ void k(int* p) { p[0] = 1; } // end").program, nullptr);
  EXPECT_NE(compile_text("\xEF\xBB\xBF__global__ void k(int* p) { p[0] = 1; }\r\n").program,
            nullptr);
  EXPECT_NE(
      compile_text("__global__ void k(int* p) {\r\n  p[0] = 1; // \xC3\xA9\xE6\xBC\xA2\r\n}\r\n")
          .program,
      nullptr);
}

TEST(Compile, IsThreadSafe) {
  const auto many = [](int seed) {
    for (int i = 0; i < 10; ++i) {
      const std::string number = std::to_string(seed * 100 + i);
      const CompileResult good = compile_text("__global__ void k" + number +
                                              "(int* p) { p[threadIdx.x] = " + number + "; }");
      ASSERT_NE(good.program, nullptr) << report(good);
      EXPECT_EQ(good.program->info().name, "k" + number);
      const CompileResult bad =
          compile_text("__global__ void k(int* p) { p[0] = name" + number + "; }");
      ASSERT_NE(first_error(bad), nullptr);
      EXPECT_NE(first_error(bad)->message.english().find("name" + number), std::string::npos);
    }
  };
  std::jthread other(many, 1), third(many, 2);
  many(3);
}

TEST(Compile, TheSameTextGivesTheSameProgram) {
  const CompileResult a = compile_text(kSample), b = compile_text(kSample);
  ASSERT_TRUE(a.program != nullptr && b.program != nullptr);
  EXPECT_EQ(a.program->info().ops.size(), b.program->info().ops.size());
  ASSERT_EQ(a.program->info().accesses.size(), b.program->info().accesses.size());
  for (std::size_t i = 0; i < a.program->info().accesses.size(); ++i)
    EXPECT_EQ(a.program->info().accesses[i].text, b.program->info().accesses[i].text);
}

TEST(Compile, AClusterLargerThanAnyIsRefusedByItsSize) {
  const auto kernel = [](const std::string& blocks) {
    return compile_text("#include <cooperative_groups.h>\n"
                        "__global__ void __cluster_dims__(" +
                        blocks +
                        ") k(int* p) {\n"
                        "  p[threadIdx.x] = cooperative_groups::this_cluster().num_blocks();\n}");
  };
  const CompileResult many = kernel("8, 4, 1");
  ASSERT_NE(first_error(many), nullptr);
  EXPECT_EQ(first_error(many)->message.english(),
            "the simulator cannot execute clusters of 32 blocks");
  EXPECT_EQ(first_error(many)->line, 2u);
  EXPECT_NE(kernel("1, 1, 1").program, nullptr);
  EXPECT_NE(kernel("8, 2").program, nullptr);
}

}  // namespace
}  // namespace lanescope

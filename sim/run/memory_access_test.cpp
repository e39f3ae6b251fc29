// Where values live and how they are moved: shared arrays, vectors, local arrays, module variables,
// pointers. What is computed is checked lane by lane; how it was moved, by the accesses and their
// counts.
#include <algorithm>

#include "run/run_text.h"

namespace lanescope {
namespace {

std::vector<const AccessInfo*> accesses_of(const Outcome& outcome, AccessOp op, MemorySpace space) {
  std::vector<const AccessInfo*> found;
  if (outcome.compiled.program)
    for (const AccessInfo& access : outcome.info().accesses)
      if (access.op == op && access.space == space) found.push_back(&access);
  return found;
}

// ---- shared ----

TEST(SharedMemory, ArraysOfOneAndTwoDimensionsAndOfStructs) {
  const char* text = R"(
struct Pair { int key; float value; };
__global__ void k(float* out) {
  __shared__ float line[64];
  __shared__ float tile[8][9];
  __shared__ Pair pairs[64];
  __shared__ int single;
  __shared__ unsigned char bytes[64];
  __shared__ double wide[64];
  __shared__ short cube[2][4][8];
  int t = threadIdx.x;
  line[t] = t * 2.0f; tile[t / 8][t % 8] = t + 0.5f; pairs[t] = {t * 3, t * 0.25f}; bytes[t] = t * 5; wide[t] = t / 3.0; cube[t / 32][t / 8 % 4][t % 8] = -t;
  if (t == 17) single = 1000;
  __syncthreads();
  int o = 63 - t;
  out[t] = line[o] + tile[o / 8][o % 8] + pairs[o].key + pairs[o].value + bytes[o] + (float)wide[o] + cube[o / 32][o / 8 % 4][o % 8] + single;
})";
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {64, 1, 1}, {buffer<float>("out", 64)});
  expect_each<float>(
      outcome, "out",
      [](std::size_t i) {
        const int o = 63 - static_cast<int>(i);
        return o * 2.0f + (o + 0.5f) + o * 3 + o * 0.25f + (o * 5 & 255) +
               static_cast<float>(o / 3.0) - o + 1000;
      },
      1e-6);
  const auto& arrays = outcome.info().shared_arrays;
  ASSERT_EQ(arrays.size(), 7u);
  const auto of = [&](const std::string& name) {
    return *std::find_if(arrays.begin(), arrays.end(),
                         [&](const SharedArray& a) { return a.name == name; });
  };
  EXPECT_EQ(of("tile").dims, (std::vector<std::uint32_t>{8, 9}));
  EXPECT_EQ(of("tile").element, ScalarType::f32);
  EXPECT_EQ(of("tile").bytes, 8 * 9 * 4u);
  EXPECT_EQ(of("tile").declared.line, 5u);
  EXPECT_EQ(of("cube").dims, (std::vector<std::uint32_t>{2, 4, 8}));
  EXPECT_EQ(of("wide").element_bytes, 8u);
  for (const SharedArray& a : arrays)
    for (const SharedArray& b : arrays)
      EXPECT_TRUE(&a == &b || a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset)
          << a.name << " overlaps " << b.name;
  EXPECT_GE(outcome.info().static_shared_bytes, 64 * 4 + 72 * 4 + 64 * 8 + 4 + 64 + 64 * 8 + 128u);
}

// An index whose bytes wrap in 32 bits leads far away, and not back into the array.
TEST(SharedMemory, IndicesThatWrapAreOutside) {
  const auto run = [](const std::string& index) {
    const std::string text = "__global__ void k(int* out, unsigned far, int below) {\n"
                             "  __shared__ int s[64];\n"
                             "  int t = threadIdx.x;\n"
                             "  s[t] = t;\n"
                             "  __syncthreads();\n"
                             "  out[t] = s[" +
                             index + "];\n}\n";
    return run_text(text, "k", {1, 1, 1}, {64, 1, 1},
                    {buffer<int>("out", 64), scalar("far", 1073741824u), scalar("below", -1)});
  };
  EXPECT_TRUE(run("(t * 7 + (int)(far & 32)) & 63").result.ok());
  for (const char* index : {"far + (t * 7 & 31u)", "(long long)far * 4 + (t * 7 & 31)",
                            "(t * 7 & 31) + below * (int)far", "below - (t * 7 & 31)"}) {
    const Outcome outcome = run(index);
    ASSERT_EQ(outcome.result.diagnostics.size(), 1u) << index;
    EXPECT_EQ(outcome.result.diagnostics[0].kind, DiagnosticKind::out_of_bounds) << index;
  }
}

// Lanes that are off have indices below the array's, as each step of a scan has them.
TEST(SharedMemory, LanesThatAreOffMayBeOutside) {
  const char* text = R"(
__global__ void k(int* out) {
  __shared__ int sums[96];
  unsigned t = threadIdx.x;
  sums[t] = t + 1;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int before = t >= d ? sums[t - d] : 0;
    __syncthreads();
    if (t >= d) sums[t] += before;
    __syncthreads();
  }
  out[t] = sums[t];
})";
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {96, 1, 1}, {buffer<int>("out", 96)});
  expect_each<int>(
      outcome, "out", [](std::size_t i) { return static_cast<int>((i + 1) * (i + 2) / 2); }, 0);
}

TEST(SharedMemory, DynamicComesAfterStaticAndIsCutByHand) {
  const char* text = R"(
extern __shared__ float pool[];
__global__ void k(float* out, int n) {
  __shared__ float fixed[32];
  float* a = pool; float* b = pool + n; int* c = (int*)&b[n];
  int t = threadIdx.x;
  fixed[t] = 1000 * t; a[t] = t; b[t] = 10 * t; c[t] = 100 * t;
  __syncthreads();
  int o = (t + 1) % n;
  out[t] = a[o] + b[o] + c[o] + fixed[o];
})";
  const Outcome outcome = run_text(text, "k", {2, 1, 1}, {32, 1, 1},
                                   {buffer<float>("out", 32), scalar("n", 32)}, {}, 3 * 32 * 4);
  expect_each<float>(outcome, "out",
                     [](std::size_t i) { return static_cast<float>((i + 1) % 32 * 1111); });
  EXPECT_EQ(outcome.info().static_shared_bytes, 128u);
}

TEST(SharedMemory, TypedExternArrayInATemplate) {
  const char* text = R"(
template <class T> __global__ void k(T* out) {
  extern __shared__ double raw[];
  T* s = reinterpret_cast<T*>(raw);
  s[threadIdx.x] = (T)(threadIdx.x * 1.5);
  __syncthreads();
  out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
})";
  const Outcome outcome =
      run_text(text, "k<double>", {1, 1, 1}, {48, 1, 1}, {buffer<double>("out", 48)}, {}, 48 * 8);
  expect_each<double>(outcome, "out",
                      [](std::size_t i) { return (47 - static_cast<double>(i)) * 1.5; });
  const Outcome narrow =
      run_text(text, "k<short>", {1, 1, 1}, {48, 1, 1}, {buffer<short>("out", 48)}, {}, 48 * 2);
  expect_each<short>(narrow, "out", [](std::size_t i) {
    return static_cast<short>((47 - static_cast<int>(i)) * 1.5);
  });
}

// ---- wide accesses ----

struct Wide {
  const char* type;
  const char* element;
  std::uint32_t bytes, components;
  ScalarType scalar;
};
class WideAccess : public testing::TestWithParam<Wide> {};

TEST_P(WideAccess, IsOneLoadAndOneStore) {
  const Wide& w = GetParam();
  const std::string v = w.type, e = w.element;
  const std::string text = "__global__ void k(const " + v + "* in, " + v +
                           "* out) {\n  __shared__ " + v +
                           " s[64];\n"
                           "  int t = threadIdx.x;\n  s[t] = in[t];\n  __syncthreads();\n  " +
                           v + " q = s[63 - t];\n  q.x += 1;\n  out[t] = q;\n}\n";
  const std::size_t scalars = 64 * w.components;
  const std::uint64_t bytes = 64 * w.bytes;
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {64, 1, 1},
               {TextArgument{{"in", "", "in"}, {"in", w.scalar, scalars, Fill::index}, {}},
                TextArgument{{"out", "", "out"}, {"out", w.scalar, scalars, Fill::poison}, {}}});
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  const auto check = [&]<class T>(T) {
    const auto in = outcome.values<T>("in"), out = outcome.values<T>("out");
    for (std::size_t i = 0; i < scalars; ++i)
      ASSERT_EQ(out[i],
                static_cast<T>(in[(63 - i / w.components) * w.components + i % w.components] +
                               (i % w.components == 0)))
          << i;
  };
  if (w.scalar == ScalarType::f32)
    check(float{});
  else if (w.scalar == ScalarType::f64)
    check(double{});
  else if (w.scalar == ScalarType::i32)
    check(std::int32_t{});
  else if (w.scalar == ScalarType::i64)
    check(std::int64_t{});
  else if (w.scalar == ScalarType::i16)
    check(std::int16_t{});
  else
    check(std::uint8_t{});
  for (const AccessInfo& access : outcome.info().accesses) {
    EXPECT_EQ(access.bytes, w.bytes) << access.text;
    EXPECT_EQ(access.components, w.components) << access.text;
    EXPECT_EQ(outcome.result.accesses[access.id].executions, 2u) << access.text;
  }
  EXPECT_EQ(outcome.info().accesses.size(), 4u);
  const auto loads = accesses_of(outcome, AccessOp::load, MemorySpace::global);
  ASSERT_EQ(loads.size(), 1u);
  EXPECT_EQ(outcome.result.accesses[loads[0]->id].global.sectors, bytes / 32);
  EXPECT_EQ(outcome.result.accesses[loads[0]->id].global.bytes_asked, bytes);
}
INSTANTIATE_TEST_SUITE_P(Types, WideAccess,
                         testing::Values(Wide{"float2", "float", 8, 2, ScalarType::f32},
                                         Wide{"float4", "float", 16, 4, ScalarType::f32},
                                         Wide{"double2", "double", 16, 2, ScalarType::f64},
                                         Wide{"int2", "int", 8, 2, ScalarType::i32},
                                         Wide{"int4", "int", 16, 4, ScalarType::i32},
                                         Wide{"longlong2", "long long", 16, 2, ScalarType::i64},
                                         Wide{"short4", "short", 8, 4, ScalarType::i16},
                                         Wide{"short2", "short", 4, 2, ScalarType::i16},
                                         Wide{"uchar4", "unsigned char", 4, 4, ScalarType::u8},
                                         Wide{"uchar2", "unsigned char", 2, 2, ScalarType::u8}),
                         [](const auto& row) { return std::string(row.param.type); });

// Who remains of lanes that store to one address, as it was read from an H200: of 32 lanes, 16 or 8, as many as 128
// bytes hold, the lowest; and the last such group's. Addresses that the compiler knows, and such as it does not.
TEST(OneAddress, KeepsTheLaneThatAnH200Keeps) {
  for (const auto& [type, value, member] :
       {std::tuple{"char", "(char)l", ""}, std::tuple{"int", "l", ""},
        std::tuple{"double", "l", ""}, std::tuple{"int2", "make_int2(l, l)", ".x"},
        std::tuple{"float4", "make_float4(l, l, l, l)", ".w"}}) {
    const std::string name = type;
    const int many = name == "double" || name == "int2" ? 16 : name == "float4" ? 8 : 32;
    for (const char* index : {"l % 5", "to[l]"}) {
      const std::string text =
          "__global__ void k(int* out, const int* to, int skip, " + name + "* g) {\n  __shared__ " +
          type + " s[5];\n  int l = threadIdx.x;\n  if (l % 7 != skip) s[" + index + "] = g[" +
          index + "] = " + value + ";\n  __syncwarp();\n  if (l < 5) out[l] = s[l]" + member +
          ", out[5 + l] = g[l]" + member + ";\n}\n";
      std::vector<int> to(32);
      for (int l = 0; l < 32; ++l) to[static_cast<std::size_t>(l)] = l % 5;
      for (const int skip : {1, 9}) {
        const Outcome outcome = run_text(
            text, "k", {1, 1, 1}, {32, 1, 1},
            {buffer<int>("out", 10), data("to", to), scalar("skip", skip), buffer<float>("g", 20)});
        expect_each<int>(outcome, "out", [&](std::size_t i) {
          int stays = -1;
          for (int l = 0; l < 32; ++l)
            if (l % 7 != skip && l % 5 == static_cast<int>(i % 5) &&
                (stays < 0 || l / many > stays / many))
              stays = l;
          return stays;
        });
      }
    }
  }
}

TEST(WideAccesses, ThroughCastsOfScalarArrays) {
  const char* text = R"(
__global__ void k(const float* in, float* out, int n) {
  __shared__ __align__(16) float s[256];
  int t = threadIdx.x;
  reinterpret_cast<float4*>(s)[t] = reinterpret_cast<const float4*>(in)[t];
  __syncthreads();
  float4 v = *(float4*)&s[4 * (63 - t)];
  *(float2*)(out + 2 * t) = make_float2(v.x + v.y, v.z + v.w);
})";
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {64, 1, 1},
               {buffer<float>("in", 256, Fill::index), buffer<float>("out", 128), scalar("n", 1)});
  expect_each<float>(outcome, "out", [](std::size_t i) {
    return static_cast<float>(2 * (4 * (63 - i / 2) + 2 * (i % 2)) + 1);
  });
  std::vector<std::uint32_t> widths;
  for (const AccessInfo& access : outcome.info().accesses) widths.push_back(access.bytes);
  EXPECT_EQ(widths, (std::vector<std::uint32_t>{16, 16, 16, 8}));
}

// Of two declared arrays Clang knows the elements' alignment only; the cast says that 16 bytes are moved.
TEST(WideAccesses, FromOneArrayOfScalarsToAnother) {
  const char* text = R"(
struct Four { float x, y, z, w; };
template <class V>
__global__ void k(const float* in, float* out) {
  __shared__ __align__(16) float s[4][64];
  __shared__ Four plain[32];
  int t = threadIdx.x;
  for (int e = t; e < 256; e += 32) s[e / 64][e % 64] = in[e];
  plain[t] = Four{1, 2, 3, 4};
  __syncthreads();
  float a[8];
  Four b[2];
  for (int i = 0; i < 8; i += 4)
    *(V*)&a[i] = *(const V*)&s[t / 8][t % 8 * 8 + i];
  b[t % 2] = plain[31 - t];
  out[t] = a[t % 8] + b[t % 2].y;
})";
  const Outcome outcome =
      run_text(text, "k<float4>", {1, 1, 1}, {32, 1, 1},
               {buffer<float>("in", 256, Fill::index), buffer<float>("out", 32)});
  expect_each<float>(outcome, "out", [](std::size_t i) {
    return static_cast<float>(i / 8 * 64 + i % 8 * 8 + i % 8 + 2);
  });
  std::vector<std::uint32_t> widths;
  for (const AccessInfo* access : accesses_of(outcome, AccessOp::load, MemorySpace::shared))
    widths.push_back(access->bytes);
  // A struct that is aligned like its fields is not one access.
  EXPECT_EQ(widths, (std::vector<std::uint32_t>{16, 4}));
}

TEST(WideAccesses, ThreeComponentsAreThree) {
  const char* text = "__global__ void k(const float3* in, float3* out) { int t = threadIdx.x; "
                     "float3 v = in[t]; v.y = -v.y; out[31 - t] = v; }";
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {32, 1, 1},
               {buffer<float>("in", 96, Fill::index), buffer<float>("out", 96)});
  expect_each<float>(outcome, "out", [](std::size_t i) {
    const auto v = static_cast<float>((31 - i / 3) * 3 + i % 3);
    return i % 3 == 1 ? -v : v;
  });
  for (const AccessInfo& access : outcome.info().accesses) EXPECT_EQ(access.bytes, 4u);
}

// ---- narrow ----

TEST(NarrowBuffers, BoolsCharsAndShorts) {
  const char* text = R"(
__global__ void k(const signed char* c, const unsigned short* s, bool* b, short* h, unsigned char* u) {
  int t = threadIdx.x;
  __shared__ bool flags[64];
  flags[t] = c[t] < 0;
  __syncthreads();
  b[t] = flags[t ^ 1] || s[t] > 60000; h[t] = (short)(c[t] * s[t]); u[t] = b[t] ? (unsigned char)(c[t] + s[t]) : (unsigned char)7;
})";
  std::vector<signed char> c(64);
  std::vector<unsigned short> s(64);
  for (std::size_t i = 0; i < 64; ++i)
    c[i] = static_cast<signed char>(i * 37), s[i] = static_cast<unsigned short>(i * 3001);
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {64, 1, 1},
                                   {data("c", c), data("s", s), buffer<bool>("b", 64),
                                    buffer<short>("h", 64), buffer<unsigned char>("u", 64)});
  const auto b = [&](std::size_t i) { return c[i ^ 1] < 0 || s[i] > 60000; };
  expect_each<bool>(outcome, "b", b);
  expect_each<short>(outcome, "h", [&](std::size_t i) { return static_cast<short>(c[i] * s[i]); });
  expect_each<unsigned char>(outcome, "u", [&](std::size_t i) {
    return b(i) ? static_cast<unsigned char>(c[i] + s[i]) : 7;
  });
}

// ---- local ----

TEST(LocalMemory, ArraysWithRunTimeIndicesOfEveryWidth) {
  const char* text = R"(
__global__ void k(const int* in, long long* out) {
  int t = threadIdx.x;
  int a[8]; double d[4]; unsigned char c[16]; short h[8]; float4 q[3]; bool f[4];
  for (int i = 0; i < 8; ++i) { a[i] = in[t + i]; h[i] = -i * t; }
  for (int i = 0; i < 4; ++i) { d[i] = t * i * 0.5; f[i] = (t >> i) & 1; }
  for (int i = 0; i < 16; ++i) c[i] = i * 17 + t;
  for (int i = 0; i < 3; ++i) q[i] = make_float4(i, t, i + t, 1);
  int p = in[t] % 8;
  a[p] += 1000;
  out[t] = a[(p + t) % 8] + (long long)(d[t % 4] * 2) + c[(t * 3) % 16] + h[p] + (long long)(q[t % 3].z * q[t % 3].x) + f[t % 4] * 5;
})";
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {70, 1, 1},
               {buffer<int>("in", 100, Fill::index), buffer<long long>("out", 70)});
  expect_each<long long>(outcome, "out", [](std::size_t i) {
    const int t = static_cast<int>(i), p = t % 8, slot = (p + t) % 8;
    return static_cast<long long>(t + slot + (slot == p ? 1000 : 0)) + t * (t % 4) +
           ((t * 3 % 16 * 17 + t) & 255) - p * t + (t % 3 + t) * (t % 3) + (t >> t % 4 & 1) * 5;
  });
  EXPECT_FALSE(accesses_of(outcome, AccessOp::load, MemorySpace::local).empty());
}

TEST(LocalMemory, SortOfAFewElementsPerThread) {
  const char* text = R"(
__device__ void sort(int* v, int n) {
  for (int i = 1; i < n; ++i) { int x = v[i], j = i - 1; while (j >= 0 && v[j] > x) { v[j + 1] = v[j]; --j; } v[j + 1] = x; }
}
__global__ void k(const int* in, int* out) {
  int v[9], t = threadIdx.x;
  for (int i = 0; i < 9; ++i) v[i] = in[t * 9 + i];
  sort(v, 9);
  for (int i = 0; i < 9; ++i) out[t * 9 + i] = v[i];
})";
  std::vector<int> in(64 * 9);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 7919 % 1009);
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {64, 1, 1}, {data("in", in), buffer<int>("out", in.size())});
  std::vector<int> want = in;
  for (std::size_t i = 0; i < want.size(); i += 9)
    std::sort(want.begin() + static_cast<long>(i), want.begin() + static_cast<long>(i) + 9);
  expect_each<int>(outcome, "out", [&](std::size_t i) { return want[i]; });
}

// ---- module variables ----

TEST(ModuleVariables, ConstantAndDeviceKeepTheirInitialisersAndTheirWrites) {
  const char* text = R"(
struct Filter { float scale; int taps[3]; };
__constant__ float weights[4] = {0.5f, 1.5f, 2.5f, 3.5f};
__constant__ Filter filter = {2.0f, {1, 10, 100}};
__device__ int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__device__ unsigned counter;
__device__ const char letters[] = "lanescope";
static const int kBias = 7;
constexpr float kFactor = 0.25f;
__global__ void k(float* out) {
  int t = threadIdx.x;
  atomicAdd(&counter, 1u);
  __syncthreads();
  out[t] = weights[t % 4] * filter.scale + filter.taps[t % 3] + table[t % 8] + counter + letters[t % 9] + kBias * kFactor;
})";
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {40, 1, 1}, {buffer<float>("out", 40)});
  expect_each<float>(outcome, "out", [](std::size_t i) {
    const int taps[] = {1, 10, 100}, table[] = {3, 1, 4, 1, 5, 9, 2, 6};
    return (static_cast<float>(i % 4) + 0.5f) * 2 +
           static_cast<float>(taps[i % 3] + table[i % 8] + 40 + "lanescope"[i % 9]) + 1.75f;
  });
}

TEST(ModuleVariables, StartAfreshWithEveryRun) {
  const char* text =
      "__device__ int n; __global__ void k(int* out) { out[blockIdx.x] = atomicAdd(&n, 1); }";
  const Outcome outcome = run_text(text, "k", {50, 1, 1}, {1, 1, 1}, {buffer<int>("out", 50)});
  expect_each<int>(outcome, "out", [](std::size_t i) { return i; });
  GlobalMemory memory;
  EXPECT_FALSE(memory.add({"out", ScalarType::i32, 50, Fill::zero}).has_value());
  EXPECT_TRUE(execute(*outcome.compiled.program, outcome.launch, memory, {}).ok());
  EXPECT_EQ(reinterpret_cast<const int*>(memory.find("out")->data)[0], 0);
}

// ---- pointers ----

TEST(Pointers, WalkCompareAndSubtract) {
  const char* text = R"(
__device__ int sum(const int* p, const int* end) { int s = 0; for (; p != end; ++p) s += *p; return s; }
__device__ void add(int& to, int v) { to += v; }
__global__ void k(const int* __restrict__ in, int* out, long long pitch) {
  int t = threadIdx.x;
  const int* p = in + t;
  int* q = &out[t];
  *q = sum(p, p + 5);
  add(*q, (int)(q - out) * 1000);
  p += 3; p -= 1; add(*q, p[-2]);
  const char* raw = (const char*)in + (long long)t * pitch;
  add(*q, *(const int*)(raw + 4));
  if (p > in + 20) add(out[t], 7);
  int** hop = &q; **hop += 1;
})";
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {40, 1, 1},
               {buffer<int>("in", 100, Fill::index), buffer<int>("out", 40), scalar("pitch", 8)});
  expect_each<int>(outcome, "out", [](std::size_t i) {
    const int t = static_cast<int>(i);
    return 5 * t + 10 + t * 1000 + t + (2 * t + 1) + (t + 2 > 20 ? 7 : 0) + 1;
  });
}

TEST(Pointers, ChosenBetweenBuffersAndSpaces) {
  const char* text = R"(
__global__ void k(const float* a, const float* b, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = 10000 + t;
  __syncthreads();
  const float* p = t % 3 == 0 ? a : t % 3 == 1 ? b : s;
  out[t] = p[t];
})";
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {64, 1, 1},
                                   {buffer<float>("a", 64, Fill::index),
                                    buffer<float>("b", 64, Fill::zero), buffer<float>("out", 64)});
  expect_each<float>(outcome, "out", [](std::size_t i) {
    return i % 3 == 0 ? static_cast<float>(i) : i % 3 == 1 ? 0.0f : 10000 + static_cast<float>(i);
  });
  AccessCounts generic;
  for (const AccessInfo& access : outcome.info().accesses)
    if (access.space == MemorySpace::generic) generic = outcome.result.accesses[access.id];
  EXPECT_EQ(generic.executions, 2u);
  EXPECT_EQ(generic.shared.requests, 2u);
  EXPECT_EQ(generic.global.requests, 2u);
}

TEST(Pointers, SixtyFourBitIndices) {
  const char* text = R"(
__global__ void k(const float* in, float* out, long long n) {
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < (size_t)n; i += (size_t)gridDim.x * blockDim.x) {
    long long back = n - 1 - (long long)i;
    out[back] = in[i] + (float)(((unsigned long long)back << 33) >> 40);
  }
})";
  const Outcome outcome = run_text(
      text, "k", {3, 1, 1}, {64, 1, 1},
      {buffer<float>("in", 1000, Fill::index), buffer<float>("out", 1000), scalar("n", 1000)});
  expect_each<float>(outcome, "out", [](std::size_t i) {
    return static_cast<float>(999 - i) + static_cast<float>(i >> 7);
  });
}

TEST(Accesses, CarryTheirTextRootAndSubscripts) {
  const char* text = "__global__ void k(const float* in, float* out, int n) {\n"
                     "  __shared__ float tile[32][33];\n"
                     "  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * n + threadIdx.x];\n"
                     "  __syncthreads();\n"
                     "  out[threadIdx.y * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y];\n}\n";
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {32, 32, 1},
               {buffer<float>("in", 1024), buffer<float>("out", 1024), scalar("n", 32)});
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  const std::vector<AccessInfo>& a = outcome.info().accesses;
  ASSERT_EQ(a.size(), 4u);
  EXPECT_EQ(a[0].text, "in[threadIdx.y * n + threadIdx.x]");
  EXPECT_EQ(a[0].root, "in");
  EXPECT_EQ(a[0].pos, (SourcePos{3, 36, 0}));
  EXPECT_EQ(a[1].text, "tile[threadIdx.y][threadIdx.x]");
  EXPECT_EQ(a[1].indices, (std::vector<std::string>{"threadIdx.y", "threadIdx.x"}));
  EXPECT_EQ(a[1].pos, (SourcePos{3, 34, 0}));
  EXPECT_EQ(a[1].sources, (std::vector<ValueSource>{{0, 0, 0}}));
  EXPECT_EQ(a[2].text, "tile[threadIdx.x][threadIdx.y]");
  EXPECT_EQ(a[2].space, MemorySpace::shared);
  EXPECT_EQ(a[3].root, "out");
  EXPECT_EQ(a[3].sources, (std::vector<ValueSource>{{0, 2, 0}}));
  EXPECT_EQ(outcome.result.accesses[2].shared.wavefronts, 32u);
}

// What each store may store of which load, by the stores' lines.
std::vector<std::vector<ValueSource>> sources_of(const char* text) {
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {32, 1, 1},
               {buffer<float>("in", 128, Fill::index), buffer<float>("out", 128), scalar("n", 20)});
  EXPECT_TRUE(outcome.ok()) << outcome.report();
  std::vector<std::vector<ValueSource>> all;
  for (const AccessInfo& access : outcome.info().accesses) {
    if (access.op != AccessOp::store) continue;
    for (const ValueSource& source : access.sources)
      EXPECT_EQ(outcome.info().accesses[static_cast<std::size_t>(source.access)].op,
                AccessOp::load);
    all.push_back(access.sources);
  }
  return all;
}
using Sources = std::vector<std::vector<ValueSource>>;

TEST(Accesses, AStoreUnderAGuardIsOfTheLoadBesideTheConstant) {
  EXPECT_EQ(sources_of("__global__ void k(const float* in, float* out, int n) {\n"
                       "  __shared__ float tile[32];\n"
                       "  int i = threadIdx.x;\n"
                       "  tile[i] = i < n ? in[i] : 0.0f;\n"
                       "  __syncthreads();\n"
                       "  out[i] = i == 3 ? 1.0f : i == 4 ? 2.0f : tile[31 - i];\n}\n"),
            (Sources{{{0, 0, 0}}, {{0, 2, 0}}}));
}

TEST(Accesses, AStoreOfOneOfTwoLoadsMayBeOfEither) {
  EXPECT_EQ(sources_of("__global__ void k(const float* in, float* out, int n) {\n"
                       "  int i = threadIdx.x;\n"
                       "  float a = in[i], b = in[i + 32];\n"
                       "  out[i] = i < n ? a : b;\n"
                       "  out[i + 32] = i < n ? a + b : 0.0f;\n}\n"),
            (Sources{{{0, 1, 0}, {0, 0, 0}}, {}}));
}

// What is stored was loaded one time round before; the last load is of the next element.
TEST(Accesses, AStoreOfWhatALoopCarriesIsOfNoLoad) {
  EXPECT_EQ(sources_of("__global__ void k(const float* in, float* out, int n) {\n"
                       "  float ahead = 0.0f;\n"
                       "#pragma unroll 1\n"
                       "  for (int e = threadIdx.x; e < n; ++e) {\n"
                       "    float next = in[e];\n"
                       "    out[e + 32] = ahead;\n"
                       "    ahead = next;\n"
                       "  }\n}\n"),
            (Sources{{}}));
}

// Each component has its own load, as in a transposed float4.
TEST(Accesses, AVectorIsPutTogetherOfSeveralLoads) {
  EXPECT_EQ(sources_of("__global__ void k(const float* in, float4* out, int n) {\n"
                       "  int i = threadIdx.x;\n"
                       "  float4 v;\n"
                       "  v.x = in[i];\n"
                       "  v.y = in[i + 32];\n"
                       "  v.z = i < n ? in[i + 64] : 0.0f;\n"
                       "  v.w = in[i] + 1.0f;\n"
                       "  out[i] = v;\n}\n"),
            (Sources{{{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}}));
}

TEST(Accesses, AComponentOfAWideLoadKeepsItsNumber) {
  EXPECT_EQ(sources_of("__global__ void k(const float4* in, float* out, int n) {\n"
                       "  int i = threadIdx.x;\n"
                       "  float4 v = in[i];\n"
                       "  out[i] = v.z;\n"
                       "  out[i + 32] = i < n ? v.x : 0.0f;\n}\n"),
            (Sources{{{0, 0, 2}}, {{0, 0, 0}}}));
}

}  // namespace
}  // namespace lanescope

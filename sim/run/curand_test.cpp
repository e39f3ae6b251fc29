// cuRAND's device generators: the numbers are those that the library's own header gives on the host
// (CUDA 13.0, compiled by g++): integers and uniform numbers to the bit, normal ones nearly.
#include <array>

#include "run/run_text.h"

namespace lanescope {
namespace {

using U = std::uint32_t;
using U64 = std::uint64_t;

struct Numbers {
  const char* state;
  U64 seed, subsequence, offset;
  // In the order in which they are drawn; the last one after 29 more are skipped.
  U first, second;
  float uniform;
  double uniform_double;
  float normal, other_normal;
  double normal_double, other_normal_double;
  float log_normal;
  U last;
};
const Numbers kLibrary[] = {
    {"XORWOW", 1234u, 0u, 0u, 624778773u, 1867875844u, 0x1.bdcdb6p-1f, 0x1.b6d4d2425b394p-1,
     0x1.fbbd9ap-1f, 0x1.40132cp-2f, -0x1.708bcfdccbbc1p-1, -0x1.5f7200240253ap+0, 0x1.a43224p+0f,
     2222191929u},
    {"XORWOW", 0u, 1u, 0u, 3955638199u, 1977250130u, 0x1.55779ap-2f, 0x1.f55a51afafed9p-2,
     0x1.065ce4p-1f, 0x1.dde7fp-1f, 0x1.9107c6313205fp-5, 0x1.2915c685b752bp+0, 0x1.9cd4a8p+0f,
     3009206713u},
    {"XORWOW", 16045690984503054900u, 17u, 3u, 1346278796u, 1573213168u, 0x1.58e878p-3f,
     0x1.20787b2d03bcbp-2, -0x1.17d8cp-2f, -0x1.c4f488p+0f, 0x1.83f35dd7aa3dbp-1,
     -0x1.620d943cc1046p+0, 0x1.542b32p+0f, 4006084470u},
    {"XORWOW", 42u, 20015998343868u, 1000003u, 821301193u, 1196480868u, 0x1.6cc7e8p-2f,
     0x1.813bd7d63ec86p-3, -0x1.7c55f6p+0f, -0x1.c0e82cp-1f, -0x1.49d16e958c823p-3,
     -0x1.4ff7d17f1edb3p-2, 0x1.14d8aap+1f, 1914367316u},
    {"XORWOW", 7u, 65535u, 4483583629026627u, 795308031u, 3063864130u, 0x1.21fb32p-2f,
     0x1.54669e6b6e8fap-3, -0x1.841e4cp-2f, -0x1.2f8db2p-4f, -0x1.8723c5274aa06p-4,
     -0x1.ab86ff90b0007p-3, 0x1.ca08fap+0f, 537947651u},
    {"Philox4_32_10", 1234u, 0u, 0u, 546353992u, 3665621163u, 0x1.100642p-2f, 0x1.97948e1ep-1,
     0x1.44237p-1f, 0x1.7c9a9cp-1f, -0x1.c00929d878d77p-3, 0x1.1e46bc42dcca4p+1, 0x1.969ac8p+0f,
     2687246817u},
    {"Philox4_32_10", 0u, 1u, 0u, 2219120097u, 4035800746u, 0x1.e3380ap-5f, 0x1.07f0ebe2p-1,
     -0x1.1ac22cp-1f, 0x1.9eafa6p-2f, -0x1.4d87a4fd7631cp+0, -0x1.beacc2790c26fp-5, 0x1.213e4p+0f,
     335239375u},
    {"Philox4_32_10", 16045690984503054900u, 17u, 3u, 1109914745u, 1886955506u, 0x1.9f5afp-2f,
     0x1.0099008ep-1, 0x1.432556p-3f, -0x1.c25b42p-5f, 0x1.2208f3543e982p-2, -0x1.0b66c62819a4ap+1,
     0x1.93469ep+0f, 3238931914u},
    {"Philox4_32_10", 42u, 20015998343868u, 1000003u, 3198818697u, 19089426u, 0x1.3e7a5ep-1f,
     0x1.01dd4558p-1, 0x1.223b4ep+1f, 0x1.66e81p-2f, -0x1.286870788d439p-1, 0x1.1320f04c82347p-1,
     0x1.429006p+0f, 3653729319u},
    {"Philox4_32_10", 7u, 65535u, 4483583629026627u, 1809946812u, 2720384011u, 0x1.5031bep-1f,
     0x1.807fd95cp-2, 0x1.c3aa4ep-1f, 0x1.f57fep-1f, 0x1.4a7eb3b9d118ep-1, 0x1.1ac0da7e98dadp-3,
     0x1.282718p+1f, 2139288140u},
    {"MRG32k3a", 1234u, 0u, 0u, 3379073520u, 2521876100u, 0x1.978f1p-5f, 0x1.7e84473449fe3p-2,
     -0x1.3fbedcp-3f, 0x1.200a42p+0f, -0x1.48ed5e2518dd3p+0, 0x1.b4e65d228e656p-2, 0x1.8fd488p+0f,
     1493492237u},
    {"MRG32k3a", 0u, 1u, 0u, 341016064u, 2063042464u, 0x1.b77604p-1f, 0x1.6f01c609a072bp-1,
     -0x1.301b4p-1f, -0x1.c99c5ap+0f, 0x1.458875a2b0accp+0, -0x1.4fa6177177d35p-2, 0x1.268862p+1f,
     2872885262u},
    {"MRG32k3a", 16045690984503054900u, 17u, 3u, 1758316257u, 3819085114u, 0x1.14c646p-1f,
     0x1.a72bc5597abc2p-3, 0x1.aa0d2ap+0f, -0x1.52103ep+0f, 0x1.d37484d41571dp-1,
     0x1.d72a7a441f0e5p-1, 0x1.5c8e74p+0f, 3056520917u},
    {"MRG32k3a", 42u, 20015998343868u, 1000003u, 3860002773u, 2359260056u, 0x1.5adc4cp-2f,
     0x1.2faa31e5e9f2cp-1, -0x1.8617c6p+0f, -0x1.efec6p-3f, -0x1.f8a09805f6263p+0,
     0x1.2c8d6f01eefe2p-1, 0x1.baebbep+0f, 37944967u},
    {"MRG32k3a", 7u, 65535u, 4483583629026627u, 3023296839u, 615047729u, 0x1.839794p-1f,
     0x1.b3d05a2fcd19bp-1, 0x1.a9d1aap+0f, -0x1.c95a64p+0f, -0x1.ae779dbe1fe7ep+0,
     -0x1.c8034911f8abap-2, 0x1.65681ep+0f, 1919284181u},
};

class Generators : public testing::TestWithParam<const char*> {};

TEST_P(Generators, GiveTheLibrarysNumbers) {
  std::vector<Numbers> cases;
  for (const Numbers& n : kLibrary)
    if (n.state == std::string(GetParam())) cases.push_back(n);
  const std::string text =
      "#include <curand_kernel.h>\ntypedef curandState" + std::string(GetParam()) + R"(_t State;
__global__ void k(const unsigned long long* how, unsigned* words, float* floats, double* doubles) {
  int t = threadIdx.x; State s; curand_init(how[3 * t], how[3 * t + 1], how[3 * t + 2], &s);
  words[3 * t] = curand(&s); words[3 * t + 1] = curand(&s);
  floats[4 * t] = curand_uniform(&s); doubles[3 * t] = curand_uniform_double(&s);
  floats[4 * t + 1] = curand_normal(&s); floats[4 * t + 2] = curand_normal(&s);
  doubles[3 * t + 1] = curand_normal_double(&s); doubles[3 * t + 2] = curand_normal_double(&s);
  floats[4 * t + 3] = curand_log_normal(&s, 0.5f, 0.25f);
  skipahead(29ull, &s); words[3 * t + 2] = curand(&s);
})";
  std::vector<U64> how;
  for (const Numbers& n : cases) how.insert(how.end(), {n.seed, n.subsequence, n.offset});
  const auto count = static_cast<U>(cases.size());
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {count, 1, 1},
               {data("how", how), buffer<U>("words", count * 3), buffer<float>("floats", count * 4),
                buffer<double>("doubles", count * 3)});
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  for (std::size_t t = 0; t < cases.size(); ++t) {
    SCOPED_TRACE(std::string(GetParam()) + ", seed " + std::to_string(cases[t].seed));
    const U* words = &outcome.values<U>("words")[3 * t];
    const float* floats = &outcome.values<float>("floats")[4 * t];
    const double* doubles = &outcome.values<double>("doubles")[3 * t];
    EXPECT_EQ(words[0], cases[t].first);
    EXPECT_EQ(words[1], cases[t].second);
    EXPECT_EQ(floats[0], cases[t].uniform);
    EXPECT_EQ(doubles[0], cases[t].uniform_double);
    EXPECT_NEAR(floats[1], cases[t].normal, 2e-6);
    EXPECT_NEAR(floats[2], cases[t].other_normal, 2e-6);
    EXPECT_NEAR(doubles[1], cases[t].normal_double, 1e-14);
    EXPECT_NEAR(doubles[2], cases[t].other_normal_double, 1e-14);
    EXPECT_NEAR(floats[3], cases[t].log_normal, 2e-6);
    EXPECT_EQ(words[2], cases[t].last);
  }
}
INSTANTIATE_TEST_SUITE_P(All, Generators, testing::Values("XORWOW", "Philox4_32_10", "MRG32k3a"),
                         [](const auto& row) { return std::string(row.param); });

TEST(Curand, PhiloxGivesFourAtATime) {
  const char* text = R"(
#include <curand_kernel.h>
__global__ void k(unsigned* words, float* floats, double* doubles) {
  curandStatePhilox4_32_10_t s; curand_init(5, 6, 7, &s);
  uint4 a = curand4(&s); float4 u = curand_uniform4(&s); double2 d = curand_uniform2_double(&s); float4 n = curand_normal4(&s);
  words[0] = a.x; words[1] = a.y; words[2] = a.z; words[3] = a.w;
  floats[0] = u.x; floats[1] = u.y; floats[2] = u.z; floats[3] = u.w; floats[4] = n.x; floats[5] = n.y; floats[6] = n.z; floats[7] = n.w;
  doubles[0] = d.x; doubles[1] = d.y;
})";
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {1, 1, 1},
               {buffer<U>("words", 4), buffer<float>("floats", 8), buffer<double>("doubles", 2)});
  expect_each<U>(outcome, "words", [](std::size_t i) {
    return std::array<U, 4>{1453444312u, 2997619149u, 600583240u, 4260505171u}[i];
  });
  expect_each<float>(
      outcome, "floats",
      [](std::size_t i) {
        return std::array<float, 8>{
            0x1.494ac4p-3f, 0x1.d4badp-1f,  0x1.807cc8p-3f, 0x1.07fe48p-4f,
            0x1.a5d76cp-3f, 0x1.8a0dc4p-1f, 0x1.4911d6p-3f, -0x1.84f95ap-2f}[i];
      },
      1e-6);
  expect_each<double>(outcome, "doubles", [](std::size_t i) {
    return std::array<double, 2>{0x1.c331c6319d7e1p-2, 0x1.c9eee95af1fd9p-2}[i];
  });
}

// A state is kept in global memory between two launches, as programs do it.
TEST(Curand, AStateInMemoryGoesOn) {
  const char* text = R"(
#include <curand_kernel.h>
__global__ void k(curandState* states, unsigned* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(1234, t, 0, &states[t]);
  curandState local = states[t]; out[2 * t] = curand(&local); states[t] = local; out[2 * t + 1] = curand(&states[t]);
})";
  const Outcome outcome =
      run_text(text, "k", {2, 1, 1}, {32, 1, 1},
               {data("states", std::vector<std::byte>(64 * 48)), buffer<U>("out", 128)});
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  EXPECT_EQ(outcome.values<U>("out")[0], 624778773u);
  EXPECT_EQ(outcome.values<U>("out")[1], 1867875844u);
}

}  // namespace
}  // namespace lanescope

// Pseudo-random numbers against rows that cuRAND 10.4 (CUDA 13.0) gave on an H200.
#include "program/libraries/random_streams.h"

#include <cmath>
#include <map>

#include "frontend/prelude/host/lanescope_curand.h"
#include "program/runtime/fake_launcher.h"

namespace lanescope::app {
namespace {

/// One generator with the seed 1234: result number → value, of one call. Normal numbers have mean 0 and
/// deviation 1.
struct Truth {
  curandRngType_t type;
  std::map<std::size_t, unsigned> raw;
  std::map<std::size_t, double> wide;
  std::map<std::size_t, float> normal;
  std::map<std::size_t, double> normal_wide;
  /// Numbers 0 and 4999 with the seed 0x123456789abcdef
  unsigned other_seed[2];
  /// The next raw and the next uniform double after 1000 and 10002 normal floats, 300001 uniform doubles
  unsigned raw_after[3];
  double wide_after[3];
};

const Truth kTruth[] = {
    {CURAND_RNG_PSEUDO_XORWOW,
     {{0, 624778773u},
      {1, 3522650202u},
      {4095, 3856448218u},
      {4096, 1867875844u},
      {81920, 3316345055u},
      {262145, 2964273078u},
      {399999, 2628187419u}},
     {{0, 0.43489880438841294},
      {1, 0.92641692020243771},
      {2, 0.81184521113001917},
      {4096, 0.45516523048612917},
      {19999, 0.88717348832909471}},
     {{0, 0.780973673f}, {1, -1.80157793f}, {8191, 0.462832689f}, {8192, 0.146282375f}},
     {{0, 0.358739798524455}, {1, -1.23959250322355}, {8192, -1.01218607669924}},
     {440680976u, 2460153856u},
     {485382160u, 4199864048u, 208868000u},
     {0.18666187754092972, 0.0055063629176555495, 0.93820309699420434}},
    {CURAND_RNG_PSEUDO_MRG32K3A,
     {{0, 3379073520u},
      {1, 653317650u},
      {4095, 2824556536u},
      {4096, 2648318237u},
      {81920, 2521876100u},
      {262145, 2716052427u},
      {399999, 3023638496u}},
     {{0, 0.78675186271572939},
      {1, 0.15211236914421553},
      {4096, 0.6166096399238834},
      {19999, 0.92566897987034569}},
     {{0, -0.360653549f}, {1, -0.591281354f}, {8191, 0.431758046f}, {8192, 0.0625282526f}},
     {{0, -0.360653646111745}, {1, -0.591281403741744}, {8192, 0.0625285335425757}},
     {2301419841u, 1007088296u},
     {3665548147u, 554992381u, 3331504001u},
     {0.85345193449674517, 0.12921923329281151, 0.77567622091535726}},
    {CURAND_RNG_PSEUDO_PHILOX4_32_10,
     {{0, 546353992u},
      {1, 3665621163u},
      {4095, 984438016u},
      {4096, 2053518784u},
      {81920, 3228641574u},
      {262145, 482218876u},
      {399999, 3369657303u}},
     {{0, 0.85346899543001431},
      {1, 0.79605514883270523},
      {2, 0.11227557330034327},
      {3, 0.080060631323720377},
      {19999, 0.29062528410957839}},
     {{0, -1.61649048f}, {1, 1.22915471f}, {8191, 0.644162893f}, {8192, -0.191191077f}},
     {{0, -0.539526695907319}, {1, 0.160633346442023}, {8192, 0.451686709903779}},
     {3092259374u, 447949436u},
     {1385851345u, 318572499u, 170412145u},
     {0.3851823319740168, 0.55695460599102353, 0.21881716924533362}},
};

class LibraryRandom : public RuntimeTest, public testing::WithParamInterface<Truth> {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    // 400000 doubles
    ASSERT_EQ(cudaMalloc(&device, 3'200'000), cudaSuccess);
  }
  curandGenerator_t generator(unsigned long long seed = 1234) {
    curandGenerator_t made = nullptr;
    EXPECT_EQ(curandCreateGenerator(&made, GetParam().type), CURAND_STATUS_SUCCESS);
    EXPECT_EQ(curandSetPseudoRandomGeneratorSeed(made, seed), CURAND_STATUS_SUCCESS);
    return made;
  }
  template <class T>
  T at(std::size_t index) {
    T value{};
    EXPECT_EQ(
        cudaMemcpy(&value, static_cast<T*>(device) + index, sizeof value, cudaMemcpyDeviceToHost),
        cudaSuccess);
    return value;
  }
  unsigned* raw() { return static_cast<unsigned*>(device); }
  float* floats() { return static_cast<float*>(device); }
  double* doubles() { return static_cast<double*>(device); }
  void* device = nullptr;
};

TEST_P(LibraryRandom, NumbersAreThoseOfAGpu) {
  ASSERT_EQ(curandGenerate(generator(), raw(), 400000), CURAND_STATUS_SUCCESS);
  for (const auto& [index, value] : GetParam().raw) EXPECT_EQ(at<unsigned>(index), value);
  ASSERT_EQ(curandGenerateUniformDouble(generator(), doubles(), 20000), CURAND_STATUS_SUCCESS);
  for (const auto& [index, value] : GetParam().wide) EXPECT_EQ(at<double>(index), value);
  ASSERT_EQ(curandGenerate(generator(0x123456789abcdef), raw(), 5000), CURAND_STATUS_SUCCESS);
  EXPECT_EQ(at<unsigned>(0), GetParam().other_seed[0]);
  EXPECT_EQ(at<unsigned>(4999), GetParam().other_seed[1]);
}

TEST_P(LibraryRandom, NormalNumbersAreThoseOfAGpuNearly) {
  ASSERT_EQ(curandGenerateNormal(generator(), floats(), 20000, 1.5f, 2), CURAND_STATUS_SUCCESS);
  for (const auto& [index, value] : GetParam().normal)
    EXPECT_NEAR(at<float>(index), 1.5f + 2 * value, 1e-5f);
  ASSERT_EQ(curandGenerateNormalDouble(generator(), doubles(), 20000, 0, 1), CURAND_STATUS_SUCCESS);
  for (const auto& [index, value] : GetParam().normal_wide)
    EXPECT_NEAR(at<double>(index), value, 1e-13);
  ASSERT_EQ(curandGenerateLogNormalDouble(generator(), doubles(), 2, 0.5, 0.25),
            CURAND_STATUS_SUCCESS);
  EXPECT_NEAR(at<double>(0), std::exp(0.5 + 0.25 * GetParam().normal_wide.at(0)), 1e-13);
}

TEST_P(LibraryRandom, CallsGoOnWhereTheLastOneEnded) {
  for (int i = 0; i < 3; ++i) {
    const auto begun = [&] {
      const curandGenerator_t g = generator();
      EXPECT_EQ(i < 2 ? curandGenerateNormal(g, floats(), i == 0 ? 1000 : 10002, 0, 1)
                      : curandGenerateUniformDouble(g, doubles(), 300001),
                CURAND_STATUS_SUCCESS);
      return g;
    };
    ASSERT_EQ(curandGenerate(begun(), raw(), 4), CURAND_STATUS_SUCCESS);
    EXPECT_EQ(at<unsigned>(0), GetParam().raw_after[i]) << i;
    ASSERT_EQ(curandGenerateUniformDouble(begun(), doubles(), 4), CURAND_STATUS_SUCCESS);
    EXPECT_EQ(at<double>(0), GetParam().wide_after[i]) << i;
  }
  // An offset is as if so many had been taken.
  for (const std::size_t offset : {std::size_t{5}, std::size_t{262145}}) {
    const curandGenerator_t g = generator(), moved = generator();
    curandSetGeneratorOffset(moved, offset);
    curandGenerate(g, raw(), offset);
    curandGenerate(g, raw(), 1);
    const unsigned expected = at<unsigned>(0);
    curandGenerate(moved, raw(), 1);
    EXPECT_EQ(at<unsigned>(0), expected);
  }
}

TEST_P(LibraryRandom, ForTheHostTheyAreTheSame) {
  curandGenerator_t host = nullptr;
  std::vector<unsigned> values(4097);
  ASSERT_EQ(curandCreateGeneratorHost(&host, GetParam().type), CURAND_STATUS_SUCCESS);
  curandSetPseudoRandomGeneratorSeed(host, 1234);
  ASSERT_EQ(curandGenerate(host, values.data(), values.size()), CURAND_STATUS_SUCCESS);
  EXPECT_EQ(values[4096], GetParam().raw.at(4096));
  EXPECT_EQ(curandGenerate(generator(), values.data(), 4), CURAND_STATUS_LAUNCH_FAILURE);
  expect_told("pointer of the host");
}

INSTANTIATE_TEST_SUITE_P(Generators, LibraryRandom, testing::ValuesIn(kTruth),
                         [](const testing::TestParamInfo<Truth>& row) {
                           return std::to_string(row.param.type);
                         });

class LibraryRandomMistakes : public RuntimeTest {};

TEST_F(LibraryRandomMistakes, AreTold) {
  curandGenerator_t generator = nullptr;
  EXPECT_EQ(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_MT19937), CURAND_STATUS_TYPE_ERROR);
  expect_told("not simulated");
  ASSERT_EQ(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT), CURAND_STATUS_SUCCESS);
  float* p = device_floats({0, 0, 0});
  EXPECT_EQ(curandGenerateNormal(generator, p, 3, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  EXPECT_EQ(curandGenerateUniform(generator, p, 4), CURAND_STATUS_LAUNCH_FAILURE);
  expect_told("past the end");
  EXPECT_EQ(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_SEEDED),
            CURAND_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(curandDestroyGenerator(generator), CURAND_STATUS_SUCCESS);
  EXPECT_EQ(curandDestroyGenerator(generator), CURAND_STATUS_NOT_INITIALIZED);
}

}  // namespace
}  // namespace lanescope::app

// cuBLAS against loops: every type, transposed and not, many at once, and wrong calls.
#include "program/libraries/blas.h"

#include <cmath>
#include <limits>

#include "frontend/prelude/host/lanescope_cublas.h"
#include "program/libraries/narrow.h"
#include "program/runtime/fake_launcher.h"

namespace lanescope::app {
namespace {

/// Small whole numbers, so that every order of summation gives the same bits.
template <class T>
std::vector<T> numbers(std::size_t count, int seed) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<T>(static_cast<int>((i * 7 + static_cast<std::size_t>(seed)) % 11) - 5);
  return values;
}

template <class T>
class LibraryProduct : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(LibraryProduct, Types);

TYPED_TEST(LibraryProduct, EqualsTheLoops) {
  using T = TypeParam;
  auto a = numbers<T>(80, 1), b = numbers<T>(80, 2);
  if constexpr (!std::is_floating_point_v<T>) a[3] = {1, 2}, b[5] = {-3, 1}, a[17] = {0, 4};
  for (const Op op_a : {Op::none, Op::transpose, Op::conjugate})
    for (const Op op_b : {Op::none, Op::transpose, Op::conjugate}) {
      auto by_library = numbers<T>(40, 3), by_loops = by_library;
      Product<T> p{op_a, op_b, 5, 4, 7, T{2}, T{3}, a.data(), b.data(), by_library.data(), 9, 8, 6};
      multiply(p);
      p.c = by_loops.data();
      multiply_by_loops(p);
      EXPECT_EQ(by_library, by_loops) << blas_library();
    }
}

TEST(LibraryNarrow, NumbersGoThereAndBack) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if (!std::isnan(from_half(half))) {
      EXPECT_EQ(to_half(from_half(half)), half);
    }
    if (!std::isnan(from_bfloat(half))) {
      EXPECT_EQ(to_bfloat(from_bfloat(half)), half);
    }
  }
  EXPECT_EQ(from_half(0x3555), 0.333251953125f);
  EXPECT_EQ(to_half(2049.0f), 0x6800);  // 2048: the tie goes to the even one
  EXPECT_EQ(to_half(2051.0f), 0x6802);
  EXPECT_EQ(to_half(65519.0f), 0x7bff);
  EXPECT_EQ(to_half(65520.0f), 0x7c00);
  EXPECT_EQ(to_half(0x1p-25f), 0);
  EXPECT_EQ(to_half(0x1.8p-25f), 1);
  EXPECT_EQ(to_tf32(1.0f + 0x1p-11f), 1.0f + 0x1p-10f);
  EXPECT_EQ(to_tf32(1.0f + 0x1p-12f), 1.0f);
}

class LibraryBlas : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  }
  void TearDown() override {
    cublasDestroy(handle);
    RuntimeTest::TearDown();
  }
  template <class T>
  T* upload(const std::vector<T>& values) {
    void* p = nullptr;
    EXPECT_EQ(cudaMalloc(&p, values.size() * sizeof(T)), cudaSuccess);
    cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return static_cast<T*>(p);
  }
  template <class T>
  std::vector<T> download(const T* p, std::size_t count) {
    std::vector<T> values(count);
    EXPECT_EQ(cudaMemcpy(values.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }
  cublasHandle_t handle = nullptr;
  const float one = 1, zero = 0;
};

TEST_F(LibraryBlas, ProductsAreInColumns) {
  // 2 x 3 by 3 x 2; what C held (poison, NaN) is not read.
  const float* a = upload<float>({1, 4, 2, 5, 3, 6});
  const float* b = upload<float>({7, 9, 11, 8, 10, 12});
  float* c = upload<float>(std::vector<float>(4, std::nanf("")));
  ASSERT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, a, 2, b, 3, &zero, c, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(download(c, 4), (std::vector<float>{58, 139, 64, 154}));
  ASSERT_EQ(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_T, 2, 2, 3, &one, b, 3, a, 2, &one, c, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(download(c, 4), (std::vector<float>{116, 203, 203, 308}));
  // Factors in device memory.
  const float* two = upload<float>({2});
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  ASSERT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, two, a, 2, b, 3, two, c, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(download(c, 4)[0], 2 * 58 + 2 * 116);
}

TEST_F(LibraryBlas, NarrowElementsAreWidened) {
  std::vector<std::uint16_t> halves, bfloats;
  for (const float v : {1.0f, 2.0f, 3.0f, 4.0f}) {
    halves.push_back(to_half(v));
    bfloats.push_back(to_bfloat(v));
  }
  const auto* h = upload(halves);
  const auto* f = upload(bfloats);
  const auto* i = upload<std::int8_t>({100, -100, 127, -128});
  float* c = upload<float>({0, 0, 0, 0});
  const std::vector<float> square = {7, 10, 15, 22};
  const auto ex = [&](const void* in, cudaDataType type, void* out, cudaDataType to,
                      cublasComputeType_t compute, const void* alpha, const void* beta) {
    return cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, alpha, in, type, 2, in, type, 2,
                        beta, out, to, 2, compute, CUBLAS_GEMM_DEFAULT);
  };
  ASSERT_EQ(ex(h, CUDA_R_16F, c, CUDA_R_32F, CUBLAS_COMPUTE_32F, &one, &zero),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(download(c, 4), square);
  ASSERT_EQ(ex(f, CUDA_R_16BF, c, CUDA_R_32F, CUBLAS_COMPUTE_32F, &one, &one),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(download(c, 4), (std::vector<float>{14, 20, 30, 44}));
  const std::int32_t unit = 1, none = 0;
  auto* whole = upload<std::int32_t>({0, 0, 0, 0});
  ASSERT_EQ(ex(i, CUDA_R_8I, whole, CUDA_R_32I, CUBLAS_COMPUTE_32I, &unit, &none),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(download(whole, 4)[0], 100 * 100 - 127 * 100);
  EXPECT_EQ(download(whole, 4)[3], -100 * 127 + 128 * 128);
  auto* narrow = upload<std::uint16_t>({0, 0, 0, 0});
  const std::uint16_t half_one = to_half(1), half_zero = 0;
  ASSERT_EQ(ex(h, CUDA_R_16F, narrow, CUDA_R_16F, CUBLAS_COMPUTE_16F, &half_one, &half_zero),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(from_half(download(narrow, 4)[3]), 22);
  EXPECT_EQ(ex(h, CUDA_R_16F, c, CUDA_R_64F, CUBLAS_COMPUTE_32F, &one, &zero),
            CUBLAS_STATUS_NOT_SUPPORTED);
  expect_told("no such product");
}

TEST_F(LibraryBlas, TensorCoresMayNarrowFloats) {
  const float* a = upload<float>({1.0f + 0x1p-12f});
  float* c = upload<float>({0});
  const auto product = [&] {
    EXPECT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a, 1, a, 1, &zero, c, 1),
              CUBLAS_STATUS_SUCCESS);
    return download(c, 1)[0];
  };
  EXPECT_NE(product(), 1.0f);
  cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH);
  EXPECT_EQ(product(), 1.0f);
}

TEST_F(LibraryBlas, ManyProductsInOneCall) {
  float* a = upload(numbers<float>(12, 1));
  float* b = upload(numbers<float>(12, 2));
  float* c = upload(std::vector<float>(12));
  float* d = upload(std::vector<float>(12));
  ASSERT_EQ(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &one, a, 2, 4, b,
                                      2, 4, &zero, c, 2, 4, 3),
            CUBLAS_STATUS_SUCCESS);
  auto* as = upload<const float*>({a, a + 4, a + 8});
  auto* bs = upload<const float*>({b, b + 4, b + 8});
  auto* ds = upload<float*>({d, d + 4, d + 8});
  ASSERT_EQ(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &one, as, 2, bs, 2, &zero,
                               ds, 2, 3),
            CUBLAS_STATUS_SUCCESS);
  const auto all = download(c, 12);
  EXPECT_EQ(download(d, 12), all);
  const auto x = numbers<float>(12, 1), y = numbers<float>(12, 2);
  for (std::size_t i = 0; i < 12; i += 4)
    EXPECT_EQ(all[i + 1], x[i + 1] * y[i] + x[i + 3] * y[i + 2]);
}

TEST_F(LibraryBlas, WrongCallsAreTold) {
  float* a = upload<float>({1, 2, 3, 4});
  EXPECT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 1, a, 2, &zero, a, 2),
            CUBLAS_STATUS_INVALID_VALUE);
  expect_told("leading dimension of A is 1");
  EXPECT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 2, 2, &one, a, 3, a, 2, &zero, a, 3),
            CUBLAS_STATUS_EXECUTION_FAILED);
  expect_told("past the end");
  float host[4] = {};
  EXPECT_EQ(cublasSscal(handle, 4, &one, host, 1), CUBLAS_STATUS_EXECUTION_FAILED);
  expect_told("pointer of the host");
  EXPECT_EQ(cublasSscal(nullptr, 4, &one, a, 1), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_STREQ(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE");
  EXPECT_STREQ(cublasGetStatusString(CUBLAS_STATUS_MAPPING_ERROR),
               "an access to GPU memory space failed");
}

TEST_F(LibraryBlas, Vectors) {
  float* x = upload<float>({3, -4, 0, 1});
  float* y = upload<float>({1, 1, 1, 1});
  float result = 0;
  int index = 0;
  const float two = 2;
  cublasSdot(handle, 4, x, 1, y, 1, &result);
  EXPECT_EQ(result, 0);
  cublasSnrm2(handle, 2, x, 1, &result);
  EXPECT_EQ(result, 5);
  cublasSasum(handle, 4, x, 1, &result);
  EXPECT_EQ(result, 8);
  cublasIsamax(handle, 4, x, 1, &index);
  EXPECT_EQ(index, 2);
  cublasIsamin(handle, 4, x, 1, &index);
  EXPECT_EQ(index, 3);
  cublasSaxpy(handle, 2, &two, x, 2, y, 1);
  EXPECT_EQ(download(y, 4), (std::vector<float>{7, 1, 1, 1}));
  cublasScopy(handle, 4, x, 1, y, -1);
  EXPECT_EQ(download(y, 4), (std::vector<float>{1, 0, -4, 3}));
  cublasSswap(handle, 1, x, 1, y, 1);
  EXPECT_EQ(download(x, 1)[0], 1);
  cublasSscal(handle, 2, &two, y, 3);
  EXPECT_EQ(download(y, 4), (std::vector<float>{6, 0, -4, 6}));
}

TEST_F(LibraryBlas, MatricesAndVectors) {
  float* a = upload<float>({1, 2, 3, 4, 5, 6});  // 3 x 2
  float* x = upload<float>({1, 10, 100});
  float* y = upload<float>({7, 7, 7});
  cublasSgemv(handle, CUBLAS_OP_N, 3, 2, &one, a, 3, x, 1, &zero, y, 1);
  EXPECT_EQ(download(y, 3), (std::vector<float>{41, 52, 63}));
  cublasSgemv(handle, CUBLAS_OP_T, 3, 2, &one, a, 3, x, 1, &one, y, 2);
  EXPECT_EQ(download(y, 3), (std::vector<float>{41 + 321, 52, 63 + 654}));
  float* c = upload(std::vector<float>(6));
  cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 3, &one, a, 3, &zero, nullptr, 2, c, 2);
  EXPECT_EQ(download(c, 6), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  cublasSger(handle, 2, 3, &one, x, 1, x, 1, c, 2);
  EXPECT_EQ(download(c, 6), (std::vector<float>{2, 14, 12, 105, 103, 1006}));
  float host[4] = {1, 2, 3, 4};
  ASSERT_EQ(cublasSetMatrix(2, 2, 4, host, 2, a, 3), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(download(a, 6), (std::vector<float>{1, 2, 3, 3, 4, 6}));
  ASSERT_EQ(cublasGetVector(2, 4, a, 3, host, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(host[2], 3);
  EXPECT_EQ(cublasSetVector(7, 4, host, 1, a, 1), CUBLAS_STATUS_MAPPING_ERROR);
}

TEST_F(LibraryBlas, TriangularSystemsAreSolved) {
  const double a[] = {2, 3, 5, 7, 4, 6, 8, 9, 10};
  const double* device = upload(std::vector<double>(a, a + 9));
  for (const auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
    for (const auto fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
      for (const auto op : {CUBLAS_OP_N, CUBLAS_OP_T})
        for (const auto diagonal : {CUBLAS_DIAG_UNIT, CUBLAS_DIAG_NON_UNIT}) {
          const std::vector<double> b = {1, -2, 3, 4, 5, -6, 7, 8, 9};
          double* x = upload(b);
          const double alpha = 2;
          ASSERT_EQ(cublasDtrsm(handle, side, fill, op, diagonal, 3, 3, &alpha, device, 3, x, 3),
                    CUBLAS_STATUS_SUCCESS);
          const auto solved = download(x, 9);
          const auto triangle = [&](int i, int k) {
            if (op == CUBLAS_OP_T) std::swap(i, k);
            if (i == k && diagonal == CUBLAS_DIAG_UNIT) return 1.0;
            const bool there = fill == CUBLAS_FILL_MODE_LOWER ? i >= k : i <= k;
            return there ? a[i + 3 * k] : 0.0;
          };
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
              double sum = 0;
              for (int k = 0; k < 3; ++k)
                sum += side == CUBLAS_SIDE_LEFT
                           ? triangle(i, k) * solved[static_cast<std::size_t>(k + 3 * j)]
                           : solved[static_cast<std::size_t>(i + 3 * k)] * triangle(k, j);
              EXPECT_NEAR(sum, 2 * b[static_cast<std::size_t>(i + 3 * j)], 1e-9);
            }
        }
}

TEST_F(LibraryBlas, CallsAreCapturedAsNodes) {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cublasSetStream(handle, stream);
  float* x = upload<float>({1, 2});
  float factor = 3;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cublasSscal(handle, 2, &factor, x, 1), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  factor = 0;
  EXPECT_EQ(download(x, 2), (std::vector<float>{1, 2}));
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  EXPECT_EQ(download(x, 2), (std::vector<float>{3, 6}));
}

}  // namespace
}  // namespace lanescope::app

// cuBLAS: products of matrices, of every type of element, one or many.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "program/libraries/blas.h"
#include "program/libraries/cublas.h"
#include "program/libraries/narrow.h"

using namespace lanescope::app;

namespace {

using ComplexF = std::complex<float>;
using ComplexD = std::complex<double>;

/// One of the call's matrices: a single one, some apart, or a list of pointers in device memory.
struct Matrices {
  const void* first = nullptr;
  const void* const* list = nullptr;
  cudaDataType type = CUDA_R_32F;
  int ld = 0;
  long long stride = 0;
};

struct Request {
  cublasOperation_t op_a{}, op_b{};
  int rows = 0, columns = 0, inner = 0, count = 1;
  Matrices a, b, c;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  /// How floats are narrowed before they are multiplied
  float (*narrowed)(float) = nullptr;
};

std::size_t bytes_of(cudaDataType type) {
  switch (type) {
  case CUDA_R_8I:
    return 1;
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  case CUDA_R_32F:
  case CUDA_R_32I:
    return 4;
  case CUDA_R_64F:
  case CUDA_C_32F:
    return 8;
  case CUDA_C_64F:
    return 16;
  default:
    return 0;
  }
}

template <class V>
V value_at(const std::byte* data, std::size_t index) {
  V value;
  std::memcpy(&value, data + index * sizeof value, sizeof value);
  return value;
}

double load(cudaDataType type, const std::byte* data, std::size_t index) {
  switch (type) {
  case CUDA_R_8I:
    return value_at<std::int8_t>(data, index);
  case CUDA_R_32I:
    return value_at<std::int32_t>(data, index);
  case CUDA_R_16F:
    return from_half(value_at<std::uint16_t>(data, index));
  case CUDA_R_16BF:
    return from_bfloat(value_at<std::uint16_t>(data, index));
  case CUDA_R_32F:
    return value_at<float>(data, index);
  default:
    return value_at<double>(data, index);
  }
}

void store(cudaDataType type, std::byte* data, std::size_t index, double value) {
  const auto put = [&](auto narrow) {
    std::memcpy(data + index * sizeof narrow, &narrow, sizeof narrow);
  };
  switch (type) {
  case CUDA_R_32I:
    return put(static_cast<std::int32_t>(static_cast<std::int64_t>(value)));
  case CUDA_R_16F:
    return put(to_half(static_cast<float>(value)));
  case CUDA_R_16BF:
    return put(to_bfloat(static_cast<float>(value)));
  case CUDA_R_32F:
    return put(static_cast<float>(value));
  default:
    return put(value);
  }
}

template <class T>
constexpr cudaDataType kTypeOf = CUDA_R_32F;
template <>
constexpr cudaDataType kTypeOf<double> = CUDA_R_64F;
template <>
constexpr cudaDataType kTypeOf<ComplexF> = CUDA_C_32F;
template <>
constexpr cudaDataType kTypeOf<ComplexD> = CUDA_C_64F;

/// A matrix as elements of the type that is computed in: where it is, or a copy.
template <class T>
class Wide {
 public:
  Wide(std::byte* data, cudaDataType type, std::size_t rows, std::size_t columns, std::size_t ld,
       float (*narrowed)(float), bool filled)
      : data_(data), type_(type), rows_(rows), columns_(columns), ld_(ld) {
    const bool same = type == kTypeOf<T> && (narrowed == nullptr || type != CUDA_R_32F);
    if (same || data == nullptr) return;
    copy_.resize(rows * columns);
    if constexpr (std::is_floating_point_v<T>) {
      for (std::size_t j = 0; filled && j < columns; ++j)
        for (std::size_t i = 0; i < rows; ++i) {
          const auto value = static_cast<T>(load(type, data, j * ld + i));
          copy_[j * rows + i] =
              narrowed == nullptr ? value : static_cast<T>(narrowed(static_cast<float>(value)));
        }
    }
  }
  T* pointer() { return copy_.empty() ? reinterpret_cast<T*>(data_) : copy_.data(); }
  [[nodiscard]] std::size_t ld() const { return copy_.empty() ? ld_ : rows_; }
  /// Puts a copy back where it came from.
  void give_back() {
    if constexpr (std::is_floating_point_v<T>)
      for (std::size_t j = 0; !copy_.empty() && j < columns_; ++j)
        for (std::size_t i = 0; i < rows_; ++i)
          store(type_, data_, j * ld_ + i, copy_[j * rows_ + i]);
  }

 private:
  std::byte* data_;
  cudaDataType type_;
  std::size_t rows_, columns_, ld_;
  std::vector<T> copy_;
};

Op op_of(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? Op::none : op == CUBLAS_OP_T ? Op::transpose : Op::conjugate;
}

/// Storage of the matrix number `index` of the call.
std::byte* matrix_of(Operands& operands, const char* role, const Matrices& m, int index, int rows,
                     int columns) {
  const std::size_t size = bytes_of(m.type);
  const auto* p = static_cast<const std::byte*>(m.first);
  if (m.list != nullptr) {
    const auto* list = operands.bytes(role, m.list + index, sizeof(void*));
    if (list == nullptr) return nullptr;
    p = static_cast<const std::byte*>(*list);
  } else {
    p += static_cast<std::ptrdiff_t>(size) * m.stride * index;
  }
  if (rows == 0 || columns == 0) return nullptr;
  const std::size_t elements =
      static_cast<std::size_t>(columns - 1) * static_cast<std::size_t>(m.ld) +
      static_cast<std::size_t>(rows);
  return const_cast<std::byte*>(operands.bytes(role, p, elements * size));
}

template <class T>
cudaError_t run(const Call& call, const Request& r, const Scalar<T>& alpha, const Scalar<T>& beta) {
  const bool flip_a = r.op_a != CUBLAS_OP_N, flip_b = r.op_b != CUBLAS_OP_N;
  const int a_rows = flip_a ? r.inner : r.rows, a_columns = flip_a ? r.rows : r.inner;
  const int b_rows = flip_b ? r.columns : r.inner, b_columns = flip_b ? r.inner : r.columns;
  for (int i = 0; i < r.count; ++i) {
    Operands operands(call);
    Product<T> p;
    p.alpha = alpha.read(operands);
    p.beta = beta.read(operands);
    std::byte* a_data = matrix_of(operands, "A", r.a, i, a_rows, a_columns);
    std::byte* b_data = matrix_of(operands, "B", r.b, i, b_rows, b_columns);
    std::byte* c_data = matrix_of(operands, "C", r.c, i, r.rows, r.columns);
    if (operands.failed()) return failed_work();
    const auto size = [](int n) { return static_cast<std::size_t>(n); };
    Wide<T> a(a_data, r.a.type, size(a_rows), size(a_columns), size(r.a.ld), r.narrowed, true);
    Wide<T> b(b_data, r.b.type, size(b_rows), size(b_columns), size(r.b.ld), r.narrowed, true);
    Wide<T> c(c_data, r.c.type, size(r.rows), size(r.columns), size(r.c.ld), nullptr,
              p.beta != T{0});
    p.op_a = op_of(r.op_a);
    p.op_b = op_of(r.op_b);
    p.rows = size(r.rows);
    p.columns = size(r.columns);
    p.inner = size(r.inner);
    p.a = a.pointer();
    p.b = b.pointer();
    p.c = c.pointer();
    p.a_ld = a.ld();
    p.b_ld = b.ld();
    p.c_ld = c.ld();
    multiply(p);
    c.give_back();
  }
  return cudaSuccess;
}

bool is_supported(const Request& r) {
  const cudaDataType in = r.a.type, out = r.c.type;
  if (in != r.b.type) return false;
  switch (r.compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return in == CUDA_R_16F && out == CUDA_R_16F;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return in == CUDA_R_8I && out == CUDA_R_32I;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    return (in == CUDA_R_64F || in == CUDA_C_64F) && out == in;
  default:
    return ((in == CUDA_R_16F || in == CUDA_R_16BF) && (out == in || out == CUDA_R_32F)) ||
           ((in == CUDA_R_32F || in == CUDA_C_32F) && out == in) ||
           (in == CUDA_R_8I && out == CUDA_R_32F);
  }
}

/// Rows of a matrix that is used by `op` cannot be more than it is apart.
cublasStatus_t check(const Call& call, const Request& r) {
  const int a_rows = r.op_a == CUBLAS_OP_N ? r.rows : r.inner;
  const int b_rows = r.op_b == CUBLAS_OP_N ? r.inner : r.columns;
  if (r.rows < 0 || r.columns < 0 || r.inner < 0 || r.count < 0)
    return refuse(
        call, fmt::format("a product of {} x {} by {} x {}", r.rows, r.inner, r.inner, r.columns));
  const struct {
    const char* role;
    int ld, rows;
  } all[] = {{"A", r.a.ld, a_rows}, {"B", r.b.ld, b_rows}, {"C", r.c.ld, r.rows}};
  for (const auto& m : all)
    if (m.ld < std::max(1, m.rows))
      return refuse(call, fmt::format("the leading dimension of {} is {}, and its columns have {} "
                                      "elements",
                                      m.role, m.ld, m.rows));
  if (is_supported(r)) return CUBLAS_STATUS_SUCCESS;
  call.mistake(fmt::format("elements of types {}, {} and {} computed as {} (cudaDataType, "
                           "cublasComputeType_t): there is no such product "
                           "(CUBLAS_STATUS_NOT_SUPPORTED)",
                           static_cast<int>(r.a.type), static_cast<int>(r.b.type),
                           static_cast<int>(r.c.type), static_cast<int>(r.compute)));
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

float through_half(float v) { return from_half(to_half(v)); }
float through_bfloat(float v) { return from_bfloat(to_bfloat(v)); }

/// How tensor cores narrow floats, if the call or the handle's mode lets them.
auto narrowing(cublasComputeType_t compute, cublasMath_t math) -> float (*)(float) {
  switch (compute) {
  case CUBLAS_COMPUTE_32F_FAST_16F:
    return through_half;
  case CUBLAS_COMPUTE_32F_FAST_16BF:
    return through_bfloat;
  case CUBLAS_COMPUTE_32F_FAST_TF32:
    return to_tf32;
  case CUBLAS_COMPUTE_32F:
    // cuBLAS documentation, cublasMath_t: CUBLAS_TENSOR_OP_MATH computes as CUBLAS_COMPUTE_32F_FAST_16F.
    return math == CUBLAS_TF32_TENSOR_OP_MATH ? to_tf32
           : math == CUBLAS_TENSOR_OP_MATH    ? through_half
                                              : nullptr;
  default:
    return nullptr;
  }
}

template <class T>
cublasStatus_t submit_typed(const Call& call, const BlasHandle& handle, const Request& r,
                            const Scalar<T>& alpha, const Scalar<T>& beta) {
  return submit_blas(call, handle, [=](const Call& then) { return run<T>(then, r, alpha, beta); });
}

/// A factor of another type than is computed in.
template <class T, class From, class Convert>
Scalar<T> converted(const Call& call, const BlasHandle& handle, const void* pointer,
                    Convert convert) {
  Operands operands(call);
  BlasHandle by_host = handle;
  by_host.pointers = CUBLAS_POINTER_MODE_HOST;
  const T value = convert(Scalar<From>(handle, static_cast<const From*>(pointer)).read(operands));
  return Scalar<T>(by_host, &value);
}

cublasStatus_t multiply_all(const Call& call, const BlasHandle& handle, Request r,
                            const void* alpha, const void* beta) {
  if (const cublasStatus_t status = check(call, r); status != CUBLAS_STATUS_SUCCESS) return status;
  if (alpha == nullptr || beta == nullptr) return refuse(call, "a factor is a null pointer");
  if (r.rows == 0 || r.columns == 0) return CUBLAS_STATUS_SUCCESS;
  r.narrowed = narrowing(r.compute, handle.math);
  const auto factors = [&]<class T>(T) {
    return submit_typed<T>(call, handle, r, {handle, static_cast<const T*>(alpha)},
                           {handle, static_cast<const T*>(beta)});
  };
  const auto narrow = [&]<class T, class From>(T, From, auto convert) {
    return submit_typed<T>(call, handle, r, converted<T, From>(call, handle, alpha, convert),
                           converted<T, From>(call, handle, beta, convert));
  };
  switch (r.compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return narrow(float{}, std::uint16_t{}, [](std::uint16_t v) { return from_half(v); });
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    // Sums of products of bytes are exact in a double.
    return narrow(double{}, std::int32_t{}, [](std::int32_t v) { return double{1} * v; });
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    return r.a.type == CUDA_C_64F ? factors(ComplexD{}) : factors(double{});
  default:
    return r.a.type == CUDA_C_32F ? factors(ComplexF{}) : factors(float{});
  }
}

template <class T>
struct Elements;
template <>
struct Elements<float> {
  static constexpr cudaDataType type = CUDA_R_32F;
  static constexpr cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
};
template <>
struct Elements<double> {
  static constexpr cudaDataType type = CUDA_R_64F;
  static constexpr cublasComputeType_t compute = CUBLAS_COMPUTE_64F;
};
template <>
struct Elements<cuComplex> {
  static constexpr cudaDataType type = CUDA_C_32F;
  static constexpr cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
};
template <>
struct Elements<cuDoubleComplex> {
  static constexpr cudaDataType type = CUDA_C_64F;
  static constexpr cublasComputeType_t compute = CUBLAS_COMPUTE_64F;
};
template <>
struct Elements<__half> {
  static constexpr cudaDataType type = CUDA_R_16F;
  static constexpr cublasComputeType_t compute = CUBLAS_COMPUTE_16F;
};

}  // namespace

// The functions differ in how they name their matrices and in nothing else.
#define LANESCOPE_SIZES                                                                            \
  cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int rows, int columns,    \
      int inner
#define LANESCOPE_MULTIPLY(count, a, b, c, compute)                                                \
  with_handle(LANESCOPE_CALL, handle, [&](const Call& call, const BlasHandle& found) {             \
    return multiply_all(call, found, {op_a, op_b, rows, columns, inner, count, a, b, c, compute},  \
                        alpha, beta);                                                              \
  })
#define LANESCOPE_LIST(pointers) reinterpret_cast<const void* const*>(pointers)

#define LANESCOPE_GEMM_ONE(name, T)                                                                \
  cublasStatus_t name(LANESCOPE_SIZES, const T* alpha, const T* a, int a_ld, const T* b, int b_ld, \
                      const T* beta, T* c, int c_ld) {                                             \
    constexpr cudaDataType type = Elements<T>::type;                                               \
    return LANESCOPE_MULTIPLY(1, (Matrices{a, nullptr, type, a_ld, 0}),                            \
                              (Matrices{b, nullptr, type, b_ld, 0}),                               \
                              (Matrices{c, nullptr, type, c_ld, 0}), Elements<T>::compute);        \
  }
#define LANESCOPE_GEMM_MANY(letter, T)                                                             \
  cublasStatus_t cublas##letter##gemmStridedBatched(                                               \
      LANESCOPE_SIZES, const T* alpha, const T* a, int a_ld, long long a_stride, const T* b,       \
      int b_ld, long long b_stride, const T* beta, T* c, int c_ld, long long c_stride,             \
      int count) {                                                                                 \
    constexpr cudaDataType type = Elements<T>::type;                                               \
    return LANESCOPE_MULTIPLY(count, (Matrices{a, nullptr, type, a_ld, a_stride}),                 \
                              (Matrices{b, nullptr, type, b_ld, b_stride}),                        \
                              (Matrices{c, nullptr, type, c_ld, c_stride}), Elements<T>::compute); \
  }                                                                                                \
  cublasStatus_t cublas##letter##gemmBatched(LANESCOPE_SIZES, const T* alpha, const T* const a[],  \
                                             int a_ld, const T* const b[], int b_ld,               \
                                             const T* beta, T* const c[], int c_ld, int count) {   \
    constexpr cudaDataType type = Elements<T>::type;                                               \
    return LANESCOPE_MULTIPLY(count, (Matrices{nullptr, LANESCOPE_LIST(a), type, a_ld, 0}),        \
                              (Matrices{nullptr, LANESCOPE_LIST(b), type, b_ld, 0}),               \
                              (Matrices{nullptr, LANESCOPE_LIST(c), type, c_ld, 0}),               \
                              Elements<T>::compute);                                               \
  }
LANESCOPE_GEMM_ONE(cublasSgemm_v2, float)
LANESCOPE_GEMM_ONE(cublasDgemm_v2, double)
LANESCOPE_GEMM_ONE(cublasCgemm_v2, cuComplex)
LANESCOPE_GEMM_ONE(cublasZgemm_v2, cuDoubleComplex)
LANESCOPE_GEMM_ONE(cublasHgemm, __half)
LANESCOPE_GEMM_MANY(S, float)
LANESCOPE_GEMM_MANY(D, double)
LANESCOPE_GEMM_MANY(C, cuComplex)
LANESCOPE_GEMM_MANY(Z, cuDoubleComplex)
LANESCOPE_GEMM_MANY(H, __half)

cublasStatus_t cublasGemmEx(LANESCOPE_SIZES, const void* alpha, const void* a, cudaDataType a_type,
                            int a_ld, const void* b, cudaDataType b_type, int b_ld,
                            const void* beta, void* c, cudaDataType c_type, int c_ld,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
  return LANESCOPE_MULTIPLY(1, (Matrices{a, nullptr, a_type, a_ld, 0}),
                            (Matrices{b, nullptr, b_type, b_ld, 0}),
                            (Matrices{c, nullptr, c_type, c_ld, 0}), compute);
}
cublasStatus_t cublasSgemmEx(LANESCOPE_SIZES, const float* alpha, const void* a,
                             cudaDataType a_type, int a_ld, const void* b, cudaDataType b_type,
                             int b_ld, const float* beta, void* c, cudaDataType c_type, int c_ld) {
  return LANESCOPE_MULTIPLY(1, (Matrices{a, nullptr, a_type, a_ld, 0}),
                            (Matrices{b, nullptr, b_type, b_ld, 0}),
                            (Matrices{c, nullptr, c_type, c_ld, 0}), CUBLAS_COMPUTE_32F);
}
cublasStatus_t cublasGemmStridedBatchedEx(LANESCOPE_SIZES, const void* alpha, const void* a,
                                          cudaDataType a_type, int a_ld, long long a_stride,
                                          const void* b, cudaDataType b_type, int b_ld,
                                          long long b_stride, const void* beta, void* c,
                                          cudaDataType c_type, int c_ld, long long c_stride,
                                          int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t) {
  return LANESCOPE_MULTIPLY(count, (Matrices{a, nullptr, a_type, a_ld, a_stride}),
                            (Matrices{b, nullptr, b_type, b_ld, b_stride}),
                            (Matrices{c, nullptr, c_type, c_ld, c_stride}), compute);
}
cublasStatus_t cublasGemmBatchedEx(LANESCOPE_SIZES, const void* alpha, const void* const a[],
                                   cudaDataType a_type, int a_ld, const void* const b[],
                                   cudaDataType b_type, int b_ld, const void* beta, void* const c[],
                                   cudaDataType c_type, int c_ld, int count,
                                   cublasComputeType_t compute, cublasGemmAlgo_t) {
  return LANESCOPE_MULTIPLY(count, (Matrices{nullptr, a, a_type, a_ld, 0}),
                            (Matrices{nullptr, b, b_type, b_ld, 0}),
                            (Matrices{nullptr, LANESCOPE_LIST(c), c_type, c_ld, 0}), compute);
}

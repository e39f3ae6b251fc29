// cuBLAS: what is done to vectors, and to a matrix and a vector. In loops: none of it takes long.
#include <fmt/format.h>

#include <cmath>

#include "program/libraries/cublas.h"

using namespace lanescope::app;

namespace {

std::size_t size(int n) { return static_cast<std::size_t>(n); }

/// Work in the handle's stream whose operands may turn out to be wrong.
template <class Body>
cublasStatus_t work(const Call& call, const BlasHandle& handle, Body body) {
  return submit_blas(call, handle, [=](const Call& then) {
    Operands operands(then);
    body(operands);
    return operands.failed() ? failed_work() : cudaSuccess;
  });
}

bool bad_matrix(int rows, int columns, int ld) {
  return rows < 0 || columns < 0 || ld < std::max(1, rows);
}
cublasStatus_t refuse_matrix(const Call& call, int rows, int columns, int ld) {
  return refuse(call, fmt::format("a matrix of {} x {} with columns {} apart", rows, columns, ld));
}

template <class T>
cublasStatus_t axpy(const Call& call, const BlasHandle& handle, int n, const T* alpha, const T* x,
                    int x_step, T* y, int y_step) {
  const Scalar<T> factor(handle, alpha);
  return work(call, handle, [=](Operands& operands) {
    const T by = factor.read(operands);
    const auto from = operands.vector("x", x, n, x_step);
    const auto to = operands.vector("y", y, n, y_step);
    for (int i = 0; !operands.failed() && i < n; ++i) to[i] += by * from[i];
  });
}

template <class T>
cublasStatus_t scal(const Call& call, const BlasHandle& handle, int n, const T* alpha, T* x,
                    int x_step) {
  const Scalar<T> factor(handle, alpha);
  return work(call, handle, [=](Operands& operands) {
    const T by = factor.read(operands);
    const auto to = operands.vector("x", x, n, x_step);
    for (int i = 0; !operands.failed() && i < n; ++i) to[i] *= by;
  });
}

template <class T>
cublasStatus_t copy(const Call& call, const BlasHandle& handle, int n, const T* x, int x_step, T* y,
                    int y_step) {
  return work(call, handle, [=](Operands& operands) {
    const auto from = operands.vector("x", x, n, x_step);
    const auto to = operands.vector("y", y, n, y_step);
    for (int i = 0; !operands.failed() && i < n; ++i) to[i] = from[i];
  });
}

template <class T>
cublasStatus_t swap(const Call& call, const BlasHandle& handle, int n, T* x, int x_step, T* y,
                    int y_step) {
  return work(call, handle, [=](Operands& operands) {
    const auto one = operands.vector("x", x, n, x_step);
    const auto other = operands.vector("y", y, n, y_step);
    for (int i = 0; !operands.failed() && i < n; ++i) std::swap(one[i], other[i]);
  });
}

/// A number made of a vector or two, put where the handle's mode says.
template <class R, class Body>
cublasStatus_t reduce(const Call& call, const BlasHandle& handle, R* result, Body body) {
  if (result == nullptr) return refuse(call, "nowhere to put the result");
  const bool on_device = handle.pointers == CUBLAS_POINTER_MODE_DEVICE;
  return work(call, handle, [=](Operands& operands) {
    R* to = on_device ? operands.bytes("result", result, sizeof(R)) : result;
    const R value = body(operands);
    if (!operands.failed()) *to = value;
  });
}

template <class T>
cublasStatus_t dot(const Call& call, const BlasHandle& handle, int n, const T* x, int x_step,
                   const T* y, int y_step, T* result) {
  return reduce(call, handle, result, [=](Operands& operands) {
    const auto one = operands.vector("x", x, n, x_step);
    const auto other = operands.vector("y", y, n, y_step);
    double sum = 0;
    for (int i = 0; !operands.failed() && i < n; ++i) sum += double{one[i]} * double{other[i]};
    return static_cast<T>(sum);
  });
}

template <class T>
cublasStatus_t nrm2(const Call& call, const BlasHandle& handle, int n, const T* x, int x_step,
                    T* result) {
  return reduce(call, handle, result, [=](Operands& operands) {
    const auto all = operands.vector("x", x, n, x_step);
    double length = 0;  // by hypot, which does not overflow
    for (int i = 0; !operands.failed() && i < n; ++i) length = std::hypot(length, double{all[i]});
    return static_cast<T>(length);
  });
}

template <class T>
cublasStatus_t asum(const Call& call, const BlasHandle& handle, int n, const T* x, int x_step,
                    T* result) {
  return reduce(call, handle, result, [=](Operands& operands) {
    const auto all = operands.vector("x", x, n, x_step);
    double sum = 0;
    for (int i = 0; !operands.failed() && i < n; ++i) sum += std::abs(double{all[i]});
    return static_cast<T>(sum);
  });
}

/// The first of the elements with the largest or least magnitude, counted from 1; 0 of none.
template <class T>
cublasStatus_t extreme(const Call& call, const BlasHandle& handle, int n, const T* x, int x_step,
                       int* result, bool largest) {
  return reduce(call, handle, result, [=](Operands& operands) {
    const auto all = operands.vector("x", x, n, x_step);
    int best = 0;
    for (int i = 0; !operands.failed() && i < n && x_step > 0; ++i) {
      const T value = std::abs(all[i]);
      const T known = best == 0 ? T{} : std::abs(all[best - 1]);
      if (best == 0 || (largest ? value > known : value < known)) best = i + 1;
    }
    return best;
  });
}

template <class T>
cublasStatus_t geam(const Call& call, const BlasHandle& handle, cublasOperation_t op_a,
                    cublasOperation_t op_b, int rows, int columns, const T* alpha, const T* a,
                    int a_ld, const T* beta, const T* b, int b_ld, T* c, int c_ld) {
  const bool flip_a = op_a != CUBLAS_OP_N, flip_b = op_b != CUBLAS_OP_N;
  if (bad_matrix(rows, columns, c_ld)) return refuse_matrix(call, rows, columns, c_ld);
  if (a_ld < std::max(1, flip_a ? columns : rows)) return refuse_matrix(call, rows, columns, a_ld);
  if (b_ld < std::max(1, flip_b ? columns : rows)) return refuse_matrix(call, rows, columns, b_ld);
  const Scalar<T> by_a(handle, alpha), by_b(handle, beta);
  return work(call, handle, [=](Operands& operands) {
    const auto matrix = [&](const char* role, const T* p, bool flip, int ld, T by) -> const T* {
      if (by == T{}) return nullptr;  // not read, so it may be null
      return operands.matrix(role, p, size(flip ? columns : rows), size(flip ? rows : columns),
                             size(ld));
    };
    const T fa = by_a.read(operands), fb = by_b.read(operands);
    const T* from_a = matrix("A", a, flip_a, a_ld, fa);
    const T* from_b = matrix("B", b, flip_b, b_ld, fb);
    T* to = operands.matrix("C", c, size(rows), size(columns), size(c_ld));
    const auto at = [](const T* m, bool flip, int ld, int i, int j) {
      if (m == nullptr) return T{};
      return flip ? m[size(j) + size(i) * size(ld)] : m[size(i) + size(j) * size(ld)];
    };
    for (int j = 0; !operands.failed() && j < columns; ++j)
      for (int i = 0; i < rows; ++i)
        to[size(i) + size(j) * size(c_ld)] =
            fa * at(from_a, flip_a, a_ld, i, j) + fb * at(from_b, flip_b, b_ld, i, j);
  });
}

template <class T>
cublasStatus_t gemv(const Call& call, const BlasHandle& handle, cublasOperation_t op, int rows,
                    int columns, const T* alpha, const T* a, int a_ld, const T* x, int x_step,
                    const T* beta, T* y, int y_step) {
  if (bad_matrix(rows, columns, a_ld)) return refuse_matrix(call, rows, columns, a_ld);
  if (x_step == 0 || y_step == 0) return refuse(call, "a step of 0");
  const Scalar<T> by(handle, alpha), keep(handle, beta);
  return work(call, handle, [=](Operands& operands) {
    const bool flip = op != CUBLAS_OP_N;
    const int in = flip ? rows : columns, out = flip ? columns : rows;
    const T factor = by.read(operands), kept = keep.read(operands);
    const T* m = operands.matrix("A", a, size(rows), size(columns), size(a_ld));
    const auto from = operands.vector("x", x, in, x_step);
    const auto to = operands.vector("y", y, out, y_step);
    for (int i = 0; !operands.failed() && i < out; ++i) {
      double sum = 0;
      for (int k = 0; k < in; ++k) {
        const std::size_t at =
            flip ? size(k) + size(i) * size(a_ld) : size(i) + size(k) * size(a_ld);
        sum += double{m[at]} * double{from[k]};
      }
      to[i] = static_cast<T>(factor * sum + (kept == T{} ? 0.0 : double{kept} * double{to[i]}));
    }
  });
}

template <class T>
cublasStatus_t ger(const Call& call, const BlasHandle& handle, int rows, int columns,
                   const T* alpha, const T* x, int x_step, const T* y, int y_step, T* a, int a_ld) {
  if (bad_matrix(rows, columns, a_ld)) return refuse_matrix(call, rows, columns, a_ld);
  const Scalar<T> by(handle, alpha);
  return work(call, handle, [=](Operands& operands) {
    const T factor = by.read(operands);
    const auto down = operands.vector("x", x, rows, x_step);
    const auto along = operands.vector("y", y, columns, y_step);
    T* m = operands.matrix("A", a, size(rows), size(columns), size(a_ld));
    for (int j = 0; !operands.failed() && j < columns; ++j)
      for (int i = 0; i < rows; ++i)
        m[size(i) + size(j) * size(a_ld)] += factor * down[i] * along[j];
  });
}

/// Solves op(a) * x = alpha * b, or x * op(a) = alpha * b, for x, which takes b's place.
template <class T>
cublasStatus_t trsm(const Call& call, const BlasHandle& handle, cublasSideMode_t side,
                    cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal,
                    int rows, int columns, const T* alpha, const T* a, int a_ld, T* b, int b_ld) {
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int order = left ? rows : columns, others = left ? columns : rows;
  if (bad_matrix(rows, columns, b_ld)) return refuse_matrix(call, rows, columns, b_ld);
  if (bad_matrix(order, order, a_ld)) return refuse_matrix(call, order, order, a_ld);
  const Scalar<T> by(handle, alpha);
  return work(call, handle, [=](Operands& operands) {
    const T factor = by.read(operands);
    const T* m = operands.matrix("A", a, size(order), size(order), size(a_ld));
    T* x = operands.matrix("B", b, size(rows), size(columns), size(b_ld));
    if (operands.failed()) return;
    // From the right, the system is that of the transposed matrices.
    const bool flip = (op != CUBLAS_OP_N) == left;
    const bool upper = (fill == CUBLAS_FILL_MODE_UPPER) != flip;
    const auto at = [&](int i, int k) {
      return flip ? m[size(k) + size(i) * size(a_ld)] : m[size(i) + size(k) * size(a_ld)];
    };
    for (int other = 0; other < others; ++other) {
      const auto unknown = [&](int i) -> T& {
        return left ? x[size(i) + size(other) * size(b_ld)] : x[size(other) + size(i) * size(b_ld)];
      };
      for (int step = 0; step < order; ++step) {
        const int i = upper ? order - 1 - step : step;
        double sum = double{factor} * double{unknown(i)};
        for (int k = upper ? i + 1 : 0; k < (upper ? order : i); ++k)
          sum -= double{at(i, k)} * double{unknown(k)};
        unknown(i) = static_cast<T>(diagonal == CUBLAS_DIAG_UNIT ? sum : sum / double{at(i, i)});
      }
    }
  });
}

}  // namespace

#define LANESCOPE_BLAS(name, parameters, body)                                                     \
  cublasStatus_t name parameters {                                                                 \
    return with_handle(LANESCOPE_CALL, handle,                                                     \
                       [&](const Call& call, const BlasHandle& found) { return body; });           \
  }
#define LANESCOPE_REAL(letter, T)                                                                  \
  LANESCOPE_BLAS(                                                                                  \
      cublas##letter##geam,                                                                        \
      (cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int rows,            \
       int columns, const T* alpha, const T* a, int a_ld, const T* beta, const T* b, int b_ld,     \
       T* c, int c_ld),                                                                            \
      geam(call, found, op_a, op_b, rows, columns, alpha, a, a_ld, beta, b, b_ld, c, c_ld))        \
  LANESCOPE_BLAS(cublas##letter##gemv_v2,                                                          \
                 (cublasHandle_t handle, cublasOperation_t op, int rows, int columns,              \
                  const T* alpha, const T* a, int a_ld, const T* x, int x_step, const T* beta,     \
                  T* y, int y_step),                                                               \
                 gemv(call, found, op, rows, columns, alpha, a, a_ld, x, x_step, beta, y, y_step)) \
  LANESCOPE_BLAS(cublas##letter##ger_v2,                                                           \
                 (cublasHandle_t handle, int rows, int columns, const T* alpha, const T* x,        \
                  int x_step, const T* y, int y_step, T* a, int a_ld),                             \
                 ger(call, found, rows, columns, alpha, x, x_step, y, y_step, a, a_ld))            \
  LANESCOPE_BLAS(                                                                                  \
      cublas##letter##trsm_v2,                                                                     \
      (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,  \
       cublasDiagType_t diagonal, int rows, int columns, const T* alpha, const T* a, int a_ld,     \
       T* b, int b_ld),                                                                            \
      trsm(call, found, side, fill, op, diagonal, rows, columns, alpha, a, a_ld, b, b_ld))         \
  LANESCOPE_BLAS(cublas##letter##axpy_v2,                                                          \
                 (cublasHandle_t handle, int count, const T* alpha, const T* x, int x_step, T* y,  \
                  int y_step),                                                                     \
                 axpy(call, found, count, alpha, x, x_step, y, y_step))                            \
  LANESCOPE_BLAS(cublas##letter##dot_v2,                                                           \
                 (cublasHandle_t handle, int count, const T* x, int x_step, const T* y,            \
                  int y_step, T* result),                                                          \
                 dot(call, found, count, x, x_step, y, y_step, result))                            \
  LANESCOPE_BLAS(cublas##letter##scal_v2,                                                          \
                 (cublasHandle_t handle, int count, const T* alpha, T* x, int x_step),             \
                 scal(call, found, count, alpha, x, x_step))                                       \
  LANESCOPE_BLAS(cublas##letter##nrm2_v2,                                                          \
                 (cublasHandle_t handle, int count, const T* x, int x_step, T* result),            \
                 nrm2(call, found, count, x, x_step, result))                                      \
  LANESCOPE_BLAS(cublas##letter##asum_v2,                                                          \
                 (cublasHandle_t handle, int count, const T* x, int x_step, T* result),            \
                 asum(call, found, count, x, x_step, result))                                      \
  LANESCOPE_BLAS(cublas##letter##copy_v2,                                                          \
                 (cublasHandle_t handle, int count, const T* x, int x_step, T* y, int y_step),     \
                 copy(call, found, count, x, x_step, y, y_step))                                   \
  LANESCOPE_BLAS(cublas##letter##swap_v2,                                                          \
                 (cublasHandle_t handle, int count, T* x, int x_step, T* y, int y_step),           \
                 swap(call, found, count, x, x_step, y, y_step))
LANESCOPE_REAL(S, float)
LANESCOPE_REAL(D, double)

#define LANESCOPE_INDEX(name, T, largest)                                                          \
  LANESCOPE_BLAS(name, (cublasHandle_t handle, int count, const T* x, int x_step, int* result),    \
                 extreme(call, found, count, x, x_step, result, largest))
LANESCOPE_INDEX(cublasIsamax_v2, float, true)
LANESCOPE_INDEX(cublasIdamax_v2, double, true)
LANESCOPE_INDEX(cublasIsamin_v2, float, false)
LANESCOPE_INDEX(cublasIdamin_v2, double, false)

// Products of matrices in columns: by the BLAS of the machine, or by loops of our own where it has none.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

namespace lanescope::app {

enum class Op : std::uint8_t { none, transpose, conjugate };

/// c = alpha * op(a) * op(b) + beta * c, where op(a) is rows x inner and op(b) inner x columns; an
/// element (i, j) of a matrix m lies at m[i + j * ld]. Where beta is 0, c is not read.
template <class T>
struct Product {
  Op op_a = Op::none, op_b = Op::none;
  std::size_t rows = 0, columns = 0, inner = 0;
  T alpha{1}, beta{0};
  const T* a = nullptr;
  const T* b = nullptr;
  T* c = nullptr;
  std::size_t a_ld = 0, b_ld = 0, c_ld = 0;
};

void multiply(const Product<float>& product);
void multiply(const Product<double>& product);
void multiply(const Product<std::complex<float>>& product);
void multiply(const Product<std::complex<double>>& product);

/// The loops, whatever the machine has.
template <class T>
void multiply_by_loops(const Product<T>& p) {
  const auto conjugated = [](Op op, const T& v) {
    if constexpr (std::is_floating_point_v<T>)
      return v;
    else
      return op == Op::conjugate ? std::conj(v) : v;
  };
  const std::size_t a_row = p.op_a == Op::none ? 1 : p.a_ld, a_in = p.op_a == Op::none ? p.a_ld : 1;
  const std::size_t b_in = p.op_b == Op::none ? 1 : p.b_ld, b_col = p.op_b == Op::none ? p.b_ld : 1;
  for (std::size_t j = 0; j < p.columns; ++j) {
    T* column = p.c + j * p.c_ld;
    for (std::size_t i = 0; i < p.rows; ++i) column[i] = p.beta == T{0} ? T{0} : p.beta * column[i];
    for (std::size_t k = 0; k < p.inner; ++k) {
      const T factor = p.alpha * conjugated(p.op_b, p.b[k * b_in + j * b_col]);
      for (std::size_t i = 0; i < p.rows; ++i)
        column[i] += factor * conjugated(p.op_a, p.a[i * a_row + k * a_in]);
    }
  }
}

/// Where multiply() has found a BLAS: "libopenblas.so.0"; empty if there is none.
const char* blas_library();

}  // namespace lanescope::app

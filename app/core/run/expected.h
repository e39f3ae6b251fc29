// What the elements of an output must be, worked out in one place for what the simulator ran and for
// what a GPU did. Pure.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lanescope/message.h"
#include "lanescope/types.h"

namespace lanescope::app {

/// Of the bits of an f16, f32 or f64.
double real_value(ScalarType type, std::uint64_t bits);
/// The nearest f32 or f64, as its bits.
std::uint64_t real_bits(ScalarType type, double value);

/// Where a transpose takes element (row, col) of its output from: an index into its input, which
/// has `in_cols` columns.
constexpr std::uint64_t transposed_from(std::uint64_t row, std::uint64_t col,
                                        std::uint64_t in_cols) {
  return col * in_cols + row;
}

/// C = A·B in double, a row at a time. In `stored`, the type of C, each of K products may have been
/// rounded once when it was added (in float at least), and the sum once more when it was stored.
class RealProduct {
 public:
  struct Row {
    std::vector<double> sum;
    /// Sums of the products' magnitudes, which rounding goes by
    std::vector<double> magnitude;
  };

  /// `a` has `terms` columns, `b` has `cols`; both row by row.
  RealProduct(std::vector<double> a, std::vector<double> b, std::uint64_t terms, std::uint64_t cols,
              ScalarType stored);
  void work_out(std::uint64_t row, Row& into) const;
  /// Whether column `col` of a row may be `got`; a NaN may not.
  [[nodiscard]] bool may_be(const Row& row, std::uint64_t col, double got) const {
    return std::abs(got - row.sum[col]) <= tolerance_ * row.magnitude[col];
  }

 private:
  std::vector<double> a_, b_;
  std::uint64_t terms_, cols_;
  double tolerance_;
};

/// The first element, in row-major order, that is not what it must be, and how many there are.
struct Mismatch {
  std::uint64_t index = 0, wrong = 0;
  std::string expected, got;
};

/// Collects wrong elements, in any order.
class WrongElements {
 public:
  void add(std::uint64_t index, std::uint64_t expected, std::uint64_t got) {
    ++count_;
    if (count_ > 1 && index > index_) return;
    index_ = index, expected_ = expected, got_ = got;
  }
  /// `shown`: the type of the expected bits, of `type` unless it has no text of its own.
  [[nodiscard]] std::optional<Mismatch> first(ScalarType type, ScalarType shown) const;

 private:
  std::uint64_t index_ = 0, count_ = 0, expected_ = 0, got_ = 0;
};

/// "out[1][4]", or "out[4]" of a single row.
std::string element_text(const std::string& name, std::uint64_t rows, std::uint64_t cols,
                         std::uint64_t index);
/// What `first` says of the first wrong element, with how many there are where it is not the only
/// one: "…; 12 of 6144 elements are wrong".
Message with_count(const Message& first, const Mismatch& mismatch, std::uint64_t elements);

}  // namespace lanescope::app

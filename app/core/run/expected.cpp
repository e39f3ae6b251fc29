#include "core/run/expected.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <utility>

#include "core/text/messages.h"

namespace lanescope::app {

namespace {

double half_value(std::uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 0x1f);
  const auto fraction = static_cast<double>(bits & 0x3ff);
  double value = exponent == 0    ? std::ldexp(fraction, -24)
                 : exponent == 31 ? (fraction != 0 ? std::nan("") : HUGE_VAL)
                                  : std::ldexp(1024 + fraction, exponent - 25);
  return (bits >> 15 & 1) != 0 ? -value : value;
}

double relative_tolerance(ScalarType type, std::uint64_t terms) {
  const double k = static_cast<double>(terms);
  if (type == ScalarType::f64) return 2 * k * 0x1p-53;
  return (k + 2) * 0x1p-24 + (type == ScalarType::f16 ? 0x1p-10 : 0.0);
}

}  // namespace

double real_value(ScalarType type, std::uint64_t bits) {
  if (type == ScalarType::f16) return half_value(bits);
  if (type == ScalarType::f32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return std::bit_cast<double>(bits);
}

std::uint64_t real_bits(ScalarType type, double value) {
  if (type == ScalarType::f64) return std::bit_cast<std::uint64_t>(value);
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

RealProduct::RealProduct(std::vector<double> a, std::vector<double> b, std::uint64_t terms,
                         std::uint64_t cols, ScalarType stored)
    : a_(std::move(a)), b_(std::move(b)), terms_(terms), cols_(cols),
      tolerance_(relative_tolerance(stored, terms)) {}

void RealProduct::work_out(std::uint64_t row, Row& into) const {
  into.sum.assign(cols_, 0.0);
  into.magnitude.assign(cols_, 0.0);
  double* const sum = into.sum.data();
  double* const magnitude = into.magnitude.data();
  for (std::uint64_t k = 0; k < terms_; ++k) {
    const double factor = a_[row * terms_ + k];
    const double* other = &b_[k * cols_];
    for (std::uint64_t col = 0; col < cols_; ++col) {
      sum[col] += factor * other[col];
      magnitude[col] += std::abs(factor * other[col]);
    }
  }
}

std::optional<Mismatch> WrongElements::first(ScalarType type, ScalarType shown) const {
  if (count_ == 0) return std::nullopt;
  return Mismatch{index_, count_, format_scalar(shown, expected_), format_scalar(type, got_)};
}

std::string element_text(const std::string& name, std::uint64_t rows, std::uint64_t cols,
                         std::uint64_t index) {
  return rows > 1 ? fmt::format("{}[{}][{}]", name, index / cols, index % cols)
                  : fmt::format("{}[{}]", name, index % cols);
}

Message with_count(const Message& first, const Mismatch& mismatch, std::uint64_t elements) {
  return mismatch.wrong > 1 ? say::so_many_wrong(first, mismatch.wrong, elements) : first;
}

}  // namespace lanescope::app

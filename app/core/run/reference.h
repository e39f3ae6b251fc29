// What the result must be, worked out on the CPU independently of any kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "core/run/expected.h"
#include "core/run/prepare.h"
#include "core/run/result.h"
#include "lanescope/diagnostic.h"

namespace lanescope::app {

/// A matrix in row-major order. Vectors are one row.
struct Matrix {
  const std::byte* data = nullptr;
  ScalarType type = ScalarType::f32;
  std::uint64_t rows = 0, cols = 0;
  [[nodiscard]] std::uint64_t count() const { return rows * cols; }
  [[nodiscard]] std::uint64_t bits(std::uint64_t index) const;
};

/// All compare every element; a NaN is never right. nullopt: all are right (or `stop` was asked
/// for).
std::optional<Mismatch> compare_copy(const Matrix& in, const Matrix& out);
std::optional<Mismatch> compare_transpose(const Matrix& in, const Matrix& out);
/// C = a·b in double; rounding of up to K products of c's type is allowed, no more. Integers wrap
/// and must be exact.
std::optional<Mismatch> compare_gemm(const Matrix& a, const Matrix& b, const Matrix& c,
                                     std::stop_token stop = {});

struct CheckOutcome {
  ResultCheck check;
  /// `wrong_result`, or `usage` if the reference does not fit the buffers
  std::optional<Diagnostic> diagnostic;
};
/// Checks the launch's memory after the whole grid ran. Inputs are filled afresh: what the kernel left
/// of them does not count.
CheckOutcome check_result(const ReadyLaunch& ready, std::stop_token stop = {});

}  // namespace lanescope::app

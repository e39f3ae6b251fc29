// A linear index as a shape with strides: (8, 8, 8) : (64, 8, 1). Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lanescope/message.h"

namespace lanescope::app {

/// How a linear index is read: n = i0*s0 + i1*s1 + …, outermost axis first.
struct IndexLayout {
  /// The array, buffer or variable: "As", "bidx"
  std::string of;
  /// `of` is a variable whose value is the index
  bool variable = false;
  /// As written: {"BM/TM", "TM", "BK"}; empty if as declared
  std::vector<std::string> axes;
  /// Extents
  std::vector<std::uint64_t> shape;
  /// In elements, never growing, the last is 1
  std::vector<std::uint64_t> strides;
  bool operator==(const IndexLayout&) const = default;

  /// "(BM/TM, TM, BK) = (8, 8, 8) : (64, 8, 1)".
  [[nodiscard]] std::string shape_text() const;
  /// One coordinate an axis; the outermost takes what is left.
  [[nodiscard]] std::vector<std::uint64_t> coordinates(std::uint64_t index) const;
  /// Whether the index is one of the shape's: not in what the strides leave between, nor beyond.
  [[nodiscard]] bool inside(std::uint64_t index) const;
  /// "2*64 + 3*8 + 5*1 = 157".
  [[nodiscard]] std::string sum_text(std::uint64_t index) const;
};

/// Row by row, without gaps.
IndexLayout row_major(std::string of, std::vector<std::uint64_t> shape);

/// What is wrong with extents and strides, or "".
Message check_layout(const std::vector<long long>& shape, const std::vector<long long>& strides);

}  // namespace lanescope::app

// Many rows of 32 lanes in little memory: a long trace is mostly counters that are alike in all
// lanes and addresses that repeat one shape, and what is not written need not be fetched either.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lanescope/types.h"

namespace lanescope {

/// A growing list of rows. Every bit of what was added comes back, but by value: rows are kept as
/// the value of lane 0 and the differences to it, which rows of one shape share.
class LaneRows {
 public:
  void push_back(const LaneRow& row) { add64(row.data()); }
  /// kLanes values
  void add64(const std::uint64_t* lanes);
  /// kLanes values, widened with zeros
  void add32(const std::uint32_t* lanes);

  [[nodiscard]] LaneRow operator[](std::size_t row) const;
  [[nodiscard]] std::uint64_t value(std::size_t row, std::size_t lane) const;
  [[nodiscard]] std::size_t size() const { return shapes_.size(); }
  [[nodiscard]] bool empty() const { return shapes_.empty(); }

 private:
  using Shape = std::array<std::uint32_t, kLanes>;
  // How the shape leads to the lanes: sums that wrap at 32 bits, signed differences to 64-bit
  // values, or no shape at all, where differences do not fit.
  enum class Form : std::uint32_t { narrow, wide, whole };
  struct Entry {
    /// In known_, or in whole_
    std::uint32_t place;
    Form form;
  };
  [[nodiscard]] Entry entry(std::size_t row) const {
    return {shapes_[row] >> 2, static_cast<Form>(shapes_[row] & 3)};
  }
  void add(std::uint64_t first, std::uint32_t place, Form form);
  std::uint32_t place_of(const Shape& shape);

  /// Lane 0, by row
  std::vector<std::uint64_t> firsts_;
  /// By row: place << 2 | form
  std::vector<std::uint32_t> shapes_;
  /// [0]: all lanes alike
  std::vector<Shape> known_;
  std::vector<LaneRow> whole_;
  /// Where shapes are in known_, by hash
  std::array<std::uint32_t, 256> recent_{};
};

}  // namespace lanescope

// Tensors of CuTe where a block has them: which element lies at an address, and the layout in words. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lanescope/program.h"
#include "lanescope/trace.h"

namespace lanescope::app {

/// Of each number of TensorInfo::run_time, as far as it is known.
using RunTimeValues = std::vector<std::optional<std::int64_t>>;

/// As CuTe prints it, what the compiler does not know without its underscore: "Sw<3,3,3> o _0 o
/// ((_8,_16),_64):((_64,_512),_1)"; "?" for what nobody knows.
std::string layout_text(const TensorInfo& tensor, const RunTimeValues& values);
/// The same of modes whose numbers make one step each: "Sw<3,3,3> o (128,64):(64,1)".
std::string short_layout_text(const TensorInfo& tensor, const RunTimeValues& values);

/// More modes than these are not shown.
inline constexpr std::size_t kMostModes = 5;
/// One coordinate a mode.
using TensorCoordinates = std::array<std::uint64_t, kMostModes>;

/// An element of a tensor.
struct TensorElement {
  TensorCoordinates at{};
  /// What the layout gives, before offset and swizzle
  std::uint64_t index = 0;
};

/// A tensor whose numbers are known, each of its elements in a place of its own.
struct PlacedTensor {
  /// A step along a mode: every `below` elements of it
  struct Axis {
    std::size_t mode = 0;
    std::uint64_t extent = 1, stride = 1, below = 1;
  };
  /// "sA", "half_t"
  std::string name, type;
  /// "Sw<3,3,3> o (128,64):(64,1)", and as CuTe prints it
  std::string layout, full_layout;
  std::uint32_t element_bytes = 4;
  std::uint64_t base = 0;
  /// All its addresses
  std::uint64_t begin = 0, end = 0;
  /// Of each mode
  std::vector<std::uint64_t> shape;
  /// Largest stride first; those of one element left out
  std::vector<Axis> axes;
  LayoutSwizzle swizzle;
  bool swizzles_addresses = false;
  std::uint64_t offset = 0;

  [[nodiscard]] std::size_t rank() const { return shape.size(); }
  [[nodiscard]] std::uint64_t elements() const;
  [[nodiscard]] std::uint64_t address(const TensorCoordinates& at) const;
  /// Of the element that the byte belongs to; nothing for a byte between elements.
  [[nodiscard]] std::optional<TensorElement> element_at(std::uint64_t address) const;
  /// "sA(5,3,0)"
  [[nodiscard]] std::string name_of(const TensorCoordinates& at) const;
  /// "5*64 + 3*1 = 323", and what its swizzle makes of it: " → 331".
  [[nodiscard]] std::string sum_text(const TensorElement& element) const;
};
using PlacedTensorPtr = std::shared_ptr<const PlacedTensor>;

/// nullopt where a number is not known, two elements share a place, or there are too many modes.
std::optional<PlacedTensor> place_tensor(const TensorInfo& tensor, const RunTimeValues& values);

/// What the compiler knows, and what all threads of a recorded block agree on.
std::vector<RunTimeValues> run_time_values(const KernelInfo& kernel, const BlockTrace* trace);

/// Those of a recorded block that name its memory: of tensors that overlap the one with most elements, of
/// equal ones that which is set first.
std::vector<PlacedTensorPtr> placed_tensors(const KernelInfo& kernel, const BlockTrace& trace);

}  // namespace lanescope::app

// Tensors as CuTe has them: a pointer, and a layout that says how far behind it each element lies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lanescope/types.h"

namespace lanescope {

/// Of a shape or a stride: a number, or several of them in brackets, ((8,16),64).
struct LayoutTuple {
  /// A number of the type; nothing if it has parts, or is known when it runs
  std::optional<std::int64_t> number;
  /// Index in TensorInfo::run_time of a number that is no part of the type
  int run_time = -1;
  /// What is in brackets; empty for a number
  std::vector<LayoutTuple> parts;
  [[nodiscard]] bool is_number() const { return number || run_time >= 0; }
};

/// What a variable holds of a tensor that its type does not tell.
struct RunTimeNumber {
  /// Index in KernelInfo::variables, whose values a trace has; -1 of what no trace has
  int variable = -1;
  /// Bytes of it: a stride may be an int
  std::uint32_t bytes = 8;
  /// Where it is the same for all threads, whatever the launch
  std::optional<std::uint64_t> value;
};

/// CuTe's Swizzle<B, M, S>: bits are exclusive-ored with those `shift` above them, or below where it is negative.
struct LayoutSwizzle {
  int bits = 0, base = 0, shift = 0;
  bool operator==(const LayoutSwizzle&) const = default;
  /// Twice gives what was there before.
  [[nodiscard]] std::uint64_t operator()(std::uint64_t offset) const {
    const std::uint64_t mask = ((std::uint64_t{1} << bits) - 1) << (base + (shift > 0 ? shift : 0));
    const std::uint64_t from = offset & mask;
    return offset ^ (shift > 0 ? from >> shift : from << -shift);
  }
};

/// A local variable of a type cute::Tensor over memory. An element at coordinates c lies
/// swizzle(offset + sum of c × stride) elements behind the pointer.
struct TensorInfo {
  /// "sA"
  std::string name;
  SourcePos declared;
  /// As far as its type tells
  MemorySpace space = MemorySpace::generic;
  /// "cutlass::half_t"
  std::string element;
  std::uint32_t element_bytes = 0;
  LayoutTuple shape, stride;
  LayoutSwizzle swizzle;
  /// It is bytes' addresses that are swizzled, once they are added to the pointer
  bool swizzles_addresses = false;
  LayoutTuple offset;
  std::vector<RunTimeNumber> run_time;
  /// Index in `run_time`
  int pointer = -1;
};

}  // namespace lanescope

// The vocabulary every part of Lanescope shares: lanes, warps, shapes, element types.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope {

/// Lanes of a warp, on every NVIDIA GPU to date (CUDA C++ Programming Guide, "SIMT Architecture").
inline constexpr int kLanes = 32;

/// Bit i is set when lane i takes part.
using LaneMask = std::uint32_t;
inline constexpr LaneMask kAllLanes = 0xffffffffu;

/// One value per lane: an address in bytes, or the raw bits of a value (see `ScalarType`).
using LaneRow = std::array<std::uint64_t, kLanes>;

inline int active_lanes(LaneMask mask) { return std::popcount(mask); }

/// Lanes that one store of so many bytes a lane takes together.
constexpr int lanes_together(std::uint32_t bytes) {
  return bytes <= 4 ? kLanes : bytes > 64 ? 1 : 128 / static_cast<int>(bytes);
}
/// Each lane of `mask` in the order in which they overwrite what others store at the same address. CUDA leaves open who
/// remains; of the lanes that are taken together an H200 keeps the lowest one's value, and later ones come over
/// earlier ones (1 to 16 bytes a lane, shared and global memory: more than a million words without an exception).
template <class Store>
void in_store_order(LaneMask mask, std::uint32_t bytes, Store store) {
  const int many = lanes_together(bytes);
  for (int first = 0; first < kLanes; first += many)
    for (LaneMask left = mask >> first << (kLanes - many) >> (kLanes - many); left != 0;) {
      const int lane = 31 - std::countl_zero(left);
      left &= ~(1u << lane);
      store(first + lane);
    }
}

/// A grid or block extent, or a block or thread coordinate; x runs fastest.
struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;

  /// Number of elements; 64 bits, because a grid may hold 2^31 × 65535 × 65535 blocks.
  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

/// How the raw bits of a value or a buffer element are to be read.
enum class ScalarType : std::uint8_t {
  boolean,
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  i64,
  u64,
  f16,
  f32,
  f64,
  pointer,
  unknown,
};

/// Bytes one value of the type takes in memory; 0 for `unknown`.
std::size_t scalar_bytes(ScalarType type);
/// The CUDA C++ spelling: `float`, `unsigned int`, …
std::string_view scalar_name(ScalarType type);
/// The inverse of `scalar_name`; accepts the usual synonyms (`uint32_t`, `unsigned`). `unknown` if
/// none.
ScalarType scalar_from_name(std::string_view name);
/// Raw bits as a person reads them: `37`, `-1`, `0.5`, `0x7000000010`.
std::string format_scalar(ScalarType type, std::uint64_t bits);
/// The inverse, for a text that is known to be a value of the type; bits beyond the type's are 0.
std::uint64_t scalar_bits(ScalarType type, const std::string& text);

/// Where a lane's address points. `generic` only before it is resolved. `texture` is the way of an
/// access, not a place: global memory read or written through a texture or surface object.
enum class MemorySpace : std::uint8_t { generic, global, shared, local, constant, texture };
std::string_view space_name(MemorySpace space);

/// How memory serves the lanes of an access (lanescope/banks.h has the rules).
enum class Service : std::uint8_t {
  load,
  store,
  // ldmatrix and stmatrix of one, two or four matrices: lane l's address is that of row l mod 8 of
  // matrix l ÷ 8; lanes beyond the matrices give none.
  matrix1,
  matrix2,
  matrix4,
  /// Integer atomics
  atomic,
  compare_exchange,
  /// Atomics that shared memory has no instruction for: a loop of a load and a compare-and-exchange
  exchange_loop,
  /// The shared side of cp.async.ca, and of cp.async.cg
  copy,
  bypass
};
/// How many matrices; 0 for what is none.
constexpr int matrices_of(Service service) {
  return service == Service::matrix1   ? 1
         : service == Service::matrix2 ? 2
         : service == Service::matrix4 ? 4
                                       : 0;
}
/// The lanes among these whose addresses count.
constexpr LaneMask addressing_lanes(Service service, LaneMask mask) {
  const int matrices = matrices_of(service);
  return matrices == 0 || matrices == 4 ? mask : mask & ((1u << 8 * matrices) - 1);
}

/// A position in a kernel text; lines and columns count from 1, 0 means unknown.
/// `file` indexes KernelInfo::files (0 is the text that was compiled).
struct SourcePos {
  std::uint32_t line = 0, column = 0, file = 0;
  auto operator<=>(const SourcePos&) const = default;
};

}  // namespace lanescope

// Tensor maps: what cuTensorMapEncodeTiled makes, and how a tensor copy takes its tile through one (CUDA Driver
// API, "Tensor Map Object Management"; PTX ISA, "Tensors").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "lanescope/message.h"

namespace lanescope {

inline constexpr std::size_t kTensorMapBytes = 128;
inline constexpr int kMostDimensions = 5;

/// Rows of 16-byte chunks whose order changes from row to row, so that chunks of one column lie in different
/// banks. Numbers are those of CUtensorMapSwizzle.
enum class TensorSwizzle : std::uint8_t { none, bytes32, bytes64, bytes128 };
/// 0, 32, 64 or 128
std::uint32_t swizzle_bytes(TensorSwizzle swizzle);
std::optional<TensorSwizzle> swizzle_of_bytes(std::uint64_t bytes);
/// Where a byte of shared memory lies that the layout has at `offset`: bits 4 to 6 of the offset, as many as the
/// swizzle has, XOR those from bit 7 on.
std::uint32_t swizzled(TensorSwizzle swizzle, std::uint32_t offset);

/// Numbers are those of CUtensorMapDataType, without the types of 4 and 6 bits.
enum class TensorElement : std::uint8_t {
  u8,
  u16,
  u32,
  s32,
  u64,
  s64,
  f16,
  f32,
  f64,
  bf16,
  f32_ftz,
  tf32,
  tf32_ftz
};
/// As PTX names it
std::string_view tensor_element_name(TensorElement element);

/// What a bulk copy may do with what lies where it copies to (PTX ISA, "cp.reduce.async.bulk").
enum class BulkReduction : std::uint8_t { none, add, min, max, inc, dec, and_, or_, xor_ };
/// "add"; of none nothing
std::string_view reduction_name(BulkReduction reduction);
/// Can the copy engine do that with numbers of the type? Of floats it only adds.
bool is_known(BulkReduction reduction, TensorElement element);

/// A map of an image's pixels (cuTensorMapEncodeIm2col; PTX ISA, "Im2col mode"): of the dimensions between the innermost,
/// the channels, and the outermost, the images. A copy takes one pixel after the other, the innermost dimension first:
/// past the box it goes on at the box's beginning and one further along the next.
struct TensorImage {
  /// That a copy takes; 0: the map is one of tiles
  std::uint32_t pixels = 0;
  /// The box's first pixel, and its last, from the tensor's own first and last
  std::array<std::int32_t, kMostDimensions - 2> lower{}, upper{};
};

/// A tensor and its box; dimensions innermost first.
struct TensorMap {
  std::uint64_t address = 0;
  int rank = 0;
  /// Bytes of an element: 1, 2, 4 or 8; and what it is, which only a copy that adds or compares asks for
  std::uint32_t element_bytes = 0;
  TensorElement element = TensorElement::u8;
  /// Elements
  std::array<std::uint64_t, kMostDimensions> extent{};
  /// Bytes from an element to the next along the dimension; [0] is an element's own
  std::array<std::uint64_t, kMostDimensions> stride{};
  std::array<std::uint32_t, kMostDimensions> box{};
  /// That of the first dimension counts for nothing.
  std::array<std::uint32_t, kMostDimensions> element_stride{1, 1, 1, 1, 1};
  TensorSwizzle swizzle = TensorSwizzle::none;
  /// The box has a number of channels alone.
  TensorImage image;
  [[nodiscard]] bool is_image() const { return image.pixels != 0; }

  /// The box along a dimension beyond the first; all rows of the box
  [[nodiscard]] std::uint32_t rows_along(std::size_t d) const {
    return (box[d] + element_stride[d] - 1) / element_stride[d];
  }
  [[nodiscard]] std::uint32_t rows() const;
  /// Bytes from a row to the next in shared memory: the swizzle's width, or without one what a row has
  [[nodiscard]] std::uint32_t row_pitch() const;
  /// That a copy brings
  [[nodiscard]] std::uint64_t box_bytes() const;
  /// From the tile's first byte in shared memory to the last that a row may take
  [[nodiscard]] std::uint64_t tile_bytes() const { return std::uint64_t{rows()} * row_pitch(); }
  /// What a tile's address in shared memory has to be a multiple of
  [[nodiscard]] std::uint32_t tile_alignment() const;
};

/// Why there is no such map; nothing where there is one.
std::optional<Message> tensor_map_error(const TensorMap& map);
/// The 128 bytes that a kernel is given. The hardware's own are not documented; these serve the simulator alone.
std::array<std::byte, kTensorMapBytes> encode(const TensorMap& map);
/// Where in them the tensor's address lies
inline constexpr std::uint32_t kTensorMapAddress = 8;
/// Nothing where the bytes hold no map.
std::optional<TensorMap> decode_tensor_map(std::span<const std::byte, kTensorMapBytes> bytes);

}  // namespace lanescope

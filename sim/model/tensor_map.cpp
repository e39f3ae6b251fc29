#include "lanescope/tensor_map.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "model/simulator_messages.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kMagic = 0x70616d54;

/// As it lies in the 128 bytes.
struct Encoded {
  std::uint32_t magic = kMagic;
  std::uint8_t rank = 0, element_bytes = 0, swizzle = 0, element = 0;
  std::uint64_t address = 0;
  std::uint64_t extent[kMostDimensions] = {};
  /// Of the first it is an element's
  std::uint64_t stride[kMostDimensions - 1] = {};
  std::uint16_t box[kMostDimensions] = {};
  std::uint8_t element_stride[kMostDimensions] = {};
  std::uint8_t padding = 0;
  std::uint16_t pixels = 0;
  std::int16_t lower[kMostDimensions - 2] = {}, upper[kMostDimensions - 2] = {};
};
static_assert(sizeof(Encoded) <= kTensorMapBytes &&
              offsetof(Encoded, address) == kTensorMapAddress);

/// By TensorElement, and by BulkReduction
constexpr std::string_view kElementNames[] = {"u8",      "u16",  "u32",     "s32", "u64",
                                              "s64",     "f16",  "f32",     "f64", "bf16",
                                              "f32.ftz", "tf32", "tf32.ftz"};
constexpr std::string_view kReductionNames[] = {"",    "add", "min", "max", "inc",
                                                "dec", "and", "or",  "xor"};

}  // namespace

std::string_view tensor_element_name(TensorElement element) {
  return kElementNames[static_cast<std::size_t>(element)];
}
std::string_view reduction_name(BulkReduction reduction) {
  return kReductionNames[static_cast<std::size_t>(reduction)];
}

bool is_known(BulkReduction reduction, TensorElement element) {
  using enum TensorElement;
  const bool whole = element >= u32 && element <= s64, half = element == f16 || element == bf16;
  switch (reduction) {
  case BulkReduction::none:
    return true;
  case BulkReduction::add:
    return whole || half || element == f32 || element == f64 || element == f32_ftz;
  case BulkReduction::min:
  case BulkReduction::max:
    return whole || half;
  case BulkReduction::inc:
  case BulkReduction::dec:
    return element == u32;
  case BulkReduction::and_:
  case BulkReduction::or_:
  case BulkReduction::xor_:
    return whole;
  }
  return false;
}

std::uint32_t swizzle_bytes(TensorSwizzle swizzle) {
  return swizzle == TensorSwizzle::none ? 0 : 16u << static_cast<unsigned>(swizzle);
}

std::optional<TensorSwizzle> swizzle_of_bytes(std::uint64_t bytes) {
  for (const TensorSwizzle each : {TensorSwizzle::none, TensorSwizzle::bytes32,
                                   TensorSwizzle::bytes64, TensorSwizzle::bytes128})
    if (swizzle_bytes(each) == bytes) return each;
  return std::nullopt;
}

std::uint32_t swizzled(TensorSwizzle swizzle, std::uint32_t offset) {
  const std::uint32_t mask = (1u << static_cast<unsigned>(swizzle)) - 1;
  return offset ^ (offset >> 7 & mask) << 4;
}

std::uint32_t TensorMap::rows() const {
  if (is_image()) return image.pixels;
  std::uint32_t rows = 1;
  for (std::size_t d = 1; d < static_cast<std::size_t>(rank); ++d) rows *= rows_along(d);
  return rows;
}

std::uint32_t TensorMap::row_pitch() const {
  return swizzle == TensorSwizzle::none ? box[0] * element_bytes : swizzle_bytes(swizzle);
}

std::uint64_t TensorMap::box_bytes() const {
  return std::uint64_t{rows()} * box[0] * element_bytes;
}

/// CUDA C++ Programming Guide, "Tensor Memory Access": 128 bytes. Where swizzled rows begin in the pattern is
/// told by the address itself.
std::uint32_t TensorMap::tile_alignment() const { return 128; }

namespace {

/// Corners have as many bits as the rank leaves them.
std::optional<Message> image_error(const TensorMap& map) {
  if (map.rank < 3) return say::map_image_rank(map.rank);
  if (map.image.pixels > 1024) return say::map_pixels(map.image.pixels);
  const std::int32_t most = map.rank == 3 ? 1 << 15 : map.rank == 4 ? 1 << 7 : 1 << 4;
  for (std::size_t d = 0; d + 2 < static_cast<std::size_t>(map.rank); ++d) {
    for (const std::int32_t corner : {map.image.lower[d], map.image.upper[d]})
      if (corner < -most || corner >= most) return say::map_corner(corner, d + 1, -most, most - 1);
    const std::int64_t last = static_cast<std::int64_t>(map.extent[d + 1]) - 1 + map.image.upper[d];
    if (map.image.lower[d] > last) return say::map_no_pixels(map.image.lower[d], d + 1, last);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Message> tensor_map_error(const TensorMap& map) {
  constexpr std::uint64_t kMostExtent = std::uint64_t{1} << 32;
  if (map.rank < 1 || map.rank > kMostDimensions) return say::map_rank(map.rank);
  if (map.address % 16 != 0 || map.address == 0)
    return say::map_address(fmt::format("{:#x}", map.address), 16);
  for (std::size_t d = 0; d < static_cast<std::size_t>(map.rank); ++d) {
    if (map.extent[d] < 1 || map.extent[d] > kMostExtent) return say::map_extent(map.extent[d], d);
    if (d > 0 && (map.stride[d] % 16 != 0 || map.stride[d] >= std::uint64_t{1} << 40))
      return say::map_stride(map.stride[d], d, 16);
    const bool in_box = d == 0 || !map.is_image();
    if (in_box && (map.box[d] < 1 || map.box[d] > 256)) return say::map_box(map.box[d], d);
    if (map.element_stride[d] < 1 || map.element_stride[d] > 8)
      return say::map_element_stride(map.element_stride[d], d);
  }
  const std::uint64_t row = std::uint64_t{map.box[0]} * map.element_bytes;
  if (row % 16 != 0) return say::map_box_bytes(say::bytes(row));
  if (map.swizzle != TensorSwizzle::none && row > swizzle_bytes(map.swizzle))
    return say::map_box_swizzle(say::bytes(row), swizzle_bytes(map.swizzle));
  if (map.is_image()) return image_error(map);
  return std::nullopt;
}

std::array<std::byte, kTensorMapBytes> encode(const TensorMap& map) {
  Encoded out;
  out.rank = static_cast<std::uint8_t>(map.rank);
  out.element_bytes = static_cast<std::uint8_t>(map.element_bytes);
  out.swizzle = static_cast<std::uint8_t>(map.swizzle);
  out.element = static_cast<std::uint8_t>(map.element);
  out.address = map.address;
  for (std::size_t d = 0; d < kMostDimensions; ++d) {
    out.extent[d] = map.extent[d];
    if (d > 0) out.stride[d - 1] = map.stride[d];
    out.box[d] = static_cast<std::uint16_t>(map.box[d]);
    out.element_stride[d] = static_cast<std::uint8_t>(map.element_stride[d]);
  }
  out.pixels = static_cast<std::uint16_t>(map.image.pixels);
  for (std::size_t d = 0; d + 2 < kMostDimensions; ++d) {
    out.lower[d] = static_cast<std::int16_t>(map.image.lower[d]);
    out.upper[d] = static_cast<std::int16_t>(map.image.upper[d]);
  }
  std::array<std::byte, kTensorMapBytes> bytes{};
  std::memcpy(bytes.data(), &out, sizeof out);
  return bytes;
}

std::optional<TensorMap> decode_tensor_map(std::span<const std::byte, kTensorMapBytes> bytes) {
  Encoded in;
  std::memcpy(&in, bytes.data(), sizeof in);
  if (in.magic != kMagic) return std::nullopt;
  TensorMap map;
  map.address = in.address;
  map.rank = in.rank;
  map.element_bytes = in.element_bytes;
  map.swizzle = static_cast<TensorSwizzle>(in.swizzle);
  map.element = static_cast<TensorElement>(in.element);
  for (std::size_t d = 0; d < kMostDimensions; ++d) {
    map.extent[d] = in.extent[d];
    map.stride[d] = d > 0 ? in.stride[d - 1] : in.element_bytes;
    map.box[d] = in.box[d];
    map.element_stride[d] = in.element_stride[d];
  }
  map.image.pixels = in.pixels;
  for (std::size_t d = 0; d + 2 < kMostDimensions; ++d)
    map.image.lower[d] = in.lower[d], map.image.upper[d] = in.upper[d];
  if (in.swizzle > 3 || in.element >= std::size(kElementNames) || tensor_map_error(map))
    return std::nullopt;
  return map;
}

}  // namespace lanescope

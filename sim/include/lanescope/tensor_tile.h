// What a bulk copy or a tensor copy moves, and how many sectors of global memory that takes.
//
// Rules read from the hardware counters of an NVIDIA H200 (cc 9.0) with Nsight Compute 2025.3: the copies in
// sim/model/rows/tensor_copies.jsonl, none of which differs.
//  * A tile's rows, and a copy that is no tensor's, are cut where lines of 128 bytes of shared memory end. Each
//    piece takes the sectors that it touches in global memory; a sector that two pieces share counts twice.
//  * To shared memory, chunks of 16 bytes that lie outside of the tensor are counted like others, though nothing is
//    read: a sector for each 32 bytes of shared memory that a piece fills with zeros. From shared memory they
//    take nothing.
//  * Where there is a swizzle, a row begins at every multiple of its width, however short the box's rows are.
//  * Of the innermost dimension the element stride counts for nothing; of the others a box of b elements at a stride
//    of s has ceil(b ÷ s) rows.
//  * Of an image's pixels each is a row (sim/model/rows/image_copies.jsonl).
//  * A copy is one request. It passes no bank of shared memory in a way that a counter would know.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "lanescope/lane_rows.h"
#include "lanescope/sectors.h"
#include "lanescope/tensor_map.h"

namespace lanescope {

using TilePlace = std::array<std::int64_t, kMostDimensions>;
/// What an instruction adds to the coordinates of each pixel of an image
using PixelOffset = std::array<std::int64_t, kMostDimensions - 2>;

/// The part of the tensor that one copy is about: a box whose first element has the coordinates `first`.
class TensorTile {
 public:
  TensorTile(const TensorMap& map, const TilePlace& first, const PixelOffset& offset = {});

  struct Row {
    /// Of the first byte, which may lie outside of the tensor
    std::uint64_t address = 0;
    /// Offset in the tile in shared memory, before the swizzle
    std::uint32_t offset = 0;
    /// In all dimensions but the innermost
    bool is_inside = true;
  };
  [[nodiscard]] Row row(std::uint32_t index) const;
  /// The bytes of an inner row that belong to the tensor: [begin, end)
  [[nodiscard]] std::uint32_t begin() const { return begin_; }
  [[nodiscard]] std::uint32_t end() const { return end_; }
  [[nodiscard]] GlobalCounts cost(bool to_shared) const;

  /// Tiles, not of images, of one map for which this is equal cost the same.
  using Kind = std::array<std::int64_t, 2 * kMostDimensions + 1>;
  [[nodiscard]] Kind kind() const;

 private:
  [[nodiscard]] Row pixel(std::uint32_t index) const;

  const TensorMap& map_;
  TilePlace first_;
  PixelOffset offset_;
  std::uint32_t begin_ = 0, end_ = 0;
};

/// Of a copy that is no tensor's; `shared` is an offset in shared memory.
GlobalCounts bulk_cost(std::uint64_t global, std::uint32_t shared, std::uint32_t bytes);

/// One lane's copy as a trace keeps it (AccessOp::bulk_load and bulk_store).
struct BulkStep {
  int lane = 0;
  /// Offset in shared memory
  std::uint32_t shared = 0;
  /// Address; of a tensor copy that of its first element, which may lie outside of the tensor
  std::uint64_t global = 0;
  /// That it brings, zeros among them
  std::uint32_t bytes = 0;
  /// Of a tensor copy, and the coordinates of its first element
  std::optional<TensorMap> map;
  TilePlace first{};
  PixelOffset offset{};
};
/// Rows of a trace: the lanes' addresses in shared memory, in global memory or of the map, bytes, then of a tensor copy
/// five rows of coordinates and the map of the first lane that takes part, 8 bytes a lane; of an image's pixels three rows
/// of offsets behind it.
inline constexpr std::size_t kBulkRows = 3, kTensorRows = 9, kImageRows = 12;
/// `rows` begins with the step's rows.
std::vector<BulkStep> bulk_steps(const LaneRows& rows, std::size_t first, LaneMask mask,
                                 bool is_tensor);

/// 16 bytes that a copy moves: an offset in shared memory, swizzled, and an address in global memory; 0 where the
/// tensor has ended.
struct BulkChunk {
  std::uint32_t shared = 0;
  std::uint64_t global = 0;
};
/// Row after row of the box.
std::vector<BulkChunk> bulk_chunks(const BulkStep& step);

}  // namespace lanescope

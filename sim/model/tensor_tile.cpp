#include "lanescope/tensor_tile.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "lanescope/memory.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kChunk = 16, kPiece = 128;

/// Those that [begin, end) touches.
std::uint64_t sectors_in(std::uint64_t begin, std::uint64_t end) {
  return begin < end ? (end - 1) / kSectorBytes - begin / kSectorBytes + 1 : 0;
}

std::uint32_t end_of_piece(std::uint32_t at, std::uint32_t end) {
  return std::min(at / kPiece * kPiece + kPiece, end);
}

}  // namespace

TensorTile::TensorTile(const TensorMap& map, const TilePlace& first, const PixelOffset& offset)
    : map_(map), first_(first), offset_(offset) {
  const auto element = static_cast<std::int64_t>(map.element_bytes);
  const auto bytes = [&](std::int64_t elements) {
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(elements, 0, static_cast<std::int64_t>(map.box[0])) * element);
  };
  begin_ = bytes(-first[0]);
  end_ = std::max(begin_, bytes(static_cast<std::int64_t>(map.extent[0]) - first[0]));
}

TensorTile::Row TensorTile::pixel(std::uint32_t index) const {
  Row row{.address = map_.address + static_cast<std::uint64_t>(first_[0]) * map_.element_bytes,
          .offset = index * map_.row_pitch()};
  const auto take = [&](std::size_t d, std::int64_t at) {
    row.is_inside &= at >= 0 && static_cast<std::uint64_t>(at) < map_.extent[d];
    row.address += static_cast<std::uint64_t>(at) * map_.stride[d];
  };
  const auto outermost = static_cast<std::size_t>(map_.rank) - 1;
  std::int64_t left = index;
  for (std::size_t d = 1; d < outermost; ++d) {
    const std::int64_t step = map_.element_stride[d], lowest = map_.image.lower[d - 1],
                       last =
                           static_cast<std::int64_t>(map_.extent[d]) - 1 + map_.image.upper[d - 1];
    const auto places = [&](std::int64_t from) {
      return from > last ? 1 : (last - from) / step + 1;
    };
    // The first time along the dimension begins where the instruction says, each later one with the box.
    const std::int64_t at_first = places(first_[d]), in_box = places(lowest);
    std::int64_t at = first_[d] + left * step;
    if (left >= at_first) {
      left -= at_first;
      at = lowest + left % in_box * step;
      left = left / in_box + 1;
    } else {
      left = 0;
    }
    take(d, at + offset_[d - 1]);
  }
  take(outermost, first_[outermost] + left);
  return row;
}

TensorTile::Row TensorTile::row(std::uint32_t index) const {
  if (map_.is_image()) return pixel(index);
  Row row{.address = map_.address + static_cast<std::uint64_t>(first_[0]) * map_.element_bytes,
          .offset = index * map_.row_pitch()};
  for (std::size_t d = 1; d < static_cast<std::size_t>(map_.rank); ++d) {
    const std::uint32_t count = map_.rows_along(d);
    const std::int64_t at =
        first_[d] + static_cast<std::int64_t>(index % count * map_.element_stride[d]);
    index /= count;
    row.is_inside &= at >= 0 && static_cast<std::uint64_t>(at) < map_.extent[d];
    row.address += static_cast<std::uint64_t>(at) * map_.stride[d];
  }
  return row;
}

GlobalCounts TensorTile::cost(bool to_shared) const {
  GlobalCounts cost{.requests = 1};
  const std::uint32_t bytes = map_.box[0] * map_.element_bytes;
  for (std::uint32_t index = 0; index < map_.rows(); ++index) {
    const Row row = this->row(index);
    const std::uint32_t begin = row.is_inside ? begin_ : 0, end = row.is_inside ? end_ : 0;
    cost.bytes_asked += end - begin;
    // Whole chunks are fetched.
    const std::uint32_t from = to_shared ? begin / kChunk * kChunk : begin,
                        to = to_shared ? (end + kChunk - 1) / kChunk * kChunk : end;
    for (std::uint32_t at = row.offset; at < row.offset + bytes;) {
      const std::uint32_t stop = end_of_piece(at, row.offset + bytes);
      const std::uint32_t first = at - row.offset, last = stop - row.offset;
      const std::uint32_t low = std::clamp(from, first, last), high = std::clamp(to, low, last);
      cost.sectors += sectors_in(row.address + low, row.address + high);
      if (to_shared)
        cost.sectors += sectors_in(at, row.offset + low) + sectors_in(row.offset + high, stop);
      at = stop;
    }
  }
  cost.ideal_sectors = std::min(cost.sectors, (cost.bytes_asked + kSectorBytes - 1) / kSectorBytes);
  return cost;
}

TensorTile::Kind TensorTile::kind() const {
  Kind kind{};
  kind[0] = static_cast<std::int64_t>(row(0).address % kSectorBytes);
  kind[1] = begin_, kind[2] = end_;
  for (std::size_t d = 1; d < static_cast<std::size_t>(map_.rank); ++d) {
    const auto step = static_cast<std::int64_t>(map_.element_stride[d]);
    const auto rows_before = [&](std::int64_t elements) {
      const std::int64_t rows = (elements + step - 1) / step;
      return std::clamp<std::int64_t>(elements <= 0 ? 0 : rows, 0, map_.rows_along(d));
    };
    kind[2 * d + 1] = rows_before(-first_[d]);
    kind[2 * d + 2] = rows_before(static_cast<std::int64_t>(map_.extent[d]) - first_[d]);
  }
  return kind;
}

GlobalCounts bulk_cost(std::uint64_t global, std::uint32_t shared, std::uint32_t bytes) {
  GlobalCounts cost{.requests = 1, .bytes_asked = bytes};
  for (std::uint32_t at = shared; at < shared + bytes;) {
    const std::uint32_t stop = end_of_piece(at, shared + bytes);
    cost.sectors += sectors_in(global + (at - shared), global + (stop - shared));
    at = stop;
  }
  cost.ideal_sectors = std::min(cost.sectors, (cost.bytes_asked + kSectorBytes - 1) / kSectorBytes);
  return cost;
}

std::vector<BulkStep> bulk_steps(const LaneRows& rows, std::size_t first, LaneMask mask,
                                 bool is_tensor) {
  std::vector<BulkStep> steps;
  std::optional<TensorMap> map;
  if (is_tensor) {
    const LaneRow words = rows[first + kTensorRows - 1];
    std::array<std::byte, kTensorMapBytes> bytes{};
    std::memcpy(bytes.data(), words.data(), bytes.size());
    map = decode_tensor_map(bytes);
  }
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    BulkStep step{.lane = static_cast<int>(lane),
                  .shared = static_cast<std::uint32_t>(rows.value(first, lane) - kSharedWindow),
                  .global = rows.value(first + 1, lane),
                  .bytes = static_cast<std::uint32_t>(rows.value(first + 2, lane)),
                  .map = map};
    if (map) {
      for (std::size_t d = 0; d < kMostDimensions; ++d)
        step.first[d] = static_cast<std::int32_t>(rows.value(first + kBulkRows + d, lane));
      // A copy of another mode, which is refused, has none.
      const bool has_offsets = map->is_image() && first + kImageRows <= rows.size();
      for (std::size_t d = 0; d < step.offset.size() && has_offsets; ++d)
        step.offset[d] = static_cast<std::int64_t>(rows.value(first + kTensorRows + d, lane));
      step.global = TensorTile(*map, step.first, step.offset).row(0).address;
      step.bytes = static_cast<std::uint32_t>(map->box_bytes());
    }
    steps.push_back(step);
  }
  return steps;
}

std::vector<BulkChunk> bulk_chunks(const BulkStep& step) {
  std::vector<BulkChunk> chunks;
  if (!step.map) {
    for (std::uint32_t at = 0; at < step.bytes; at += kChunk)
      chunks.push_back({step.shared + at, step.global + at});
    return chunks;
  }
  const TensorMap& map = *step.map;
  const TensorTile tile(map, step.first, step.offset);
  for (std::uint32_t index = 0; index < map.rows(); ++index) {
    const TensorTile::Row row = tile.row(index);
    for (std::uint32_t at = 0; at < map.box[0] * map.element_bytes; at += kChunk) {
      const bool inside = row.is_inside && at >= tile.begin() && at < tile.end();
      chunks.push_back(
          {swizzled(map.swizzle, step.shared + row.offset + at), inside ? row.address + at : 0});
    }
  }
  return chunks;
}

}  // namespace lanescope

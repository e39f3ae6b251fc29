#include "core/places/owner_block.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/places/touch.h"

namespace lanescope::app {
namespace {

// A range of rows or columns, half open.
struct Range {
  std::uint64_t first = ~std::uint64_t{0}, end = 0;
  void take(std::uint64_t at) {
    first = std::min(first, at);
    end = std::max(end, at + 1);
  }
  [[nodiscard]] std::uint64_t count() const { return end - first; }
};

struct Part {
  Range rows, cols;
};

// What the recorded block touches of a buffer whose rows are so long; nullopt for nothing.
std::optional<Part> touched_part(const Picture& picture, const BufferLayout& buffer,
                                 std::uint64_t cols) {
  Part part;
  for_each_touch(picture, [&](const ChainLink& link) {
    const std::uint64_t offset = link.cell.address - buffer.base;
    if (offset >= buffer.bytes) return;
    part.rows.take(offset / buffer.element_bytes / cols);
    part.cols.take(offset / buffer.element_bytes % cols);
  });
  return part.rows.end ? std::optional(part) : std::nullopt;
}

// So many parts further; 0 where all blocks may share it.
std::int64_t parts_away(const Range& range, std::uint64_t all, std::uint64_t at) {
  if (range.count() >= all) return 0;
  const auto distance = static_cast<std::int64_t>(at) - static_cast<std::int64_t>(range.first);
  const auto count = static_cast<std::int64_t>(range.count());
  return distance >= 0 ? distance / count : -((-distance + count - 1) / count);
}

std::optional<Dim3> moved(Dim3 block, Dim3 grid, std::int64_t x, std::int64_t y) {
  const std::int64_t to_x = block.x + x, to_y = block.y + y;
  if (to_x < 0 || to_y < 0 || to_x >= grid.x || to_y >= grid.y) return std::nullopt;
  return Dim3{static_cast<std::uint32_t>(to_x), static_cast<std::uint32_t>(to_y), block.z};
}

}  // namespace

std::vector<Dim3> blocks_that_may_touch(const Picture& picture, const Cell& cell) {
  std::vector<Dim3> all;
  if (!picture.trace()) return all;
  const auto& buffers = picture.prepared->buffers;
  const auto buffer = std::find_if(buffers.begin(), buffers.end(), [&](const BufferLayout& b) {
    return b.element_bytes > 0 && cell.address - b.base < b.bytes;
  });
  if (buffer == buffers.end()) return all;
  const std::uint64_t element = (cell.address - buffer->base) / buffer->element_bytes;
  const std::uint64_t elements = buffer->bytes / buffer->element_bytes;
  const bool matrix = buffer->dims.size() > 1;
  const std::uint64_t cols = matrix ? std::max<std::uint64_t>(1, buffer->dims.back()) : elements;
  const auto part = touched_part(picture, *buffer, cols);
  if (!part) return all;
  const std::int64_t down = parts_away(part->rows, elements / cols, element / cols);
  const std::int64_t across = parts_away(part->cols, cols, element % cols);
  const Dim3 block = picture.trace()->block, grid = picture.prepared->launch.grid;
  // A matrix's rows may be those of blockIdx.y or, where it is transposed, of blockIdx.x.
  const std::array ways{std::pair{across, down}, std::pair{down, across}};
  for (const auto& [x, y] : ways) {
    const auto to = moved(block, grid, x, y);
    if (to && *to != block && std::find(all.begin(), all.end(), *to) == all.end())
      all.push_back(*to);
  }
  return all;
}

}  // namespace lanescope::app

#include "core/swizzle/swizzle.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include <fmt/format.h>

#include "lanescope/banks.h"

namespace lanescope::app {
namespace {

constexpr int kMostBits = 5, kMostBase = 7, kMostShift = 10;

bool equals(const TileAddresses& tile, const TileLayout& layout) {
  for (int row = 0; row < tile.rows; ++row)
    for (int column = 0; column < tile.columns; ++column) {
      const std::int64_t known = tile.at(row, column);
      if (known == TileAddresses::kUnknown) continue;
      const auto along = static_cast<std::uint64_t>(layout.by_columns ? row : column);
      const auto across = static_cast<std::uint64_t>(layout.by_columns ? column : row);
      if (layout.swizzle(across * layout.pitch + along) != static_cast<std::uint64_t>(known))
        return false;
    }
  return true;
}

std::vector<std::uint64_t> pitches(const TileAddresses& tile, bool by_columns) {
  const auto extent = static_cast<std::uint64_t>(by_columns ? tile.rows : tile.columns);
  std::vector<std::uint64_t> all = {extent, std::bit_ceil(extent)};
  // What lies between the first two rows, and half of what lies between the first and the third.
  const int count = by_columns ? tile.columns : tile.rows;
  for (const int next : {1, 2}) {
    if (count <= next) continue;
    const std::int64_t first = tile.at(0, 0);
    const std::int64_t then = by_columns ? tile.at(0, next) : tile.at(next, 0);
    if (first < 0 || then <= first) continue;
    all.push_back(static_cast<std::uint64_t>(then - first) / static_cast<std::uint64_t>(next));
  }
  // And what the largest offset leaves room for.
  const auto largest = *std::max_element(tile.offset.begin(), tile.offset.end());
  if (largest >= 0 && count > 0)
    all.push_back(std::bit_ceil(static_cast<std::uint64_t>(largest) + 1) /
                  std::bit_ceil(static_cast<std::uint64_t>(count)));
  std::erase_if(all, [&](std::uint64_t pitch) { return pitch < extent; });
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

template <class Visit>
void for_each_swizzle(Visit visit) {
  for (int bits = 1; bits <= kMostBits; ++bits)
    for (int base = 0; base <= kMostBase; ++base)
      for (int shift = bits; shift <= kMostShift; ++shift) visit(Swizzle{bits, base, shift});
}

/// The reads of a tile in order: how many there are of what, and where each is.
struct Walk {
  int lanes = kLanes;
  std::uint32_t bytes = 0;
  int count = 0;
  int step = 1;  // elements from one to the next along a row
  bool down = false;
  int rows = 0, columns = 0;  // of what is read: chunks

  [[nodiscard]] TileElement element(int index) const {
    return down ? TileElement{index % rows, index / rows * step}
                : TileElement{index / columns, index % columns * step};
  }
};

Walk walk_of(const TileAddresses& tile, TileRead read) {
  Walk walk;
  const bool wide = read != TileRead::rows && read != TileRead::columns;
  walk.step = wide ? tile.chunk() : 1;
  walk.bytes = wide ? 16 : tile.element_bytes;
  walk.rows = tile.rows;
  walk.columns = tile.columns / walk.step;
  walk.down =
      read == TileRead::columns || read == TileRead::wide_columns || read == TileRead::matrix;
  if (read == TileRead::matrix) {
    walk.lanes = 8;
    walk.rows = tile.rows / 8 * 8;
  }
  walk.count = walk.rows * walk.columns;
  return walk;
}

bool lies_together(const TileAddresses& tile, TileElement first, int count) {
  const std::int64_t at = tile.at(first.row, first.column);
  if (tile.address(first.row, first.column) % 16 != 0) return false;
  for (int i = 1; i < count; ++i)
    if (tile.at(first.row, first.column + i) != at + i) return false;
  return true;
}

TriedSwizzle tried(const TileAddresses& tile, const Swizzle& swizzle) {
  TriedSwizzle out{.swizzle = swizzle, .cost = {}, .free = 0};
  for (int read = 0; read < kTileReads; ++read) {
    ReadCost& cost = out.cost[static_cast<std::size_t>(read)];
    cost = read_cost(tile, static_cast<TileRead>(read));
    out.free += cost.is_free() && cost.wavefronts > 0;
  }
  return out;
}

std::uint64_t all_wavefronts(const TriedSwizzle& tried) {
  std::uint64_t sum = 0;
  for (const ReadCost& cost : tried.cost) sum += cost.wavefronts;
  return sum;
}

}  // namespace

std::string Swizzle::name() const { return fmt::format("Swizzle<{}, {}, {}>", bits, base, shift); }

TileAddresses addresses_of(const TileLayout& layout, const TileAddresses& like) {
  TileAddresses out = like;
  out.offset.clear();
  for (int row = 0; row < like.rows; ++row)
    for (int column = 0; column < like.columns; ++column) {
      const auto along = static_cast<std::uint64_t>(layout.by_columns ? row : column);
      const auto across = static_cast<std::uint64_t>(layout.by_columns ? column : row);
      out.offset.push_back(
          static_cast<std::int64_t>(layout.swizzle(across * layout.pitch + along)));
    }
  return out;
}

std::optional<TileLayout> find_layout(const TileAddresses& tile) {
  if (tile.rows < 1 || tile.columns < 1) return std::nullopt;
  std::vector<TileLayout> plain;
  for (const bool by_columns : {false, true})
    for (const std::uint64_t pitch : pitches(tile, by_columns))
      plain.push_back({pitch, by_columns, {}});
  for (const TileLayout& layout : plain)
    if (equals(tile, layout)) return layout;
  std::optional<TileLayout> found;
  for_each_swizzle([&](const Swizzle& swizzle) {
    for (TileLayout layout : plain) {
      layout.swizzle = swizzle;
      if (!found && equals(tile, layout)) found = layout;
    }
  });
  return found;
}

ReadCost read_cost(const TileAddresses& tile, TileRead read) {
  ReadCost out;
  const Walk walk = walk_of(tile, read);
  const bool wide = walk.step > 1 || walk.bytes > tile.element_bytes;
  if (walk.count == 0 || tile.element_bytes > 16) return {.possible = false};
  for (int first = 0; first < walk.count; first += walk.lanes) {
    LaneRow address{};
    LaneMask mask = 0;
    for (int lane = 0; lane < walk.lanes && first + lane < walk.count; ++lane) {
      const TileElement at = walk.element(first + lane);
      if (tile.at(at.row, at.column) == TileAddresses::kUnknown) continue;
      if (wide && !lies_together(tile, at, walk.step)) return {.possible = false};
      address[static_cast<std::size_t>(lane)] = tile.address(at.row, at.column);
      mask |= LaneMask{1} << lane;
    }
    const SharedCounts cost = shared_cost(address, mask, walk.bytes, true);
    out.wavefronts += cost.wavefronts;
    out.conflicts += cost.conflicts;
  }
  return out;
}

std::vector<TileElement> read_together(const TileAddresses& tile, TileRead read,
                                       TileElement element) {
  const Walk walk = walk_of(tile, read);
  std::vector<TileElement> out;
  const int column = element.column / walk.step;
  if (element.row >= walk.rows || column >= walk.columns) return out;
  const int index =
      walk.down ? column * walk.rows + element.row : element.row * walk.columns + column;
  const int first = index / walk.lanes * walk.lanes;
  for (int i = first; i < std::min(first + walk.lanes, walk.count); ++i)
    out.push_back(walk.element(i));
  return out;
}

std::vector<TriedSwizzle> try_swizzles(const TileAddresses& like, std::uint64_t pitch) {
  std::vector<TriedSwizzle> all;
  const std::uint64_t size = pitch * static_cast<std::uint64_t>(like.rows);
  const int width = std::bit_width(std::max<std::uint64_t>(1, size) - 1);
  all.push_back(tried(addresses_of({pitch, false, {}}, like), {}));
  for_each_swizzle([&](const Swizzle& swizzle) {
    if (swizzle.base + swizzle.shift + swizzle.bits > width) return;
    const TileAddresses tile = addresses_of({pitch, false, swizzle}, like);
    const bool inside = std::all_of(tile.offset.begin(), tile.offset.end(), [&](std::int64_t at) {
      return static_cast<std::uint64_t>(at) < size;
    });
    if (inside) all.push_back(tried(tile, swizzle));
  });
  std::stable_sort(all.begin(), all.end(), [](const TriedSwizzle& a, const TriedSwizzle& b) {
    return std::tuple(-a.free, all_wavefronts(a), a.swizzle.bits) <
           std::tuple(-b.free, all_wavefronts(b), b.swizzle.bits);
  });
  return all;
}

}  // namespace lanescope::app

// What bulk copies and products of warpgroups cost in all blocks of a box.
#include <algorithm>
#include <cstring>
#include <map>

#include "lanescope/group_matrix.h"
#include "lanescope/tensor_tile.h"
#include "prove/symbolic_run.h"

namespace lanescope {
namespace {

constexpr std::uint64_t kMostTiles = 1u << 22;
constexpr const char* kUnknown = "a bulk copy depends on loaded data, or is not affine in blockIdx";

/// A lane's value at the k of a box.
std::int64_t value_at(const AffineRow& row, std::size_t lane,
                      const std::array<std::int64_t, kDimensions>& k) {
  std::int64_t value = row.base[lane];
  for (std::size_t d = 0; d < kDimensions; ++d) value += row.slope[d][lane] * k[d];
  return value;
}

/// The next k of the box; false after the last.
bool step_on(const Box& box, std::array<std::int64_t, kDimensions>& k) {
  for (std::size_t d = 0; d < kDimensions; ++d) {
    if (++k[d] <= box.high[d]) return true;
    k[d] = box.low[d];
  }
  return false;
}

}  // namespace

void SymbolicRun::count_product(const GroupProduct& product) {
  AccessCounts& counts = counts_->accesses[product.access];
  counts.executions += box_.count();
  cost::add(counts.shared, group_product_cost(product.form, product.a_in_registers(), flow_.index),
            box_.count());
}

void SymbolicRun::count_bulk_copy(const BulkCopy& copy, LaneMask mask) {
  AccessCounts& counts = counts_->accesses[copy.access];
  counts.executions += box_.count();
  for (LaneMask left = mask; left != 0 && !values_.stopped(); left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (copy.dimensions == 0)
      count_plain(counts, copy, lane);
    else
      count_tiles(counts, copy, lane);
  }
}

// Sectors and pieces of shared memory stay what they are where both sides move by whole ones.
void SymbolicRun::count_plain(AccessCounts& counts, const BulkCopy& copy, int lane) {
  const LaneMask bit = 1u << lane;
  const auto l = static_cast<std::size_t>(lane);
  const AffineRow &global = values_.row(copy.global), &shared = values_.row(copy.shared),
                  &bytes = values_.row(copy.bytes);
  if ((global.known & shared.known & bytes.known & bit) == 0 || !bytes.is_flat(lane))
    return values_.fail(kUnknown);
  const auto count = static_cast<std::uint32_t>(bytes.base[l]);
  if (count == 0) return;
  const Region* region = region_of(global, bit, count);
  if (region == nullptr || region_of(shared, bit, count) == nullptr)
    return values_.fail("a bulk copy may leave its buffer in some block");
  if (region->space == MemorySpace::shared) return;  // takes no sectors
  if (!moves_by(shared, bit, 128)) return values_.fail("a bulk copy's tile moves in shared memory");
  const auto to = static_cast<std::uint32_t>(value_at(shared, l, box_.low) -
                                             static_cast<std::int64_t>(kSharedWindow));
  const auto from = static_cast<std::uint64_t>(value_at(global, l, box_.low));
  const auto all = residues(global, l);
  for (std::uint64_t r = 0; r < kSectorBytes; ++r)
    if (all[r] != 0) cost::add(counts.global, bulk_cost(from + r, to, count), all[r]);
}

void SymbolicRun::count_tiles(AccessCounts& counts, const BulkCopy& copy, int lane) {
  const LaneMask bit = 1u << lane;
  const auto l = static_cast<std::size_t>(lane);
  const auto map = map_at(values_.row(copy.global), lane);
  if (!map || map->rank != copy.dimensions)
    return values_.fail("a tensor map that is not among the kernel's parameters");
  if (map->is_image() || copy.is_image())
    return values_.fail("a copy of an image's pixels is looked at one by one");
  if (!is_known(copy.reduction, map->element))
    return values_.fail("a tensor copy does what numbers of its map's type do not have");
  const AffineRow& shared = values_.row(copy.shared);
  const std::uint32_t alignment = map->tile_alignment();
  if ((shared.known & bit) == 0) return values_.fail(kUnknown);
  if (region_of(shared, bit, static_cast<std::uint32_t>(map->tile_bytes())) == nullptr)
    return values_.fail("a tensor copy's tile may leave shared memory in some block");
  if (static_cast<std::uint64_t>(value_at(shared, l, box_.low)) % alignment != 0 ||
      !moves_by(shared, bit, alignment))
    return values_.fail("a tensor copy's tile may be misaligned in some block");
  if (!lies_in_a_buffer(*map))
    return values_.fail("a tensor map's tensor is larger than the buffer that it lies in");
  std::array<std::int64_t, kDimensions> k = box_.low;
  Box moves = box_;
  // Where no coordinate moves, one tile stands for all.
  for (std::size_t d = 0; d < kDimensions; ++d) {
    bool still = true;
    for (std::size_t c = 0; c < copy.dimensions; ++c) {
      const AffineRow& at = values_.row(copy.coordinates[c]);
      if ((at.known & bit) == 0) return values_.fail(kUnknown);
      still &= at.slope[d][l] == 0;
    }
    if (still) moves.high[d] = moves.low[d];
  }
  if (moves.count() > kMostTiles) return values_.fail("too many tiles to be looked at one by one");
  const std::uint64_t times = box_.count() / moves.count();
  std::map<TensorTile::Kind, std::pair<GlobalCounts, std::uint64_t>> kinds;
  do {
    TilePlace first{};
    for (std::size_t c = 0; c < copy.dimensions; ++c)
      first[c] = value_at(values_.row(copy.coordinates[c]), l, k);
    if (first[0] * map->element_bytes % 16 != 0)
      return values_.fail("a tensor copy begins between two chunks of 16 bytes in some block");
    if (!copy.to_shared && std::any_of(first.begin(), first.end(), [](auto at) { return at < 0; }))
      return values_.fail("a tensor copy stores before its tensor in some block");
    const TensorTile tile(*map, first);
    auto [kind, is_new] = kinds.try_emplace(tile.kind());
    if (is_new) kind->second.first = tile.cost(copy.to_shared);
    kind->second.second += times;
  } while (step_on(moves, k));
  for (const auto& [kind, found] : kinds) cost::add(counts.global, found.first, found.second);
}

bool SymbolicRun::lies_in_a_buffer(const TensorMap& map) const {
  std::uint64_t bytes = map.element_bytes;
  for (std::size_t d = 0; d < static_cast<std::size_t>(map.rank); ++d)
    bytes += (map.extent[d] - 1) * map.stride[d];
  return std::any_of(m_.regions.begin(), m_.regions.end(), [&](const Region& region) {
    return map.address - region.base < region.size &&
           bytes <= region.size - (map.address - region.base);
  });
}

std::optional<TensorMap> SymbolicRun::map_at(const AffineRow& address, int lane) const {
  const LaneMask bit = 1u << lane;
  if ((address.known & bit) == 0 || !address.is_flat(lane)) return std::nullopt;
  const Region* region = region_of(address, bit, kTensorMapBytes);
  if (region == nullptr || region->space == MemorySpace::global || region->data == nullptr)
    return std::nullopt;
  std::array<std::byte, kTensorMapBytes> bytes{};
  std::memcpy(bytes.data(),
              region->data + (static_cast<std::uint64_t>(address.at(lane)) - region->base),
              bytes.size());
  return decode_tensor_map(bytes);
}

}  // namespace lanescope

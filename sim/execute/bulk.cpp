// Bulk copies and tensor copies (PTX ISA, "cp.async.bulk", "cp.async.bulk.tensor"): made at once when a lane asks
// for one; who reads before it has waited is found by the checks.
#include <algorithm>
#include <bit>
#include <cstring>

#include "check/checker.h"
#include "check/place.h"
#include "execute/executor.h"
#include "execute/meetings.h"
#include "execute/recorder.h"
#include "lanescope/tensor_map.h"
#include "lanescope/tensor_tile.h"
#include "machine/bulk.h"
#include "machine/bulk_reduction.h"
#include "machine/mbarrier.h"
#include "model/cost_fast.h"
#include "model/simulator_messages.h"

namespace lanescope {
namespace {

/// One lane's copy, with everything that is needed to make it or to say what is wrong with it.
class Copying {
 public:
  Copying(Machine& m, const WarpState& w, const Op& op, int lane)
      : m_(m), w_(w), op_(op), copy_(m.code->bulk_copies[op.a]), lane_(lane) {
    move_.to_shared = copy_.to_shared;
    move_.reduces = copy_.reduction != BulkReduction::none;
    element_ = copy_.element;
    move_.lane = lane;
  }

  Stop run() {
    if (!find_pieces()) return Stop::fault;
    if (copy_.multicast == kNone || m_.cluster.empty()) {
      if (!copy_to(rank_at(value<std::uint64_t>(copy_.shared)))) return Stop::fault;
    } else {
      const auto blocks = value<std::uint32_t>(copy_.multicast);
      for (std::size_t rank = 0; rank < m_.cluster.size(); ++rank)
        if ((blocks >> rank & 1) != 0 && !copy_to(static_cast<std::uint32_t>(rank)))
          return Stop::fault;
    }
    cost::add(m_.counts[copy_.access].global, cost_);
    return Stop::exited;
  }

 private:
  /// Whose shared memory an address lies in: that of a block of the cluster, or kNone for the own.
  [[nodiscard]] std::uint32_t rank_at(std::uint64_t address) const {
    const std::uint64_t block = (address - kSharedWindow) / kClusterStride;
    return block == 0 || block > m_.cluster.size() ? kNone : static_cast<std::uint32_t>(block - 1);
  }
  /// The same place as the block itself sees it; what lies nowhere stays where it is.
  [[nodiscard]] std::uint64_t own(std::uint64_t address) const {
    const bool is_near = (address - kSharedWindow) / kClusterStride <= m_.cluster.size();
    return is_near ? kSharedWindow + (address - kSharedWindow) % kClusterStride : address;
  }
  bool copy_to(std::uint32_t rank) {
    shared_ = rank == kNone ? m_.shared.data() : m_.cluster[rank];
    move_.rank = rank;
    if (!find_mbarrier()) return false;
    if (m_.checker != nullptr) m_.checker->bulk(w_, op_, move_);
    for (const BulkPiece& piece : move_.pieces) move(piece);
    complete();
    return true;
  }

  template <class T>
  [[nodiscard]] T value(std::uint32_t row) const {
    return reinterpret_cast<const T*>(m_.rows + std::size_t{row} * kLanes)[lane_];
  }

  bool fault(DiagnosticKind kind, Message message, Message hint) {
    fail(m_, op_, kind, 1u << lane_);
    m_.fault.message = std::move(message), m_.fault.hint = std::move(hint);
    return false;
  }
  /// `address` is the first byte beyond what there is.
  bool outside(std::uint64_t address, std::uint64_t bytes, bool is_store) {
    fail(m_, op_, DiagnosticKind::out_of_bounds, 1u << lane_);
    m_.fault.address = address;
    m_.fault.bytes = static_cast<std::uint32_t>(bytes);
    m_.fault.is_store = is_store;
    return false;
  }

  [[nodiscard]] Region* region_of(std::uint64_t address) const {
    for (Region& region : m_.regions)
      if (address - region.base < region.size && region.space != MemorySpace::local) return &region;
    return nullptr;
  }
  bool is_inside(std::uint64_t address, std::uint64_t bytes, bool is_store) {
    const Region* region = region_of(address);
    if (region == nullptr) return outside(address, bytes, is_store);
    const std::uint64_t room = region->size - (address - region->base);
    return bytes <= room || outside(region->base + region->size, bytes, is_store);
  }

  bool find_pieces() {
    const std::uint64_t shared = own(value<std::uint64_t>(copy_.shared));
    if (copy_.dimensions != 0) return find_tile(shared);
    const auto global = value<std::uint64_t>(copy_.global);
    const auto bytes = value<std::uint32_t>(copy_.bytes);
    if (shared % 16 != 0 || global % 16 != 0 || bytes % 16 != 0) {
      const std::uint64_t from = copy_.to_shared ? global : shared,
                          to = copy_.to_shared ? shared : global;
      return fault(DiagnosticKind::misaligned,
                   say::bulk_misaligned(say::bytes(bytes), hex(from), hex(to)),
                   say::align_for_bulk);
    }
    if (bytes == 0) return true;
    if (!is_inside(shared, bytes, copy_.to_shared) || !is_inside(global, bytes, !copy_.to_shared))
      return false;
    if (shared - kSharedWindow >= m_.shared.size()) return outside(shared, bytes, copy_.to_shared);
    const auto offset = static_cast<std::uint32_t>(shared - kSharedWindow);
    move_.pieces = {{offset, bytes, global}};
    cost_ = region_of(global)->space == MemorySpace::shared ? GlobalCounts{}
                                                            : bulk_cost(global, offset, bytes);
    return true;
  }

  bool find_tile(std::uint64_t shared) {
    const auto at = value<std::uint64_t>(copy_.global);
    const Region* holds = region_of(at);
    std::array<std::byte, kTensorMapBytes> bytes{};
    if (holds != nullptr && holds->data != nullptr &&
        at - holds->base + bytes.size() <= holds->size)
      std::memcpy(bytes.data(), holds->data + (at - holds->base), bytes.size());
    const std::optional<TensorMap> map = decode_tensor_map(bytes);
    if (!map || at % 64 != 0)
      return fault(DiagnosticKind::usage, say::no_tensor_map(hex(at)), say::make_a_tensor_map);
    if (map->rank != copy_.dimensions)
      return fault(DiagnosticKind::usage, say::tensor_dimensions(copy_.dimensions, map->rank),
                   say::make_a_tensor_map);
    if (map->is_image() != copy_.is_image())
      return fault(DiagnosticKind::usage,
                   map->is_image() ? Message(say::tensor_image_as_tile)
                                   : Message(say::tensor_tile_as_image),
                   say::let_mode_be_the_maps);
    element_ = map->element;
    if (!is_known(copy_.reduction, element_))
      return fault(DiagnosticKind::usage,
                   say::tensor_not_reduced(std::string(reduction_name(copy_.reduction)),
                                           std::string(tensor_element_name(element_))),
                   say::reduce_known_types);
    const std::uint64_t offset = shared - kSharedWindow;
    if (offset % map->tile_alignment() != 0)
      return fault(DiagnosticKind::misaligned,
                   say::tensor_misaligned(offset, map->tile_alignment()), say::align_the_tile);
    if (!is_inside(shared, map->tile_bytes(), copy_.to_shared)) return false;
    TilePlace first{};
    for (std::size_t d = 0; d < copy_.dimensions; ++d) {
      first[d] = value<std::int32_t>(copy_.coordinates[d]);
      if (first[d] < 0 && !copy_.to_shared)
        return fault(DiagnosticKind::usage, say::tensor_stored_before(first[d], d),
                     say::store_tiles_within);
    }
    if (map->is_image() && !copy_.to_shared && !stores_within(*map, first)) return false;
    if (first[0] * map->element_bytes % 16 != 0)
      return fault(DiagnosticKind::misaligned,
                   say::tensor_between_chunks(first[0], say::bytes(map->element_bytes)),
                   say::let_tiles_begin_at_chunks);
    PixelOffset offsets{};
    for (std::size_t d = 0; copy_.is_image() && d < offsets.size(); ++d)
      offsets[d] = value<std::uint32_t>(copy_.offsets[d]) & 0xffffu;
    const TensorTile tile(*map, first, offsets);
    add_rows(*map, tile, static_cast<std::uint32_t>(offset));
    cost_ = tile.cost(copy_.to_shared);
    return std::all_of(move_.pieces.begin(), move_.pieces.end(), [&](const BulkPiece& piece) {
      return piece.global == 0 || is_inside(piece.global, piece.bytes, !copy_.to_shared);
    });
  }

  /// Read from an H200: a copy that stores pixels is an illegal instruction where the map's box leaves the image, and
  /// where its first pixel is none of the box's. Images and channels beyond the last are dropped.
  bool stores_within(const TensorMap& map, const TilePlace& first) {
    for (std::size_t d = 1; d + 1 < static_cast<std::size_t>(map.rank); ++d) {
      const std::int64_t low = map.image.lower[d - 1], beyond = map.image.upper[d - 1],
                         high = static_cast<std::int64_t>(map.extent[d]) - 1 + beyond;
      if (low < 0 || beyond > 0)
        return fault(DiagnosticKind::usage, say::pixels_stored_outside(low, high, d),
                     say::store_pixels_within);
      if (first[d] < low || first[d] > high)
        return fault(DiagnosticKind::usage, say::pixels_stored_from(first[d], d, low, high),
                     say::store_pixels_within);
    }
    return true;
  }

  void add_rows(const TensorMap& map, const TensorTile& tile, std::uint32_t offset) {
    const std::uint32_t row_bytes = map.box[0] * map.element_bytes;
    for (std::uint32_t index = 0; index < map.rows(); ++index) {
      const TensorTile::Row row = tile.row(index);
      for (std::uint32_t at = 0; at < row_bytes; at += 16)
        add_chunk(map, tile, row, at, swizzled(map.swizzle, offset + row.offset + at));
    }
  }

  /// 16 bytes in shared memory, `at` bytes from the beginning of their row.
  void add_chunk(const TensorMap& map, const TensorTile& tile, const TensorTile::Row& row,
                 std::uint32_t at, std::uint32_t offset) {
    for (std::uint32_t i = 0; i < 16; i += map.element_bytes) {
      const bool inside = row.is_inside && at + i >= tile.begin() && at + i < tile.end();
      const std::uint64_t from = inside ? row.address + at + i : 0;
      if (!move_.pieces.empty()) {
        BulkPiece& last = move_.pieces.back();
        const bool goes_on =
            last.shared + last.bytes == offset + i &&
            (from == 0 ? last.global == 0 : last.global != 0 && last.global + last.bytes == from);
        if (goes_on) {
          last.bytes += map.element_bytes;
          continue;
        }
      }
      move_.pieces.push_back({offset + i, map.element_bytes, from});
    }
  }

  bool find_mbarrier() {
    if (copy_.mbarrier == kNone) return true;
    const std::uint64_t address = own(value<std::uint64_t>(copy_.mbarrier));
    const auto offset = mbarrier_offset(m_, op_, lane_, address, true);
    if (!offset) return false;
    move_.mbarrier = *offset;
    std::memcpy(&word_, shared_ + *offset, sizeof word_);
    if (!mbarrier::is_valid(word_)) {
      fail(m_, op_, DiagnosticKind::divergent_barrier, 1u << lane_);
      m_.fault.awaited = Awaited::Kind::mbarrier;
      m_.fault.address = address;
      return false;
    }
    std::int64_t bytes = 0;
    for (const BulkPiece& piece : move_.pieces) bytes += piece.bytes;
    next_ = mbarrier::changed(word_, mbarrier::with_bytes(-bytes));
    move_.completes = mbarrier::is_next_phase(word_, next_);
    return true;
  }

  void move(const BulkPiece& piece) const {
    std::byte* shared = shared_ + piece.shared;
    if (piece.global == 0) {
      if (copy_.to_shared) std::memset(shared, 0, piece.bytes);
      return;
    }
    const Region& region = *region_of(piece.global);
    if (region.data == nullptr) return;  // data that the run does without
    const std::uint64_t offset = piece.global - region.base;
    if (region.deferred != nullptr) fill_touched(*region.deferred, offset, piece.bytes);
    std::byte* to = copy_.to_shared ? shared : region.data + offset;
    const std::byte* from = copy_.to_shared ? region.data + offset : shared;
    if (copy_.reduction == BulkReduction::none)
      std::memcpy(to, from, piece.bytes);
    else
      bulk::reduce(copy_.reduction, element_, to, from, piece.bytes);
  }

  void complete() const {
    if (move_.mbarrier != kNone) std::memcpy(shared_ + move_.mbarrier, &next_, sizeof next_);
  }

  Machine& m_;
  const WarpState& w_;
  const Op& op_;
  const BulkCopy& copy_;
  const int lane_;
  BulkMove move_;
  /// Of what is added or compared
  TensorElement element_ = TensorElement::u8;
  /// That of the block that gets it, or gives it
  std::byte* shared_ = nullptr;
  /// The mbarrier before and after
  std::uint64_t word_ = 0, next_ = 0;
  GlobalCounts cost_;
};

/// Before anything is copied: a tensor copy through no map is told as the fault that it is.
void record(const Machine& m, const WarpState& w, const Op& op, LaneMask mask) {
  const BulkCopy& copy = m.code->bulk_copies[op.a];
  if (copy.dimensions == 0) return m.recorder->bulk(w.index, op, mask, copy, nullptr, m.rows);
  std::uint64_t at[kLanes];
  std::memcpy(at, m.rows + std::size_t{copy.global} * kLanes, sizeof at);
  const std::uint64_t map = at[std::countr_zero(mask)];
  for (const Region& region : m.regions)
    if (map - region.base < region.size && region.size - (map - region.base) >= kTensorMapBytes &&
        region.data != nullptr)
      return m.recorder->bulk(w.index, op, mask, copy, region.data + (map - region.base), m.rows);
}

}  // namespace

Stop copy_in_bulk(Machine& m, const WarpState& w, const Op& op, LaneMask mask) {
  m.counts[m.code->bulk_copies[op.a].access].executions += 1;
  if (m.recorder != nullptr && mask != 0) record(m, w, op, mask);
  for (LaneMask left = mask; left != 0; left &= left - 1)
    if (const Stop stop = Copying(m, w, op, std::countr_zero(left)).run(); stop != Stop::exited)
      return stop;
  return Stop::exited;
}

}  // namespace lanescope

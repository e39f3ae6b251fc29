// Addresses, bounds, data movement and counting of one warp-wide access. Compiled twice, see
// interpreter.h: everything here has internal linkage.
#pragma once

#include <cstring>

#include "check/checker.h"
#include "execute/executor.h"
#include "execute/rows.h"
#include "lanescope/banks.h"
#include "lanescope/sectors.h"
#include "machine/lane_math.h"
#include "machine/machine.h"
#include "machine/mbarrier.h"
#include "model/cost_service.h"

namespace lanescope {
namespace {

/// The lanes' addresses, all 32 of them, in bytes.
void address_row(const Machine& m, const MemRef& ref, std::uint64_t* out) {
  const auto constant = static_cast<std::uint64_t>(ref.constant);
  if (ref.base != kNone) {
    const auto* base =
        reinterpret_cast<const std::uint64_t*>(m.rows + std::size_t{ref.base} * kLanes);
    for (int l = 0; l < kLanes; ++l) out[l] = base[l] + constant;
  } else {
    for (int l = 0; l < kLanes; ++l) out[l] = constant;
  }
  for (const MemTerm& term : ref.terms) {
    const std::uint32_t* row = m.rows + std::size_t{term.row} * kLanes;
    const auto scale = term.scale;
    if (term.kind == MemTerm::Kind::i64) {
      const auto* wide = reinterpret_cast<const std::uint64_t*>(row);
      for (int l = 0; l < kLanes; ++l) out[l] += wide[l] * static_cast<std::uint64_t>(scale);
    } else if ((scale & (scale - 1)) == 0 && scale > 0) {
      const int shift = __builtin_ctzll(static_cast<std::uint64_t>(scale));
      if (term.kind == MemTerm::Kind::s32) {
        const auto* narrow = reinterpret_cast<const std::int32_t*>(row);
        for (int l = 0; l < kLanes; ++l)
          out[l] += static_cast<std::uint64_t>(std::int64_t{narrow[l]}) << shift;
      } else {
        for (int l = 0; l < kLanes; ++l) out[l] += std::uint64_t{row[l]} << shift;
      }
    } else if (scale > 0 && scale <= 0x7fffffff) {
      const auto narrow_scale = static_cast<std::int32_t>(scale);
      if (term.kind == MemTerm::Kind::s32) {
        const auto* narrow = reinterpret_cast<const std::int32_t*>(row);
        for (int l = 0; l < kLanes; ++l)
          out[l] += static_cast<std::uint64_t>(std::int64_t{narrow[l]} * narrow_scale);
      } else {
        for (int l = 0; l < kLanes; ++l)
          out[l] += std::uint64_t{row[l]} * static_cast<std::uint32_t>(narrow_scale);
      }
    } else {
      const auto* narrow = reinterpret_cast<const std::int32_t*>(row);
      for (int l = 0; l < kLanes; ++l)
        out[l] +=
            (term.kind == MemTerm::Kind::s32 ? static_cast<std::uint64_t>(std::int64_t{narrow[l]})
                                             : row[l]) *
            static_cast<std::uint64_t>(scale);
    }
  }
}

/// Offsets of the active lanes from the region's base, 0 for the others; false if one reaches past its end.
bool offsets_inside(const Region& region, const std::uint64_t* address, LaneMask mask,
                    std::uint32_t bytes, std::uint64_t* offset, std::uint64_t& misaligned) {
  if (region.size < bytes) return false;
  const std::uint64_t limit = region.size - bytes, base = region.base;
  std::uint64_t bad = 0, low = 0;
  if (mask == kAllLanes) {
    for (int l = 0; l < kLanes; ++l) {
      offset[l] = address[l] - base;
      bad |= offset[l] | (limit - offset[l]);  // sizes are below 2^63: the top bit tells "outside"
      low |= offset[l];
    }
  } else {
    for (std::uint32_t l = 0; l < kLanes; ++l) {
      const std::uint64_t on = 0 - std::uint64_t{mask >> l & 1};
      offset[l] = (address[l] - base) & on;
      bad |= offset[l] | (limit - offset[l]);
      low |= offset[l];
    }
  }
  misaligned = low & (bytes - 1);
  return static_cast<std::int64_t>(bad) >= 0;
}

const Region* find_region(const Machine& m, std::uint64_t address) {
  for (const Region& region : m.regions)
    if (address - region.base < region.size) return &region;
  return nullptr;
}

bool set_fault(Machine& m, const Op& op, const MemRef& ref, DiagnosticKind kind, int lane,
               std::uint64_t address) {
  m.fault = {};
  m.fault.kind = kind;
  m.fault.info = op.info;
  m.fault.lane = lane;
  m.fault.address = address;
  m.fault.bytes = ref.bytes;
  m.fault.is_store = ref.is_store;
  m.fault.guard = ref.guard;
  if (ref.guard != kNone && m.code->guards[ref.guard].from_outside)
    m.fault.base = row_of<std::uint64_t>(m, ref.base)[lane];
  return false;
}

// ---- moving data ----

template <class Row, class Element>
void move_component(Row* row, std::byte* data, const std::uint64_t* offset, std::uint64_t shift,
                    LaneMask mask, const MemRef& ref) {
  if (ref.is_store)
    return in_store_order(mask, ref.bytes, [&](int l) {
      const auto value = static_cast<Element>(row[l]);
      std::memcpy(data + offset[l] + shift, &value, sizeof value);
    });
  if (mask == kAllLanes) {
    for (std::uint32_t l = 0; l < kLanes; ++l) {
      Element value;
      std::memcpy(&value, data + offset[l] + shift, sizeof value);
      row[l] = static_cast<Row>(value);
    }
    return;
  }
  // Other lanes keep theirs: they may wait elsewhere with a value that this very load gave them before.
  for (std::uint32_t l = 0; l < kLanes; ++l) {
    Element value;
    std::memcpy(&value, data + offset[l] + shift, sizeof value);
    row[l] = mask >> l & 1 ? static_cast<Row>(value) : row[l];
  }
}

bool is_contiguous(const std::uint64_t* offset, std::uint64_t step) {
  const std::uint64_t first = offset[0];
  std::uint64_t differ = 0;
  for (std::uint64_t l = 0; l < kLanes; ++l) differ |= offset[l] ^ (first + l * step);
  return differ == 0;
}

void move_predicate(Machine& m, const MemRef& ref, std::byte* data, const std::uint64_t* offset,
                    LaneMask mask) {
  LaneMask& bits = m.predicates[ref.value[0]];
  in_store_order(mask, ref.bytes, [&](int l) {
    if (ref.is_store)
      data[offset[l]] = static_cast<std::byte>(bits >> l & 1);
    else
      bits = (bits & ~(1u << l)) | static_cast<LaneMask>(static_cast<unsigned>(data[offset[l]]) & 1)
                                       << l;
  });
}

// Without data: nothing is stored, and what is loaded is 0.
void load_nothing(Machine& m, const MemRef& ref) {
  for (std::uint32_t c = 0; !ref.is_store && c < ref.components; ++c) {
    if (ref.predicate_value)
      m.predicates[ref.value[c]] = 0;
    else
      std::memset(m.rows + std::size_t{ref.value[c]} * kLanes, 0,
                  (ref.component_bytes == 8 ? 8u : 4u) * kLanes);
  }
}

void move_data(Machine& m, const MemRef& ref, std::byte* data, const std::uint64_t* offset,
               LaneMask mask) {
  if (data == nullptr) return load_nothing(m, ref);
  if (ref.predicate_value) return move_predicate(m, ref, data, offset, mask);
  if (ref.components == 1 && mask == kAllLanes && (ref.bytes == 4 || ref.bytes == 8) &&
      is_contiguous(offset, ref.bytes)) {
    std::uint32_t* row = m.rows + std::size_t{ref.value[0]} * kLanes;
    if (ref.is_store)
      std::memcpy(data + offset[0], row, std::size_t{ref.bytes} * kLanes);
    else
      std::memcpy(row, data + offset[0], std::size_t{ref.bytes} * kLanes);
    return;
  }
  for (std::uint32_t c = 0; c < ref.components; ++c) {
    std::uint32_t* row = m.rows + std::size_t{ref.value[c]} * kLanes;
    const std::uint64_t shift = std::uint64_t{c} * ref.component_bytes;
    switch (ref.component_bytes) {
    case 1:
      move_component<std::uint32_t, std::uint8_t>(row, data, offset, shift, mask, ref);
      break;
    case 2:
      move_component<std::uint32_t, std::uint16_t>(row, data, offset, shift, mask, ref);
      break;
    case 4:
      move_component<std::uint32_t, std::uint32_t>(row, data, offset, shift, mask, ref);
      break;
    default:
      move_component<std::uint64_t, std::uint64_t>(reinterpret_cast<std::uint64_t*>(row), data,
                                                   offset, shift, mask, ref);
      break;
    }
  }
}

/// An array in local memory is mostly indexed alike by all lanes: then its words lie side by side, as in a row.
bool move_local_rows(Machine& m, WarpState& w, const MemRef& ref, const std::uint64_t* offset,
                     LaneMask mask) {
  if (mask != kAllLanes || ref.component_bytes != 4 || ref.predicate_value ||
      !is_contiguous(offset, 0))
    return false;
  for (std::uint32_t c = 0; c < ref.components; ++c) {
    std::uint32_t* row = m.rows + std::size_t{ref.value[c]} * kLanes;
    std::uint32_t* words = w.local.data() + (offset[0] / 4 + c) * kLanes;
    if (ref.is_store)
      std::memcpy(words, row, kLanes * sizeof *row);
    else
      std::memcpy(row, words, kLanes * sizeof *row);
  }
  return true;
}

/// Local memory: byte b of lane l lies in word (b / 4) × 32 + l.
void move_local(Machine& m, WarpState& w, const MemRef& ref, const std::uint64_t* offset,
                LaneMask mask) {
  if (move_local_rows(m, w, ref, offset, mask)) return;
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const auto l = static_cast<std::uint32_t>(__builtin_ctz(left));
    for (std::uint32_t c = 0; c < ref.components; ++c) {
      std::uint32_t* row = m.rows + std::size_t{ref.value[c]} * kLanes;
      const std::uint64_t at = offset[l] + std::uint64_t{c} * ref.component_bytes;
      std::uint32_t* word = w.local.data() + (at / 4) * kLanes + l;
      if (ref.component_bytes == 4) {
        if (ref.is_store)
          *word = row[l];
        else
          row[l] = *word;
      } else if (ref.component_bytes == 8) {
        std::uint64_t* wide = reinterpret_cast<std::uint64_t*>(row) + l;
        if (ref.is_store)
          word[0] = static_cast<std::uint32_t>(*wide),
          word[kLanes] = static_cast<std::uint32_t>(*wide >> 32);
        else
          *wide = std::uint64_t{word[kLanes]} << 32 | word[0];
      } else {
        const std::uint32_t shift = static_cast<std::uint32_t>(at & 3) * 8,
                            low = ref.component_bytes == 1 ? 0xffu : 0xffffu;
        LaneMask* bits = ref.predicate_value ? &m.predicates[ref.value[c]] : nullptr;
        if (ref.is_store)
          *word = (*word & ~(low << shift)) | ((bits != nullptr ? *bits >> l & 1 : row[l]) & low)
                                                  << shift;
        else if (bits != nullptr)
          *bits = (*bits & ~(1u << l)) | (*word >> shift & 1) << l;
        else
          row[l] = *word >> shift & low;
      }
    }
  }
}

// ---- atomics: lane by lane, in lane order ----

/// The sums of the 16-bit numbers that lie side by side in a and b.
template <class U>
U add_halves(U a, U b, bool is_bfloat) {
  std::uint32_t out = 0;
  for (unsigned at = 0; at < sizeof(U) * 8 && at < 32; at += 16) {
    const auto x = static_cast<std::uint32_t>(a >> at) & 0xffffu,
               y = static_cast<std::uint32_t>(b >> at) & 0xffffu;
    const std::uint32_t sum = is_bfloat ? float_to_bfloat(bfloat_to_float(x) + bfloat_to_float(y))
                                        : float_to_half(half_to_float(x) + half_to_float(y));
    out |= sum << at;
  }
  return static_cast<U>(out);
}

/// What memory holds afterwards: U the bits, S the signed and F the floating-point type of that size.
template <class U, class S, class F>
U combine(AtomicOp op, U old, U value, U expected) {
  F fold, fvalue;
  std::memcpy(&fold, &old, sizeof old);
  std::memcpy(&fvalue, &value, sizeof value);
  const auto bits = [](F f) {
    U u;
    std::memcpy(&u, &f, sizeof u);
    return u;
  };
  switch (op) {
  case AtomicOp::add:
    return static_cast<U>(old + value);
  case AtomicOp::sub:
    return static_cast<U>(old - value);
  case AtomicOp::and_:
    return old & value;
  case AtomicOp::or_:
    return old | value;
  case AtomicOp::xor_:
    return old ^ value;
  case AtomicOp::smin:
    return static_cast<S>(old) < static_cast<S>(value) ? old : value;
  case AtomicOp::smax:
    return static_cast<S>(old) < static_cast<S>(value) ? value : old;
  case AtomicOp::umin:
    return old < value ? old : value;
  case AtomicOp::umax:
    return old < value ? value : old;
  case AtomicOp::exchange:
    return value;
  case AtomicOp::fadd:
    return bits(fold + fvalue);
  case AtomicOp::fadd_f16:
    return add_halves(old, value, false);
  case AtomicOp::fadd_bf16:
    return add_halves(old, value, true);
  case AtomicOp::fmin:
    return bits(fold < fvalue ? fold : fvalue);
  case AtomicOp::fmax:
    return bits(fold < fvalue ? fvalue : fold);
  case AtomicOp::inc:
    return old >= value ? U{0} : static_cast<U>(old + 1);
  case AtomicOp::dec:
    return old == 0 || old > value ? value : static_cast<U>(old - 1);
  case AtomicOp::mbarrier:
    return static_cast<U>(mbarrier::changed(old, value));
  case AtomicOp::compare_exchange:
    break;
  }
  return old == expected ? value : old;
}

/// Row is what a lane's value of type U lies in.
template <class U, class S, class F, class Row = U>
void move_atomic(Machine& m, const MemRef& ref, std::byte* data, const std::uint64_t* offset,
                 LaneMask mask) {
  Row* result = reinterpret_cast<Row*>(m.rows + std::size_t{ref.value[0]} * kLanes);
  const Row* operand = reinterpret_cast<const Row*>(m.rows + std::size_t{ref.operand} * kLanes);
  const Row* expected =
      ref.compare != kNone
          ? reinterpret_cast<const Row*>(m.rows + std::size_t{ref.compare} * kLanes)
          : operand;
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const int l = __builtin_ctz(left);
    U old;
    std::memcpy(&old, data + offset[l], sizeof old);
    const U next =
        combine<U, S, F>(ref.atomic, old, static_cast<U>(operand[l]), static_cast<U>(expected[l]));
    std::memcpy(data + offset[l], &next, sizeof next);
    result[l] = old;
  }
}

void move_any(Machine& m, WarpState& w, const Op& op, const MemRef& ref, const Region& region,
              const std::uint64_t* offset, LaneMask mask) {
  if (region.space == MemorySpace::local)
    move_local(m, w, ref, offset, mask);
  else if (op.code != Code::atomic || region.data == nullptr)
    move_data(m, ref, region.data, offset, mask);
  else if (ref.bytes == 8)
    move_atomic<std::uint64_t, std::int64_t, double>(m, ref, region.data, offset, mask);
  else if (ref.bytes == 2)  // no instruction has a float of this size but the sums of halves
    move_atomic<std::uint16_t, std::int16_t, std::uint16_t, std::uint32_t>(m, ref, region.data,
                                                                           offset, mask);
  else
    move_atomic<std::uint32_t, std::int32_t, float>(m, ref, region.data, offset, mask);
}

// ---- matrices ----

/// Where a lane's two halves of a register lie in an 8×8 matrix.
struct MatrixPlace {
  std::uint8_t row[2], byte[2];
};
struct MatrixPlaces {
  MatrixPlace of[2][kLanes];
  MatrixPlaces() {
    for (int transposed = 0; transposed < 2; ++transposed)
      for (int lane = 0; lane < kLanes; ++lane)
        for (int part = 0; part < 2; ++part) {
          const MatrixElement element = ldmatrix_element({lane, 0, part}, transposed == 1);
          of[transposed][lane].row[part] = static_cast<std::uint8_t>(element.row);
          of[transposed][lane].byte[part] = static_cast<std::uint8_t>(2 * element.column);
        }
  }
};

void move_matrices(Machine& m, const MemRef& ref, std::byte* data, const std::uint64_t* offset) {
  static const MatrixPlaces places;
  for (std::uint32_t matrix = 0; matrix < ref.components; ++matrix) {
    std::uint32_t* row = row_of<std::uint32_t>(m, ref.value[matrix]);
    const std::uint64_t* rows = offset + std::size_t{matrix} * 8;
    for (int lane = 0; lane < kLanes; ++lane) {
      const MatrixPlace& place = places.of[ref.transposed][lane];
      std::uint16_t halves[2];
      if (ref.is_store) std::memcpy(halves, row + lane, sizeof halves);
      for (int part = 0; part < 2; ++part) {
        std::byte* at = data + rows[place.row[part]] + place.byte[part];
        if (ref.is_store)
          std::memcpy(at, halves + part, 2);
        else
          std::memcpy(halves + part, at, 2);
      }
      if (!ref.is_store) std::memcpy(row + lane, halves, sizeof halves);
    }
  }
}

// ---- counting ----

/// What an asynchronous copy costs is known by the addresses of both sides.
cost::Copied count_copy(const Machine& m, const MemRef& ref, LaneMask mask) {
  const MemRef& other = m.code->refs[ref.other_side];
  alignas(32) std::uint64_t from[kLanes], to[kLanes];
  alignas(32) std::uint32_t narrow[kLanes];
  address_row(m, ref.is_store ? other : ref, from);
  address_row(m, ref.is_store ? ref : other, to);
  for (int l = 0; l < kLanes; ++l) narrow[l] = static_cast<std::uint32_t>(to[l] - kSharedWindow);
  return cost::copied(from, narrow, mask, ref.bytes, ref.service);
}

void count_shared(const Machine& m, AccessCounts& counts, const std::uint64_t* offset,
                  LaneMask mask, const MemRef& ref) {
  if (ref.atomic == AtomicOp::mbarrier) return;  // what that takes is not known
  if (ref.other_side != kNone && ref.is_store)
    return cost::add(counts.shared, count_copy(m, ref, mask).shared);
  alignas(32) std::uint32_t narrow[kLanes];
  for (int l = 0; l < kLanes; ++l) narrow[l] = static_cast<std::uint32_t>(offset[l]);
  cost::add(counts.shared, cost::served(narrow, mask, ref.bytes, ref.service));
}

void count_global(const Machine& m, AccessCounts& counts, const std::uint64_t* address,
                  LaneMask mask, const MemRef& ref) {
  if (ref.service == Service::bypass && !ref.is_store)
    return cost::add(counts.global, count_copy(m, ref, mask).global);
  cost::add(counts.global, cost::served_global(address, mask, ref.bytes, ref.service));
}

// A buffer that is filled as it is touched; only when single blocks are looked at.
void fill_lanes(const Region& region, const std::uint64_t* offset, LaneMask mask,
                std::uint32_t bytes) {
  for (LaneMask left = mask; left != 0; left &= left - 1)
    fill_touched(*region.deferred, offset[__builtin_ctz(left)], bytes);
}

/// What lanes read that find nothing.
void zero_lanes(Machine& m, const MemRef& ref, LaneMask lanes) {
  if (ref.is_store) return;
  for (std::uint32_t c = 0; c < ref.components; ++c) {
    if (ref.value[c] == kNone) continue;
    if (ref.predicate_value) {
      m.predicates[ref.value[c]] &= ~lanes;
      continue;
    }
    for (LaneMask left = lanes; left != 0; left &= left - 1) {
      const int lane = __builtin_ctz(left);
      if (ref.component_bytes == 8)
        row_of<std::uint64_t>(m, ref.value[c])[lane] = 0;
      else
        row_of<std::uint32_t>(m, ref.value[c])[lane] = 0;
    }
  }
}

/// A lane's access that finds nothing: told, and left out, where the run may go on.
bool skip_lane(Machine& m, const WarpState& w, const Op& op, const MemRef& ref, int lane,
               std::uint64_t address, LaneMask& left) {
  set_fault(m, op, ref, DiagnosticKind::out_of_bounds, lane, address);
  const bool of_null = ref.guard != kNone && m.code->guards[ref.guard].from_outside &&
                       m.fault.base == 0 && address < kSharedWindow;
  if (address < 4096 || of_null) m.fault.kind = DiagnosticKind::null_pointer;
  if (!m.go_on || !is_mapped(m, address) || !tolerate(m, w)) return false;
  zero_lanes(m, ref, 1u << lane);
  left &= ~(1u << lane);
  return true;
}

/// Textures and the constant bank have ways of their own to the memory that others read as global.
bool is_device(const MemRef& ref) {
  return ref.space != MemorySpace::constant && ref.space != MemorySpace::texture;
}
bool is_global(const Region& region, const MemRef& ref) {
  if (!is_device(ref)) return false;
  return region.space == MemorySpace::global || region.space == MemorySpace::constant;
}

/// Not that of another block of the cluster: what reaching that takes is not known.
bool is_own_shared(const Region& region) {
  return region.space == MemorySpace::shared && region.base == kSharedWindow;
}

// Lanes in several buffers, or in several spaces behind one generic pointer, or out of bounds: sorted out by region.
bool access_mixed(Machine& m, WarpState& w, const Op& op, const MemRef& ref,
                  const std::uint64_t* address, LaneMask mask) {
  AccessCounts& counts = m.counts[ref.access];
  LaneMask global_lanes = 0;
  for (LaneMask left = mask; left != 0;) {
    const int lane = __builtin_ctz(left);
    const Region* region = find_region(m, address[lane]);
    if (region == nullptr) {
      if (!skip_lane(m, w, op, ref, lane, address[lane], left)) return false;
      // Nothing is there, and it is asked for all the same.
      if (is_device(ref)) global_lanes |= 1u << lane;
      continue;
    }
    LaneMask here = 0;
    for (LaneMask l = left; l != 0; l &= l - 1)
      if (address[__builtin_ctz(l)] - region->base < region->size) here |= l & (0 - l);
    std::uint64_t offset[kLanes] = {}, misaligned = 0;
    if (!offsets_inside(*region, address, here, ref.bytes, offset, misaligned)) {
      for (LaneMask l = here; l != 0; l &= l - 1)
        if (const int bad = __builtin_ctz(l);
            offset[bad] > region->size - ref.bytes || region->size < ref.bytes) {
          if (!skip_lane(m, w, op, ref, bad, address[bad], left)) return false;
          here &= ~(1u << bad);
          if (is_global(*region, ref)) global_lanes |= 1u << bad;
        }
      if (here == 0) continue;
    }
    for (LaneMask l = here; l != 0; l &= l - 1)
      if (const int bad = __builtin_ctz(l); (address[bad] & (ref.bytes - 1)) != 0)
        return set_fault(m, op, ref, DiagnosticKind::misaligned, bad, address[bad]);
    if (region->deferred != nullptr) fill_lanes(*region, offset, here, ref.bytes);
    if (m.checker != nullptr) m.checker->access(m, w, op, ref, *region, address, here);
    move_any(m, w, op, ref, *region, offset, here);
    if (is_own_shared(*region)) count_shared(m, counts, offset, here, ref);
    if (is_global(*region, ref)) global_lanes |= here;
    left &= ~here;
  }
  if (global_lanes != 0) count_global(m, counts, address, global_lanes, ref);
  return true;
}

/// A fault of matrix instructions: all lanes take part in them, or none.
void lacks_lanes(Machine& m, const Op& op, LaneMask mask) {
  fail(m, op, DiagnosticKind::divergent_barrier, ~mask, ~mask);
  m.fault.is_matrix = true;
}

/// ldmatrix and stmatrix: rows of 16 bytes in shared memory, of which some lanes give the addresses.
bool access_matrices(Machine& m, const WarpState& w, const Op& op, const MemRef& ref,
                     const std::uint64_t* address, LaneMask mask) {
  AccessCounts& counts = m.counts[ref.access];
  counts.executions += 1;
  if (mask != kAllLanes) return lacks_lanes(m, op, mask), false;
  const LaneMask rows = addressing_lanes(ref.service, mask);
  const Region& region = m.regions[0];
  alignas(32) std::uint64_t offset[kLanes];
  std::uint64_t misaligned = 0;
  if (m.checker != nullptr && ref.guard != kNone) m.checker->guard(m, w, op, ref, address, rows);
  const bool inside = offsets_inside(region, address, rows, ref.bytes, offset, misaligned);
  for (LaneMask left = rows; left != 0 && (!inside || misaligned != 0); left &= left - 1) {
    const int lane = __builtin_ctz(left);
    const std::uint64_t at = address[lane] - region.base;
    const bool outside = at >= region.size || region.size - at < ref.bytes;
    if (!outside && (at & (ref.bytes - 1)) == 0) continue;
    set_fault(m, op, ref, outside ? DiagnosticKind::out_of_bounds : DiagnosticKind::misaligned,
              lane, address[lane]);
    m.fault.is_matrix = true;
    return false;
  }
  if (m.checker != nullptr) m.checker->access(m, w, op, ref, region, address, rows);
  if (region.data != nullptr)
    move_matrices(m, ref, region.data, offset);
  else
    load_nothing(m, ref);
  count_shared(m, counts, offset, rows, ref);
  return true;
}

bool access_memory(Machine& m, WarpState& w, const Op& op, const MemRef& ref,
                   const std::uint64_t* address, LaneMask mask) {
  if (matrices_of(ref.service) != 0) return access_matrices(m, w, op, ref, address, mask);
  AccessCounts& counts = m.counts[ref.access];
  counts.executions += 1;
  alignas(32) std::uint64_t offset[kLanes];
  std::uint64_t misaligned = 0;
  if (m.checker != nullptr && ref.guard != kNone) m.checker->guard(m, w, op, ref, address, mask);
  Region& region = m.ref_region[op.a];
  if (!offsets_inside(region, address, mask, ref.bytes, offset, misaligned)) {
    const Region* other = find_region(m, address[__builtin_ctz(mask)]);
    if (other == nullptr || !offsets_inside(*other, address, mask, ref.bytes, offset, misaligned))
      return access_mixed(m, w, op, ref, address, mask);
    region = *other;
  }
  if (misaligned != 0)
    for (LaneMask l = mask; l != 0; l &= l - 1)
      if (const int lane = __builtin_ctz(l); (offset[lane] & (ref.bytes - 1)) != 0)
        return set_fault(m, op, ref, DiagnosticKind::misaligned, lane, address[lane]);
  if (region.deferred != nullptr) fill_lanes(region, offset, mask, ref.bytes);
  if (m.checker != nullptr) m.checker->access(m, w, op, ref, region, address, mask);
  move_any(m, w, op, ref, region, offset, mask);
  if (is_own_shared(region))
    count_shared(m, counts, offset, mask, ref);
  else if (is_global(region, ref))
    count_global(m, counts, address, mask, ref);
  return true;
}

}  // namespace
}  // namespace lanescope

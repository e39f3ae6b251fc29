// What the accesses of a symbolic run cost in all blocks of its box.
#include <bit>
#include <numeric>

#include "model/cost_service.h"
#include "prove/symbolic_run.h"

namespace lanescope {

const Region* SymbolicRun::region_of(const AffineRow& address, LaneMask mask,
                                     std::uint32_t bytes) const {
  const Region* region = nullptr;
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const Interval r = address.range(box_, std::countr_zero(left));
    if (region == nullptr)
      for (const Region& candidate : m_.regions)
        if (static_cast<std::uint64_t>(r.low) - candidate.base < candidate.size)
          region = &candidate;
    if (region == nullptr || region->size < bytes) return nullptr;
    const auto base = static_cast<std::int64_t>(region->base);
    if (r.low < base || r.high > base + static_cast<std::int64_t>(region->size - bytes))
      return nullptr;
  }
  return region;
}

bool SymbolicRun::moves_by(const AffineRow& address, LaneMask mask, std::int64_t step) const {
  if (address.flat()) return true;
  const auto first = static_cast<std::size_t>(std::countr_zero(mask));
  for (const std::size_t d : dimensions_in(address.moving)) {
    if (box_.low[d] == box_.high[d]) continue;
    const auto& slope = address.slope[d];
    std::int64_t differs = 0;
    for (std::size_t l = 0; l < kLanes; ++l)
      differs |= (slope[l] ^ slope[first]) & -static_cast<std::int64_t>(mask >> l & 1);
    if (differs != 0 || slope[first] % step != 0) return false;
  }
  return true;
}

bool SymbolicRun::moves_together(const AffineRow& address, LaneMask mask,
                                 std::uint32_t bytes) const {
  std::uint64_t low[kLanes];
  low_addresses(address, mask, low);
  std::uint64_t bits = 0;
  for (const std::uint64_t at : low) bits |= at;
  return bits % bytes == 0 && moves_by(address, mask, bytes);
}

void SymbolicRun::access(const Op& op, LaneMask mask) {
  const MemRef& ref = code_.refs[op.a];
  const AffineRow address = values_.address(ref);
  if (matrices_of(ref.service) != 0) {
    if (mask != kAllLanes) return values_.fail("a matrix instruction in divergent code");
    mask = addressing_lanes(ref.service, mask);
  }
  if ((mask & ~address.known) != 0)
    return values_.fail("an address depends on loaded data, or is not affine in blockIdx");
  const Region* region = region_of(address, mask, ref.bytes);
  if (region == nullptr) return values_.fail("an access may leave its buffer in some block");
  if (!moves_together(address, mask, ref.bytes))
    return values_.fail("the lanes of an access move apart from block to block");
  AccessCounts& counts = counts_->accesses[ref.access];
  counts.executions += box_.count();
  const bool is_global =
      ref.space != MemorySpace::constant && ref.space != MemorySpace::texture &&
      (region->space == MemorySpace::global || region->space == MemorySpace::constant);
  if (region->space == MemorySpace::shared) count_shared(counts, address, mask, ref);
  if (is_global) count_global(counts, address, mask, ref);
  if (op.code != Code::store) values_.set_loaded(ref, *region, address, mask);
}

void SymbolicRun::low_addresses(const AffineRow& address, LaneMask mask, std::uint64_t* out) const {
  for (std::size_t l = 0; l < kLanes; ++l) out[l] = static_cast<std::uint64_t>(address.base[l]);
  for (const std::size_t d : dimensions_in(address.moving))
    for (std::size_t l = 0; l < kLanes && box_.low[d] != 0; ++l)
      out[l] += static_cast<std::uint64_t>(address.slope[d][l] * box_.low[d]);
  for (std::size_t l = 0; l < kLanes; ++l) out[l] &= 0ull - (mask >> l & 1);
}

// Moving all lanes by a multiple of a word only turns the banks: the cost is that of any one
// block.
void SymbolicRun::count_shared(AccessCounts& counts, const AffineRow& address, LaneMask mask,
                               const MemRef& ref) {
  if (ref.atomic == AtomicOp::mbarrier) return;
  if (ref.other_side != kNone && ref.is_store) {
    const auto copy = copied(address, mask, ref);
    if (!copy) return;
    return cost::add(counts.shared, copy->shared, box_.count());
  }
  std::uint64_t at[kLanes];
  low_addresses(address, mask, at);
  std::uint32_t offset[kLanes];
  for (std::size_t l = 0; l < kLanes; ++l)
    offset[l] = mask >> l & 1 ? static_cast<std::uint32_t>(at[l] - kSharedWindow) : 0;
  if (ref.bytes < 4)
    for (std::size_t d = 0; d < kDimensions; ++d)
      if (box_.low[d] != box_.high[d] &&
          address.slope[d][static_cast<std::size_t>(std::countr_zero(mask))] % 4 != 0)
        return values_.fail("a narrow shared access moves by parts of a word");
  cost::add(counts.shared, cost::served(offset, mask, ref.bytes, ref.service), box_.count());
}

/// What one block's copy costs, if all blocks' cost that: moving a side by whole words only turns its
/// banks; past the banks, lines and sectors have to stay what they are.
std::optional<cost::Copied> SymbolicRun::copied(const AffineRow& address, LaneMask mask,
                                                const MemRef& ref) {
  const AffineRow other = values_.address(code_.refs[ref.other_side]);
  const AffineRow &source = ref.is_store ? other : address,
                  &target = ref.is_store ? address : other;
  const bool past = ref.service == Service::bypass;
  if ((mask & ~other.known) != 0 || !moves_by(source, mask, past ? 32 : 4) ||
      !moves_by(target, mask, past ? 128 : 4)) {
    values_.fail("the two sides of a copy move apart from block to block");
    return std::nullopt;
  }
  std::uint64_t from[kLanes], to[kLanes];
  low_addresses(source, mask, from);
  low_addresses(target, mask, to);
  std::uint32_t offset[kLanes];
  for (std::size_t l = 0; l < kLanes; ++l)
    offset[l] = mask >> l & 1 ? static_cast<std::uint32_t>(to[l] - kSharedWindow) : 0;
  return cost::copied(from, offset, mask, ref.bytes, ref.service);
}

std::array<std::uint64_t, kSectorBytes> SymbolicRun::residues(const AffineRow& address,
                                                              std::size_t lane) const {
  std::array<std::uint64_t, kSectorBytes> all{};
  all[0] = 1;
  for (std::size_t d = 0; d < kDimensions; ++d) {
    const auto extent = static_cast<std::uint64_t>(box_.high[d] - box_.low[d] + 1);
    const auto step = static_cast<std::uint64_t>(address.slope[d][lane]) % kSectorBytes;
    if (step == 0) {
      for (std::uint64_t& n : all) n *= extent;
      continue;
    }
    const std::uint64_t period = kSectorBytes / std::gcd(step, kSectorBytes);
    std::array<std::uint64_t, kSectorBytes> next{};
    for (std::uint64_t i = 0; i < period && i < extent; ++i) {
      const std::uint64_t n = (extent - i + period - 1) / period;
      for (std::uint64_t r = 0; r < kSectorBytes; ++r)
        next[(r + i * step) % kSectorBytes] += all[r] * n;
    }
    all = next;
  }
  return all;
}

void SymbolicRun::count_global(AccessCounts& counts, const AffineRow& address, LaneMask mask,
                               const MemRef& ref) {
  if (ref.service == Service::bypass && !ref.is_store) {
    const auto copy = copied(address, mask, ref);
    if (!copy) return;
    return cost::add(counts.global, copy->global, box_.count());
  }
  std::uint64_t low[kLanes], shifted[kLanes];
  low_addresses(address, mask, low);
  const auto all = residues(address, static_cast<std::size_t>(std::countr_zero(mask)));
  for (std::uint64_t r = 0; r < kSectorBytes; ++r) {
    if (all[r] == 0) continue;
    for (std::size_t l = 0; l < kLanes; ++l) shifted[l] = low[l] + r;
    cost::add(counts.global, cost::served_global(shifted, mask, ref.bytes, ref.service), all[r]);
  }
}

}  // namespace lanescope

#include "prove/affine.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace lanescope {
namespace {

__extension__ typedef __int128 Wide;  // sums and products of 64-bit terms, before they are judged
constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;

bool in_reach(Wide value) { return value > -kFar && value < kFar; }

using Lanes = std::array<std::int64_t, kLanes>;

/// Is every lane within 2^bits of 0? Written so that compilers make vectors of it.
bool are_small(const Lanes& lanes, unsigned bits) {
  std::uint64_t beyond = 0;
  for (const std::int64_t value : lanes)
    beyond |= (static_cast<std::uint64_t>(value) + (std::uint64_t{1} << bits)) >> (bits + 1);
  return beyond == 0;
}

/// A power of two that no lane is farther from 0 than, without looking at each: vectors again.
Wide farthest(const Lanes& lanes) {
  std::uint64_t bits = 0;
  for (const std::int64_t value : lanes) {
    const auto word = static_cast<std::uint64_t>(value);
    bits |= word ^ (0 - (word >> 63));
  }
  return static_cast<Wide>(1) << std::bit_width(bits);
}

/// a + sign × b; the lanes where that is in reach. Sums of what is far from overflow need no wider numbers.
LaneMask add_lanes(const Lanes& a, const Lanes& b, std::int64_t sign, Lanes& out) {
  constexpr unsigned kNear = 59;
  if (are_small(a, kNear) && are_small(b, kNear)) {
    for (std::size_t l = 0; l < kLanes; ++l) out[l] = sign < 0 ? a[l] - b[l] : a[l] + b[l];
    return kAllLanes;
  }
  LaneMask good = 0;
  for (std::size_t l = 0; l < kLanes; ++l) {
    const Wide sum = static_cast<Wide>(a[l]) + static_cast<Wide>(sign) * b[l];
    if (!in_reach(sum)) continue;
    out[l] = static_cast<std::int64_t>(sum);
    good |= 1u << l;
  }
  return good;
}

/// a × b, likewise.
LaneMask multiply_lanes(const Lanes& a, const Lanes& b, Lanes& out) {
  constexpr unsigned kFew = 29;
  if (are_small(a, kFew) && are_small(b, kFew)) {
    for (std::size_t l = 0; l < kLanes; ++l) out[l] = a[l] * b[l];
    return kAllLanes;
  }
  LaneMask good = 0;
  for (std::size_t l = 0; l < kLanes; ++l) {
    const Wide product = static_cast<Wide>(a[l]) * b[l];
    if (!in_reach(product)) continue;
    out[l] = static_cast<std::int64_t>(product);
    good |= 1u << l;
  }
  return good;
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return a % b != 0 && (a % b < 0) != (b < 0) ? q - 1 : q;
}

}  // namespace

AffineRow AffineRow::constant(std::int64_t value) {
  AffineRow row;
  row.base.fill(value);
  row.known = kAllLanes;
  return row;
}

Interval AffineRow::range(const Box& box, int lane) const {
  const auto l = static_cast<std::size_t>(lane);
  if (flat()) return {base[l], base[l]};
  Wide low = base[l], high = base[l];
  for (const std::size_t d : dimensions_in(moving)) {
    if (slope[d][l] == 0 || (box.low[d] == 0 && box.high[d] == 0)) continue;
    const Wide a = static_cast<Wide>(slope[d][l]) * box.low[d],
               b = static_cast<Wide>(slope[d][l]) * box.high[d];
    low += a < b ? a : b;
    high += a < b ? b : a;
  }
  if (!in_reach(low) || !in_reach(high)) return {-kFar, kFar};
  return {static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)};
}

bool AffineRow::stays_below(std::int64_t limit, const Box& box) const {
  Wide reach = farthest(base);
  for (const std::size_t d : dimensions_in(moving))
    reach += farthest(slope[d]) *
             std::max(-static_cast<Wide>(box.low[d]), static_cast<Wide>(box.high[d]));
  return reach < limit;
}

void AffineRow::keep_fitting(const Box& box, unsigned bits) {
  const std::int64_t limit = bits >= 64 ? kFar : std::int64_t{1} << (bits - 1);
  if (stays_below(limit, box)) return;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (known >> lane & 1) {
      const Interval r = range(box, lane);
      if (r.low < -limit || r.high >= limit) known &= ~(1u << lane);
    }
  }
}

AffineRow affine_add(const AffineRow& a, const AffineRow& b, std::int64_t sign) {
  AffineRow out;
  out.moving = a.moving | b.moving;
  out.known = a.known & b.known & add_lanes(a.base, b.base, sign, out.base);
  for (const std::size_t d : dimensions_in(out.moving))
    out.known &= add_lanes(a.slope[d], b.slope[d], sign, out.slope[d]);
  return out;
}

AffineRow affine_multiply(const AffineRow& a, const AffineRow& b) {
  if (!a.flat() && b.flat()) return affine_multiply(b, a);
  AffineRow out;
  out.known = a.known & b.known;
  out.moving = a.moving | b.moving;
  if (a.flat()) {
    out.known &= multiply_lanes(a.base, b.base, out.base);
    for (const std::size_t d : dimensions_in(b.moving))
      out.known &= multiply_lanes(a.base, b.slope[d], out.slope[d]);
    return out;
  }
  const auto times = [&out](std::size_t l, std::int64_t x, std::int64_t y) {
    const Wide product = static_cast<Wide>(x) * y;
    if (!in_reach(product)) out.known &= ~(1u << l);
    return in_reach(product) ? static_cast<std::int64_t>(product) : 0;
  };
  for (std::size_t l = 0; l < kLanes; ++l) {
    const int lane = static_cast<int>(l);
    if (!a.is_flat(lane) && !b.is_flat(lane)) out.known &= ~(1u << l);
    const bool swap = !a.is_flat(lane);
    const AffineRow &scalar = swap ? b : a, &other = swap ? a : b;
    out.base[l] = times(l, scalar.base[l], other.base[l]);
    for (const std::size_t d : dimensions_in(out.moving))
      out.slope[d][l] = times(l, scalar.base[l], other.slope[d][l]);
  }
  return out;
}

AffineRow affine_select(LaneMask condition, const AffineRow& yes, const AffineRow& no) {
  AffineRow out = no;
  out.known = (yes.known & condition) | (no.known & ~condition);
  out.moving = yes.moving | no.moving;
  for (std::size_t l = 0; l < kLanes; ++l) {
    if ((condition >> l & 1) == 0) continue;
    out.base[l] = yes.base[l];
    for (const std::size_t d : dimensions_in(out.moving)) out.slope[d][l] = yes.slope[d][l];
  }
  return out;
}

Decision split_middle(const AffineRow& row, const Box& box, int lane) {
  const auto l = static_cast<std::size_t>(lane);
  int best = -1;
  Wide most = 0;
  for (std::size_t d = 0; d < kDimensions; ++d) {
    Wide span = static_cast<Wide>(row.slope[d][l]) * (box.high[d] - box.low[d]);
    if (span < 0) span = -span;
    if (span > most) most = span, best = static_cast<int>(d);
  }
  if (best < 0) return {Decision::Kind::no};
  const auto d = static_cast<std::size_t>(best);
  return {Decision::Kind::split, best, box.low[d] + (box.high[d] - box.low[d] + 1) / 2};
}

namespace {

/// The only dimension in which a lane varies within the box; −1 for none, −2 for several.
int only_dimension(const AffineRow& row, const Box& box, std::size_t l) {
  int only = -1;
  for (std::size_t d = 0; d < kDimensions; ++d)
    if (row.slope[d][l] != 0 && box.low[d] != box.high[d])
      only = only == -1 ? static_cast<int>(d) : -2;
  return only;
}

/// Base + the part of the dimensions that do not vary.
std::int64_t fixed_part(const AffineRow& row, const Box& box, std::size_t l, int varying) {
  std::int64_t value = row.base[l];
  for (std::size_t d = 0; d < kDimensions; ++d)
    if (static_cast<int>(d) != varying) value += row.slope[d][l] * box.low[d];
  return value;
}

}  // namespace

Decision decide_less(const AffineRow& difference, const Box& box, int lane) {
  const Interval r = difference.range(box, lane);
  if (r.high < 0) return {Decision::Kind::yes};
  if (r.low >= 0) return {Decision::Kind::no};
  const auto l = static_cast<std::size_t>(lane);
  const int only = only_dimension(difference, box, l);
  if (only < 0) return split_middle(difference, box, lane);
  const std::int64_t slope = difference.slope[static_cast<std::size_t>(only)][l],
                     fixed = fixed_part(difference, box, l, only);
  // slope > 0: negative exactly for b < ceil(-fixed / slope); slope < 0: negative exactly for b >
  // floor(fixed / -slope).
  const std::int64_t position =
      slope > 0 ? -floor_divide(fixed, slope) : floor_divide(fixed, -slope) + 1;
  return {Decision::Kind::split, only, position};
}

Decision decide_equal(const AffineRow& difference, const Box& box, int lane) {
  const Interval r = difference.range(box, lane);
  if (r.low > 0 || r.high < 0) return {Decision::Kind::no};
  if (r.low == 0 && r.high == 0) return {Decision::Kind::yes};
  const auto l = static_cast<std::size_t>(lane);
  const int only = only_dimension(difference, box, l);
  if (only < 0) return split_middle(difference, box, lane);
  const auto d = static_cast<std::size_t>(only);
  const std::int64_t slope = difference.slope[d][l], fixed = fixed_part(difference, box, l, only);
  if (fixed % slope != 0) return {Decision::Kind::no};
  const std::int64_t root = -fixed / slope;
  if (root < box.low[d] || root > box.high[d]) return {Decision::Kind::no};
  return {Decision::Kind::split, only, root > box.low[d] ? root : root + 1};
}

std::int64_t uniform_until(const AffineRow& difference, const Box& box, std::size_t d, int lane) {
  const std::int64_t slope = difference.slope[d][static_cast<std::size_t>(lane)];
  if (difference.flat() || slope == 0) return kFar;
  Box first = box;
  first.low[d] = first.high[d] = 0;
  const Interval r = difference.range(first, lane);
  if (r.high < 0 && r.low > -kFar) return slope > 0 ? (-1 - r.high) / slope + 1 : kFar;
  if (r.low > 0 && r.high < kFar) return slope < 0 ? (r.low - 1) / -slope + 1 : kFar;
  return 1;
}

}  // namespace lanescope

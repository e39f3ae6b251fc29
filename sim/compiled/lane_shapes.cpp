#include "compiled/lane_shapes.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace lanescope {
namespace {

constexpr std::int64_t kMostPattern = 0x7fffffff;

std::uint8_t zeros_of(std::uint64_t value) {
  return static_cast<std::uint8_t>(std::min(std::countr_zero(value), 63));
}

/// Bits that hold every number up to `most`.
int width_of(std::int64_t most) { return std::bit_width(static_cast<std::uint64_t>(most)); }

std::uint64_t sum_or_unknown(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? ~0ull : sum;
}
std::uint64_t product_or_unknown(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? ~0ull : product;
}

/// The lanes' own part never carries into the uniform part.
bool is_disjoint(const LaneShape& x, const LanePatterns& patterns) {
  return width_of(patterns.most(x.pattern)) <= x.aligned;
}
bool stays_below(const LaneShape& x, const LanePatterns& patterns, std::uint64_t limit) {
  return sum_or_unknown(x.most, static_cast<std::uint64_t>(patterns.most(x.pattern))) < limit;
}

/// A shape from lanes of any sign: the smallest goes to the uniform part.
ShapedResult normal(LaneShape shape, LanePattern lanes, LanePatterns& patterns) {
  const std::int64_t low = *std::min_element(lanes.begin(), lanes.end());
  for (std::int64_t& lane : lanes) lane -= low;
  if (*std::max_element(lanes.begin(), lanes.end()) > kMostPattern) return {LaneShape::rows()};
  shape.kind = LaneShape::Kind::affine;
  shape.pattern = patterns.add(lanes);
  shape.aligned = std::min(shape.aligned, zeros_of(static_cast<std::uint64_t>(low)));
  shape.most = low >= 0 ? sum_or_unknown(shape.most, static_cast<std::uint64_t>(low)) : ~0ull;
  return {shape, low};
}

struct Rules {
  LanePatterns& patterns;
  int bits;
  const LaneShape &x, &y;

  [[nodiscard]] std::uint64_t limit() const { return bits == 64 ? ~0ull : 1ull << bits; }
  [[nodiscard]] std::int64_t signed_value(const LaneShape& s) const {
    return bits == 32 ? static_cast<std::int32_t>(s.value) : static_cast<std::int64_t>(s.value);
  }

  template <class Combine>
  ShapedResult lanes(LaneShape shape, Combine combine) const {
    LanePattern out;
    for (std::size_t l = 0; l < kLanes; ++l)
      out[l] = combine(patterns[x.pattern][l], patterns[y.pattern][l]);
    return within(normal(shape, out, patterns));
  }
  /// A bound past the width bounds nothing.
  [[nodiscard]] ShapedResult within(ShapedResult result) const {
    if (result.shape.most >= limit()) result.shape.most = ~0ull;
    return result;
  }
  [[nodiscard]] LaneShape affine(std::uint8_t aligned, std::uint64_t most) const {
    LaneShape shape{LaneShape::Kind::affine};
    shape.aligned = aligned;
    shape.most = most < limit() ? most : ~0ull;
    return shape;
  }

  [[nodiscard]] ShapedResult sum() const {
    return lanes(affine(std::min(x.aligned, y.aligned), sum_or_unknown(x.most, y.most)),
                 [](auto a, auto b) { return a + b; });
  }
  [[nodiscard]] ShapedResult difference() const {
    return lanes(affine(std::min(x.aligned, y.aligned), ~0ull),
                 [](auto a, auto b) { return a - b; });
  }
  /// By a number that is known.
  [[nodiscard]] ShapedResult times(const LaneShape& row, std::int64_t by) const {
    if (by > kMostPattern || by < -kMostPattern) return {LaneShape::rows()};
    const auto aligned = static_cast<std::uint8_t>(
        std::min(63, row.aligned + zeros_of(static_cast<std::uint64_t>(by))));
    LanePattern out;
    for (std::size_t l = 0; l < kLanes; ++l) out[l] = patterns[row.pattern][l] * by;
    const std::uint64_t most =
        by < 0 ? ~0ull : product_or_unknown(row.most, static_cast<std::uint64_t>(by));
    return within(normal(affine(aligned, most), out, patterns));
  }
  [[nodiscard]] ShapedResult product() const {
    if (y.known && y.is_uniform()) return times(x, signed_value(y));
    if (x.known && x.is_uniform()) return times(y, signed_value(x));
    return {LaneShape::rows()};
  }
  [[nodiscard]] ShapedResult shift_left() const {
    if (!y.known || !y.is_uniform() || y.value >= static_cast<std::uint64_t>(bits) - 1)
      return {LaneShape::rows()};
    return times(x, std::int64_t{1} << y.value);
  }
  [[nodiscard]] ShapedResult shift_right(bool is_signed) const {
    if (!y.known || !y.is_uniform() || y.value >= static_cast<std::uint64_t>(bits))
      return {LaneShape::rows()};
    const bool apart = is_disjoint(x, patterns) && patterns.most(x.pattern) < 1ll << (bits - 2);
    const bool even =
        x.aligned >= y.value && stays_below(x, patterns, is_signed ? limit() / 2 : limit());
    if (!apart && !even) return {LaneShape::rows()};
    const auto by = static_cast<std::uint8_t>(y.value);
    const auto aligned = static_cast<std::uint8_t>(x.aligned > by ? x.aligned - by : 0);
    // The sign comes down with a signed shift.
    const bool is_bounded = x.most < (is_signed ? limit() / 2 : limit());
    return lanes(affine(aligned, is_bounded ? x.most >> by : ~0ull),
                 [by](auto a, auto) { return a >> by; });
  }
  /// `row & by` where by is known.
  [[nodiscard]] ShapedResult masked(const LaneShape& row, std::uint64_t by) const {
    const bool low = std::bit_width(by) <= row.aligned;
    if (!is_disjoint(row, patterns) && !low) return {LaneShape::rows()};
    LanePattern out;
    for (std::size_t l = 0; l < kLanes; ++l)
      out[l] = patterns[row.pattern][l] & static_cast<std::int64_t>(by);
    return within(
        normal(affine(std::max(row.aligned, zeros_of(by)), std::min(row.most, by)), out, patterns));
  }
  [[nodiscard]] ShapedResult conjunction() const {
    if (y.known && y.is_uniform()) return masked(x, y.value);
    if (x.known && x.is_uniform()) return masked(y, x.value);
    return {LaneShape::rows()};
  }
  /// Bits that are set on one side only, or that all lanes have in common.
  template <class Combine>
  [[nodiscard]] ShapedResult bitwise(Combine combine) const {
    const int width = width_of(std::max(patterns.most(x.pattern), patterns.most(y.pattern)));
    const std::int64_t below = (1ll << width) - 1;
    // A number that is known may have any low bits: they count as the lanes'.
    const auto fits = [&](const LaneShape& s) {
      return (s.known && s.is_uniform()) || s.aligned >= width;
    };
    if (width > 31 || !fits(x) || !fits(y)) return {LaneShape::rows()};
    const auto low = [&](const LaneShape& s) {
      return s.known ? static_cast<std::int64_t>(s.value) & below : 0;
    };
    // The scalar operation has these low bits too: what the lanes differ from.
    const std::int64_t common = combine(low(x), low(y));
    const auto high = [&](const LaneShape& s) {
      return s.known ? zeros_of(s.value & ~static_cast<std::uint64_t>(below)) : s.aligned;
    };
    const auto aligned = common == 0 ? std::min(high(x), high(y)) : std::uint8_t{0};
    ShapedResult result = lanes(affine(aligned, ~0ull), [&](std::int64_t a, std::int64_t b) {
      return combine(a | low(x), b | low(y)) - common;
    });
    if (common + result.plus == 0) result.shape.aligned = std::min(high(x), high(y));
    return result;
  }
  [[nodiscard]] ShapedResult either() const {
    const auto below = [&](const LaneShape& a, const LaneShape& b) {
      return a.is_uniform() && b.most != ~0ull && a.aligned < 63 &&
             stays_below(b, patterns, 1ull << a.aligned);
    };
    if (below(x, y) || below(y, x)) return sum();
    return bitwise([](std::int64_t a, std::int64_t b) { return a | b; });
  }
};

std::optional<std::uint64_t> power_of(const LaneShape& s, int bits) {
  const std::uint64_t value = bits == 32 ? static_cast<std::uint32_t>(s.value) : s.value;
  if (!s.known || !s.is_uniform() || !std::has_single_bit(value)) return std::nullopt;
  return value;
}

/// Division by a power of two of what is not negative; the scalar operation is the division itself.
ShapedResult divided(const Rules& rules, bool is_signed, bool remainder) {
  const auto power = power_of(rules.y, rules.bits);
  if (!power || (is_signed && !stays_below(rules.x, rules.patterns, rules.limit() / 2)))
    return {LaneShape::rows()};
  if (remainder) return rules.masked(rules.x, *power - 1);
  const LaneShape shift = LaneShape::constant(static_cast<std::uint64_t>(std::countr_zero(*power)));
  return Rules{rules.patterns, rules.bits, rules.x, shift}.shift_right(false);
}

ShapedResult uniform_result(Code code, const LaneShape& x, const LaneShape& y,
                            std::uint64_t limit) {
  LaneShape shape{LaneShape::Kind::affine};
  if (code == Code::and32 || code == Code::and64) {
    shape.most = std::min(x.most, y.most);
    shape.aligned = std::max(x.aligned, y.aligned);
  }
  if (code == Code::mul32 || code == Code::mul64) {
    shape.most = product_or_unknown(x.most, y.most);
    shape.aligned = static_cast<std::uint8_t>(std::min(63, x.aligned + y.aligned));
  }
  if (code == Code::umin32 || code == Code::umin64) shape.most = std::min(x.most, y.most);
  if (code == Code::urem32 || code == Code::urem64) shape.most = x.most;
  if (shape.most >= limit) shape.most = ~0ull;
  return {shape};
}

ShapedResult lane_rule(Code code, const Rules& rules) {
  switch (code) {
  case Code::add32:
  case Code::add64:
    return rules.sum();
  case Code::sub32:
  case Code::sub64:
    return rules.difference();
  case Code::mul32:
  case Code::mul64:
    return rules.product();
  case Code::shl32:
  case Code::shl64:
    return rules.shift_left();
  case Code::lshr32:
  case Code::lshr64:
    return rules.shift_right(false);
  case Code::ashr32:
  case Code::ashr64:
    return rules.shift_right(true);
  case Code::and32:
  case Code::and64:
    return rules.conjunction();
  case Code::or32:
  case Code::or64:
    return rules.either();
  case Code::xor32:
  case Code::xor64:
    return rules.bitwise([](std::int64_t a, std::int64_t b) { return a ^ b; });
  case Code::udiv32:
  case Code::udiv64:
    return divided(rules, false, false);
  case Code::urem32:
  case Code::urem64:
    return divided(rules, false, true);
  case Code::sdiv32:
  case Code::sdiv64:
    return divided(rules, true, false);
  case Code::srem32:
  case Code::srem64:
    return divided(rules, true, true);
  default:
    return {LaneShape::rows()};
  }
}

std::optional<std::uint64_t> folded(Code code, std::uint64_t x, std::uint64_t y) {
  switch (code) {
  case Code::add32:
  case Code::add64:
    return x + y;
  case Code::sub32:
  case Code::sub64:
    return x - y;
  case Code::mul32:
  case Code::mul64:
    return x * y;
  case Code::and32:
  case Code::and64:
    return x & y;
  case Code::or32:
  case Code::or64:
    return x | y;
  case Code::xor32:
  case Code::xor64:
    return x ^ y;
  case Code::shl32:
  case Code::shl64:
    return y < 32 ? std::optional(x << y) : std::nullopt;
  case Code::lshr32:
  case Code::lshr64:
    return y < 32 ? std::optional(x >> y) : std::nullopt;
  case Code::udiv32:
  case Code::udiv64:
    return y != 0 ? std::optional(x / y) : std::nullopt;
  case Code::urem32:
  case Code::urem64:
    return y != 0 ? std::optional(x % y) : std::nullopt;
  default:
    return std::nullopt;
  }
}

ShapedResult copied(LaneShape shape) { return {shape}; }

ShapedResult widened(const LaneShape& x, bool is_signed, const LanePatterns& patterns) {
  if (!keeps_pattern(x, patterns, is_signed)) return {LaneShape::rows()};
  LaneShape shape = x;
  if (x.known)
    shape.value = is_signed ? static_cast<std::uint64_t>(static_cast<std::int32_t>(x.value))
                            : static_cast<std::uint32_t>(x.value);
  if (is_signed && !(x.most < 1ull << 31)) shape.most = ~0ull;
  if (!is_signed) shape.most = std::min<std::uint64_t>(x.most, 0xffffffff);
  return {shape};
}

}  // namespace

bool is_computed_once(Code code) {
  switch (code) {
#define LANESCOPE_NATIVE(NAME) case Code::NAME:
#include "compiled/native.def"
    return true;
  default:
    return false;
  }
}

LaneShape LaneShape::constant(std::uint64_t value) {
  LaneShape shape{Kind::affine};
  shape.known = true;
  shape.value = shape.most = value;
  shape.aligned = zeros_of(value);
  return shape;
}

LanePatterns::LanePatterns() { add({}); }

std::uint32_t LanePatterns::add(const LanePattern& pattern) {
  const auto [it, added] =
      index_.try_emplace(pattern, static_cast<std::uint32_t>(patterns_.size()));
  if (added) {
    patterns_.push_back(pattern);
    most_.push_back(*std::max_element(pattern.begin(), pattern.end()));
  }
  return it->second;
}

bool keeps_pattern(const LaneShape& shape, const LanePatterns& patterns, bool is_signed) {
  if (shape.is_uniform()) return true;
  if (stays_below(shape, patterns, is_signed ? 1ull << 31 : 1ull << 32)) return true;
  return is_disjoint(shape, patterns) && width_of(patterns.most(shape.pattern)) < 31;
}

ShapedResult shape_of(Code code, const LaneShape& x, const LaneShape& y, LanePatterns& patterns) {
  const OperationInfo& info = operation_info(code);
  if (!x.is_affine() || (info.b != Operand::none && !y.is_affine())) return {LaneShape::rows()};
  switch (code) {
  case Code::copy32:
  case Code::copy64:
    return copied(x);
  case Code::zext64:
    return widened(x, false, patterns);
  case Code::sext64:
    return widened(x, true, patterns);
  case Code::trunc32: {
    LaneShape shape = x;
    shape.aligned = std::min<std::uint8_t>(shape.aligned, 63);
    if (shape.known) shape.value = static_cast<std::uint32_t>(x.value);
    if (shape.most > 0xffffffff) shape.most = ~0ull;
    return copied(shape);
  }
  default:
    break;
  }
  const int bits = info.dst == Operand::row64 ? 64 : 32;
  if (x.known && y.known && x.is_uniform() && y.is_uniform())
    if (const auto value = folded(code, x.value, y.value))
      return {LaneShape::constant(bits == 32 ? static_cast<std::uint32_t>(*value) : *value)};
  const Rules rules{patterns, bits, x, y};
  ShapedResult result = lane_rule(code, rules);
  if (!result.shape.is_affine() && x.is_uniform() && (info.b == Operand::none || y.is_uniform()) &&
      is_computed_once(code))
    result = uniform_result(code, x, y, rules.limit());
  return result;
}

ShapedResult shape_of_address(const MemRef& ref, const std::vector<LaneShape>& rows,
                              LanePatterns& patterns, bool may_wrap) {
  LanePattern lanes{};
  LaneShape shape = LaneShape::constant(static_cast<std::uint64_t>(ref.constant));
  const auto take = [&](const LaneShape& row, std::int64_t scale) {
    if (!row.is_affine() || scale > kMostPattern || scale < -kMostPattern) return false;
    for (std::size_t l = 0; l < kLanes; ++l) lanes[l] += patterns[row.pattern][l] * scale;
    shape.known = false;
    shape.aligned = std::min<std::uint8_t>(
        shape.aligned, static_cast<std::uint8_t>(std::min(
                           63, row.aligned + zeros_of(static_cast<std::uint64_t>(scale)))));
    return true;
  };
  if (ref.base != kNone && !take(rows[ref.base], 1)) return {LaneShape::rows()};
  for (const MemTerm& term : ref.terms) {
    const bool narrow = term.kind != MemTerm::Kind::i64;
    if (narrow && !may_wrap && rows[term.row].is_affine() &&
        !keeps_pattern(rows[term.row], patterns, term.kind == MemTerm::Kind::s32))
      return {LaneShape::rows()};
    if (!take(rows[term.row], term.scale)) return {LaneShape::rows()};
  }
  shape.most = ~0ull;
  shape.known = false;
  return normal(shape, lanes, patterns);
}

}  // namespace lanescope

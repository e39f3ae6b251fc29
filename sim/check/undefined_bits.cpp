#include "check/undefined_bits.h"

#include <bit>

namespace lanescope {
namespace {

/// A carry goes on from the lowest of them.
std::uint64_t from_lowest(std::uint64_t bits) {
  return bits == 0 ? 0 : ~0ull << std::countr_zero(bits);
}

/// What holds of both ends of what the operand may be.
template <class Compare>
bool depends(const PartlySet& x, const PartlySet& y, std::uint64_t flipped, Compare compare) {
  const auto low = [&](const PartlySet& v) { return (v.value ^ flipped) & ~v.unset; };
  const auto high = [&](const PartlySet& v) { return (v.value ^ flipped) | v.unset; };
  return compare(low(x), high(y)) != compare(high(x), low(y));
}

std::uint64_t extended(std::uint64_t bits, unsigned width) {
  const std::uint64_t sign = 1ull << (width - 1);
  return (bits & (sign | (sign - 1))) | ((bits & sign) != 0 ? ~0ull << width : 0);
}

}  // namespace

bool moves_bits(Code code) {
  switch (code) {
  case Code::and32:
  case Code::and64:
  case Code::or32:
  case Code::or64:
  case Code::xor32:
  case Code::xor64:
  case Code::shl32:
  case Code::shl64:
  case Code::lshr32:
  case Code::lshr64:
  case Code::ashr32:
  case Code::ashr64:
  case Code::copy32:
  case Code::copy64:
  case Code::sext8:
  case Code::sext16:
  case Code::zext64:
  case Code::sext64:
  case Code::trunc32:
  case Code::high32:
  case Code::pack64:
    return true;
  default:
    return false;
  }
}

std::uint64_t unset_after(Code code, const PartlySet& x, const PartlySet& y, const PartlySet& z,
                          std::uint64_t all) {
  const std::uint64_t any = x.unset | y.unset | z.unset;
  if (any == 0) return 0;
  const auto result = [&](bool is_unset) { return is_unset ? all : 0; };
  const auto shift = [&](auto moved) {
    return y.unset != 0 ? all : y.value > 63 ? 0 : moved(static_cast<unsigned>(y.value)) & all;
  };
  const std::uint64_t sign = (x.all >> 1) + 1;
  switch (code) {
  case Code::and32:
  case Code::and64:
    return (x.unset & y.unset) | (x.unset & y.value) | (y.unset & x.value);
  case Code::or32:
  case Code::or64:
    return (x.unset & y.unset) | (x.unset & ~y.value) | (y.unset & ~x.value);
  case Code::xor32:
  case Code::xor64:
  case Code::copy32:
  case Code::copy64:
  case Code::zext64:
  case Code::p_zext32:
    return any;
  case Code::shl32:
  case Code::shl64:
    return shift([&](unsigned by) { return x.unset << by; });
  case Code::lshr32:
  case Code::lshr64:
    return shift([&](unsigned by) { return x.unset >> by; });
  case Code::ashr32:
    return shift([&](unsigned by) { return extended(x.unset, 32) >> by; });
  case Code::ashr64:
    return shift([&](unsigned by) {
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(x.unset) >> by);
    });
  case Code::sext8:
    return extended(x.unset, 8) & all;
  case Code::sext16:
    return extended(x.unset, 16) & all;
  case Code::sext64:
    return extended(x.unset, 32);
  case Code::trunc32:
    return x.unset & all;
  case Code::high32:
    return x.unset >> 32;
  case Code::pack64:
    return y.unset << 32 | x.unset;
  case Code::add32:
  case Code::add64:
  case Code::sub32:
  case Code::sub64:
  case Code::mul32:
  case Code::mul64:
    return from_lowest(any) & all;
  case Code::p_test32:
    return any & 1;
  case Code::eq32:
  case Code::eq64:
  case Code::ne32:
  case Code::ne64:
    return result(((x.value ^ y.value) & ~any & x.all) == 0);
  case Code::ult32:
  case Code::ult64:
    return result(depends(x, y, 0, [](auto a, auto b) { return a < b; }));
  case Code::ule32:
  case Code::ule64:
    return result(depends(x, y, 0, [](auto a, auto b) { return a <= b; }));
  case Code::slt32:
  case Code::slt64:
    return result(depends(x, y, sign, [](auto a, auto b) { return a < b; }));
  case Code::sle32:
  case Code::sle64:
    return result(depends(x, y, sign, [](auto a, auto b) { return a <= b; }));
  default:
    return all;
  }
}

}  // namespace lanescope

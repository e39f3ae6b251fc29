// Names, sizes and spellings of the shared vocabulary.
#include "lanescope/types.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "lanescope/program.h"
#include "model/half.h"

namespace lanescope {
namespace {

struct Scalar {
  ScalarType type;
  std::size_t bytes;
  std::string_view name;
};

/// In the order of the enumeration.
constexpr Scalar kScalars[] = {
    {ScalarType::boolean, 1, "bool"},
    {ScalarType::i8, 1, "signed char"},
    {ScalarType::u8, 1, "unsigned char"},
    {ScalarType::i16, 2, "short"},
    {ScalarType::u16, 2, "unsigned short"},
    {ScalarType::i32, 4, "int"},
    {ScalarType::u32, 4, "unsigned int"},
    {ScalarType::i64, 8, "long long"},
    {ScalarType::u64, 8, "unsigned long long"},
    {ScalarType::f16, 2, "__half"},
    {ScalarType::f32, 4, "float"},
    {ScalarType::f64, 8, "double"},
    {ScalarType::pointer, 8, "void *"},
    {ScalarType::unknown, 0, "unknown"},
};

constexpr std::pair<std::string_view, ScalarType> kSynonyms[] = {
    {"char", ScalarType::i8},           {"int8_t", ScalarType::i8},
    {"uint8_t", ScalarType::u8},        {"uchar", ScalarType::u8},
    {"short int", ScalarType::i16},     {"int16_t", ScalarType::i16},
    {"ushort", ScalarType::u16},        {"unsigned short int", ScalarType::u16},
    {"uint16_t", ScalarType::u16},      {"signed", ScalarType::i32},
    {"signed int", ScalarType::i32},    {"int32_t", ScalarType::i32},
    {"unsigned", ScalarType::u32},      {"uint", ScalarType::u32},
    {"uint32_t", ScalarType::u32},      {"long", ScalarType::i64},
    {"long int", ScalarType::i64},      {"long long int", ScalarType::i64},
    {"int64_t", ScalarType::i64},       {"ptrdiff_t", ScalarType::i64},
    {"unsigned long", ScalarType::u64}, {"unsigned long int", ScalarType::u64},
    {"uint64_t", ScalarType::u64},      {"size_t", ScalarType::u64},
    {"ulonglong", ScalarType::u64},     {"half", ScalarType::f16},
};

const Scalar& scalar(ScalarType type) { return kScalars[static_cast<std::size_t>(type)]; }

/// The shortest text that reads back as the same value; "nan" whatever its sign and payload.
template <typename Number>
std::string shortest(Number number) {
  if (number != number) return "nan";
  char text[64];
  return std::string(text, std::to_chars(text, text + sizeof text, number).ptr);
}

std::string hexadecimal(std::uint64_t bits) {
  char text[24];
  return "0x" + std::string(text, std::to_chars(text, text + sizeof text, bits, 16).ptr);
}

}  // namespace

std::size_t scalar_bytes(ScalarType type) { return scalar(type).bytes; }
std::string_view scalar_name(ScalarType type) { return scalar(type).name; }

ScalarType scalar_from_name(std::string_view name) {
  const auto known = std::find_if(std::begin(kScalars), std::end(kScalars),
                                  [&](const Scalar& s) { return s.name == name; });
  if (known != std::end(kScalars)) return known->type;
  const auto synonym = std::find_if(std::begin(kSynonyms), std::end(kSynonyms),
                                    [&](const auto& s) { return s.first == name; });
  return synonym != std::end(kSynonyms) ? synonym->second : ScalarType::unknown;
}

std::string format_scalar(ScalarType type, std::uint64_t bits) {
  switch (type) {
  case ScalarType::boolean:
    return (bits & 1) ? "true" : "false";
  case ScalarType::i8:
    return shortest(static_cast<int>(static_cast<std::int8_t>(bits)));
  case ScalarType::u8:
    return shortest(static_cast<unsigned>(static_cast<std::uint8_t>(bits)));
  case ScalarType::i16:
    return shortest(static_cast<std::int16_t>(bits));
  case ScalarType::u16:
    return shortest(static_cast<std::uint16_t>(bits));
  case ScalarType::i32:
    return shortest(static_cast<std::int32_t>(bits));
  case ScalarType::u32:
    return shortest(static_cast<std::uint32_t>(bits));
  case ScalarType::i64:
    return shortest(static_cast<std::int64_t>(bits));
  case ScalarType::u64:
    return shortest(bits);
  case ScalarType::f16:
    return shortest(float_from_half(static_cast<std::uint16_t>(bits)));
  case ScalarType::f32:
    return shortest(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  case ScalarType::f64:
    return shortest(std::bit_cast<double>(bits));
  case ScalarType::pointer:
  case ScalarType::unknown:
    break;
  }
  return hexadecimal(bits);
}

std::uint64_t scalar_bits(ScalarType type, const std::string& text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  const char* const from = text.c_str();
  if (type == ScalarType::f16) return half_from_float(std::strtof(from, nullptr));
  if (type == ScalarType::f32) return std::bit_cast<std::uint32_t>(std::strtof(from, nullptr));
  if (type == ScalarType::f64) return std::bit_cast<std::uint64_t>(std::strtod(from, nullptr));
  const std::uint64_t bits = type == ScalarType::u64 && text.find('-') == std::string::npos
                                 ? std::strtoull(from, nullptr, 0)
                                 : static_cast<std::uint64_t>(std::strtoll(from, nullptr, 0));
  const std::size_t bytes = scalar_bytes(type);
  return bytes == 0 || bytes >= 8 ? bits : bits & ((1ull << (8 * bytes)) - 1);
}

std::string_view space_name(MemorySpace space) {
  constexpr std::string_view kNames[] = {"generic", "global",   "shared",
                                         "local",   "constant", "texture"};
  return kNames[static_cast<std::size_t>(space)];
}

std::string_view access_op_name(AccessOp op) {
  constexpr std::string_view kNames[] = {"load",    "store",     "atomic",    "async-copy",
                                         "product", "bulk-load", "bulk-store"};
  return kNames[static_cast<std::size_t>(op)];
}

}  // namespace lanescope

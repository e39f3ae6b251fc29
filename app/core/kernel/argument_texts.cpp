// Types, buffers and values as people write them.
#include <limits>
#include <map>

#include "core/kernel/arguments.h"
#include "core/kernel/elements.h"
#include "core/text/messages.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

// Smallest and largest value, as texts: u64 does not fit any one integer type together with i64.
struct IntegerRange {
  long long low;
  unsigned long long high;
};
std::optional<IntegerRange> integer_range(ScalarType type) {
  switch (type) {
  case ScalarType::boolean:
    return IntegerRange{0, 1};
  case ScalarType::i8:
    return IntegerRange{-128, 127};
  case ScalarType::u8:
    return IntegerRange{0, 255};
  case ScalarType::i16:
    return IntegerRange{-32768, 32767};
  case ScalarType::u16:
    return IntegerRange{0, 65535};
  case ScalarType::i32:
    return IntegerRange{-2147483648ll, 2147483647};
  case ScalarType::u32:
    return IntegerRange{0, 4294967295u};
  case ScalarType::i64:
    return IntegerRange{std::numeric_limits<long long>::min(),
                        std::numeric_limits<long long>::max()};
  case ScalarType::u64:
    return IntegerRange{0, std::numeric_limits<unsigned long long>::max()};
  default:
    return std::nullopt;
  }
}

}  // namespace

ElementType element_type(std::string_view name) {
  name = trim(name);
  if (const ScalarType scalar = scalar_from_name(name); scalar != ScalarType::unknown)
    return {scalar, 1};
  if (name == "half" || name == "__half") return {ScalarType::f16, 1};
  if (name.empty() || name.back() < '1' || name.back() > '4') return {};
  static const std::map<std::string_view, ScalarType> kVectors = {
      {"char", ScalarType::i8},       {"uchar", ScalarType::u8},  {"short", ScalarType::i16},
      {"ushort", ScalarType::u16},    {"int", ScalarType::i32},   {"uint", ScalarType::u32},
      {"long", ScalarType::i64},      {"ulong", ScalarType::u64}, {"longlong", ScalarType::i64},
      {"ulonglong", ScalarType::u64}, {"half", ScalarType::f16},  {"__half", ScalarType::f16},
      {"float", ScalarType::f32},     {"double", ScalarType::f64}};
  const auto found = kVectors.find(name.substr(0, name.size() - 1));
  if (found == kVectors.end()) return {};
  return {found->second, static_cast<std::uint32_t>(name.back() - '0')};
}

std::optional<BufferText> parse_buffer_text(std::string_view text) {
  text = trim(text);
  BufferText result;
  if (text == "null" || text == "nullptr") {
    result.null = true;
    return result;
  }
  if (const std::size_t file = text.find(":file="); file != std::string_view::npos) {
    result.file = trim(text.substr(file + 6));
    text = trim(text.substr(0, file));
    if (result.file.empty()) return std::nullopt;
    if (text.empty()) return result;
  } else if (const std::size_t colon = text.rfind(':');
             colon != std::string_view::npos && (colon == 0 || text[colon - 1] != ':')) {
    result.fill = fill_named(trim(text.substr(colon + 1)));
    if (!result.fill) return std::nullopt;
    text = trim(text.substr(0, colon));
    if (text.empty()) return result;
  }
  if (text == "auto" && result.file.empty()) {
    result.automatic = true;
    return result;
  }
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos || open == 0) return std::nullopt;
  result.type = trim(text.substr(0, open));
  for (text = text.substr(open); !text.empty();) {
    const std::size_t close = text.find(']');
    if (text.front() != '[' || close == std::string_view::npos) return std::nullopt;
    if (trim(text.substr(1, close - 1)) == "auto" && result.shape.empty() && result.file.empty() &&
        close + 1 == text.size()) {
      result.automatic = true;
      return result;
    }
    const auto extent = parse_unsigned(text.substr(1, close - 1));
    if (!extent) return std::nullopt;
    result.shape.push_back(*extent);
    text = text.substr(close + 1);
  }
  return result;
}

Message check_scalar(ScalarType type, std::string_view text) {
  if (is_real(type)) return parse_real(text) ? Message() : say::not_a_number(text);
  if (type == ScalarType::boolean && (text == "true" || text == "false")) return {};
  const auto range = integer_range(type);
  if (!range) return say::has_no_values(text);
  const bool negative = trim(text).starts_with('-');
  if (negative ? !parse_integer(text) : !parse_unsigned(text)) {
    const bool digits =
        text.find_first_not_of("+-0123456789") == std::string_view::npos && !text.empty();
    return digits && parse_real(text) ? say::not_in_64_bits(text) : say::not_an_integer(text);
  }
  const bool fits =
      negative ? *parse_integer(text) >= range->low : *parse_unsigned(text) <= range->high;
  return fits ? Message() : say::text_outside(text, range->low, range->high);
}

}  // namespace lanescope::app

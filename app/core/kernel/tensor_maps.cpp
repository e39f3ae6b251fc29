#include "core/kernel/tensor_maps.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/messages.h"
#include "core/text/text.h"
#include "lanescope/tensor_map.h"

namespace lanescope::app {

bool is_tensor_map(const ArgumentInfo& parameter) {
  return !parameter.is_pointer && parameter.bytes == kTensorMapBytes &&
         parameter.type_text.find("CUtensorMap") != std::string::npos;
}

std::vector<std::string> TensorMapSpec::expressions() const {
  std::vector<std::string> all = box;
  all.insert(all.end(), {swizzle, when});
  if (!is_image()) return all;
  all.push_back(pixels);
  all.insert(all.end(), lower.begin(), lower.end());
  all.insert(all.end(), upper.begin(), upper.end());
  return all;
}

namespace {

// "64x128"
std::vector<std::string> numbers_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('x'), text.size());
    out.emplace_back(trim(text.substr(0, end)));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return out;
}

}  // namespace

std::optional<TensorMapSpec> parse_tensor_map(const std::string& name, std::string_view text) {
  TensorMapSpec result;
  result.name = name;
  for (bool first = true; !text.empty(); first = false) {
    const std::string_view part = trim(text.substr(0, text.find(':')));
    text.remove_prefix(std::min(
        text.size(), text.find(':') == std::string_view::npos ? text.size() : text.find(':') + 1));
    if (first) {
      result.of = part;
    } else if (part.starts_with("swizzle=")) {
      result.swizzle = trim(part.substr(8));
    } else if (part.starts_with("pixels=")) {
      result.pixels = trim(part.substr(7));
      if (result.pixels.empty()) return std::nullopt;
    } else if (part.starts_with("lower=")) {
      result.lower = numbers_of(part.substr(6));
    } else if (part.starts_with("upper=")) {
      result.upper = numbers_of(part.substr(6));
    } else if (part.starts_with("box=")) {
      result.box = numbers_of(part.substr(4));
    } else {
      return std::nullopt;
    }
  }
  const auto is_number = [](const std::string& each) { return parse_unsigned(each).has_value(); };
  const auto is_corner = [](const std::string& each) { return parse_integer(each).has_value(); };
  const bool has_corners = !result.lower.empty() || !result.upper.empty();
  if (result.of.empty() || result.box.empty() || !is_number(result.swizzle) ||
      !std::all_of(result.box.begin(), result.box.end(), is_number) ||
      (result.is_image() ? !is_number(result.pixels) : has_corners) ||
      !std::all_of(result.lower.begin(), result.lower.end(), is_corner) ||
      !std::all_of(result.upper.begin(), result.upper.end(), is_corner))
    return std::nullopt;
  return result;
}

std::string tensor_map_expression(const std::string& name, std::size_t index) {
  return fmt::format("lanescope_box_{}_{}", index, name);
}

namespace {

TensorElement element_of(ScalarType type) {
  switch (type) {
  case ScalarType::i16:
  case ScalarType::u16:
    return TensorElement::u16;
  case ScalarType::i32:
    return TensorElement::s32;
  case ScalarType::u32:
    return TensorElement::u32;
  case ScalarType::i64:
    return TensorElement::s64;
  case ScalarType::u64:
    return TensorElement::u64;
  case ScalarType::f16:
    return TensorElement::f16;
  case ScalarType::f32:
    return TensorElement::f32;
  case ScalarType::f64:
    return TensorElement::f64;
  case ScalarType::boolean:
  case ScalarType::i8:
  case ScalarType::u8:
  case ScalarType::pointer:
  case ScalarType::unknown:
    break;
  }
  return TensorElement::u8;
}

std::int32_t corner(long long value) {
  return static_cast<std::int32_t>(std::clamp<long long>(value, INT32_MIN, INT32_MAX));
}

}  // namespace

BoundTensorMap bind_tensor_map(const TensorMapSpec& spec, const TensorMapSources& from) {
  const auto value = [&](std::size_t index, const std::string& text) -> long long {
    if (const auto plain = parse_integer(text)) return *plain;
    const auto known = from.values.find(tensor_map_expression(spec.name, index));
    return known == from.values.end() ? 0 : known->second;
  };
  if (value(spec.box.size() + 1, spec.when) == 0) {
    Argument none{spec.name, "", ""};
    none.bytes.assign(kTensorMapBytes, std::byte{0});
    return {std::move(none), {}};
  }
  const auto layout = std::find_if(from.layouts.begin(), from.layouts.end(),
                                   [&](const BufferLayout& each) { return each.name == spec.of; });
  if (layout == from.layouts.end() || layout->dims.empty())
    return {std::nullopt, say::tensor_map_of_no_buffer(spec.of)};
  TensorMap map;
  map.address = 16;  // the buffer's own comes later, and is a multiple of more
  map.rank = static_cast<int>(layout->dims.size());
  const std::size_t between = layout->dims.size() - std::min<std::size_t>(2, layout->dims.size());
  if (spec.is_image() && (spec.box.size() != 1 || spec.lower.size() != between ||
                          spec.upper.size() != between || between == 0))
    return {std::nullopt, say::tensor_map_of_pixels(spec.of, layout->dims.size(), between)};
  if (!spec.is_image() && spec.box.size() != layout->dims.size())
    return {std::nullopt,
            say::tensor_map_of_other_rank(spec.box.size(), spec.of, layout->dims.size())};
  if (map.rank > kMostDimensions) return {std::nullopt, *tensor_map_error(map)};
  map.element_bytes = layout->element_bytes;
  map.element = element_of(layout->element);
  std::uint64_t stride = map.element_bytes;
  for (std::size_t d = 0; d < layout->dims.size(); ++d) {
    map.extent[d] = layout->dims[layout->dims.size() - 1 - d];
    map.stride[d] = stride;
    stride *= map.extent[d];
    if (d >= spec.box.size()) continue;
    const long long box = value(d, spec.box[d]);
    map.box[d] = box < 0 ? 0 : static_cast<std::uint32_t>(std::min<long long>(box, 1 << 20));
  }
  for (std::size_t d = 0; spec.is_image() && d < between; ++d) {
    const std::size_t first = spec.box.size() + 3;
    map.image.lower[d] = corner(value(first + d, spec.lower[d]));
    map.image.upper[d] = corner(value(first + between + d, spec.upper[d]));
  }
  if (spec.is_image()) {
    const long long pixels = value(spec.box.size() + 2, spec.pixels);
    if (pixels < 1 || pixels > 1024) return {std::nullopt, say::tensor_map_pixels(pixels)};
    map.image.pixels = static_cast<std::uint32_t>(pixels);
  }
  const long long bytes = value(spec.box.size(), spec.swizzle);
  const auto swizzle = swizzle_of_bytes(static_cast<std::uint64_t>(bytes));
  if (!swizzle) return {std::nullopt, say::tensor_map_swizzle(bytes)};
  map.swizzle = *swizzle;
  if (auto wrong = tensor_map_error(map)) return {std::nullopt, std::move(*wrong)};
  const auto encoded = encode(map);
  Argument argument{spec.name, "", ""};
  argument.bytes.assign(encoded.begin(), encoded.end());
  argument.pointers = {{kTensorMapAddress, spec.of}};
  return {std::move(argument), {}};
}

}  // namespace lanescope::app

#include "core/kernel/index_layout.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/text/messages.h"

namespace lanescope::app {
namespace {

template <class Values, class Text>
std::string listing(const Values& values, Text text) {
  std::string result = "(";
  for (std::size_t i = 0; i < values.size(); ++i) result += (i > 0 ? ", " : "") + text(values[i]);
  return result + ")";
}

}  // namespace

std::string IndexLayout::shape_text() const {
  const auto number = [](std::uint64_t n) { return std::to_string(n); };
  const std::string names =
      axes.empty() ? "" : listing(axes, [](const std::string& axis) { return axis; }) + " = ";
  return names + listing(shape, number) + " : " + listing(strides, number);
}

std::vector<std::uint64_t> IndexLayout::coordinates(std::uint64_t index) const {
  std::vector<std::uint64_t> result;
  for (const std::uint64_t stride : strides) {
    result.push_back(stride ? index / stride : 0);
    index = stride ? index % stride : index;
  }
  return result;
}

bool IndexLayout::inside(std::uint64_t index) const {
  const std::vector<std::uint64_t> at = coordinates(index);
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] >= shape[i]) return false;
  }
  return true;
}

std::string IndexLayout::sum_text(std::uint64_t index) const {
  const std::vector<std::uint64_t> at = coordinates(index);
  std::string text;
  for (std::size_t i = 0; i < at.size(); ++i)
    text += fmt::format("{}{}*{}", i > 0 ? " + " : "", at[i], strides[i]);
  return fmt::format("{} = {}", text, index);
}

IndexLayout row_major(std::string of, std::vector<std::uint64_t> shape) {
  IndexLayout layout{.of = std::move(of), .shape = std::move(shape)};
  layout.strides.assign(layout.shape.size(), 1);
  for (std::size_t i = layout.shape.size(); i-- > 1;)
    layout.strides[i - 1] = layout.strides[i] * std::max<std::uint64_t>(1, layout.shape[i]);
  return layout;
}

Message check_layout(const std::vector<long long>& shape, const std::vector<long long>& strides) {
  if (shape.empty()) return say::no_extents;
  for (const long long extent : shape) {
    if (extent < 1) return say::extent_comes_out(extent);
  }
  if (strides.empty()) return {};
  if (strides.size() != shape.size()) return say::stride_for_each;
  if (strides.back() != 1) return say::last_stride(strides.back());
  for (std::size_t i = 1; i < strides.size(); ++i) {
    if (strides[i] > strides[i - 1]) return say::strides_grow;
  }
  return {};
}

}  // namespace lanescope::app

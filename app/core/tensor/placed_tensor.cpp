#include "core/tensor/placed_tensor.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include <fmt/format.h>

#include "lanescope/memory.h"

namespace lanescope::app {
namespace {

constexpr std::uint64_t kMostShared = 1
                                      << 20;  // bytes, of which a swizzle's addresses are looked at

using Number = std::optional<std::int64_t>;

/// A number of a shape and its stride.
struct Step {
  Number extent, stride;
};

Number value_of(const LayoutTuple& number, const RunTimeValues& values) {
  return number.number ? number.number : values[static_cast<std::size_t>(number.run_time)];
}

void add_steps(const LayoutTuple& shape, const LayoutTuple& stride, const RunTimeValues& values,
               std::vector<Step>& out) {
  if (shape.is_number()) out.push_back({value_of(shape, values), value_of(stride, values)});
  for (std::size_t i = 0; i < shape.parts.size(); ++i)
    add_steps(shape.parts[i], stride.parts[i], values, out);
}

/// Of each mode.
std::vector<std::vector<Step>> modes_of(const TensorInfo& tensor, const RunTimeValues& values) {
  std::vector<std::vector<Step>> modes(std::max<std::size_t>(1, tensor.shape.parts.size()));
  if (tensor.shape.is_number()) add_steps(tensor.shape, tensor.stride, values, modes[0]);
  for (std::size_t i = 0; i < tensor.shape.parts.size(); ++i)
    add_steps(tensor.shape.parts[i], tensor.stride.parts[i], values, modes[i]);
  return modes;
}

/// Steps that go on where the one before them ends are one; those of one element none.
std::vector<Step> coalesced(const std::vector<Step>& steps) {
  std::vector<Step> out;
  for (const Step& step : steps) {
    if (step.extent == 1) continue;
    if (!out.empty() && step.stride && out.back().extent && out.back().stride && step.extent &&
        *step.stride == *out.back().extent * *out.back().stride)
      *out.back().extent *= *step.extent;
    else
      out.push_back(step);
  }
  if (out.empty()) out.push_back({1, 0});
  return out;
}

std::string text_of(const Number& number) { return number ? std::to_string(*number) : "?"; }

template <class Parts, class Text>
std::string in_brackets(const Parts& parts, Text text) {
  std::string out;
  for (const auto& part : parts) out += (out.empty() ? "(" : ",") + text(part);
  return out + ")";
}

std::string tuple_text(const LayoutTuple& tuple, const RunTimeValues& values) {
  if (tuple.number) return fmt::format("_{}", *tuple.number);
  if (tuple.is_number()) return text_of(value_of(tuple, values));
  return in_brackets(tuple.parts, [&](const auto& part) { return tuple_text(part, values); });
}

// Of a pointer as CuTe prints one: "Sw<3,4,3>_ptr o ".
std::string swizzle_text(const TensorInfo& tensor) {
  const LayoutSwizzle& of = tensor.swizzle;
  if (of.bits == 0) return {};
  return fmt::format("Sw<{},{},{}{}", of.bits, of.base, of.shift,
                     tensor.swizzles_addresses ? ">_ptr o " : "> o ");
}

/// Strides so apart that no two sums of steps are the same.
bool keeps_apart(const std::vector<PlacedTensor::Axis>& largest_first) {
  std::uint64_t reach = 0;
  for (auto axis = largest_first.rbegin(); axis != largest_first.rend(); ++axis) {
    if (axis->stride <= reach) return false;
    reach += (axis->extent - 1) * axis->stride;
  }
  return true;
}

/// Every coordinate in turn, the first mode fastest; false past the last.
bool next(TensorCoordinates& at, const std::vector<std::uint64_t>& shape) {
  for (std::size_t mode = 0; mode < shape.size(); ++mode) {
    if (++at[mode] < shape[mode]) return true;
    at[mode] = 0;
  }
  return false;
}

void set_reach(PlacedTensor& tensor) {
  std::uint64_t last = 0;
  for (const PlacedTensor::Axis& axis : tensor.axes) last += (axis.extent - 1) * axis.stride;
  tensor.begin = tensor.base;
  tensor.end = tensor.base + (last + 1) * tensor.element_bytes;
  if (tensor.swizzle.bits == 0 && tensor.offset == 0) return;
  tensor.begin = ~std::uint64_t{0}, tensor.end = 0;
  TensorCoordinates at{};
  do {
    const std::uint64_t address = tensor.address(at);
    tensor.begin = std::min(tensor.begin, address);
    tensor.end = std::max(tensor.end, address + tensor.element_bytes);
  } while (next(at, tensor.shape));
}

std::int64_t extended(std::uint64_t bits, std::uint32_t bytes) {
  return bytes == 4   ? static_cast<std::int32_t>(bits)
         : bytes == 2 ? static_cast<std::int16_t>(bits)
                      : static_cast<std::int64_t>(bits);
}

/// What a variable was set to, by whom ever; nothing once two differ.
struct Agreed {
  bool any = false, differ = false;
  std::uint64_t bits = 0;
};

std::vector<Agreed> agreed(const KernelInfo& kernel, const BlockTrace& trace) {
  std::vector<bool> wanted(kernel.variables.size());
  for (const TensorInfo& tensor : kernel.tensors)
    for (const RunTimeNumber& number : tensor.run_time)
      if (number.variable >= 0) wanted[static_cast<std::size_t>(number.variable)] = true;
  std::vector<Agreed> of(kernel.variables.size());
  for (const WarpTrack& track : trace.warps)
    for (std::size_t step = 0; step < track.size(); ++step) {
      const int variable = kernel.ops[track.op[step]].variable;
      if (variable < 0 || !wanted[static_cast<std::size_t>(variable)] ||
          track.rows[step] == WarpTrack::kNoRows)
        continue;
      Agreed& known = of[static_cast<std::size_t>(variable)];
      if (known.differ) continue;
      const LaneRow row = trace.rows[track.rows[step]];
      for (LaneMask mask = track.mask[step]; mask != 0; mask &= mask - 1) {
        const std::uint64_t bits = row[static_cast<std::size_t>(std::countr_zero(mask))];
        known.differ |= known.any && bits != known.bits;
        known = {true, known.differ, bits};
      }
    }
  return of;
}

// What lies in registers has an address in local memory as soon as it is looked at.
bool is_shared_or_global(std::uint64_t address) {
  return address >= kGlobalWindow && address - kLocalWindow >= kWindowBytes;
}

}  // namespace

std::string layout_text(const TensorInfo& tensor, const RunTimeValues& values) {
  const std::string offset = tensor.swizzles_addresses || !tensor.offset.is_number()
                                 ? ""
                                 : tuple_text(tensor.offset, values) + " o ";
  return swizzle_text(tensor) + offset + tuple_text(tensor.shape, values) + ":" +
         tuple_text(tensor.stride, values);
}

std::string short_layout_text(const TensorInfo& tensor, const RunTimeValues& values) {
  std::vector<std::vector<Step>> modes = modes_of(tensor, values);
  for (auto& steps : modes) steps = coalesced(steps);
  const auto text = [&](Number Step::*part) {
    const auto of_mode = [part](const std::vector<Step>& steps) {
      return steps.size() == 1
                 ? text_of(steps[0].*part)
                 : in_brackets(steps, [part](const Step& step) { return text_of(step.*part); });
    };
    return modes.size() == 1 ? of_mode(modes[0]) : in_brackets(modes, of_mode);
  };
  const Number offset = tensor.offset.is_number() ? value_of(tensor.offset, values) : 0;
  return swizzle_text(tensor) + (offset == 0 ? "" : text_of(offset) + " o ") + text(&Step::extent) +
         ":" + text(&Step::stride);
}

std::uint64_t PlacedTensor::elements() const {
  return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
}

std::uint64_t PlacedTensor::address(const TensorCoordinates& at) const {
  std::uint64_t index = 0;
  for (const Axis& axis : axes) index += at[axis.mode] / axis.below % axis.extent * axis.stride;
  if (swizzles_addresses) return swizzle(base + index * element_bytes);
  return base + swizzle(offset + index) * element_bytes;
}

std::optional<TensorElement> PlacedTensor::element_at(std::uint64_t address) const {
  if (address - begin >= end - begin) return std::nullopt;
  std::uint64_t index = swizzles_addresses ? (swizzle(address) - base) / element_bytes
                                           : swizzle((address - base) / element_bytes) - offset;
  TensorElement element{.at = {}, .index = index};
  for (const Axis& axis : axes) {
    const std::uint64_t steps = index / axis.stride;
    if (steps >= axis.extent) return std::nullopt;
    element.at[axis.mode] += steps * axis.below;
    index -= steps * axis.stride;
  }
  return index == 0 ? std::optional(element) : std::nullopt;
}

std::string PlacedTensor::name_of(const TensorCoordinates& at) const {
  std::string text = name;
  for (std::size_t mode = 0; mode < rank(); ++mode)
    text += fmt::format("{}{}", mode == 0 ? "(" : ",", at[mode]);
  return text + ")";
}

std::string PlacedTensor::sum_text(const TensorElement& element) const {
  std::string text;
  for (std::size_t mode = 0; mode < rank(); ++mode)
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis)
      if (axis->mode == mode)
        text += fmt::format("{}{}*{}", text.empty() ? "" : " + ",
                            element.at[mode] / axis->below % axis->extent, axis->stride);
  text += fmt::format("{}{}", text.empty() ? "" : " = ", element.index);
  if (offset != 0) text += fmt::format(" + {}", offset);
  if (swizzle.bits == 0) return text;
  const std::uint64_t behind = (address(element.at) - base) / element_bytes;
  return fmt::format("{} → {}", text, behind);
}

std::optional<PlacedTensor> place_tensor(const TensorInfo& tensor, const RunTimeValues& values) {
  const Number pointer = values[static_cast<std::size_t>(tensor.pointer)];
  const Number offset = tensor.offset.is_number() ? value_of(tensor.offset, values) : 0;
  const std::vector<std::vector<Step>> modes = modes_of(tensor, values);
  if (!pointer || !offset || *offset < 0 || modes.size() > kMostModes) return std::nullopt;
  PlacedTensor placed{.name = tensor.name,
                      .type = tensor.element.substr(tensor.element.rfind(':') + 1),
                      .layout = short_layout_text(tensor, values),
                      .full_layout = layout_text(tensor, values),
                      .element_bytes = tensor.element_bytes,
                      .base = static_cast<std::uint64_t>(*pointer),
                      .shape = {},
                      .axes = {},
                      .swizzle = tensor.swizzle,
                      .swizzles_addresses = tensor.swizzles_addresses,
                      .offset = static_cast<std::uint64_t>(*offset)};
  for (std::size_t mode = 0; mode < modes.size(); ++mode) {
    std::uint64_t below = 1;
    for (const Step& step : coalesced(modes[mode])) {
      if (!step.extent || *step.extent < 1 || *step.extent > INT32_MAX) return std::nullopt;
      const auto extent = static_cast<std::uint64_t>(*step.extent);
      if (extent > 1) {
        if (!step.stride || *step.stride < 1) return std::nullopt;
        placed.axes.push_back({mode, extent, static_cast<std::uint64_t>(*step.stride), below});
      }
      below *= extent;
    }
    placed.shape.push_back(below);
  }
  std::stable_sort(placed.axes.begin(), placed.axes.end(),
                   [](const auto& a, const auto& b) { return a.stride > b.stride; });
  if (!keeps_apart(placed.axes)) return std::nullopt;
  const bool moved = placed.swizzle.bits != 0 || placed.offset != 0;
  if (moved && placed.elements() * placed.element_bytes > kMostShared) return std::nullopt;
  set_reach(placed);
  return placed;
}

std::vector<RunTimeValues> run_time_values(const KernelInfo& kernel, const BlockTrace* trace) {
  const std::vector<Agreed> seen =
      trace ? agreed(kernel, *trace) : std::vector<Agreed>(kernel.variables.size());
  std::vector<RunTimeValues> all;
  for (const TensorInfo& tensor : kernel.tensors) {
    RunTimeValues& values = all.emplace_back();
    for (const RunTimeNumber& number : tensor.run_time) {
      const Agreed of =
          number.variable < 0 ? Agreed() : seen[static_cast<std::size_t>(number.variable)];
      const bool agree = of.any && !of.differ;
      values.push_back(number.value ? Number(extended(*number.value, number.bytes))
                       : agree      ? Number(extended(of.bits, number.bytes))
                                    : std::nullopt);
    }
  }
  return all;
}

std::vector<PlacedTensorPtr> placed_tensors(const KernelInfo& kernel, const BlockTrace& trace) {
  if (kernel.tensors.empty()) return {};
  std::vector<PlacedTensorPtr> all, shown;
  const std::vector<RunTimeValues> values = run_time_values(kernel, &trace);
  for (std::size_t i = 0; i < kernel.tensors.size(); ++i)
    if (auto placed = place_tensor(kernel.tensors[i], values[i]);
        placed && placed->elements() > 1 && is_shared_or_global(placed->base))
      all.push_back(std::make_shared<const PlacedTensor>(std::move(*placed)));
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a->elements() * a->element_bytes > b->elements() * b->element_bytes;
  });
  for (const PlacedTensorPtr& tensor : all)
    if (std::none_of(shown.begin(), shown.end(), [&](const PlacedTensorPtr& other) {
          return tensor->begin < other->end && other->begin < tensor->end;
        }))
      shown.push_back(tensor);
  return shown;
}

}  // namespace lanescope::app

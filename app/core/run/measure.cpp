#include "core/run/measure.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/text/messages.h"

namespace lanescope::app {
namespace {

/// Bytes on either side of a pointer; pages that nobody touches are never taken.
constexpr std::uint64_t kRoom = 64ull << 20;
/// Of a pointer, as cudaMalloc's are aligned
constexpr std::uint64_t kAlignment = 512;

void give_room(BufferSpec& spec) {
  const std::uint64_t room = kRoom / scalar_bytes(spec.element);
  spec.origin = room;
  spec.count = 2 * room;
  spec.deferred = true;
}

/// Towards minus infinity.
long long divided(long long value, long long by) {
  return value >= 0 ? value / by : -((-value + by - 1) / by);
}

/// The buffer that holds what was touched, and the alignment of its pointer.
void fit(BufferSpec& spec, BufferLayout& layout, MeasuredBuffer& measured, const Buffer& ran) {
  const auto scalar = static_cast<long long>(scalar_bytes(spec.element));
  const long long element = scalar * std::max(1u, layout.components);
  spec.measured = false;
  spec.origin = 0;
  spec.count = std::max(1u, layout.components);
  if (ran.touched->end != 0) {
    const auto pointer = static_cast<long long>(ran.pointer() - ran.base);
    const long long begin = static_cast<long long>(ran.touched->begin.load()) - pointer,
                    end = static_cast<long long>(ran.touched->end.load()) - pointer;
    measured.first = divided(begin, element);
    measured.last = divided(end - 1, element);
    const auto before = static_cast<std::uint64_t>(std::max(0ll, -measured.first * element));
    spec.origin =
        (before + kAlignment - 1) / kAlignment * kAlignment / static_cast<std::uint64_t>(scalar);
    spec.count = spec.origin +
                 static_cast<std::uint64_t>(std::max(1ll, measured.last + 1) * (element / scalar));
  }
  layout.dims = {spec.count - spec.origin};
  measured.known = true;
}

}  // namespace

std::vector<MeasuredBuffer> measure_buffers(const Program& program, const Launch& launch,
                                            BoundArguments& bound, const MeasureBounds& bounds,
                                            const std::stop_token& stop) {
  std::vector<MeasuredBuffer> result;
  if (std::none_of(bound.buffers.begin(), bound.buffers.end(),
                   [](const BufferSpec& spec) { return spec.measured; }))
    return result;
  GlobalMemory memory;
  bool possible = true;
  for (std::size_t i = 0; i < bound.buffers.size(); ++i) {
    BufferSpec& spec = bound.buffers[i];
    if (spec.measured) {
      give_room(spec);
      bound.layouts[i].dims = {spec.count - spec.origin};
      result.push_back({spec.name, bound.layouts[i].type});
    }
    BufferSpec filled = spec;
    filled.deferred = true;
    possible = possible && !memory.add(filled);
  }
  if (!possible || !check_arguments(program, launch, memory).empty()) return result;
  const RunControl asked{.stop = stop, .step_budget = bounds.step_budget};
  Patience patience(asked, bounds.most_seconds);
  const bool ended = execute(program, launch, memory, {.control = patience.control()}).ok();
  for (MeasuredBuffer& buffer : result) buffer.would_take_s = patience.would_take_s();
  if (!ended) return result;
  for (std::size_t i = 0, next = 0; i < bound.buffers.size(); ++i)
    if (bound.buffers[i].measured)
      fit(bound.buffers[i], bound.layouts[i], result[next++], *memory.find(bound.buffers[i].name));
  return result;
}

Message describe(const MeasuredBuffer& buffer) {
  if (!buffer.known && buffer.would_take_s > 0)
    return say::auto_would_take(buffer.name,
                                static_cast<long long>(std::max(1.0, buffer.would_take_s / 60)));
  if (!buffer.known) return say::auto_not_measured(buffer.name);
  if (buffer.last < buffer.first) return say::not_touched(buffer.name);
  if (buffer.first < 0)
    return say::touched_before(buffer.name, buffer.first, buffer.last, buffer.type, -buffer.first);
  return say::touched(buffer.name, buffer.first, buffer.last, buffer.type,
                      fmt::format("{}[{}]", buffer.type, buffer.last + 1));
}

}  // namespace lanescope::app

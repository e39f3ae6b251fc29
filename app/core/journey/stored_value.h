// Whether a store's value is one that a load before it brought.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "lanescope/trace.h"

namespace lanescope::app {

/// How many of a load's executions are looked at for the one whose value a store stores: an unrolled loop may load
/// much before it stores any.
inline constexpr int kMostLoadsBefore = 64;

/// Whether a store's sources (AccessInfo::sources) link it to the load.
inline bool may_store_of(const std::vector<ValueSource>& sources, int load) {
  return std::any_of(sources.begin(), sources.end(),
                     [load](const ValueSource& source) { return source.access == load; });
}

/// Of one warp's two steps, a load and a store that `source` links: the component of the load that the lane
/// stores. nullopt if it stores something else: under a guard (`i < n ? in[i] : 0`) the load may not have been
/// executed this time, so that a constant is stored and the load found is an older one.
inline std::optional<std::uint32_t> stored_part(const KernelInfo& kernel, const BlockTrace& trace,
                                                const ValueSource& source, std::uint32_t warp,
                                                std::size_t load, std::size_t store, int lane) {
  const WarpTrack& track = trace.warps[warp];
  // An asynchronous copy carries just that, and no value of it is recorded.
  if (kernel.accesses[static_cast<std::size_t>(kernel.ops[track.op[store]].access)].op ==
      AccessOp::async_copy)
    return source.part;
  const auto value = [&](std::size_t step, std::uint32_t component) {
    return trace.rows.value(std::size_t{track.rows[step]} + 1 + component,
                            static_cast<std::size_t>(lane));
  };
  const bool any = source.part == ValueSource::kAny;
  const std::uint32_t components =
      kernel.accesses[static_cast<std::size_t>(source.access)].components;
  for (std::uint32_t part = any ? 0 : source.part; part < (any ? components : source.part + 1);
       ++part) {
    if (value(load, part) == value(store, source.component)) return part;
  }
  return std::nullopt;
}

/// The same of whole accesses: whether anything that is stored is of this load.
inline bool stores_what_it_loaded(const KernelInfo& kernel, const BlockTrace& trace,
                                  std::uint32_t warp, std::size_t load, std::size_t store,
                                  int lane) {
  const WarpTrack& track = trace.warps[warp];
  const AccessInfo& to =
      kernel.accesses[static_cast<std::size_t>(kernel.ops[track.op[store]].access)];
  const int from = kernel.ops[track.op[load]].access;
  return std::any_of(to.sources.begin(), to.sources.end(), [&](const ValueSource& source) {
    return source.access == from &&
           stored_part(kernel, trace, source, warp, load, store, lane).has_value();
  });
}

}  // namespace lanescope::app

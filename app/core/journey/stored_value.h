// Whether a store's value is the one that a load before it brought.
#pragma once

#include <cstdint>

#include "lanescope/trace.h"

namespace lanescope::app {

/// Of one warp's two steps, a load and a store that AccessInfo::value_from links: the lane stores
/// what it has loaded, or a part of it. Under a guard (`i < n ? in[i] : 0`) the load may not have
/// been executed this time, so that a constant is stored and the load found is an older one.
inline bool stores_what_it_loaded(const KernelInfo& kernel, const BlockTrace& trace,
                                  std::uint32_t warp, std::size_t load, std::size_t store,
                                  int lane) {
  const WarpTrack& track = trace.warps[warp];
  // An asynchronous copy carries just that, and no value of it is recorded.
  if (kernel.accesses[static_cast<std::size_t>(kernel.ops[track.op[store]].access)].op ==
      AccessOp::async_copy)
    return true;
  const auto components = [&](std::size_t step) {
    return kernel.accesses[static_cast<std::size_t>(kernel.ops[track.op[step]].access)].components;
  };
  const auto value = [&](std::size_t step, std::uint32_t component) {
    return trace.rows.value(std::size_t{track.rows[step]} + 1 + component,
                            static_cast<std::size_t>(lane));
  };
  for (std::uint32_t l = 0; l < components(load); ++l) {
    for (std::uint32_t s = 0; s < components(store); ++s) {
      if (value(load, l) == value(store, s)) return true;
    }
  }
  return false;
}

}  // namespace lanescope::app

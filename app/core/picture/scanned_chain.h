// For tests only: chains found by looking through the whole trace, as the index must find them too.
#pragma once

#include "core/picture/chain.h"

#include <algorithm>
#include <tuple>

#include "core/journey/stored_value.h"
#include "lanescope/memory.h"
#include "lanescope/trace.h"

namespace lanescope::app::scanned {

inline constexpr std::size_t kLongestChain =
    64;  // links; a value carried round a loop would go on for ever

inline bool touches(std::uint64_t address, std::uint32_t bytes, const Cell& cell) {
  return address < cell.address + std::max(1u, cell.bytes) && cell.address < address + bytes;
}

// The accesses of one recorded block, looked at from any (warp, step).
class Tracer {
 public:
  explicit Tracer(const Picture& picture) : kernel_(picture.kernel()), trace_(*picture.trace()) {}

  const WarpTrack* track(std::uint32_t warp) const {
    return warp < trace_.warps.size() ? &trace_.warps[warp] : nullptr;
  }

  // The access that a step is; null if it is none or its addresses were not recorded.
  const AccessInfo* access_at(const WarpTrack& track, std::size_t step) const {
    const OpInfo& op = kernel_.ops[track.op[step]];
    if (op.kind != StepKind::access || op.access < 0 || track.rows[step] == WarpTrack::kNoRows)
      return nullptr;
    return &kernel_.accesses[static_cast<std::size_t>(op.access)];
  }

  LaneRow addresses(const WarpTrack& track, std::size_t step) const {
    return trace_.rows[track.rows[step]];
  }

  std::optional<ChainLink> link(std::uint32_t warp, std::size_t step, int lane) const {
    const WarpTrack* of = track(warp);
    if (!of || step >= of->size() || lane < 0 || lane >= kLanes ||
        (of->mask[step] >> lane & 1u) == 0)
      return std::nullopt;
    const AccessInfo* access = access_at(*of, step);
    if (!access) return std::nullopt;
    const std::uint64_t address = addresses(*of, step)[static_cast<std::size_t>(lane)];
    return ChainLink{static_cast<int>(access->id), warp, step, lane, {address, access->bytes}};
  }

  // The lane of a step that touches the cell, -1 for none.
  int lane_on(const WarpTrack& track, std::size_t step, const Cell& cell) const {
    const AccessInfo* access = access_at(track, step);
    if (!access) return -1;
    const LaneRow row = addresses(track, step);
    for (LaneMask rest = track.mask[step]; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (touches(row[static_cast<std::size_t>(lane)], access->bytes, cell)) return lane;
    }
    return -1;
  }

  std::optional<ChainLink> before(const ChainLink& from) const {
    const AccessInfo& access = kernel_.accesses[static_cast<std::size_t>(from.access)];
    const bool stores = access.op == AccessOp::store || access.op == AccessOp::async_copy;
    if (stores && !access.sources.empty()) return load_of(from, access);
    // What a load from global memory finds was there before the launch, as far as a chain is
    // concerned.
    if (access.op != AccessOp::load || !in_shared(from.cell)) return std::nullopt;
    int lane = -1;
    const auto writer =
        last_writer(kernel_, trace_, from.cell.address, {from.warp, from.step}, &lane);
    return writer ? link(writer->warp, writer->step, lane) : std::nullopt;
  }

  std::optional<ChainLink> after(const ChainLink& from) const {
    const AccessInfo& access = kernel_.accesses[static_cast<std::size_t>(from.access)];
    const bool copied_from = access.op == AccessOp::async_copy && !in_shared(from.cell);
    if (access.op == AccessOp::load || copied_from) return store_of(from);
    return in_shared(from.cell) ? reader_of(from) : std::nullopt;
  }

  // The execution nearest to the selected step that touches the cell.
  std::optional<ChainLink> touching(const Cell& cell, const Selection& selection,
                                    std::optional<std::size_t> shown) const {
    if (const WarpTrack* own = track(selection.warp)) {
      if (shown) {
        if (const int lane = lane_on(*own, *shown, cell); lane >= 0)
          return link(selection.warp, *shown, lane);
      }
      for (std::size_t distance = 0; distance < own->size(); ++distance) {
        for (const std::size_t step : {selection.step - distance, selection.step + distance}) {
          if (step >= own->size()) continue;  // also what wrapped below zero
          if (const int lane = lane_on(*own, step, cell); lane >= 0)
            return link(selection.warp, step, lane);
        }
      }
    }
    for (std::uint32_t warp = 0; warp < trace_.warps.size(); ++warp) {
      const WarpTrack& other = trace_.warps[warp];
      for (std::size_t step = 0; warp != selection.warp && step < other.size(); ++step) {
        if (const int lane = lane_on(other, step, cell); lane >= 0) return link(warp, step, lane);
      }
    }
    return std::nullopt;
  }

 private:
  static bool in_shared(const Cell& cell) { return cell.address - kSharedWindow < kWindowBytes; }
  bool is_barrier(const WarpTrack& track, std::size_t step) const {
    return kernel_.ops[track.op[step]].kind == StepKind::barrier;
  }

  // The newest load of what the first component that has one is.
  std::optional<ChainLink> load_of(const ChainLink& store, const AccessInfo& access) const {
    std::optional<ChainLink> found;
    std::uint32_t component = 0;
    for (const ValueSource& source : access.sources) {
      if (found && source.component != component) break;
      const auto load = load_of(store, source.access);
      if (!load || (found && found->step >= load->step)) continue;
      found = load;
      component = source.component;
    }
    return found;
  }

  std::optional<ChainLink> load_of(const ChainLink& store, int loading) const {
    const WarpTrack& own = *track(store.warp);
    for (std::size_t step = store.step; loading >= 0 && step-- > 0;) {
      if (kernel_.ops[own.op[step]].access != loading) continue;
      const auto found = link(store.warp, step, store.lane);
      if (found && hands_on(*found, store)) return found;
    }
    return std::nullopt;
  }

  bool hands_on(const ChainLink& load, const ChainLink& store) const {
    return stores_what_it_loaded(kernel_, trace_, load.warp, load.step, store.step, load.lane);
  }

  std::optional<ChainLink> store_of(const ChainLink& load) const {
    const WarpTrack& own = *track(load.warp);
    for (std::size_t step = load.step + 1; step < own.size(); ++step) {
      const AccessInfo* access = access_at(own, step);
      if (!access || (own.mask[step] >> load.lane & 1u) == 0) continue;
      const bool stores = access->op == AccessOp::store || access->op == AccessOp::async_copy;
      if (!stores || !may_store_of(access->sources, load.access)) continue;
      const auto store = link(load.warp, step, load.lane);
      if (hands_on(load, *store) && load_of(*store, load.access) == load) return store;
    }
    return std::nullopt;
  }

  // The first load of what a store left in shared memory: by barrier, then by step, then by warp.
  std::optional<ChainLink> reader_of(const ChainLink& store) const {
    const WarpTrack& own = *track(store.warp);
    std::size_t written = 0;  // barriers before the store
    for (std::size_t step = 0; step < store.step; ++step) written += is_barrier(own, step);
    using Time = std::tuple<std::size_t, std::size_t, std::uint32_t>;
    std::optional<std::pair<Time, int>> first;
    for (std::uint32_t warp = 0; warp < trace_.warps.size(); ++warp) {
      const WarpTrack& other = trace_.warps[warp];
      std::size_t barriers = 0;
      for (std::size_t step = 0; step < other.size(); ++step) {
        barriers += is_barrier(other, step);
        if (first && Time{barriers, step, warp} > first->first) break;
        if (barriers < written || (warp == store.warp && step <= store.step)) continue;
        const AccessInfo* access = access_at(other, step);
        if (!access || access->op != AccessOp::load || access->space == MemorySpace::global)
          continue;
        const int lane = lane_on(other, step, store.cell);
        if (lane < 0) continue;
        if (!reads_from(store, warp, step, lane)) {
          if (barriers > written) break;  // overwritten before anybody read it here
          continue;
        }
        first = {Time{barriers, step, warp}, lane};
        break;
      }
    }
    return first ? link(std::get<2>(first->first), std::get<1>(first->first), first->second)
                 : std::nullopt;
  }

  bool reads_from(const ChainLink& store, std::uint32_t warp, std::size_t step, int reader) const {
    const auto read = link(warp, step, reader);
    int lane = -1;
    const std::uint64_t address = std::max(read->cell.address, store.cell.address);
    const auto writer = last_writer(kernel_, trace_, address, {warp, step}, &lane);
    return writer && writer->warp == store.warp && writer->step == store.step && lane == store.lane;
  }

  const KernelInfo& kernel_;
  const BlockTrace& trace_;
};

inline std::optional<std::size_t> shown_access_step(const Picture&, const Selection&);

inline std::optional<ChainLink> start_of(const Picture& picture, const Tracer& tracer,
                                         const Selection& selection) {
  const auto shown = scanned::shown_access_step(picture, selection);
  const auto of_lane = [&](int lane) {
    return shown ? tracer.link(selection.warp, *shown, lane) : std::nullopt;
  };
  if (selection.hover_lane >= 0) return of_lane(selection.hover_lane);
  if (selection.hover_cell) return tracer.touching(*selection.hover_cell, selection, shown);
  if (selection.lane >= 0) return of_lane(selection.lane);
  if (selection.cell) return tracer.touching(*selection.cell, selection, shown);
  return std::nullopt;
}

inline std::optional<std::size_t> shown_access_step(const Picture& picture,
                                                    const Selection& selection) {
  const BlockTrace* trace = picture.trace();
  if (!trace || selection.access < 0 || selection.warp >= trace->warps.size()) return std::nullopt;
  const WarpTrack& track = trace->warps[selection.warp];
  const auto executes = [&](std::size_t step) {
    return picture.kernel().ops[track.op[step]].access == selection.access;
  };
  for (std::size_t step = std::min(selection.step + 1, track.size()); step-- > 0;) {
    if (executes(step)) return step;
  }
  for (std::size_t step = selection.step + 1; step < track.size(); ++step) {
    if (executes(step)) return step;
  }
  return std::nullopt;
}

inline std::vector<ChainLink> chain_of(const Picture& picture, const Selection& selection) {
  if (!picture.prepared->program || !picture.trace()) return {};
  const Tracer tracer(picture);
  const auto start = start_of(picture, tracer, selection);
  if (!start) return {};
  std::vector<ChainLink> chain = {*start};
  while (chain.size() < kLongestChain) {
    const auto link = tracer.before(chain.back());
    if (!link) break;
    chain.push_back(*link);
  }
  std::reverse(chain.begin(), chain.end());
  while (chain.size() < kLongestChain) {
    const auto link = tracer.after(chain.back());
    if (!link) break;
    chain.push_back(*link);
  }
  return chain;
}

}  // namespace lanescope::app::scanned

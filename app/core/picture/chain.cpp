#include "core/picture/chain.h"

#include <algorithm>
#include <memory>
#include <span>

#include "core/journey/stored_value.h"
#include "core/picture/trace_index.h"
#include "lanescope/memory.h"
#include "lanescope/trace.h"

namespace lanescope::app {

namespace {

constexpr std::size_t kLongestChain =
    64;  // links; a value carried round a loop would go on for ever

constexpr std::size_t kUsualChain = 8;

bool touches(std::uint64_t address, std::uint32_t bytes, const Cell& cell) {
  return address < cell.address + std::max(1u, cell.bytes) && cell.address < address + bytes;
}

// The accesses of one recorded block, looked at from any (warp, step).
class Tracer {
 public:
  explicit Tracer(const Picture& picture)
      : kernel_(picture.kernel()), trace_(*picture.trace()),
        own_(picture.index ? nullptr : std::make_unique<TraceIndex>(kernel_, trace_)),
        index_(own_ ? *own_ : *picture.index) {}

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
    const std::uint64_t address = trace_.rows.value(of->rows[step], static_cast<std::size_t>(lane));
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
    if (stores(access) && !access.sources.empty()) return load_of(from, access);
    // What a load from global memory finds was there before the launch, as far as a chain is
    // concerned.
    if (access.op != AccessOp::load || !in_shared(from.cell)) return std::nullopt;
    int lane = -1;
    const auto writer =
        last_writer(index_, kernel_, trace_, from.cell.address, {from.warp, from.step}, &lane);
    return writer ? link(writer->warp, writer->step, lane) : std::nullopt;
  }

  std::optional<ChainLink> after(const ChainLink& from) const {
    const AccessInfo& access = kernel_.accesses[static_cast<std::size_t>(from.access)];
    if (access.op == AccessOp::load || (access.op == AccessOp::async_copy && !in_shared(from.cell)))
      return store_of(from);
    return in_shared(from.cell) ? reader_of(from) : std::nullopt;
  }

  // The execution nearest to the selected step that touches the cell; of two as near, the earlier.
  std::optional<ChainLink> touching(const Cell& cell, const Selection& selection,
                                    std::optional<std::size_t> shown) const {
    const WarpTrack* own = track(selection.warp);
    if (own && shown) {
      if (const int lane = lane_on(*own, *shown, cell); lane >= 0)
        return link(selection.warp, *shown, lane);
    }
    if (own) {
      if (const auto step = nearest(cell, selection.warp, selection.step))
        return link(selection.warp, *step, lane_on(*own, *step, cell));
    }
    for (std::uint32_t warp = 0; warp < trace_.warps.size(); ++warp) {
      if (warp == selection.warp) continue;
      if (const auto step = nearest(cell, warp, 0))
        return link(warp, *step, lane_on(trace_.warps[warp], *step, cell));
    }
    return std::nullopt;
  }

 private:
  // Of an asynchronous copy, the side with a value that comes from the other one.
  static bool stores(const AccessInfo& access) {
    return access.op == AccessOp::store || access.op == AccessOp::async_copy;
  }
  static bool in_shared(const Cell& cell) { return cell.address - kSharedWindow < kWindowBytes; }

  // Of one warp's executions that touch the cell, the step nearest to `from`.
  std::optional<std::size_t> nearest(const Cell& cell, std::uint32_t warp, std::size_t from) const {
    std::optional<std::size_t> best;
    const auto distance = [&](std::size_t step) { return step > from ? step - from : from - step; };
    const auto better = [&](std::size_t step) {
      return !best || distance(step) < distance(*best) ||
             (distance(step) == distance(*best) && step < *best);
    };
    const auto look = [&](std::size_t step) {
      const bool hit = better(step) && lane_on(trace_.warps[warp], step, cell) >= 0;
      if (hit) best = step;
      return hit;
    };
    if (in_shared(cell)) {
      std::vector<std::uint32_t> room;
      for (const std::uint32_t i : executions_on(cell, room)) {
        if (index_.shared()[i].warp == warp) look(index_.shared()[i].step);
      }
      return best;
    }
    for (const AccessInfo& access : kernel_.accesses) {
      if (access.space == MemorySpace::shared) continue;
      const auto steps = index_.steps(warp, static_cast<int>(access.id));
      const auto middle = std::lower_bound(steps.begin(), steps.end(), from);
      for (auto at = middle; at != steps.end() && better(*at) && !look(*at);) ++at;
      for (auto at = middle; at != steps.begin() && better(*(at - 1)) && !look(*(at - 1));) --at;
    }
    return best;
  }

  // Those that touch any word of a shared cell, in the block's order; of several words in `room`.
  std::span<const std::uint32_t> executions_on(const Cell& cell,
                                               std::vector<std::uint32_t>& room) const {
    const std::uint64_t last = cell.address + std::max(1u, cell.bytes) - 1;
    if (cell.address / kBankBytes == last / kBankBytes) return index_.touching(cell.address);
    for (std::uint64_t at = cell.address; at / kBankBytes <= last / kBankBytes; at += kBankBytes) {
      const auto found = index_.touching(at);
      room.insert(room.end(), found.begin(), found.end());
    }
    std::sort(room.begin(), room.end());
    room.erase(std::unique(room.begin(), room.end()), room.end());
    return room;
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
    const auto steps = index_.steps(store.warp, loading);
    int looks = kMostLoadsBefore;
    for (auto at = std::lower_bound(steps.begin(), steps.end(), store.step);
         at != steps.begin() && looks > 0;) {
      const auto found = link(store.warp, *--at, store.lane);
      if (!found) continue;
      --looks;
      if (hands_on(*found, store)) return found;
    }
    return std::nullopt;
  }

  bool hands_on(const ChainLink& load, const ChainLink& store) const {
    return stores_what_it_loaded(kernel_, trace_, load.warp, load.step, store.step, load.lane);
  }

  // A warp's first execution of a store after a load in which the lane stores what that brought.
  std::optional<ChainLink> next(const ChainLink& load, int store) const {
    const auto steps = index_.steps(load.warp, store);
    int looks = kMostLoadsBefore;
    for (auto at = std::upper_bound(steps.begin(), steps.end(), load.step);
         at != steps.end() && looks > 0; ++at) {
      const auto found = link(load.warp, *at, load.lane);
      if (!found) continue;
      --looks;
      if (hands_on(load, *found) && load_of(*found, load.access) == load) return found;
    }
    return std::nullopt;
  }

  std::optional<ChainLink> store_of(const ChainLink& load) const {
    std::optional<ChainLink> first;
    for (const AccessInfo& access : kernel_.accesses) {
      if (!stores(access) || !may_store_of(access.sources, load.access)) continue;
      const auto found = next(load, static_cast<int>(access.id));
      if (found && (!first || found->step < first->step)) first = found;
    }
    return first;
  }

  // The first load of what a store left in shared memory: by barrier, then by step, then by warp.
  std::optional<ChainLink> reader_of(const ChainLink& store) const {
    const std::uint32_t written = index_.phase(store.warp, store.step);
    std::vector<bool> overwritten;  // by warp: before it read it there; mostly none is
    std::vector<std::uint32_t> room;
    const std::span<const std::uint32_t> all = executions_on(store.cell, room);
    const auto from = std::partition_point(all.begin(), all.end(), [&](std::uint32_t i) {
      return index_.shared()[i].phase < written;
    });
    for (auto at = from; at != all.end(); ++at) {
      const SharedExecution& e = index_.shared()[*at];
      const AccessInfo& access = kernel_.accesses[e.access];
      if ((!overwritten.empty() && overwritten[e.warp]) || access.op != AccessOp::load ||
          (e.warp == store.warp && e.step <= store.step))
        continue;
      const int lane = lane_on(trace_.warps[e.warp], e.step, store.cell);
      if (lane < 0) continue;
      if (reads_from(store, e.warp, e.step, lane)) return link(e.warp, e.step, lane);
      if (e.phase <= written) continue;
      overwritten.resize(trace_.warps.size());
      overwritten[e.warp] = true;
    }
    return std::nullopt;
  }

  bool reads_from(const ChainLink& store, std::uint32_t warp, std::size_t step, int reader) const {
    const auto read = link(warp, step, reader);
    int lane = -1;
    const std::uint64_t address = std::max(read->cell.address, store.cell.address);
    const auto writer = last_writer(index_, kernel_, trace_, address, {warp, step}, &lane);
    return writer && writer->warp == store.warp && writer->step == store.step && lane == store.lane;
  }

  const KernelInfo& kernel_;
  const BlockTrace& trace_;
  /// For a picture that has none
  std::unique_ptr<const TraceIndex> own_;
  const TraceIndex& index_;
};

std::optional<ChainLink> start_of(const Picture& picture, const Tracer& tracer,
                                  const Selection& selection) {
  const auto shown = shown_access_step(picture, selection);
  const auto of_lane = [&](int lane) {
    return shown ? tracer.link(selection.warp, *shown, lane) : std::nullopt;
  };
  if (selection.hover_lane >= 0) return of_lane(selection.hover_lane);
  if (selection.hover_cell) return tracer.touching(*selection.hover_cell, selection, shown);
  if (selection.lane >= 0) return of_lane(selection.lane);
  if (selection.cell) return tracer.touching(*selection.cell, selection, shown);
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> shown_access_step(const Picture& picture, const Selection& selection) {
  const BlockTrace* trace = picture.trace();
  if (!trace || selection.access < 0 || selection.warp >= trace->warps.size()) return std::nullopt;
  const WarpTrack& track = trace->warps[selection.warp];
  if (picture.index) {
    const auto steps = picture.index->steps(selection.warp, selection.access);
    const auto after = std::upper_bound(steps.begin(), steps.end(), selection.step);
    if (after != steps.begin()) return *(after - 1);
    return after == steps.end() ? std::nullopt : std::optional<std::size_t>(*after);
  }
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

std::vector<ChainLink> chain_of(const Picture& picture, const Selection& selection) {
  if (!picture.prepared->program || !picture.trace()) return {};
  const Tracer tracer(picture);
  const auto start = start_of(picture, tracer, selection);
  if (!start) return {};
  std::vector<ChainLink> chain;
  chain.reserve(kUsualChain);
  chain.push_back(*start);
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

}  // namespace lanescope::app

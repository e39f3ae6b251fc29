#include "views/draw/focus.h"

#include <algorithm>

#include "core/picture/trace_index.h"

namespace lanescope::app {
namespace {

void add_access(Focus& focus, const Picture& picture, const Selection& selection) {
  const KernelInfo& kernel = picture.kernel();
  if (selection.access < 0 || static_cast<std::size_t>(selection.access) >= kernel.accesses.size())
    return;
  focus.access = &kernel.accesses[static_cast<std::size_t>(selection.access)];
  const std::optional<std::size_t> step = shown_access_step(picture, selection);
  if (step) focus.shown = execution_at(picture, *focus.track, *step);
}

Selection of_lane(const Selection& selection, const Focus& focus, int lane) {
  Selection one = selection;
  one.lane = lane;
  one.hover_lane = -1;
  one.cell.reset();
  one.hover_cell.reset();
  if (focus.shown) one.step = focus.shown->step;
  return one;
}

void add_chains(Focus& focus, const Picture& picture, const Selection& selection) {
  for (int i = 0; i < kLanes; ++i) {
    if (!focus.active(i)) continue;
    focus.chains[static_cast<std::size_t>(i)] = chain_of(picture, of_lane(selection, focus, i));
  }
}

// The nearest link of a lane's chain that this very lane executes in the other memory.
void add_partner(Focus& focus, const Picture& picture) {
  if (!focus.shown || !focus.shown->mask) return;
  const int lane = std::countr_zero(focus.shown->mask);
  std::optional<std::size_t> best;
  const auto distance = [&](std::size_t step) {
    return step > focus.shown->step ? step - focus.shown->step : focus.shown->step - step;
  };
  for (const ChainLink& link : focus.chains[static_cast<std::size_t>(lane)]) {
    const bool other = link.warp == focus.warp && link.lane == lane &&
                       space_of(link.cell.address) != focus.shown->space;
    if (other && link.step < focus.track->size() &&
        (!best || distance(link.step) < distance(*best)))
      best = link.step;
  }
  if (best) focus.partner = execution_at(picture, *focus.track, *best);
}

}  // namespace

const Focus& FocusCache::update(const Picture* picture, const Selection& selection) {
  if (!picture || !picture->prepared->program || !picture->trace()) {
    focus_ = {};
    key_.reset();
    picture_ = nullptr;
    return focus_;
  }
  const Key key{picture->serial, selection.warp, selection.step, selection.access};
  const std::optional<Cell> cell = selection.hover_lane >= 0 ? std::nullopt
                                   : selection.hover_cell    ? selection.hover_cell
                                   : selection.lane >= 0     ? std::nullopt
                                                             : selection.cell;
  const int lane = cell ? -1 : selection.shown_lane();
  const bool same = picture == picture_ && key_ == key;
  if (same && lane == shown_lane_ && cell == shown_cell_) return focus_;
  if (!same) {
    focus_ = {};
    focus_.serial = ++made_;
    focus_.trace = picture->trace();
    focus_.warp = selection.warp;
    focus_.step = selection.step;
    if (selection.warp < focus_.trace->warps.size()) {
      focus_.track = &focus_.trace->warps[selection.warp];
      add_access(focus_, *picture, selection);
      add_chains(focus_, *picture, selection);
      add_partner(focus_, *picture);
      const KernelInfo& kernel = picture->kernel();
      focus_.variables =
          picture->index
              ? variables_at(*picture->index, kernel, *focus_.trace, selection.warp, selection.step)
              : variables_at(kernel, *focus_.trace, selection.warp, selection.step);
    }
  }
  key_ = key;
  picture_ = picture;
  shown_lane_ = lane;
  shown_cell_ = cell;
  focus_.lit_lane = lane;
  focus_.lit.clear();
  if (lane >= 0) {
    focus_.lit = focus_.chains[static_cast<std::size_t>(lane)];
  } else if (cell) {
    focus_.lit = chain_of(*picture, selection);
    for (const ChainLink& link : focus_.lit) {
      if (link.warp == selection.warp && link.access == selection.access)
        focus_.lit_lane = link.lane;
    }
  }
  return focus_;
}

}  // namespace lanescope::app

#include "core/picture/navigate.h"

#include <algorithm>
#include <tuple>

namespace lanescope::app {

namespace {

const WarpTrack* track_of(const Picture& picture, std::uint32_t warp) {
  const BlockTrace* trace = picture.prepared->program ? picture.trace() : nullptr;
  return trace && warp < trace->warps.size() ? &trace->warps[warp] : nullptr;
}

int access_of(const Picture& picture, const WarpTrack& track, std::size_t step) {
  return step < track.size() ? picture.kernel().ops[track.op[step]].access : -1;
}

// Which execution of the access the step is, counting from 0; nullopt if it is none of its.
std::optional<std::size_t> ordinal_of(const Picture& picture, const WarpTrack& track,
                                      std::size_t step, int access) {
  if (access < 0 || access_of(picture, track, step) != access) return std::nullopt;
  std::size_t count = 0;
  for (std::size_t i = 0; i < step; ++i) count += access_of(picture, track, i) == access;
  return count;
}

// The step of that execution, or of the last one if there are fewer.
std::optional<std::size_t> step_of(const Picture& picture, const WarpTrack& track, int access,
                                   std::size_t ordinal) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < track.size(); ++i) {
    if (access_of(picture, track, i) != access) continue;
    found = i;
    if (ordinal-- == 0) break;
  }
  return found;
}

int find_again(const AccessInfo& wanted, const std::vector<AccessInfo>& accesses) {
  for (const AccessInfo& access : accesses) {
    if (access.pos == wanted.pos && access.op == wanted.op) return static_cast<int>(access.id);
  }
  for (const AccessInfo& access : accesses) {
    if (!wanted.text.empty() && access.text == wanted.text && access.op == wanted.op)
      return static_cast<int>(access.id);
  }
  return -1;
}

// What one comes to look at, the worst last: conflicts, of loads before stores; sectors in vain; and
// where nothing is wrong a load from shared memory, or a product of what lies there.
using Badness = std::tuple<std::uint64_t, bool, std::uint64_t, bool>;
Badness badness_of(const Picture& picture, std::size_t access) {
  const AccessInfo& info = picture.kernel().accesses[access];
  const bool load = info.op == AccessOp::load;
  if (access >= picture.inspected.accesses.size()) return {};
  const AccessCounts& counts = picture.inspected.accesses[access];
  const GlobalCounts& global = counts.global;
  const std::uint64_t in_vain =
      global.sectors > global.ideal_sectors ? global.sectors - global.ideal_sectors : 0;
  return {counts.shared.conflicts, counts.shared.conflicts > 0 && load, in_vain,
          counts.shared.requests > 0 && (load || info.op == AccessOp::product)};
}

bool is_stop(const Picture& picture, const WarpTrack& track, std::size_t step, StepMove move,
             std::uint32_t from_line) {
  const OpInfo& op = picture.kernel().ops[track.op[step]];
  switch (move) {
  case StepMove::previous_line:
  case StepMove::next_line:
    return op.pos.line != 0 && op.pos.line != from_line;
  case StepMove::previous_access:
  case StepMove::next_access:
    return op.access >= 0;
  case StepMove::previous_barrier:
  case StepMove::next_barrier:
    return op.kind == StepKind::barrier;
  default:
    return true;
  }
}

bool goes_back(StepMove move) {
  return move == StepMove::back || move == StepMove::previous_line ||
         move == StepMove::previous_access || move == StepMove::previous_barrier;
}

}  // namespace

Selection default_selection(const Picture& picture) {
  Selection selection;
  const WarpTrack* track = track_of(picture, 0);
  if (!track) return selection;
  std::optional<std::size_t> best;
  Badness worst;
  for (std::size_t step = 0; step < track->size(); ++step) {
    const int access = access_of(picture, *track, step);
    if (access < 0) continue;
    const Badness bad = badness_of(picture, static_cast<std::size_t>(access));
    if (best && bad <= worst) continue;
    best = step;
    worst = bad;
  }
  if (best) select_step(picture, selection, *best);
  return selection;
}

Selection relocate(const Picture& older, const Selection& selection, const Picture& newer) {
  const bool another =
      older.prepared->settings.name != newer.prepared->settings.name &&
      older.prepared->settings.text != newer.prepared->settings.text;  // not just saved elsewhere
  if (!older.prepared->program || another) return default_selection(newer);
  const WarpTrack* before = track_of(older, selection.warp);
  const WarpTrack* now = track_of(newer, selection.warp);
  if (!before || !now || now->size() == 0) return default_selection(newer);

  Selection result = selection;
  result.hover_cell.reset();
  result.hover_lane = -1;
  // Buffers and tiles may lie elsewhere: an address alone says nothing of the new run.
  if (older.prepared->buffers.size() != newer.prepared->buffers.size() ||
      older.prepared->launch.block != newer.prepared->launch.block)
    result.cell.reset();
  result.step = std::min(selection.step, now->size() - 1);
  if (selection.access < 0) return result;
  const AccessInfo& wanted = older.kernel().accesses[static_cast<std::size_t>(selection.access)];
  result.access = find_again(wanted, newer.kernel().accesses);
  if (result.access < 0) return default_selection(newer);
  const auto ordinal = ordinal_of(older, *before, selection.step, selection.access);
  if (const auto step = step_of(newer, *now, result.access, ordinal.value_or(0)); step && ordinal)
    result.step = *step;
  return result;
}

Selection restored_selection(const Picture& picture, const Selection& kept) {
  const WarpTrack* track = track_of(picture, kept.warp);
  const bool known =
      kept.access < 0 || (picture.prepared->program &&
                          static_cast<std::size_t>(kept.access) < picture.kernel().accesses.size());
  if (!track || kept.step >= track->size() || !known) return default_selection(picture);
  Selection selection = kept;
  selection.access = std::max(selection.access, -1);
  if (selection.lane < -1 || selection.lane >= kLanes) selection.lane = -1;
  selection.hover_lane = -1;
  selection.hover_cell.reset();
  return selection;
}

bool select_step(const Picture& picture, Selection& selection, std::size_t step) {
  const WarpTrack* track = track_of(picture, selection.warp);
  if (!track || step >= track->size()) return false;
  const int found = access_of(picture, *track, step);
  const int access = found >= 0 ? found : selection.access;
  if (step == selection.step && access == selection.access) return false;
  selection.step = step;
  selection.access = access;
  return true;
}

bool select_warp(const Picture& picture, Selection& selection, std::uint32_t warp) {
  const WarpTrack* track = track_of(picture, warp);
  if (!track || warp == selection.warp) return false;
  std::optional<std::size_t> step;
  if (const WarpTrack* before = track_of(picture, selection.warp)) {
    const auto ordinal = ordinal_of(picture, *before, selection.step, selection.access);
    if (ordinal) step = step_of(picture, *track, selection.access, *ordinal);
  }
  selection.warp = warp;
  selection.step =
      step.value_or(std::min(selection.step, track->size() == 0 ? 0 : track->size() - 1));
  return true;
}

bool select_access(const Picture& picture, Selection& selection, int access) {
  if (access < -1 || !picture.prepared->program ||
      access >= static_cast<int>(picture.kernel().accesses.size()))
    return false;
  const Selection before = selection;
  const WarpTrack* track = track_of(picture, selection.warp);
  selection.access = access;
  if (track && access >= 0) {
    // The step looked at counts as the next one, unless it is what was selected already.
    const std::size_t skip = before.access == access ? 1 : 0;
    for (std::size_t i = 0; i < track->size(); ++i) {
      const std::size_t step = (selection.step + skip + i) % track->size();
      if (access_of(picture, *track, step) != access) continue;
      selection.step = step;
      break;
    }
  }
  return selection.access != before.access || selection.step != before.step;
}

bool move_step(const Picture& picture, Selection& selection, StepMove move) {
  const WarpTrack* track = track_of(picture, selection.warp);
  if (!track || track->size() == 0) return false;
  if (move == StepMove::first) return select_step(picture, selection, 0);
  if (move == StepMove::last) return select_step(picture, selection, track->size() - 1);
  const std::size_t here = std::min(selection.step, track->size() - 1);
  const std::uint32_t line = picture.kernel().ops[track->op[here]].pos.line;
  if (goes_back(move)) {
    for (std::size_t step = here; step-- > 0;) {
      if (is_stop(picture, *track, step, move, line)) return select_step(picture, selection, step);
    }
  } else {
    for (std::size_t step = here + 1; step < track->size(); ++step) {
      if (is_stop(picture, *track, step, move, line)) return select_step(picture, selection, step);
    }
  }
  return false;
}

}  // namespace lanescope::app

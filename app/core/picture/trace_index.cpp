#include "core/picture/trace_index.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "lanescope/memory.h"

namespace lanescope::app {

namespace {

// No multiprocessor has more shared memory; what lies beyond is a fault and is not looked for.
constexpr std::uint64_t kMostWords = (std::uint64_t{1} << 20) / kBankBytes;

const AccessInfo* access_at(const KernelInfo& kernel, const WarpTrack& track, std::size_t step) {
  const OpInfo& op = kernel.ops[track.op[step]];
  if (op.kind != StepKind::access || op.access < 0 || track.rows[step] == WarpTrack::kNoRows)
    return nullptr;
  return &kernel.accesses[static_cast<std::size_t>(op.access)];
}

bool in_shared(std::uint64_t address) { return address - kSharedWindow < kWindowBytes; }

// Where the text leaves it open, the addresses tell.
bool may_reach_shared(MemorySpace space) {
  return space == MemorySpace::shared || space == MemorySpace::generic;
}

bool reaches_shared(const LaneRow& row, LaneMask mask) {
  for (; mask != 0; mask &= mask - 1) {
    if (in_shared(row[static_cast<std::size_t>(std::countr_zero(mask))])) return true;
  }
  return false;
}

// The highest lane of a store that covers the byte, as lanescope::last_writer picks it; or -1.
int storing_lane(const LaneRow& row, LaneMask mask, std::uint32_t bytes, std::uint64_t byte) {
  for (LaneMask rest = mask; rest != 0;) {
    const int lane = std::bit_width(rest) - 1;
    if (byte - row[static_cast<std::size_t>(lane)] < bytes) return lane;
    rest &= ~(1u << lane);
  }
  return -1;
}

}  // namespace

void TraceIndex::Lists::start(std::size_t warps, std::size_t things) {
  count = things;
  begin.assign(warps * things + 1, 0);
}

void TraceIndex::Lists::add(std::size_t warp, int thing) {
  ++begin[warp * count + static_cast<std::size_t>(thing) + 1];
}

void TraceIndex::Lists::place() {
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  steps.resize(begin.back());
  next_ = begin;
}

void TraceIndex::Lists::put(std::size_t warp, int thing, std::uint32_t step) {
  steps[next_[warp * count + static_cast<std::size_t>(thing)]++] = step;
}

std::span<const std::uint32_t> TraceIndex::Lists::list(std::uint32_t warp, int thing) const {
  const std::size_t at = warp * count + static_cast<std::size_t>(thing);
  if (thing < 0 || static_cast<std::size_t>(thing) >= count || at + 1 >= begin.size()) return {};
  return std::span(steps).subspan(begin[at], begin[at + 1] - begin[at]);
}

TraceIndex::TraceIndex(const KernelInfo& kernel, const BlockTrace& trace) {
  list_steps(kernel, trace);
  collect_shared(kernel, trace);
  index_words(kernel, trace);
}

void TraceIndex::list_steps(const KernelInfo& kernel, const BlockTrace& trace) {
  accesses_.start(trace.warps.size(), kernel.accesses.size());
  assigns_.start(trace.warps.size(), kernel.variables.size());
  barriers_.resize(trace.warps.size());
  const auto each = [&](auto what) {
    for (std::size_t warp = 0; warp < trace.warps.size(); ++warp) {
      const WarpTrack& track = trace.warps[warp];
      for (std::size_t step = 0; step < track.size(); ++step)
        what(warp, static_cast<std::uint32_t>(step), kernel.ops[track.op[step]]);
    }
  };
  each([&](std::size_t warp, std::uint32_t step, const OpInfo& op) {
    if (op.access >= 0) accesses_.add(warp, op.access);
    if (op.kind == StepKind::assign && op.variable >= 0) assigns_.add(warp, op.variable);
    if (op.kind == StepKind::barrier) barriers_[warp].push_back(step);
  });
  accesses_.place();
  assigns_.place();
  each([&](std::size_t warp, std::uint32_t step, const OpInfo& op) {
    if (op.access >= 0) accesses_.put(warp, op.access, step);
    if (op.kind == StepKind::assign && op.variable >= 0) assigns_.put(warp, op.variable, step);
  });
}

void TraceIndex::collect_shared(const KernelInfo& kernel, const BlockTrace& trace) {
  std::vector<std::vector<SharedExecution>> phases;
  for (std::uint32_t warp = 0; warp < trace.warps.size(); ++warp) {
    const WarpTrack& track = trace.warps[warp];
    std::uint32_t phase = 0;
    for (std::uint32_t step = 0; step < track.size(); ++step) {
      phase += kernel.ops[track.op[step]].kind == StepKind::barrier;
      const AccessInfo* access = access_at(kernel, track, step);
      if (!access || !may_reach_shared(access->space)) continue;
      const LaneRow row = trace.rows[track.rows[step]];
      if (!reaches_shared(row, track.mask[step])) continue;
      const SharedCounts cost = shared_cost(row, track.mask[step], access->bytes, access->service);
      if (phases.size() <= phase) phases.resize(phase + 1);
      phases[phase].push_back({warp, step, phase, access->id,
                               static_cast<std::uint16_t>(cost.wavefronts),
                               static_cast<std::uint16_t>(cost.ideal_wavefronts),
                               static_cast<std::uint16_t>(cost.conflicts)});
    }
  }
  for (std::vector<SharedExecution>& phase : phases) {
    std::stable_sort(phase.begin(), phase.end(),
                     [](const SharedExecution& a, const SharedExecution& b) {
                       return std::tie(a.step, a.warp) < std::tie(b.step, b.warp);
                     });
    shared_.insert(shared_.end(), phase.begin(), phase.end());
  }
}

void TraceIndex::index_words(const KernelInfo& kernel, const BlockTrace& trace) {
  struct Touch {
    std::uint32_t word, execution;
  };
  std::vector<Touch> touches;
  std::vector<std::uint32_t> seen;  // by word: the last execution that touched it, from 1
  for (std::uint32_t i = 0; i < shared_.size(); ++i) {
    const WarpTrack& track = trace.warps[shared_[i].warp];
    const LaneRow row = trace.rows[track.rows[shared_[i].step]];
    const std::uint64_t bytes = kernel.accesses[shared_[i].access].bytes;
    for (LaneMask rest = track.mask[shared_[i].step]; rest != 0; rest &= rest - 1) {
      const std::uint64_t address =
          row[static_cast<std::size_t>(std::countr_zero(rest))] - kSharedWindow;
      const std::uint64_t last = (address + bytes - 1) / kBankBytes;
      if (last >= kMostWords) continue;
      if (last >= seen.size()) seen.resize(last + 1);
      for (std::uint64_t word = address / kBankBytes; word <= last; ++word) {
        if (seen[word] == i + 1) continue;
        seen[word] = i + 1;
        touches.push_back({static_cast<std::uint32_t>(word), i});
      }
    }
  }
  word_begin_.assign(seen.size() + 1, 0);
  for (const Touch& touch : touches) ++word_begin_[touch.word + 1];
  for (std::size_t i = 1; i < word_begin_.size(); ++i) word_begin_[i] += word_begin_[i - 1];
  word_executions_.resize(touches.size());
  std::vector<std::uint32_t> next = word_begin_;
  for (const Touch& touch : touches) word_executions_[next[touch.word]++] = touch.execution;
}

std::uint32_t TraceIndex::phase(std::uint32_t warp, std::size_t step) const {
  if (warp >= barriers_.size()) return 0;
  const auto& steps = barriers_[warp];
  return static_cast<std::uint32_t>(std::lower_bound(steps.begin(), steps.end(), step) -
                                    steps.begin());
}

std::span<const std::uint32_t> TraceIndex::touching(std::uint64_t address) const {
  const std::uint64_t word = (address - kSharedWindow) / kBankBytes;
  if (!in_shared(address) || word + 1 >= word_begin_.size()) return {};
  return std::span(word_executions_)
      .subspan(word_begin_[word], word_begin_[word + 1] - word_begin_[word]);
}

std::optional<StepRef> last_writer(const TraceIndex& index, const KernelInfo& kernel,
                                   const BlockTrace& trace, std::uint64_t address, StepRef before,
                                   int* lane) {
  if (before.warp >= trace.warps.size()) return std::nullopt;
  const auto moment =
      std::make_tuple(std::size_t{index.phase(before.warp, before.step)}, before.step);
  const auto executions = index.touching(address);
  auto at = std::partition_point(executions.begin(), executions.end(), [&](std::uint32_t i) {
    const SharedExecution& e = index.shared()[i];
    return std::make_tuple(std::size_t{e.phase}, std::size_t{e.step}) < moment;
  });
  while (at != executions.begin()) {
    const SharedExecution& e = index.shared()[*--at];
    const AccessInfo& access = kernel.accesses[e.access];
    if (access.op == AccessOp::load) continue;
    const WarpTrack& track = trace.warps[e.warp];
    const int hit =
        storing_lane(trace.rows[track.rows[e.step]], track.mask[e.step], access.bytes, address);
    if (hit < 0) continue;
    if (lane) *lane = hit;
    return StepRef{e.warp, e.step};
  }
  return std::nullopt;
}

std::vector<VariableValues> variables_at(const TraceIndex& index, const KernelInfo& kernel,
                                         const BlockTrace& trace, std::uint32_t warp,
                                         std::size_t step) {
  std::vector<VariableValues> values(kernel.variables.size());
  if (warp >= trace.warps.size()) return values;
  const WarpTrack& track = trace.warps[warp];
  const LaneMask started = track.size() ? track.mask[0] : 0;  // no other lane ever runs
  for (std::size_t variable = 0; variable < values.size(); ++variable) {
    VariableValues& value = values[variable];
    const auto steps = index.assignments(warp, static_cast<int>(variable));
    auto at = std::lower_bound(steps.begin(), steps.end(), step);
    while (at != steps.begin() && value.known != started) {
      const std::uint32_t assigned = *--at;
      if (track.rows[assigned] == WarpTrack::kNoRows) continue;
      const LaneRow row = trace.rows[track.rows[assigned]];
      const LaneMask fresh = track.mask[assigned] & ~value.known;
      value.known |= fresh;
      if (fresh == kAllLanes) {
        value.bits = row;
        break;
      }
      for (LaneMask rest = fresh; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
        value.bits[lane] = row[lane];
      }
    }
  }
  return values;
}

}  // namespace lanescope::app

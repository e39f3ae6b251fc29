// Loops that are run as a whole: see symbolic_run.h.
#include <algorithm>
#include <utility>

#include "prove/symbolic_run.h"

namespace lanescope {
namespace {

/// Fewer iterations are not worth a proof of their own.
constexpr std::int64_t kLeastIterations = 4;
constexpr std::int64_t kMostIterations = std::int64_t{1} << 24;
/// No counter of 32 bits takes as many steps.
constexpr std::int64_t kEndless = std::int64_t{1} << 40;
constexpr int kMostAttempts = 12, kMostTries = 4;
constexpr std::uint32_t kMostPeriod = 16;
/// Operations that a loop must have taken: most are done before they would have paid.
constexpr std::uint64_t kWorth = 256;
/// After as many it is tried again, whatever came of it before.
constexpr std::uint64_t kMostInVain = 4096;
constexpr std::size_t kMostBarriers = 1u << 20;

bool same_slopes(const AffineRow& a, const AffineRow& b, std::size_t l) {
  for (const std::size_t d : dimensions_in(a.moving | b.moving))
    if (a.slope[d][l] != b.slope[d][l]) return false;
  return true;
}

/// Values by the iteration k in dimension `d`, had they all moved as from `before` to `now`; what has
/// not moved so is unknown.
SymbolicSnapshot by_iteration(const SymbolicSnapshot& before, SymbolicSnapshot now, std::size_t d) {
  for (std::size_t r = 0; r < now.rows.size(); ++r) {
    const AffineRow& old = before.rows[r];
    AffineRow& row = now.rows[r];
    row.known &= old.known;
    for (std::size_t l = 0; l < kLanes; ++l) {
      if ((row.known >> l & 1) == 0) continue;
      if (!same_slopes(row, old, l)) row.known &= ~(1u << l);
      row.slope[d][l] = row.base[l] - old.base[l];
      if (row.slope[d][l] != 0) row.set_moving(d);
    }
  }
  for (std::size_t p = 0; p < now.predicates.size(); ++p) {
    SymbolicPredicate& predicate = now.predicates[p];
    const SymbolicPredicate& old = before.predicates[p];
    predicate.known &= old.known & ~(predicate.value ^ old.value);
    predicate.value &= predicate.known;
  }
  return now;
}

/// The lanes of `row`, as the body left it, that are what the next iteration was taken to begin with.
LaneMask as_expected(const AffineRow& start, const AffineRow& row, std::size_t d) {
  LaneMask good = start.known & row.known;
  for (std::size_t l = 0; l < kLanes; ++l) {
    if ((good >> l & 1) == 0) continue;
    const bool same =
        row.base[l] == start.base[l] + start.slope[d][l] && same_slopes(row, start, l);
    if (!same) good &= ~(1u << l);
  }
  return good;
}

/// Makes unknown in `start` what the body did not leave as the next iteration was taken to find it;
/// false if there was such.
bool keep_expected(SymbolicSnapshot& start, const SymbolicSnapshot& left, std::size_t d) {
  bool all = true;
  for (std::size_t r = 0; r < start.rows.size(); ++r) {
    if (start.rows[r].known == 0) continue;
    const LaneMask good = as_expected(start.rows[r], left.rows[r], d);
    all &= good == start.rows[r].known;
    start.rows[r].known = good;
  }
  for (std::size_t p = 0; p < start.predicates.size(); ++p) {
    SymbolicPredicate& from = start.predicates[p];
    const SymbolicPredicate& to = left.predicates[p];
    const LaneMask good = from.known & to.known & ~(from.value ^ to.value);
    all &= good == from.known;
    from.known = good, from.value &= good;
  }
  return all;
}

/// What iteration n begins with.
SymbolicSnapshot after(SymbolicSnapshot start, std::size_t d, std::int64_t n) {
  for (AffineRow& row : start.rows) {
    if (row.flat()) continue;
    for (std::size_t l = 0; l < kLanes; ++l) {
      row.base[l] += row.known >> l & 1 ? row.slope[d][l] * n : 0;
      row.slope[d][l] = 0;
    }
    const auto moves = [&row](std::size_t e) {
      return std::any_of(row.slope[e].begin(), row.slope[e].end(),
                         [](std::int64_t s) { return s != 0; });
    };
    bool any = false;
    for (const std::size_t e : dimensions_in(row.moving)) any |= moves(e);
    if (!any) row.moving = 0;
  }
  return start;
}

}  // namespace

// What is on top continues at pc_, whatever its own pc says.
bool SymbolicRun::same_flow(const WarpState& flow) const {
  const auto same = [](const StackEntry& a, const StackEntry& b) {
    return a.meet == b.meet && a.mask == b.mask;
  };
  return flow.exited == flow_.exited && flow.stack.size() == flow_.stack.size() &&
         std::equal(flow.stack.begin(), flow.stack.end(), flow_.stack.begin(), same) &&
         std::equal(flow.stack.begin(), flow.stack.end() - 1, flow_.stack.begin(),
                    [](const StackEntry& a, const StackEntry& b) { return a.pc == b.pc; });
}

// Loops inside of one that begins anew begin anew, too.
SymbolicRun::Loop& SymbolicRun::loop_at(const LoopBody& body) {
  std::erase_if(loops_, [&body](const Loop& loop) {
    return loop.body != &body && body.blocks[loop.body->header];
  });
  const auto found = std::find_if(loops_.begin(), loops_.end(),
                                  [&body](const Loop& loop) { return loop.body == &body; });
  if (found != loops_.end()) return *found;
  loops_.push_back({&body, flow_, left_});
  return loops_.back();
}

// Where earlier warps found nothing to gain, this one looks again only if it goes on for longer than they did.
bool SymbolicRun::is_worth_trying(const Loop& loop) {
  const std::uint64_t taken = loop.left - left_;
  if (depth_ > 0) return taken >= kWorth;
  std::uint64_t& in_vain = in_vain_[static_cast<std::size_t>(loop.body - nest_.loops.data())];
  if (loop.in_vain)
    in_vain = std::max(in_vain, std::min(taken, kMostInVain));
  else if (taken <= in_vain)
    return false;
  return taken >= kWorth;
}

void SymbolicRun::at_loop(const LoopBody& body) {
  if (depth_ == kLoopDimensions || values_.stopped()) return;
  Loop& loop = loop_at(body);
  if (!is_worth_trying(loop)) return;
  if (!same_flow(loop.flow)) {
    loop.flow = flow_, loop.since = 0;
    loop.before.reset();
  }
  if (loop.given_up) return;
  if (loop.before && ++loop.since < loop.period) return;
  loop.since = 0;
  if (!loop.before) {
    loop.before = values_.snapshot(*loop.body);
    return;
  }
  accelerate(loop);
}

void SymbolicRun::accelerate(Loop& loop) {
  const std::size_t d = kBlockDimensions + depth_;
  const LoopBody& written = *loop.body;
  const SymbolicSnapshot now = values_.snapshot(written);
  SymbolicSnapshot start = by_iteration(*loop.before, now, d);
  std::int64_t n = 2;
  bool proved = false, probing = true;
  BoxCounts counts;
  std::vector<std::uint32_t> barriers;
  Attempt result = Attempt::demoted;
  for (int i = 0; i < kMostAttempts && !proved && n > 1; ++i) {
    result = attempt(loop, start, d, n, counts, barriers);
    if (result == Attempt::failed || result == Attempt::residues) {
      if (probing || result == Attempt::residues) break;
      n /= 4;
    } else if (result == Attempt::holds && probing) {
      n = std::min(uniform_, kMostIterations);
      probing = false;
      if (n < kLeastIterations) break;
    } else {
      proved = result == Attempt::holds;
    }
  }
  if (!proved || n < kLeastIterations ||
      barriers_.size() + barriers.size() * static_cast<std::uint64_t>(n) > kMostBarriers) {
    const bool again = result == Attempt::residues && loop.period * modulus_ <= kMostPeriod;
    loop.given_up = !again && ++loop.tries == kMostTries;
    loop.in_vain = true;
    if (again) loop.period *= modulus_;
    loop.before = again ? std::optional(now) : std::nullopt;
    return values_.restore(written, now);
  }
  // Quotients may end a loop too, where no comparison shows it: only what held for all that were tried.
  if (n == kMostIterations && uniform_ > kEndless)
    return values_.fail("a loop that no condition ends");
  loop.before.reset();
  loop.in_vain = false;
  if (depth_ == 0) in_vain_[static_cast<std::size_t>(loop.body - nest_.loops.data())] = 0;
  for (std::int64_t i = 0; i < n && !barriers.empty(); ++i)
    barriers_.insert(barriers_.end(), barriers.begin(), barriers.end());
  add(counts);
  values_.restore(written, after(std::move(start), d, n));
}

SymbolicRun::Attempt SymbolicRun::attempt(const Loop& loop, SymbolicSnapshot& start, std::size_t d,
                                          std::int64_t& n, BoxCounts& counts,
                                          std::vector<std::uint32_t>& barriers) {
  counts.accesses.assign(counts_->accesses.size(), {});
  counts.block_entries.assign(counts_->block_entries.size(), 0);
  BoxCounts* const outer_counts = std::exchange(counts_, &counts);
  std::vector<std::uint32_t> outer_barriers = std::exchange(barriers_, {});
  std::vector<Loop> outer_loops;
  outer_loops.swap(loops_);
  const WarpState flow = flow_;
  const LaneMask mask = mask_;
  box_.high[d] = n - 1;
  ++depth_;
  values_.restore(*loop.body, start);
  const auto outer_watch = values_.watch({d});
  Place place = Place::header;
  for (std::uint32_t i = 0; i < loop.period && place == Place::header; ++i)
    place = advance(loop.body);
  const bool again = place == Place::header && same_flow(loop.flow);
  Attempt result = Attempt::failed;
  if (again) {
    result =
        keep_expected(start, values_.snapshot(*loop.body), d) ? Attempt::holds : Attempt::demoted;
  } else if (place == Place::stopped) {
    const SymbolicOutcome why = values_.outcome();
    const bool ours = why.dimension == static_cast<int>(d);
    if (why.kind == SymbolicOutcome::Kind::split && ours) {
      result = Attempt::fewer;
      n = why.position;
    } else if (why.kind == SymbolicOutcome::Kind::residues && ours) {
      result = Attempt::residues;
      modulus_ = static_cast<std::uint32_t>(std::min<std::int64_t>(why.position, kMostPeriod + 1));
    }
    values_.go_on();
  }
  uniform_ = values_.watch(outer_watch).uniform;
  --depth_;
  box_.high[d] = 0;
  counts_ = outer_counts;
  barriers = std::exchange(barriers_, std::move(outer_barriers));
  loops_.swap(outer_loops);
  flow_ = flow;
  block_ = loop.body->header;
  pc_ = code_.blocks[block_].first, mask_ = mask;
  return result;
}

void SymbolicRun::add(const BoxCounts& counts) {
  for (std::size_t i = 0; i < counts.accesses.size(); ++i) {
    counts_->accesses[i].executions += counts.accesses[i].executions;
    counts_->accesses[i].shared += counts.accesses[i].shared;
    counts_->accesses[i].global += counts.accesses[i].global;
  }
  for (std::size_t b = 0; b < counts.block_entries.size(); ++b)
    counts_->block_entries[b] += counts.block_entries[b];
}

}  // namespace lanescope

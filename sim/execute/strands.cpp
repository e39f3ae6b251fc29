#include "execute/strands.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "lanescope/memory.h"
#include "machine/mbarrier.h"

namespace lanescope {
namespace {

using State = Strands::Strand::State;

bool phases_over(const Machine& m, const Awaited& awaited) {
  for (LaneMask left = awaited.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    std::uint64_t word = 0;
    std::memcpy(&word, m.shared.data() + awaited.offset[lane], sizeof word);
    if (!mbarrier::is_over(word, awaited.parities >> lane & 1)) return false;
  }
  return true;
}

/// They differ in their lanes alone.
bool can_join(const std::vector<StackEntry>& a, const std::vector<StackEntry>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const StackEntry& x, const StackEntry& y) { return x.pc == y.pc && x.meet == y.meet; });
}

}  // namespace

LaneMask Strands::Strand::lanes() const {
  LaneMask all = 0;
  for (const StackEntry& entry : stack) all |= entry.mask;
  return all;
}

bool Strands::stopped(const Machine& machine, WarpState& warp, Stop stop, const LoopWatch& watch) {
  Strand& own = all_.back();
  if (stop == Stop::exited) return all_.pop_back(), true;
  own.stack = warp.stack;
  if (stop == Stop::apart) {
    own.state = own.stack.size() < own.floor ? State::at_meet : State::apart;
    own.enters = warp.enters;
    own.tried = own.lanes(), own.tried_exited = warp.exited;
    if (own.state == State::at_meet) merge(State::at_meet);
    if (all_.size() == 1) all_.back().state = State::ready;
    return true;
  }
  if (stop == Stop::barrier && warp.awaited.kind == Awaited::Kind::mbarrier) {
    own.state = State::at_phase;
    own.awaited = std::exchange(warp.awaited, {});
    own.barrier_pc = warp.barrier_pc, own.barrier_row = warp.barrier_row;
    return true;
  }
  const bool comes_back =
      stop == Stop::budget &&
      machine.fault.detail == static_cast<std::uint32_t>(LoopVerdict::comes_back);
  if (!comes_back || watch.awaited() == nullptr) return false;
  own.state = State::asleep;
  own.stack.back().pc = watch.pc();
  own.memory = *watch.awaited();
  own.fault = machine.fault;
  return true;
}

bool Strands::can_run(const Machine& machine) const {
  return std::any_of(all_.begin(), all_.end(), [&](const Strand& each) {
    return each.state == State::ready ||
           (each.state == State::asleep && !each.memory.is_same(machine)) ||
           (each.state == State::at_phase && phases_over(machine, each.awaited));
  });
}

bool Strands::next(Machine& machine, WarpState& warp, Meetings& meetings) {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    Strand& each = all_[i];
    warp.barrier_row = kNone;
    if (each.state == State::asleep && each.memory.is_same(machine)) continue;
    if (each.state == State::at_meet || each.state == State::apart) continue;
    if (each.state == State::at_phase) {
      warp.awaited = each.awaited;
      const bool is_over = meetings.is_over(machine, warp);
      warp.awaited = {};
      if (!is_over) continue;
      told_ = 0;
      warp.barrier_row = std::exchange(each.barrier_row, kNone), warp.barrier_count = 1;
    } else if (each.barrier_row != kNone) {
      // Told that its phase is not over
      warp.barrier_row = std::exchange(each.barrier_row, kNone), warp.barrier_count = 0;
    }
    each.state = State::ready;
    std::rotate(all_.begin() + static_cast<std::ptrdiff_t>(i),
                all_.begin() + static_cast<std::ptrdiff_t>(i) + 1, all_.end());
    warp.stack = all_.back().stack;
    warp.floor = all_.back().floor;
    warp.enters = std::exchange(all_.back().enters, false);
    warp.strand = all_.back().lanes();
    if (all_.size() == 1) all_.clear(), warp.floor = 0, warp.strand = kAllLanes;
    return true;
  }
  return false;
}

/// Of a strand that waits, the lanes that do not become one of their own.
bool Strands::split(std::size_t index) {
  Strand& waiting = all_[index];
  const LaneMask own = waiting.stack.back().mask, others = waiting.lanes() & ~own;
  if (others == 0) return false;
  Strand other;
  std::vector<StackEntry> left;
  bool has_begun = false;
  for (const StackEntry& entry : waiting.stack) {
    if ((entry.mask & others) != 0) {
      other.stack.push_back(entry);
      other.stack.back().mask &= others;
      has_begun = (entry.mask & own) != 0;
    }
    if ((entry.mask & own) == 0) continue;
    left.push_back(entry);
    left.back().mask &= own;
    // The last entry that both have is where they meet.
    if ((entry.mask & others) != 0) waiting.floor = left.size() + 1;
  }
  waiting.stack = std::move(left);
  other.state = has_begun ? State::at_meet : State::ready;
  other.floor = other.stack.size();
  other.enters = true;
  all_.push_back(std::move(other));
  return true;
}

/// Strands that are in one place become one.
void Strands::merge(State state) {
  for (std::size_t i = 0; i < all_.size(); ++i)
    for (std::size_t k = all_.size(); k-- > i + 1 && all_[i].state == state;) {
      if (all_[k].state != state || !can_join(all_[i].stack, all_[k].stack)) continue;
      for (std::size_t at = 0; at < all_[i].stack.size(); ++at)
        all_[i].stack[at].mask |= all_[k].stack[at].mask;
      all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(k));
    }
}

bool Strands::part(const WarpState& warp, bool all) {
  const auto waits = [](const Strand& each) {
    return each.state == State::asleep || each.state == State::at_phase;
  };
  const auto has_pending = [](const Strand& each) {
    const LaneMask own = each.stack.back().mask;
    return std::any_of(each.stack.begin(), each.stack.end(),
                       [own](const StackEntry& entry) { return (entry.mask & own) == 0; });
  };
  for (std::size_t i = 0; i < all_.size(); ++i)
    if (waits(all_[i]) && (all || has_pending(all_[i])) && split(i) &&
        all_.back().state == State::ready)
      return true;
  if (!all) return false;
  merge(State::at_meet);
  for (Strand& each : all_)
    if (each.state == State::at_meet) {
      each.state = State::ready;
      each.floor = each.stack.size();
      return true;
    }
  merge(State::apart);
  for (Strand& each : all_)
    if (each.state == State::apart &&
        (each.lanes() != each.tried || warp.exited != each.tried_exited)) {
      each.state = State::ready;
      return true;
    }
  return false;
}

bool Strands::tell() {
  constexpr std::uint32_t kMostTold = 1024;
  bool any = false;
  for (Strand& each : all_)
    if (each.state == State::at_phase && told_ < kMostTold) any = true, each.state = State::ready;
  told_ += any;
  return any;
}

Stop Strands::give_up(Machine& machine, WarpState& warp) {
  const auto find = [this](State state) {
    return std::find_if(all_.begin(), all_.end(),
                        [state](const Strand& each) { return each.state == state; });
  };
  if (const auto asleep = find(State::asleep); asleep != all_.end()) {
    machine.fault = asleep->fault;
    return Stop::budget;
  }
  if (const auto waits = find(State::at_phase); waits != all_.end()) {
    warp.awaited = waits->awaited;
    warp.barrier_pc = waits->barrier_pc;
    return Stop::barrier;
  }
  const auto apart = find(State::apart);
  apart->state = State::ready;
  std::rotate(apart, apart + 1, all_.end());
  warp.stack = all_.back().stack;
  warp.strand = kAllLanes;
  warp.floor = 0;
  return Stop::apart;
}

}  // namespace lanescope

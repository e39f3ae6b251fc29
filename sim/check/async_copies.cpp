#include "check/async_copies.h"

#include <algorithm>

namespace lanescope {

void AsyncCopies::begin_block() {
  threads_.clear();
  to_.clear();
  from_.clear();
}

void AsyncCopies::mark(const Mark& mark, std::uint32_t thread, std::uint32_t epoch,
                       std::uint32_t sync) {
  if (to_.empty() && threads_.empty()) return;
  Thread& state = threads_[thread];
  std::uint32_t done = state.done();
  switch (mark.kind) {
  case Mark::Kind::commit:
    ++state.open;
    return;
  case Mark::Kind::wait:
    done = std::max(done, state.open - 1 - std::min(mark.count, state.open - 1));
    break;
  case Mark::Kind::wait_all:
    done = state.open++;
    break;
  case Mark::Kind::wait_oldest:
    done = std::min(done + 1, state.open - 1);
    break;
  case Mark::Kind::bulk_commit:
  case Mark::Kind::bulk_wait:
  case Mark::Kind::sums_commit:
  case Mark::Kind::sums_wait:
  case Mark::Kind::fence_proxy:
  case Mark::Kind::fence_block:
  case Mark::Kind::fence_device:
  case Mark::Kind::cluster_arrive:
  case Mark::Kind::unset:
    return;
  }
  if (done > state.done()) state.waits.push_back({done, epoch, sync});
}

void AsyncCopies::issue_to(std::uint64_t word, std::uint32_t thread, std::uint32_t info) {
  to_[word] = {thread, threads_[thread].open, info};
}

void AsyncCopies::issue_from(std::uint64_t word, std::uint32_t thread, std::uint32_t info) {
  from_[word] = {thread, threads_[thread].open, info};
}

AsyncCopies::State AsyncCopies::state(const AsyncCopy& copy, std::uint32_t thread,
                                      std::uint32_t epoch, std::uint32_t sync) const {
  const auto at = threads_.find(copy.thread);
  if (at == threads_.end()) return State::done;
  const std::vector<Wait>& waits = at->second.waits;
  const auto wait = std::partition_point(waits.begin(), waits.end(),
                                         [&](const Wait& each) { return each.group < copy.group; });
  if (wait == waits.end()) return State::not_waited_for;
  if (copy.thread == thread || wait->epoch != epoch) return State::done;
  const bool same_warp = copy.thread / kLanes == thread / kLanes;
  return same_warp && wait->sync != sync ? State::done : State::no_barrier;
}

}  // namespace lanescope

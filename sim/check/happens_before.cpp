#include "check/happens_before.h"

#include <algorithm>
#include <bit>

#include "lanescope/memory.h"

namespace lanescope {
namespace {

constexpr std::size_t kMostFences = 1024;
constexpr std::uint32_t kNoThread = ~0u;

}  // namespace

void Known::add(const Fence& fence) {
  if (all_) return;
  for (Fence& known : fences_)
    if (known.block == fence.block && known.thread == fence.thread &&
        known.device == fence.device) {
      if (known.phase < fence.phase) known = fence;
      return;
    }
  fences_.push_back(fence);
  if (fences_.size() > kMostFences) all_ = true, fences_.clear();
}

void Known::add(const Known& other) {
  if (all_ || other.empty()) return;
  if (other.all_ || empty()) {
    *this = other;
    return;
  }
  for (const Fence& fence : other.fences_) add(fence);
}

bool Known::covers(const TouchedBy& by, std::uint32_t lane, std::uint32_t block) const {
  return all_ || std::any_of(fences_.begin(), fences_.end(), [&](const Fence& fence) {
           if (fence.block != by.block || (!fence.device && fence.block != block)) return false;
           if (by.epoch < fence.epoch) return true;
           if (fence.thread == kNoThread || by.warp != fence.thread / kLanes) return false;
           return fence.thread % kLanes == lane ? by.phase <= fence.phase : by.sync < fence.sync;
         });
}

bool Known::any_of(std::uint32_t block) const {
  return all_ || std::any_of(fences_.begin(), fences_.end(),
                             [block](const Fence& fence) { return fence.block == block; });
}

void HappensBefore::in_cluster(std::size_t blocks, std::uint32_t threads) {
  blocks_.resize(blocks);
  threads_of_block_ = threads;
}

void HappensBefore::begin_block() {
  threads_.clear();
  std::fill(blocks_.begin(), blocks_.end(), OfBlock{});
  shared_flags_.clear();
}

void HappensBefore::barrier(std::uint32_t block, std::uint32_t epoch) {
  if (!any_fence_) return;
  auto& [all, fenced, for_device] = own();
  for (const auto& [thread, state] : threads_) {
    if (!is_own(thread)) continue;
    all.known.add(state.known);
    all.known.add(state.read);
    all.published.add(state.published);
  }
  std::erase_if(threads_, [this](const auto& each) { return is_own(each.first); });
  // A fence before the barrier serves whoever sets the flag behind it.
  if (fenced) {
    all.published.add(all.known);
    all.published.add({block, kNoThread, epoch, 0, phase_, for_device});
  }
  fenced = for_device = false;
}

void HappensBefore::cluster_barrier() {
  if (!any_fence_) return;
  Thread together;
  const auto add = [&together](const Thread& each) {
    together.known.add(each.known);
    together.known.add(each.read);
    together.published.add(each.published);
  };
  for (const auto& [thread, state] : threads_) add(state);
  for (const OfBlock& each : blocks_) add(each.all);
  threads_.clear();
  for (OfBlock& each : blocks_) each.all = together;
}

bool HappensBefore::knows_of(const Now& now, std::uint32_t of) const {
  if (own().all.known.any_of(of)) return true;
  const auto thread = threads_.find(now.thread);
  return thread != threads_.end() &&
         (thread->second.known.any_of(of) || thread->second.read.any_of(of));
}

bool HappensBefore::block_knows(const TouchedBy& before, std::uint32_t lane,
                                std::uint32_t block) const {
  return own().all.known.covers(before, lane, block) ||
         std::any_of(threads_.begin(), threads_.end(), [&](const auto& each) {
           return is_own(each.first) && (each.second.known.covers(before, lane, block) ||
                                         each.second.read.covers(before, lane, block));
         });
}

void HappensBefore::warp_sync(std::uint32_t warp, std::uint32_t lanes) {
  if (threads_.empty()) return;
  const auto each = [&](auto&& look) {
    for (std::uint32_t left = lanes; left != 0; left &= left - 1)
      look(warp * kLanes + static_cast<std::uint32_t>(std::countr_zero(left)));
  };
  Known known;
  each([&](std::uint32_t thread) {
    if (const auto at = threads_.find(thread); at != threads_.end())
      known.add(at->second.known), known.add(at->second.read);
  });
  if (known.empty()) return;
  each([&](std::uint32_t thread) { threads_[thread].known.add(known); });
}

void HappensBefore::fence(const Now& now, bool device) {
  any_fence_ = own().fence_since_barrier = true;
  own().device_since_barrier |= device;
  Thread& thread = threads_[now.thread];
  thread.known.add(thread.read);
  thread.read.clear();
  thread.published.add(thread.known);
  thread.published.add(own().all.known);
  thread.published.add({now.block, now.thread, now.epoch, now.sync, phase_, device});
  ++phase_;
}

void HappensBefore::synchronise(const Now& now, std::uint64_t address, const Flag& access) {
  const auto [reads, writes, ordered, device] = access;
  if (ordered && writes) fence(now, device);
  if (!any_fence_) return;
  auto& flags = address - kSharedWindow < kWindowBytes ? shared_flags_ : flags_;
  const auto found = flags.find(address);
  if (reads && found != flags.end()) threads_[now.thread].read.add(found->second);
  if (writes) {
    const auto thread = threads_.find(now.thread);
    const bool publishes = !own().all.published.empty() ||
                           (thread != threads_.end() && !thread->second.published.empty());
    // An atomic operation goes on with what the value published before (a release sequence).
    if (!reads && found != flags.end()) found->second.clear();
    if (publishes) {
      Known& flag = flags[address];
      flag.add(own().all.published);
      if (thread != threads_.end()) flag.add(thread->second.published);
    }
  }
  if (ordered && reads) fence(now, device);
  ++phase_;
}

HappensBefore::Order HappensBefore::order(const TouchedBy& before, std::uint32_t lane,
                                          const Now& now) const {
  if (!any_fence_) return Order::none;
  const auto thread = threads_.find(now.thread);
  if (own().all.known.covers(before, lane, now.block)) return Order::before;
  if (thread == threads_.end()) return Order::none;
  if (thread->second.known.covers(before, lane, now.block)) return Order::before;
  return thread->second.read.covers(before, lane, now.block) ? Order::without_fence : Order::none;
}

}  // namespace lanescope

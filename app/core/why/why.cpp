#include "core/why/why.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>
#include <optional>

namespace lanescope::app {

namespace {

std::uint64_t at(const LaneRow& address, int lane) {
  return address[static_cast<std::size_t>(lane)];
}

std::int64_t distance(const LaneRow& address, int from, int to) {
  return static_cast<std::int64_t>(at(address, to) - at(address, from));
}

std::vector<int> lanes_of(LaneMask mask) {
  std::vector<int> lanes;
  for (; mask != 0; mask &= mask - 1) lanes.push_back(std::countr_zero(mask));
  return lanes;
}

std::optional<std::int64_t> divided(std::int64_t length, int by) {
  if (by == 0 || length % by != 0) return std::nullopt;
  return length / by;
}

std::optional<LanePattern> as_stride(const LaneRow& address, const std::vector<int>& lanes) {
  const auto stride = divided(distance(address, lanes[0], lanes[1]), lanes[1] - lanes[0]);
  if (!stride) return std::nullopt;
  for (const int lane : lanes) {
    if (distance(address, lanes[0], lane) != *stride * (lane - lanes[0])) return std::nullopt;
  }
  LanePattern pattern;
  pattern.kind = *stride == 0 ? LanePattern::Kind::uniform : LanePattern::Kind::stride;
  pattern.stride = *stride;
  return pattern;
}

// Two numbers from two pairs of lanes: one pair within a row, one pair in different rows.
std::optional<LanePattern> as_rows(const LaneRow& address, const std::vector<int>& lanes, int run,
                                   int phase) {
  const auto row = [&](int lane) { return (lane + phase) / run; };
  const auto column = [&](int lane) { return (lane + phase) % run; };
  std::optional<std::int64_t> stride, pitch;
  int rows = 1;
  for (std::size_t i = 1; i < lanes.size(); ++i) {
    const int a = lanes[i - 1], b = lanes[i];
    rows += row(a) != row(b);
    if (!stride && row(a) == row(b)) {
      stride = divided(distance(address, a, b), b - a);
      if (!stride) return std::nullopt;
    }
  }
  if (!stride || rows < 2) return std::nullopt;
  for (const int lane : lanes) {
    if (row(lane) == row(lanes[0])) continue;
    const std::int64_t rest =
        distance(address, lanes[0], lane) - *stride * (column(lane) - column(lanes[0]));
    const auto found = divided(rest, row(lane) - row(lanes[0]));
    if (!found || (pitch && *pitch != *found)) return std::nullopt;
    pitch = found;
  }
  for (const int lane : lanes) {
    if (row(lane) == row(lanes[0]) &&
        distance(address, lanes[0], lane) != *stride * (column(lane) - column(lanes[0])))
      return std::nullopt;
  }
  LanePattern pattern{LanePattern::Kind::rows, *stride, run, phase, rows, *pitch};
  return pattern;
}

int popcount(LaneMask mask) { return std::popcount(mask); }

// bank = lane XOR a constant, and the constant is not simply 0.
int flip_of(const LaneRow& address, const std::vector<int>& lanes) {
  const auto bank = [&](int lane) {
    return static_cast<int>(at(address, lane) / kBankBytes % kBanks);
  };
  const int flip = bank(lanes[0]) ^ lanes[0];
  const bool holds =
      std::all_of(lanes.begin(), lanes.end(), [&](int l) { return (bank(l) ^ l) == flip; });
  return holds ? flip : 0;
}

// The words that the worst bank serves in the group where it serves most; that group.
LaneMask add_worst(SharedWhy& why, const BankPlan& plan) {
  int worst_group = -1;
  for (std::size_t group = 0; group < plan.groups.size(); ++group) {
    std::vector<BankWord> words;
    LaneMask banks = 0;
    for (const Wavefront& wavefront : plan.wavefronts) {
      if (wavefront.group != static_cast<int>(group)) continue;
      for (const BankWord& word : wavefront.words) {
        banks |= LaneMask{1} << word.bank;
        if (word.bank == plan.worst_bank) words.push_back(word);
      }
    }
    if (worst_group >= 0 && words.size() <= why.worst_words.size()) continue;
    worst_group = static_cast<int>(group);
    why.worst_words = std::move(words);
    why.banks = banks;
  }
  for (const BankWord& word : why.worst_words) why.worst_lanes |= word.lanes;
  return worst_group < 0 ? 0 : plan.groups[static_cast<std::size_t>(worst_group)];
}

// What is served apart conflicts by itself.
void look_at_group(SharedWhy& why, const BankPlan& plan, const LaneRow& address, LaneMask group) {
  if (plan.groups.size() < 2 || plan.cost.conflicts == 0) return;
  if (matrices_of(plan.service) == 0 && why.pattern.kind != LanePattern::Kind::irregular) return;
  const LanePattern alone = pattern_of(address, group);
  if (alone.kind != LanePattern::Kind::stride) return;
  why.pattern = alone;
  why.of_group = group;
}

void add_sharing(SharedWhy& why, const BankPlan& plan) {
  for (const Wavefront& wavefront : plan.wavefronts) {
    for (const BankWord& word : wavefront.words) {
      why.shared_words += popcount(word.lanes) > 1;
      why.most_sharers = std::max(why.most_sharers, popcount(word.lanes));
    }
  }
}

void add_stride(SharedWhy& why) {
  why.slots = 128 / static_cast<int>(std::max(4u, why.bytes));
  if (why.pattern.kind != LanePattern::Kind::stride && why.pattern.kind != LanePattern::Kind::rows)
    return;
  const auto whole = [](std::int64_t length, std::int64_t unit) {
    return length % unit == 0 ? length / unit : 0;
  };
  why.stride_words = whole(why.pattern.stride, kBankBytes);
  why.pitch_words = whole(why.pattern.pitch, kBankBytes);
  why.stride_slots = whole(why.pattern.stride, std::max(4u, why.bytes));
  if (why.stride_slots != 0)
    why.divisor =
        static_cast<int>(std::gcd(std::llabs(why.stride_slots), static_cast<long long>(why.slots)));
}

// A group of n neighbours at a stride comes back to its first bank after slots / gcd lanes.
bool stride_explains(const SharedWhy& why) {
  if (why.pattern.kind != LanePattern::Kind::stride || why.divisor == 0) return false;
  const int period = why.slots / why.divisor;
  int most = 0;
  for (const LaneMask group : why.groups) {
    std::vector<int> meeting(static_cast<std::size_t>(period));
    for (const int lane : lanes_of(group))
      most = std::max(most, ++meeting[static_cast<std::size_t>(lane % period)]);
  }
  return most == why.ways;
}

SharedCause cause_of(const SharedWhy& why, const BankPlan& plan, const LaneRow& address,
                     LaneMask mask) {
  if (mask == 0) return SharedCause::nothing;
  if (plan.cost.conflicts == 0) {
    if (why.pattern.kind == LanePattern::Kind::uniform) return SharedCause::broadcast;
    if (why.shared_words > 0 && why.bytes >= kBankBytes && !plan.merged)
      return SharedCause::multicast;
    return flip_of(address, lanes_of(mask)) != 0 && why.pattern.kind != LanePattern::Kind::stride
               ? SharedCause::exclusive
               : SharedCause::free;
  }
  if (stride_explains(why)) return SharedCause::stride;
  return why.pattern.kind == LanePattern::Kind::rows ? SharedCause::rows : SharedCause::irregular;
}

std::uint64_t ceil_div(std::uint64_t value, std::uint64_t by) { return (value + by - 1) / by; }

GlobalCause cause_of(const GlobalWhy& why) {
  using Kind = LanePattern::Kind;
  if (why.cost.requests == 0) return GlobalCause::nothing;
  if (why.pattern.kind == Kind::uniform) return GlobalCause::uniform;
  if (why.cost.sectors <= why.cost.ideal_sectors &&
      why.cost.sectors <= ceil_div(why.bytes_used, kSectorBytes))
    return GlobalCause::coalesced;
  if (why.misalignment != 0 && why.aligned_sectors <= ceil_div(why.bytes_used, kSectorBytes))
    return GlobalCause::misaligned;
  if (why.pattern.kind == Kind::stride) return GlobalCause::strided;
  const bool neighbours = std::llabs(why.pattern.stride) <= static_cast<long long>(why.bytes);
  if (why.pattern.kind == Kind::rows && neighbours) return GlobalCause::short_rows;
  return GlobalCause::scattered;
}

}  // namespace

LanePattern pattern_of(const LaneRow& address, LaneMask mask) {
  LanePattern pattern;
  const std::vector<int> lanes = lanes_of(mask);
  if (lanes.empty()) return pattern;
  pattern.kind = LanePattern::Kind::single;
  if (lanes.size() == 1) return pattern;
  if (const auto found = as_stride(address, lanes)) return *found;
  for (int run = 2; run < kLanes; ++run) {
    for (int phase = 0; phase < run; ++phase) {
      if (const auto found = as_rows(address, lanes, run, phase)) return *found;
    }
  }
  pattern.kind = LanePattern::Kind::irregular;
  return pattern;
}

SharedWhy explain_shared(const LaneRow& address, LaneMask mask, const BankPlan& plan) {
  SharedWhy why;
  why.pattern = pattern_of(address, mask);
  why.cost = plan.cost;
  why.bytes = plan.bytes;
  why.worst_bank = plan.worst_bank;
  why.ways = plan.ways;
  why.groups = plan.groups;
  why.merged = plan.merged;
  look_at_group(why, plan, address, add_worst(why, plan));
  add_stride(why);
  add_sharing(why, plan);
  why.cause = cause_of(why, plan, address, mask);
  if (why.cause == SharedCause::exclusive) why.flip = flip_of(address, lanes_of(mask));
  return why;
}

GlobalWhy explain_global(const LaneRow& address, LaneMask mask, std::uint32_t bytes,
                         const SectorPlan& plan) {
  GlobalWhy why;
  why.pattern = pattern_of(address, mask);
  why.cost = plan.cost;
  why.bytes = bytes;
  why.bytes_used = plan.bytes_used;
  why.bytes_moved = plan.bytes_moved;
  why.lines = plan.lines.size();
  for (const Line& line : plan.lines) {
    for (const Sector& sector : line.sectors)
      why.lanes_per_sector = std::max(why.lanes_per_sector, popcount(sector.lanes));
  }
  const std::vector<int> lanes = lanes_of(mask);
  if (!lanes.empty()) {
    std::uint64_t lowest = at(address, lanes[0]);
    for (const int lane : lanes) lowest = std::min(lowest, at(address, lane));
    why.misalignment = lowest % kSectorBytes;
    LaneRow aligned = address;
    for (std::uint64_t& value : aligned) value -= why.misalignment;
    why.aligned_sectors = global_cost(aligned, mask, bytes).sectors;
  }
  why.cause = cause_of(why);
  return why;
}

}  // namespace lanescope::app

#include "compiled/waiting_lanes.h"

#include "lower/operands.h"

namespace lanescope {
namespace {

bool has(const std::vector<std::uint64_t>& bits, std::uint32_t i) {
  return (bits[i / 64] >> (i % 64) & 1) != 0;
}

bool is_copy(const Op& op) { return operation_info(op.code).kind == OperationKind::masked_copy; }

}  // namespace

WaitingLanes::WaitingLanes(const FlatCode& code)
    : code_(code), definitions_(numbers_of(code)), kept_(code.ops.size()),
      meetings_(code.ops.size() + 1) {
  for (std::uint32_t b = 0; b < code.blocks.size(); ++b)
    for (std::uint32_t i = 0; i < code.blocks[b].count; ++i) {
      const std::uint32_t pc = code.blocks[b].first + i;
      for_each_result(code, code.ops[pc], [&](std::uint32_t number) {
        definitions_[number].push_back({pc, b});
      });
    }
  find_live();
}

// ---- what is live ----

void WaitingLanes::find_live() {
  const std::size_t words = (numbers_of(code_) + 63) / 64;
  live_.assign(code_.blocks.size(), Bits(words));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t b = static_cast<std::uint32_t>(code_.blocks.size()); b-- > 0;) {
      Bits live(words);
      const auto add = [&](std::uint32_t pc) {
        const Bits& next = live_[block_at(pc)];
        for (std::size_t i = 0; i < words; ++i) live[i] |= next[i];
      };
      const Op& last = last_of(b);
      if (last.code == Code::jump) add(last.a);
      if (last.code == Code::branch) add(last.b), add(last.c);
      step_back(b, live);
      if (live == live_[b]) continue;
      live_[b] = std::move(live);
      changed = true;
    }
  }
}

void WaitingLanes::step_back(std::uint32_t block, Bits& live) const {
  const FlatBlock& b = code_.blocks[block];
  for (std::uint32_t pc = b.first + b.count; pc-- > b.first;) {
    const Op& op = code_.ops[pc];
    // A masked result is partly what it was; but what other lanes need of it they have noted themselves.
    for_each_result(code_, op,
                    [&](std::uint32_t i) { live[i / 64] &= ~(std::uint64_t{1} << (i % 64)); });
    for_each_use(code_, op, [&](std::uint32_t i) { live[i / 64] |= std::uint64_t{1} << (i % 64); });
  }
}

// ---- parting ----

void WaitingLanes::part(std::uint32_t pc) {
  const Op& op = code_.ops[pc];
  if (op.dst != kNone) meetings_[op.dst] = true;
  std::vector<bool> yes = reach(op.b, op.dst), no = reach(op.c, op.dst);
  for (std::uint32_t b = 0; b < yes.size(); ++b)
    if (yes[b] && no[b]) keep_copies_into(b);
  // From where all meet they go on together.
  if (op.dst != kNone) yes[block_at(op.dst)] = no[block_at(op.dst)] = false;
  // The first side runs while the other waits for its turn, and both while lanes wait at the meeting.
  if (op.b != op.dst && op.c != op.dst) keep_live(op.c, yes);
  if (op.dst == kNone) return;
  if (op.b != op.dst) keep_live(op.dst, yes);
  if (op.c != op.dst) keep_live(op.dst, no);
}

/// Blocks that lanes may come to from `pc` before they meet, that one with them.
std::vector<bool> WaitingLanes::reach(std::uint32_t pc, std::uint32_t meet) const {
  std::vector<bool> seen(code_.blocks.size());
  std::vector<std::uint32_t> work{pc};
  while (!work.empty()) {
    const std::uint32_t at = work.back(), block = block_at(at);
    work.pop_back();
    if (seen[block]) continue;
    seen[block] = true;
    if (at == meet) continue;
    const Op& last = last_of(block);
    if (last.code == Code::jump) work.push_back(last.a);
    if (last.code == Code::branch) work.push_back(last.b), work.push_back(last.c);
  }
  return seen;
}

/// Lanes come there by different ways.
void WaitingLanes::keep_copies_into(std::uint32_t block) {
  for (std::uint32_t b = 0; b < code_.blocks.size(); ++b) {
    const Op& last = last_of(b);
    if (last.code != Code::jump || block_at(last.a) != block) continue;
    const FlatBlock& from = code_.blocks[b];
    for (std::uint32_t pc = from.first; pc < from.first + from.count; ++pc)
      if (is_copy(code_.ops[pc])) kept_[pc] = true;
  }
}

/// While lanes wait at `waits_at` others execute `region`: what of their live values is written there
/// must come out as it was, and so must what it is computed from.
void WaitingLanes::keep_live(std::uint32_t waits_at, const std::vector<bool>& region) {
  const Bits& live = live_[block_at(waits_at)];
  std::vector<std::uint32_t> work;
  std::vector<bool> seen(definitions_.size());
  const auto push = [&](std::uint32_t number) {
    if (!seen[number]) seen[number] = true, work.push_back(number);
  };
  for (std::uint32_t i = 0; i < definitions_.size(); ++i)
    if (has(live, i)) push(i);
  while (!work.empty()) {
    const std::uint32_t number = work.back();
    work.pop_back();
    for (const Definition& d : definitions_[number]) {
      const Op& op = code_.ops[d.pc];
      const OperationKind kind = operation_info(op.code).kind;
      if (!region[d.block]) continue;
      const bool is_masked = kind == OperationKind::masked_copy || kind == OperationKind::access ||
                             kind == OperationKind::warp;
      if (is_masked)
        kept_[d.pc] = true;
      else
        for_each_use(code_, op, push);
    }
  }
}

}  // namespace lanescope

#include "execute/loop_slice.h"

#include <algorithm>

#include "lower/operands.h"

namespace lanescope {
namespace {

/// Where execution may go from the last operation of a block.
template <class Go>
void for_each_next(const FlatCode& code, std::uint32_t block, Go go) {
  const FlatBlock& b = code.blocks[block];
  if (b.count == 0) return;
  const std::uint32_t last = b.first + b.count - 1;
  const Op& op = code.ops[last];
  if (op.code == Code::jump) {
    go(code.block_of[op.a]);
  } else if (op.code == Code::branch) {
    go(code.block_of[op.b]);
    go(code.block_of[op.c]);
  } else if (op.code != Code::exit && op.code != Code::trap && last + 1 < code.block_of.size()) {
    go(code.block_of[last + 1]);
  }
}

std::vector<bool> reach(const std::vector<std::vector<std::uint32_t>>& next, std::uint32_t from) {
  std::vector<bool> seen(next.size());
  std::vector<std::uint32_t> left{from};
  seen[from] = true;
  while (!left.empty()) {
    const std::uint32_t block = left.back();
    left.pop_back();
    for (const std::uint32_t to : next[block])
      if (!seen[to]) seen[to] = true, left.push_back(to);
  }
  return seen;
}

/// Blocks that lead to the one of `pc` and that it leads to, itself with them.
std::vector<bool> loop_round(const FlatCode& code, std::uint32_t pc) {
  const std::size_t count = code.blocks.size();
  std::vector<std::vector<std::uint32_t>> next(count), before(count);
  for (std::uint32_t b = 0; b < count; ++b)
    for_each_next(code, b, [&](std::uint32_t to) {
      if (to < count) next[b].push_back(to), before[to].push_back(b);
    });
  std::vector<bool> in = reach(next, code.block_of[pc]);
  const std::vector<bool> back = reach(before, code.block_of[pc]);
  for (std::size_t b = 0; b < count; ++b) in[b] = in[b] && back[b];
  return in;
}

bool has_wide_results(const FlatCode& code, const Op& op) {
  const OperationInfo& info = operation_info(op.code);
  if (info.kind == OperationKind::access) return code.refs[op.a].component_bytes == 8;
  if (info.a == Operand::product) return code.products[op.a].is_wide();
  return info.dst == Operand::row64;
}

bool is_root(const Op& op) {
  const OperationInfo& info = operation_info(op.code);
  return info.kind == OperationKind::control || op.code == Code::bulk_copy;
}

}  // namespace

std::vector<bool> short_round(const FlatCode& code, std::uint32_t block, std::uint32_t most) {
  const auto count = static_cast<std::uint32_t>(code.blocks.size());
  // Steps from the block to each, one at least, and from each to the block
  std::vector<std::uint32_t> there(count, most + 1), back(count, most + 1);
  back[block] = 0;
  for (std::uint32_t step = 1; step <= most; ++step)
    for (std::uint32_t b = 0; b < count; ++b)
      for_each_next(code, b, [&](std::uint32_t to) {
        if (to >= count) return;
        if (step == 1 ? b == block : there[b] == step - 1) there[to] = std::min(there[to], step);
        if (back[to] == step - 1) back[b] = std::min(back[b], step);
      });
  std::vector<bool> in(count);
  for (std::uint32_t b = 0; b < count; ++b) in[b] = there[b] + back[b] <= most;
  return in;
}

LoopSlice slice_of_loop(const FlatCode& code, std::uint32_t pc) {
  const std::vector<bool> in = loop_round(code, pc);
  std::vector<const Op*> ops;
  for (std::size_t b = 0; b < code.blocks.size(); ++b)
    for (std::uint32_t i = 0; in[b] && i < code.blocks[b].count; ++i)
      ops.push_back(&code.ops[code.blocks[b].first + i]);
  std::vector<bool> made(numbers_of(code)), wide(numbers_of(code)), wanted(numbers_of(code));
  const auto want = [&](std::uint32_t number) { wanted[number] = true; };
  for (const Op* op : ops) {
    for_each_result(code, *op, [&](std::uint32_t number) {
      made[number] = true;
      if (has_wide_results(code, *op)) wide[number] = true;
    });
    if (is_root(*op)) for_each_use(code, *op, want);
    if (operation_info(op->code).kind != OperationKind::access) continue;
    // What is accessed may be a mistake, that ends the loop.
    const MemRef& ref = code.refs[op->a];
    if (ref.base != kNone) want(ref.base);
    for (const MemTerm& term : ref.terms) want(term.row);
  }
  LoopSlice slice;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Op* op : ops) {
      bool used = false;
      for_each_result(code, *op, [&](std::uint32_t number) { used = used || wanted[number]; });
      if (!used) continue;
      const OperationKind kind = operation_info(op->code).kind;
      slice.reads_memory = slice.reads_memory || kind == OperationKind::access ||
                           kind == OperationKind::control || op->code == Code::group_multiply;
      for_each_use(code, *op, [&](std::uint32_t number) {
        if (!wanted[number]) wanted[number] = changed = true;
      });
    }
  }
  for (std::uint32_t number = 0; number < wanted.size(); ++number)
    if (wanted[number] && made[number]) slice.values.push_back({number, wide[number]});
  return slice;
}

}  // namespace lanescope

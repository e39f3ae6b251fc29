#include "prove/loop_nest.h"

#include <set>
#include <utility>

#include "lower/operations.h"

LANESCOPE_EVERY_CODE

namespace lanescope {
namespace {

using Graph = std::vector<std::vector<std::uint32_t>>;

std::vector<std::uint32_t> successors(const FlatCode& code, const FlatBlock& block) {
  const std::uint32_t last = block.first + block.count - 1;
  const Op& op = code.ops[last];
  if (op.code == Code::exit) return {};
  if (op.code == Code::jump) return {code.block_of[op.a]};
  if (op.code == Code::branch) return {code.block_of[op.b], code.block_of[op.c]};
  return {code.block_of[last + 1]};
}

/// Edges that lead back to a block on the way to where they start: (from, to).
std::vector<std::pair<std::uint32_t, std::uint32_t>> back_edges(const Graph& next) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  std::vector<bool> seen(next.size()), open(next.size());
  std::vector<std::pair<std::uint32_t, std::size_t>> way{{0, 0}};
  seen[0] = open[0] = true;
  while (!way.empty()) {
    auto& [block, edge] = way.back();
    if (edge == next[block].size()) {
      open[block] = false;
      way.pop_back();
      continue;
    }
    const std::uint32_t from = block, to = next[block][edge++];
    if (open[to]) found.emplace_back(from, to);
    if (seen[to]) continue;
    seen[to] = open[to] = true;
    way.emplace_back(to, 0);
  }
  return found;
}

/// All from which `latch` is reached without passing the header.
void add_blocks(LoopBody& loop, const Graph& before, std::uint32_t latch) {
  std::vector<std::uint32_t> todo{latch};
  while (!todo.empty()) {
    const std::uint32_t block = todo.back();
    todo.pop_back();
    if (loop.blocks[block]) continue;
    loop.blocks[block] = true;
    todo.insert(todo.end(), before[block].begin(), before[block].end());
  }
}

void find_written(const FlatCode& code, LoopBody& loop) {
  std::set<std::uint32_t> rows, predicates;
  const auto take = [&](const Op& op) {
    const OperationInfo& info = operation_info(op.code);
    if (info.dst == Operand::row32 || info.dst == Operand::row64) rows.insert(op.dst);
    if (info.dst == Operand::predicate) predicates.insert(op.dst);
    if (info.a == Operand::product) {
      const MatrixCall& product = code.products[op.a];
      rows.insert(product.d.begin(), product.d.begin() + product.c_count);
    }
    if (info.a == Operand::group_product) {
      const std::vector<std::uint32_t>& results = code.group_products[op.a].d;
      rows.insert(results.begin(), results.end());
    }
    if (op.code != Code::load && op.code != Code::atomic) return;
    const MemRef& ref = code.refs[op.a];
    for (const std::uint32_t value : ref.value)
      if (value != kNone) (ref.predicate_value ? predicates : rows).insert(value);
  };
  for (std::size_t b = 0; b < code.blocks.size(); ++b)
    for (std::uint32_t i = 0; loop.blocks[b] && i < code.blocks[b].count; ++i)
      take(code.ops[code.blocks[b].first + i]);
  loop.rows.assign(rows.begin(), rows.end());
  loop.predicates.assign(predicates.begin(), predicates.end());
}

}  // namespace

LoopNest find_loops(const FlatCode& code) {
  Graph next, before(code.blocks.size());
  for (const FlatBlock& block : code.blocks) next.push_back(successors(code, block));
  for (std::uint32_t b = 0; b < next.size(); ++b)
    for (const std::uint32_t to : next[b]) before[to].push_back(b);
  LoopNest nest;
  nest.headed.assign(code.blocks.size(), kNone);
  for (const auto& [latch, header] : back_edges(next)) {
    if (nest.headed[header] == kNone) {
      nest.headed[header] = static_cast<std::uint32_t>(nest.loops.size());
      nest.loops.push_back({header, std::vector<bool>(code.blocks.size()), {}, {}});
      nest.loops.back().blocks[header] = true;
    }
    add_blocks(nest.loops[nest.headed[header]], before, latch);
  }
  for (LoopBody& loop : nest.loops) find_written(code, loop);
  return nest;
}

}  // namespace lanescope

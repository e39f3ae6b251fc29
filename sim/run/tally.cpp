#include "run/tally.h"

#include <algorithm>

#include "compiled/compiled.h"
#include "lanescope/group_matrix.h"
#include "model/cost_fast.h"

namespace lanescope {

RunResult empty_result(const FlatProgram& program, Dim3 grid) {
  RunResult result;
  result.accesses.resize(program.info().accesses.size());
  result.op_executions.resize(program.info().ops.size());
  result.coverage.blocks = grid.count();
  return result;
}

void add_counts(RunResult& result, Machine& machine) {
  if (machine.compiled != nullptr) machine.compiled->settle_counts(machine);
  for (std::size_t i = 0; i < machine.counts.size(); ++i)
    cost::add(result.accesses[i], machine.counts[i]);
  for (const Printed& line : machine.printed)
    if (result.printed.size() < kMostPrinted) result.printed.push_back(line);
  add_entries(result, *machine.code, machine.block_entries);
}

namespace {

std::uint64_t multiply_adds(const FlatCode& code, const Op& op) {
  const auto volume = [](const MatrixForm& form) {
    return static_cast<std::uint64_t>(form.shape.m) * static_cast<std::uint64_t>(form.shape.n) *
           static_cast<std::uint64_t>(form.shape.k) * (form.of_quads() ? kQuadPairs : 1);
  };
  switch (operation_info(op.code).a) {
  case Operand::product:
    return volume(code.products[op.a].form);
  case Operand::group_product:
    return volume(code.group_products[op.a].form) / kGroupWarps;
  default:
    return 0;
  }
}

}  // namespace

void add_entries(RunResult& result, const FlatCode& code,
                 const std::vector<std::uint64_t>& block_entries) {
  for (std::size_t b = 0; b < code.blocks.size(); ++b) {
    const FlatBlock& block = code.blocks[b];
    const std::uint64_t entries = block_entries[b];
    std::uint32_t last = kNone;
    for (std::uint32_t i = block.first; entries != 0 && i < block.first + block.count; ++i) {
      const Op& op = code.ops[i];
      if (operation_info(op.code).kind != OperationKind::recording)
        result.warp_instructions += entries;
      result.multiply_adds += entries * multiply_adds(code, op);
      if ((op.aux & kStep) != 0 && op.info != last)
        result.op_executions[op.info] += entries, last = op.info;
    }
  }
}

void clear_counts(RunResult& result) {
  std::fill(result.accesses.begin(), result.accesses.end(), AccessCounts{});
  std::fill(result.op_executions.begin(), result.op_executions.end(), 0);
  result.warp_instructions = result.multiply_adds = 0;
  result.coverage.blocks_executed = 0;
  result.diagnostics.clear();
  result.printed.clear();
}

}  // namespace lanescope

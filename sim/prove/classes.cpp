#include "prove/classes.h"

#include <algorithm>

namespace lanescope {
namespace {

// Beyond these, executing every block is not slower.
constexpr std::size_t kMostBoxes = 4096;
constexpr std::uint64_t kBudgetPerBox = 4'000'000, kBudgetInAll = 40'000'000;

std::pair<Box, Box> split_box(const Box& box, const SymbolicOutcome& outcome) {
  const auto d = static_cast<std::size_t>(outcome.dimension);
  std::pair<Box, Box> halves{box, box};
  halves.first.high[d] = outcome.position - 1;
  halves.second.low[d] = outcome.position;
  return halves;
}

// One part for each remainder of k; what it leaves out is never empty as modulus <= extent.
std::vector<Box> split_by_residue(const Box& box, const SymbolicOutcome& outcome) {
  const auto d = static_cast<std::size_t>(outcome.dimension);
  const std::int64_t modulus = outcome.position;
  std::vector<Box> parts;
  for (std::int64_t r = modulus - 1; r >= 0; --r) {
    Box part = box;
    part.first[d] = box.block(d, box.low[d] + r);
    part.stride[d] = box.stride[d] * modulus;
    part.low[d] = 0;
    part.high[d] = (box.high[d] - box.low[d] - r) / modulus;
    parts.push_back(part);
  }
  return parts;
}

}  // namespace

ClassCounts count_by_classes(const Machine& machine) {
  ClassCounts result;
  const Dim3 grid = machine.launch->grid;
  std::vector<Box> todo{
      {{0, 0, 0}, {std::int64_t{grid.x} - 1, std::int64_t{grid.y} - 1, std::int64_t{grid.z} - 1}}};
  result.accesses.resize(machine.program->info().accesses.size());
  result.block_entries.resize(machine.code->blocks.size());
  const LoopNest loops = find_loops(*machine.code);
  std::uint64_t spent = 0;
  while (!todo.empty()) {
    const Box box = todo.back();
    todo.pop_back();
    if (machine.stop.stop_requested()) return result.reason = "cancelled", result;
    if (result.boxes.size() + todo.size() > kMostBoxes || spent > kBudgetInAll)
      return result.reason = "the grid falls into too many classes of blocks", result;
    BoxCounts counts;
    const SymbolicOutcome outcome = run_symbolic(machine, loops, box, kBudgetPerBox, counts);
    spent += counts.spent;
    if (outcome.kind == SymbolicOutcome::Kind::failed)
      return result.reason = outcome.reason, result;
    if (outcome.kind == SymbolicOutcome::Kind::split) {
      const auto [low, high] = split_box(box, outcome);
      todo.push_back(high);
      todo.push_back(low);
      continue;
    }
    if (outcome.kind == SymbolicOutcome::Kind::residues) {
      for (const Box& part : split_by_residue(box, outcome)) todo.push_back(part);
      continue;
    }
    result.boxes.push_back(box);
    for (std::size_t i = 0; i < counts.accesses.size(); ++i) {
      result.accesses[i].executions += counts.accesses[i].executions;
      result.accesses[i].shared += counts.accesses[i].shared;
      result.accesses[i].global += counts.accesses[i].global;
    }
    for (std::size_t b = 0; b < counts.block_entries.size(); ++b)
      result.block_entries[b] += counts.block_entries[b];
  }
  result.proved = true;
  return result;
}

}  // namespace lanescope

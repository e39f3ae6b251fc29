// Blocks that are all there at once and wait for one another: cooperative grids, and those whose blocks
// wait for what others write.
#include <algorithm>
#include <memory>

#include "execute/recorder.h"
#include "model/simulator_messages.h"
#include "run/grid_run.h"
#include "run/residents.h"
#include "run/tally.h"

namespace lanescope {
namespace {

std::uint64_t ended_blocks(const std::vector<Resident>& residents, const Machine& machine) {
  return static_cast<std::uint64_t>(
      std::count_if(residents.begin(), residents.end(), [&](const Resident& each) {
        return each.machine == &machine && each.outcome.stop == Stop::exited;
      }));
}

}  // namespace

bool GridRun::start_together(const BlockRunner& runner, const Machine& machine) {
  // A program's memory is not refilled: what ran up to here would be done twice.
  if (control_.go_on) return false;
  const std::uint64_t blocks = launch_.grid.count();
  if (waits_ || !runner.waits_for_memory() || blocks < 2 || blocks > kMostResidentBlocks ||
      blocks > kMostResidentBytes / BlockRunner::resident_bytes(machine))
    return false;
  return waits_ = true;
}

bool GridRun::can_be_parked(const BlockRunner& runner, const Machine& machine,
                            std::size_t parked) const {
  return control_.go_on && runner.waits_for_memory() && list_.size() > 1 &&
         parked < kMostResidentBlocks &&
         parked < kMostResidentBytes / BlockRunner::resident_bytes(machine);
}

void GridRun::end_parked(std::vector<Resident>& parked, const Machine& machine) {
  // They have been counted as if they had ended.
  std::uint64_t& executed = result_.coverage.blocks_executed;
  if (!parked.empty() && executed == list_.size() && !stopped())
    if (const Resident* failed = run_all(parked, nullptr, launch_.grid, Meeting::of_all))
      report(machine, failed->outcome, failed->block);
  executed -=
      static_cast<std::uint64_t>(std::count_if(parked.begin(), parked.end(), [](const Resident& r) {
        return r.outcome.stop != Stop::exited;
      }));
}

bool GridRun::fits_together(const Machine& machine) {
  const std::uint64_t bytes = BlockRunner::resident_bytes(machine);
  if (list_.size() <= kMostResidentBytes / bytes) return true;
  Diagnostic d;
  d.kind = DiagnosticKind::usage;
  d.file = "<launch>";
  d.message = say::grid_too_large_to_meet(list_.size(), bytes);
  result_.diagnostics.push_back(std::move(d));
  return false;
}

void GridRun::run_together(Checker* checker) {
  Machine machine = machine_for(program_.lean);
  machine.checker = checker;
  if (!fits_together(machine)) return;
  const ExecuteWarp executor = choose_executor(checker != nullptr);
  std::vector<Resident> residents;
  residents.reserve(list_.size());
  for (std::uint64_t i = 0; i < list_.size(); ++i) {
    residents.push_back({list_.at(i), &machine, BlockRunner(machine, executor, budget())});
    residents.back().runner.begin(list_.at(i));
  }
  if (const Resident* failed = run_all(residents, checker, launch_.grid, Meeting::of_all))
    report(machine, failed->outcome, failed->block);
  result_.coverage.blocks_executed += ended_blocks(residents, machine);
  add_counts(result_, machine);
  report_tolerated(machine);
}

/// Recorded blocks have machines of their own, since these run the program's other form.
void GridRun::inspect_together(const std::vector<Dim3>& blocks, std::size_t trace_bytes) {
  Machine others = machine_for(program_.lean);
  if (!fits_together(others)) return;
  std::vector<std::unique_ptr<Machine>> machines;
  std::vector<Recorder> recorders;
  recorders.reserve(blocks.size());
  for (const Dim3& block : blocks) {
    machines.push_back(std::make_unique<Machine>(machine_for(program_.recording)));
    recorders.emplace_back(block, warps_per_block(launch_.block), trace_bytes);
    machines.back()->recorder = &recorders.back();
  }
  std::vector<Resident> residents;
  residents.reserve(list_.size());
  for (std::uint64_t i = 0; i < list_.size(); ++i) {
    const auto recorded = std::find(blocks.begin(), blocks.end(), list_.at(i));
    const bool seen = recorded != blocks.end();
    Machine& machine =
        seen ? *machines[static_cast<std::size_t>(recorded - blocks.begin())] : others;
    residents.push_back(
        {list_.at(i), &machine, BlockRunner(machine, choose_executor(seen), budget())});
    residents.back().runner.begin(list_.at(i));
  }
  if (const Resident* failed = run_all(residents, nullptr, launch_.grid, Meeting::of_all))
    report(*failed->machine, failed->outcome, failed->block);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    result_.coverage.blocks_executed += ended_blocks(residents, *machines[i]);
    add_counts(result_, *machines[i]);
    result_.traces.push_back(recorders[i].take());
  }
}

}  // namespace lanescope

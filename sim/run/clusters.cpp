// Clusters: blocks that run together and reach each other's shared memory (CUDA C++ Programming Guide, "Thread Block
// Clusters").
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "execute/recorder.h"
#include "model/simulator_messages.h"
#include "run/grid_run.h"
#include "run/residents.h"
#include "run/tally.h"

namespace lanescope {
namespace {

/// Of the cluster that begins at block `first`.
std::vector<Dim3> blocks_of(Dim3 first, Dim3 cluster) {
  std::vector<Dim3> blocks;
  for (std::uint32_t z = 0; z < cluster.z; ++z)
    for (std::uint32_t y = 0; y < cluster.y; ++y)
      for (std::uint32_t x = 0; x < cluster.x; ++x)
        blocks.push_back({first.x + x, first.y + y, first.z + z});
  return blocks;
}

Dim3 first_of(std::uint64_t number, Dim3 grid, Dim3 cluster) {
  const std::uint64_t across = grid.x / cluster.x, down = grid.y / cluster.y;
  return {static_cast<std::uint32_t>(number % across) * cluster.x,
          static_cast<std::uint32_t>(number / across % down) * cluster.y,
          static_cast<std::uint32_t>(number / across / down) * cluster.z};
}

bool is_among(const std::vector<Dim3>& all, Dim3 block) {
  return std::find(all.begin(), all.end(), block) != all.end();
}

bool is_any_among(const std::vector<Dim3>& all, const std::vector<Dim3>& blocks) {
  return std::any_of(blocks.begin(), blocks.end(), [&](Dim3 one) { return is_among(all, one); });
}

std::string text_of(Dim3 size) { return fmt::format("{}×{}×{}", size.x, size.y, size.z); }

}  // namespace

bool GridRun::can_be_clustered() {
  const Dim3 grid = launch_.grid, cluster = program_.cluster;
  Diagnostic d;
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
    d = usage_error(say::grid_is_no_multiple_of_cluster(text_of(grid), text_of(cluster)));
  } else if (program_.meets_grid) {
    d = usage_error(say::cannot_execute("barriers of the grid in clusters"));
    d.kind = DiagnosticKind::unsupported;
  } else {
    return true;
  }
  result_.diagnostics.push_back(std::move(d));
  return false;
}

ClusterMachines GridRun::machines_for(const std::vector<Dim3>& blocks, const Launch& launch,
                                      const InspectRequest* inspected) {
  ClusterMachines all;
  std::vector<std::byte*> shared;
  for (const Dim3& block : blocks) {
    const bool is_wanted = inspected != nullptr && is_among(inspected->blocks, block);
    // Who is recorded runs the program's other form.
    Machine& machine = *all.machines.emplace_back(
        std::make_unique<Machine>(machine_for(is_wanted ? program_.recording : program_.lean)));
    machine.launch = &launch;
    shared.push_back(machine.shared.data());
    if (!is_wanted) continue;
    all.recorders.push_back(
        std::make_unique<Recorder>(block, warps_per_block(launch_.block), inspected->trace_bytes));
    machine.recorder = all.recorders.back().get();
  }
  for (const auto& machine : all.machines) {
    machine->cluster = shared;
    for (std::size_t rank = 0; rank < shared.size(); ++rank)
      machine->regions.push_back({MemorySpace::shared, kSharedWindow + cluster_offset(rank),
                                  machine->regions[0].size, shared[rank]});
  }
  return all;
}

bool GridRun::run_cluster(const std::vector<Dim3>& blocks, const ClusterMachines& all,
                          Checker* checker) {
  std::vector<Resident> residents;
  residents.reserve(blocks.size());
  for (std::size_t rank = 0; rank < blocks.size(); ++rank) {
    Machine& own = *all.machines[rank];
    own.checker = checker;
    const bool is_observed = own.recorder != nullptr || checker != nullptr;
    residents.push_back(
        {blocks[rank], &own, BlockRunner(own, choose_executor(is_observed), budget())});
    residents.back().runner.own_machine();
    residents.back().runner.begin(blocks[rank]);
  }
  if (checker != nullptr) checker->begin_cluster(blocks);
  const Resident* failed = run_all(residents, checker, launch_.grid, Meeting::of_those_left);
  if (failed != nullptr) report(*failed->machine, failed->outcome, failed->block);
  return failed == nullptr;
}

void GridRun::run_clusters(Checker* checker, std::uint64_t watched,
                           const InspectRequest* inspected) {
  if (!can_be_clustered()) return;
  const Dim3 grid = launch_.grid, shape = program_.cluster;
  // Barriers of the blocks that are together.
  Launch launch = launch_;
  launch.cooperative = true;
  const auto add = [&](ClusterMachines& all) {
    for (const auto& machine : all.machines) {
      add_counts(result_, *machine);
      report_tolerated(*machine);
    }
  };
  std::vector<Dim3> wanted;
  if (inspected != nullptr)
    wanted = inspected->blocks;
  else if (list_.size() < grid.count())
    for (std::uint64_t i = 0; i < list_.size(); ++i) wanted.push_back(list_.at(i));
  ClusterMachines usual;
  std::vector<BlockTrace> traces;
  const std::uint64_t clusters = grid.count() / shape.count();
  for (std::uint64_t number = 0; number < clusters && !stopped(); ++number) {
    const std::vector<Dim3> blocks = blocks_of(first_of(number, grid, shape), shape);
    if (!wanted.empty() && !is_any_among(wanted, blocks)) continue;
    ClusterMachines recording;
    if (inspected != nullptr) recording = machines_for(blocks, launch, inspected);
    if (inspected == nullptr && usual.machines.empty())
      usual = machines_for(blocks, launch, nullptr);
    const ClusterMachines& machines = inspected != nullptr ? recording : usual;
    const bool is_watched = number == 0 || machines.machines[0]->executed < watched;
    const bool ended = run_cluster(blocks, machines, is_watched ? checker : nullptr);
    looked_away_ = looked_away_ || !is_watched;
    for (const auto& recorder : recording.recorders) traces.push_back(recorder->take());
    add(recording);
    if (!ended) break;
    result_.coverage.blocks_executed += shape.count();
    if (control_.progress) control_.progress((number + 1) * shape.count(), grid.count());
  }
  add(usual);
  if (inspected == nullptr) return;
  for (const Dim3& block : inspected->blocks)
    for (BlockTrace& trace : traces)
      if (trace.block == block) result_.traces.push_back(std::move(trace));
}

void GridRun::check_clusters(bool checks, std::uint64_t watched, const InspectRequest* inspected) {
  if (!checks) return run_clusters(nullptr, 0, inspected);
  Checker checker(program_, launch_, memory_);
  run_clusters(&checker, watched, inspected);
  report_findings(checker);
}

}  // namespace lanescope

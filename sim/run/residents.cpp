#include "run/residents.h"

#include <algorithm>

#include "run/block_list.h"

namespace lanescope {
namespace {

bool is_asleep(const Resident& each) {
  return each.outcome.stop == Stop::budget &&
         (each.runner.waits_for_memory() || each.runner.waits_for_cluster());
}

/// A part of each block that has not ended; those at the grid's barrier only if they are `released`. The
/// one that failed; `moved`: whether any did anything.
const Resident* run_round(std::vector<Resident>& residents, Checker* checker, Dim3 grid,
                          bool released, bool& moved) {
  for (Resident& each : residents) {
    if (each.outcome.stop == Stop::exited && each.is_begun) continue;
    if (each.outcome.stop == Stop::barrier && each.is_begun && !released) continue;
    const bool in_cluster = !each.machine->cluster.empty();
    if (checker != nullptr && in_cluster)
      checker->enter(static_cast<std::size_t>(&each - residents.data()));
    else if (checker != nullptr)
      checker->begin_block(each.block, index_of(each.block, grid));
    const std::uint64_t before = each.machine->executed;
    each.outcome = each.runner.advance();
    if (checker != nullptr && in_cluster && each.outcome.stop == Stop::exited)
      checker->block_ended();
    each.is_begun = true;
    moved = moved || each.machine->executed != before;
    if (each.outcome.stop != Stop::barrier && each.outcome.stop != Stop::exited && !is_asleep(each))
      return &each;
  }
  return nullptr;
}

}  // namespace

const Resident* run_all(std::vector<Resident>& residents, Checker* checker, Dim3 grid,
                        Meeting meeting) {
  const auto find = [&](Stop stop) {
    return std::find_if(residents.begin(), residents.end(),
                        [stop](const Resident& r) { return r.outcome.stop == stop; });
  };
  for (bool released = true;;) {
    bool moved = false;
    if (const Resident* failed = run_round(residents, checker, grid, released, moved))
      return failed;
    released = false;
    if (const auto asleep = find(Stop::budget); asleep != residents.end()) {
      if (moved) continue;
      const bool goes_on = std::any_of(residents.begin(), residents.end(), [](Resident& each) {
        return each.outcome.stop == Stop::budget && (each.runner.part(true) || each.runner.tell());
      });
      if (goes_on) continue;
      asleep->runner.tell_why();
      asleep->outcome.stop = Stop::fault;
      return &*asleep;
    }
    const auto ended = find(Stop::exited), waits = find(Stop::barrier);
    if (waits == residents.end()) return nullptr;
    released = ended == residents.end() || meeting == Meeting::of_those_left;
    if (released && checker != nullptr && meeting == Meeting::of_those_left) checker->cluster_met();
    if (released) continue;
    // The others would wait for ever.
    ended->outcome.stop = Stop::fault;
    ended->machine->fault = {};
    ended->machine->fault.kind = DiagnosticKind::divergent_barrier;
    ended->machine->fault.info = waits->runner.waits_at();
    ended->machine->fault.is_grid = true;
    return &*ended;
  }
}

}  // namespace lanescope

// What the simulator counted beside what a profiler read of the same launch, and what a difference
// means. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/run/totals.h"
#include "core/timing/measurement.h"

namespace lanescope::app {

enum class Agreement {
  exact,
  /// The hardware's pipe counted a little more: warps that meet there are served again
  /// (arbitration). The executed addresses, which the sass counters are computed from, do not know
  /// it.
  arbitration,
  /// The GPU's compiler issued other instructions than the text has accesses: scalar ones merged
  /// into wider ones, unused ones left out, values kept in registers.
  other_instructions,
  differs,
};
std::string_view agreement_name(Agreement agreement);

struct CounterLine {
  /// "shared load wavefronts"
  Message name;
  /// Where the measured number comes from; several are joined with " + "
  std::string metric;
  std::uint64_t simulated = 0, measured = 0;
  Agreement agreement = Agreement::exact;
  /// Why they differ, in words; empty if they do not
  Message note;
};

/// One line for each counter that was read; empty where the counters hold none of them. Lines that
/// are zero on both sides are left out. `device_work`: why the GPU may make more accesses than the text
/// has; empty: nothing is known that would.
std::vector<CounterLine> compare_counters(const Totals& simulated, const Counters& measured,
                                          const Message& device_work = {});

/// {"name", "metric", "simulated", "measured", "verdict", "note"}
Json to_json(const CounterLine& line);

/// No line differs without a reason.
bool all_agree(const std::vector<CounterLine>& lines);

}  // namespace lanescope::app

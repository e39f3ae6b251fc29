// Counts of a run added up by kind and by source line, and as the command line's JSON. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/run/result.h"
#include "lanescope/run.h"

namespace lanescope::app {

/// Sums over all accesses. An asynchronous copy is a global load and a shared store. What passes the lanes by has
/// parts of its own, as the hardware's counters have: wgmma's operands, and bulk copies.
struct Totals {
  SharedCounts shared_load, shared_store, shared_atomic, shared_product;
  GlobalCounts global_load, global_store, global_atomic, global_bulk_load, global_bulk_store;
};
Totals totals_of(const KernelInfo& kernel, const RunResult& run);

/// By line, ascending; only lines of the kernel text itself that were executed.
std::vector<LineTotals> line_totals(const KernelInfo& kernel, const RunResult& run);

/// One access as it is listed: an access through generic pointers may be listed once for each
/// space.
struct AccessTotals {
  const AccessInfo* access = nullptr;
  /// Shared or global
  MemorySpace space = MemorySpace::global;
  std::uint64_t executions = 0;
  /// If space is shared
  SharedCounts shared;
  /// If space is global
  GlobalCounts global;
};
/// In source order, then by operation. Local and constant memory is left out: it has no banks or
/// sectors here.
std::vector<AccessTotals> access_totals(const KernelInfo& kernel, const RunResult& run);

using Json = nlohmann::ordered_json;
Json to_json(Dim3 value);
Json to_json(const SharedCounts& counts);
Json to_json(const GlobalCounts& counts);
Json to_json(const Totals& totals);
Json to_json(const KernelInfo& kernel, const AccessTotals& totals);
Json to_json(const Diagnostic& diagnostic);
Json to_json(const std::vector<Diagnostic>& diagnostics);

}  // namespace lanescope::app

// For tests of instructions whose cost is not modelled, of which a run says so once.
#pragma once

#include <algorithm>

#include "run/run_text.h"

namespace lanescope {

/// Nothing is said, apart from what is not modelled.
inline bool nothing_is_wrong(const Outcome& outcome) {
  const std::vector<Diagnostic>& all = outcome.result.diagnostics;
  return outcome.ok() && std::all_of(all.begin(), all.end(), [](const Diagnostic& d) {
           return d.severity == Severity::note && d.line == 0;
         });
}

}  // namespace lanescope

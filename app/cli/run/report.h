// What `analyze` and `trace` have in common: a launch, what ran of it, and how both begin as
// text and as JSON.
#pragma once

#include <optional>
#include <vector>

#include "cli/kernel/settings_flags.h"
#include "cli/text/fronts.h"
#include "core/run/prepare.h"
#include "core/run/totals.h"
#include "core/tensor/placed_tensor.h"

namespace lanescope::cli {

/// A launch that has been run, or why it could not.
struct Report {
  LaunchFlags flags;
  /// Null when it could not run
  app::PreparedLaunchPtr prepared;
  /// Of the launch, where nobody said it
  std::vector<Message> proposed;
  RunResult run;
  app::ResultCheck check;
  /// Of each of the kernel's tensors, as far as it is known in the first block that is looked at
  std::vector<app::RunTimeValues> tensor_values;
  std::vector<Diagnostic> diagnostics;

  [[nodiscard]] const KernelInfo& kernel() const { return prepared->kernel(); }
};

/// `record`: keep the trace of the chosen blocks. `blocks`: what is chosen when the flags say
/// nothing.
Report make_report(const app::Catalog& catalog, const LaunchFlags& flags, const std::string& blocks,
                   bool record, const Fronts& fronts);

/// "kernel", "file" and "launch"; only the file when nothing could run.
app::Json head_json(const Report& report);
void print_head(const Report& report, std::ostream& out);

}  // namespace lanescope::cli

// What `analyze` and `trace` have in common: a job, what ran of it, and how both begin as text and
// as JSON.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cli/kernel/settings_flags.h"
#include "cli/text/fronts.h"
#include "core/run/job.h"
#include "core/run/totals.h"

namespace lanescope::cli {

/// A job that has been run, or why it could not.
struct Report {
  LaunchFlags flags;
  /// Null when it could not run
  std::unique_ptr<app::Job> job;
  RunResult run;
  app::ResultCheck check;
  std::vector<Diagnostic> diagnostics;

  [[nodiscard]] const KernelInfo& kernel() const { return job->program->info(); }
};

/// `record`: keep the trace of the chosen blocks. `blocks`: what is chosen when the flags say
/// nothing.
Report make_report(const app::Catalog& catalog, const LaunchFlags& flags, const std::string& blocks,
                   bool record, const Fronts& fronts);

/// "kernel", "file" and "launch"; only the file when nothing could run.
app::Json head_json(const Report& report);
void print_head(const Report& report, std::ostream& out);

}  // namespace lanescope::cli

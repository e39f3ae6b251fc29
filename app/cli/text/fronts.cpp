#include "cli/text/fronts.h"

namespace lanescope::cli {

void print_diagnostics(const std::vector<Diagnostic>& diagnostics, const Fronts& fronts) {
  for (const Diagnostic& diagnostic : diagnostics) fronts.err << format_diagnostic(diagnostic);
}

}  // namespace lanescope::cli

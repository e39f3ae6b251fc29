// Who draws, where text goes, and what a command's exit status means.
#pragma once

#include <functional>
#include <ostream>
#include <vector>

#include "core/files/render_request.h"
#include "core/files/window_request.h"
#include "lanescope/diagnostic.h"

namespace lanescope::cli {

enum ExitStatus : int {
  kFine = 0,
  /// The kernel or the check failed; diagnostics say why
  kFailed = 1,
  /// Bad usage
  kUsage = 2,
  kInternal = 3,
};

/// Who draws, and where text goes; tests put in their own.
struct Fronts {
  std::function<int(const app::GuiOptions&)> gui;
  std::function<int(const app::RenderRequest&)> render;
  std::ostream& out;
  std::ostream& err;
  /// `err` is a terminal: draw a progress bar there
  bool progress = false;
};

/// To stderr, as `file:line:column: error: …`.
void print_diagnostics(const std::vector<Diagnostic>& diagnostics, const Fronts& fronts);

}  // namespace lanescope::cli

// The command line. Without a subcommand it opens the window.
#pragma once

#include <functional>
#include <ostream>

#include "cli/gui_options.h"
#include "cli/render_request.h"

namespace lanescope::cli {

enum ExitStatus : int {
  kFine = 0,
  kFailed = 1,  ///< the kernel or the check failed; diagnostics say why
  kUsage = 2,   ///< bad usage
  kInternal = 3,
};

/// Who draws, and where text goes; tests put in their own.
struct Fronts {
  std::function<int(const app::GuiOptions&)> gui;
  std::function<int(const app::RenderRequest&)> render;
  std::ostream& out;
  std::ostream& err;
  bool progress = false;  ///< `err` is a terminal: draw a progress bar there
};
int run(int argc, const char* const* argv, const Fronts& fronts);

/// As the program does: the real window, stdout and stderr.
int run(int argc, char** argv);

}  // namespace lanescope::cli

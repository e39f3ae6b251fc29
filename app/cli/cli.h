// The command line. Without a subcommand it opens the window.
#pragma once

#include "cli/text/fronts.h"

namespace lanescope::cli {

int run(int argc, const char* const* argv, const Fronts& fronts);

/// As the program does: the real window, stdout and stderr.
int run(int argc, char** argv);

}  // namespace lanescope::cli

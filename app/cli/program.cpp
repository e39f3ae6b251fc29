// The command line as the program runs it. Apart from the parser, so that tests need no window.
#include <unistd.h>

#include <iostream>

#include "cli/cli.h"

namespace lanescope::cli {

int run(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  return run(
      argc, argv,
      Fronts{&app::run_gui, &app::render_view, std::cout, std::cerr, isatty(STDERR_FILENO) == 1});
}

}  // namespace lanescope::cli

// No arguments, or only a kernel and its settings: the window. Anything else: the command line.
#include "gui.h"
#if __has_include("cli/cli.h")
#include "cli/cli.h"
#endif

int main(int argc, char** argv) {
#if __has_include("cli/cli.h")
  return lanescope::cli::run(argc, argv);
#else
  (void)argc, (void)argv;
  return lanescope::app::run_gui({});
#endif
}

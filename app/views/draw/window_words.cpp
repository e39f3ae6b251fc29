#include "views/draw/window_words.h"

namespace lanescope::app {

std::span<const WindowWords> window_words() {
  static constexpr WindowWords kAll[] = {
      {"the_flag", "argument {0}"},
      {"no_macro_name", "{0}: '{1}' is no macro's name"},
      {"give_threads",
       "give the threads of a block under Launch in Parameters, or Run the program in the view "
       "Program: then each of its launches can be shown"},
      {"launch_site", "{0} with grid {1} and block {2}"},
      {"launch_site_no_grid", "{0} with grid ({1}, not a constant) and block {2}"},
      {"launch_site_no_block", "{0} with grid {1} and block ({2}, not a constant)"},
      {"launch_site_neither",
       "{0} with grid ({1}, not a constant) and block ({2}, not a constant)"},
      {"with_shared", "{0} and {1} bytes of shared memory"},
      {"instance_for_example", "such as '{0}<…>' for {1}"},
      {"choose_a_kernel", "choose one under Launch in Parameters: {0}"},
      {"no_main_hint", "a text with kernels alone is launched under Launch in Parameters"},
      {"why_usual_instance",
       "a guess: the text names no instance; choose one under Launch in Parameters"},
      {"vary_for_example", "for example 0..4, or 8,16,32, or 8..64*2"},
      {"name_what_to_vary", "name a macro or the block"},
      {"too_many_axes", "{0} axes: at most {1}"},
      {"fix_with_set", "remove one of them"},
      {"vary_wrong", "{0}: {1}"},
      {"varied_twice", "{0} is varied twice"},
      {"vary_block_needs_block",
       "a sweep of the block with a grid of its own needs the block that the grid is meant for"},
  };
  return kAll;
}

}  // namespace lanescope::app

// A step of the build: writes the prelude's syntax tree into the file named.
#include <fstream>

#include "frontend/precompiled.h"

// Here nothing is inside the binary yet.
extern "C" const char lanescope_precompiled_begin[1] = {}, lanescope_precompiled_end[1] = {};

int main(int count, char** arguments) {
  if (count != 2) return 2;
  std::ofstream out(arguments[1], std::ios::binary);
  out << lanescope::make_precompiled_prelude() << std::flush;
  return out ? 0 : 1;
}

// A step of the build: writes the prelude's syntax tree, and what PTX instructions compute, into the files
// named.
#include <fstream>

#include "frontend/headers/precompiled.h"

// Here nothing is inside the binary yet.
extern "C" const char lanescope_precompiled_begin[1] = {}, lanescope_precompiled_end[1] = {};
extern "C" const char lanescope_ptx_begin[1] = {}, lanescope_ptx_end[1] = {};

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const auto write = [](const char* name, const std::string& content) {
    std::ofstream out(name, std::ios::binary);
    out << content << std::flush;
    return out && !content.empty();
  };
  return write(arguments[1], lanescope::make_precompiled_prelude()) &&
                 write(arguments[2], lanescope::make_ptx_meanings())
             ? 0
             : 1;
}

// Where the machine's C++ headers are, for whole programs.
#pragma once

#include <string>
#include <vector>

namespace lanescope {

struct SystemFolder {
  std::string path;
  /// Its headers are C, without an extern "C" of their own
  bool is_c = false;
};

/// In the order of search; looked for once. GCC's newest standard library, Clang's own headers (or
/// GCC's stddef.h and its like where there are none), the C library.
const std::vector<SystemFolder>& system_header_folders();

/// Folders in which a text's repository may keep what it includes by a bare name: include, inc, Common
/// and common beside it and in the folders above.
std::vector<std::string> nearby_header_folders(const std::string& file);

}  // namespace lanescope

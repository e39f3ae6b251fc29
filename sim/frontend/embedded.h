// Files of frontend/prelude/, carried inside the binary by the build.
#pragma once

#include <cstddef>

namespace lanescope {

struct EmbeddedFile {
  const char* name;  ///< the file's name without folder
  const char* data;  ///< its text, zero-terminated
  std::size_t size;  ///< bytes, without the terminator
};

/// In order of name; a terminating entry with null pointers follows the last.
extern const EmbeddedFile kPreludeFiles[];
extern const std::size_t kPreludeFileCount;

}  // namespace lanescope

// Files of frontend/prelude/, carried inside the binary by the build.
#pragma once

#include <cstddef>

namespace lanescope {

struct EmbeddedFile {
  /// The file's name without folder
  const char* name;
  /// Its text, zero-terminated
  const char* data;
  /// Bytes, without the terminator
  std::size_t size;
};

/// In order of name; a terminating entry with null pointers follows the last.
extern const EmbeddedFile kPreludeFiles[];
extern const std::size_t kPreludeFileCount;

}  // namespace lanescope

// Texts on disk: read with a reason when they cannot be, written so that nothing is ever lost.
#pragma once

#include <string>
#include <vector>

#include "lanescope/diagnostic.h"

namespace lanescope::app {

struct TextFile {
  std::string text;
  /// Errors; `text` is empty then
  std::vector<Diagnostic> diagnostics;
};
/// Refuses what is missing, a folder, binary, not UTF-8, larger than 16 MB, or empty.
TextFile read_text_file(const std::string& path);

/// Replaces the file in one step: what was there stays until all of the new text is on the disk.
/// Returns what went wrong, in words for people, or "". `sync` waits for the disk.
Message write_text_file(const std::string& path, const std::string& text, bool sync = true);

/// A folder that comes with the program: share/lanescope/NAME beside the executable, else
/// `in_source` of the source tree; "" if there is none.
std::string bundled_folder(const std::string& name, const std::string& in_source);

/// Where what can be made again is kept: lanescope in $XDG_CACHE_HOME, else in ~/.cache; "" where the user
/// has neither.
std::string cache_folder();

/// Absolute and without "..", so that one file has one name; "~" is the home
/// folder. "" stays "".
std::string absolute_path(const std::string& path);

}  // namespace lanescope::app

// A whole session in one file (.lanescope, JSON): what was chosen, what is selected, how the window
// looks. Opened again it is the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lanescope/diagnostic.h"
#include "session/selection.h"
#include "session/settings.h"

namespace lanescope::app {

inline constexpr const char* kSessionSuffix = ".lanescope";
bool is_session_file(const std::string& path);

struct SessionFile {
  Settings settings;
  Selection selection;
  std::optional<Settings> comparison;  ///< its other side
  std::string look;  ///< the window's layout and look, in its own words; may be empty
};

struct SessionFileResult {
  std::optional<SessionFile> session;
  std::vector<Diagnostic> diagnostics;  ///< with line and column of what cannot be read
};
SessionFileResult parse_session(const std::string& file, const std::string& text);
SessionFileResult read_session(const std::string& path);
std::string session_text(const SessionFile& session);

}  // namespace lanescope::app

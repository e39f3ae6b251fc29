// A whole session in one file (.lanescope, JSON): what was chosen, what is selected, how the window
// looks. Opened again it is the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/kernel/settings.h"
#include "core/picture/selection.h"
#include "core/program/program_input.h"
#include "lanescope/diagnostic.h"

namespace lanescope::app {

inline constexpr const char* kSessionSuffix = ".lanescope";
bool is_session_file(const std::string& path);

struct SessionFile {
  Settings settings;
  Selection selection;
  /// Its other side
  std::optional<Settings> comparison;
  /// The window's layout and look, in its own words; may be empty
  std::string look;
  /// Lesson and scene, "02_coalescing/stride"; empty: none is open
  std::string lesson = {};
  /// Of a whole program; its settings are as if it had not run
  struct Program {
    ProgramInput input;
    bool has_run = false;
    /// That is shown
    std::uint64_t launch = 0;
    bool operator==(const Program&) const = default;
  };
  std::optional<Program> program = std::nullopt;
};

struct SessionFileResult {
  std::optional<SessionFile> session;
  /// With line and column of what cannot be read
  std::vector<Diagnostic> diagnostics;
};
SessionFileResult parse_session(const std::string& file, const std::string& text);
SessionFileResult read_session(const std::string& path);
std::string session_text(const SessionFile& session);

}  // namespace lanescope::app

// Errors and warnings as values with positions. Only a front-end (CLI, GUI) prints them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lanescope/types.h"

namespace lanescope {

enum class Severity { note, warning, error };

/// What is wrong. `diagnostic_kind_name` gives the spelling used in JSON ("out-of-bounds").
enum class DiagnosticKind {
  compile,      ///< the compiler's own message
  usage,        ///< a launch, argument or parameter that makes no sense
  unsupported,  ///< CUDA C++ that the simulator cannot execute
  out_of_bounds,
  misaligned,
  null_pointer,
  uninitialised,
  race,
  overflow,  ///< a signed index computation that overflows
  divergent_barrier,
  step_budget,  ///< an endless loop, or a very long one
  cancelled,
  wrong_result,
  assertion,
  truncated,  ///< a trace that hit its size cap
  internal,
};
std::string_view diagnostic_kind_name(DiagnosticKind kind);
std::string_view severity_name(Severity severity);

struct Diagnostic {
  Severity severity = Severity::error;
  DiagnosticKind kind = DiagnosticKind::internal;
  std::string file;  ///< as given by the caller; "<launch>" for front matter and flags
  std::uint32_t line = 0, column = 0;
  std::string message;         ///< one sentence, no trailing full stop
  std::string source_line;     ///< the text of `line`, without its newline; may be empty
  std::string hint;            ///< what to do about it; may be empty
  std::optional<Dim3> block;   ///< block coordinate in the grid
  std::optional<Dim3> thread;  ///< thread coordinate in the block
  std::optional<std::uint64_t> address;
};

/// `file:line:column: error: message`, then the source line and a caret under the column,
/// then the hint. Several lines, each ending in '\n'.
std::string format_diagnostic(const Diagnostic& diagnostic);

bool has_errors(const std::vector<Diagnostic>& diagnostics);

}  // namespace lanescope

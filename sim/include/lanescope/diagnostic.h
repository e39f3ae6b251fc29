// Errors and warnings as values with positions. Only a front-end (CLI, GUI) prints them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lanescope/message.h"
#include "lanescope/types.h"

namespace lanescope {

enum class Severity { note, warning, error };

/// What is wrong. `diagnostic_kind_name` gives the spelling used in JSON ("out-of-bounds").
enum class DiagnosticKind {
  /// The compiler's own message
  compile,
  /// A launch, argument or parameter that makes no sense
  usage,
  /// CUDA C++ that the simulator cannot execute
  unsupported,
  out_of_bounds,
  misaligned,
  null_pointer,
  uninitialised,
  race,
  /// A signed index computation that overflows
  overflow,
  divergent_barrier,
  /// An endless loop, or a very long one
  step_budget,
  cancelled,
  wrong_result,
  assertion,
  /// A trace that hit its size cap
  truncated,
  internal,
};
std::string_view diagnostic_kind_name(DiagnosticKind kind);
std::string_view severity_name(Severity severity);

struct Diagnostic {
  Severity severity = Severity::error;
  DiagnosticKind kind = DiagnosticKind::internal;
  /// As given by the caller; "<launch>" for front matter and flags
  std::string file;
  std::uint32_t line = 0, column = 0;
  /// One sentence, no trailing full stop
  Message message;
  /// The text of `line`, without its newline; may be empty
  std::string source_line;
  /// What to do about it; may be empty
  Message hint;
  /// Block coordinate in the grid
  std::optional<Dim3> block;
  /// Thread coordinate in the block
  std::optional<Dim3> thread;
  std::optional<std::uint64_t> address;
};

/// `file:line:column: error: message`, then the source line and a caret under the column,
/// then the hint. Several lines, each ending in '\n'.
std::string format_diagnostic(const Diagnostic& diagnostic);

/// Of a kernel's files (KernelInfo::files), the place that `at` means.
void stand_at(Diagnostic& diagnostic, const std::vector<std::string>& files, const SourcePos& at);

/// Of a launch, argument or parameter that makes no sense.
Diagnostic usage_error(Message message, Message hint = {});

bool has_errors(const std::vector<Diagnostic>& diagnostics);
/// Adds `found` behind `all`.
void append(std::vector<Diagnostic>& all, std::vector<Diagnostic> found);

}  // namespace lanescope

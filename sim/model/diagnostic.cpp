// Diagnostics as text.
#include "lanescope/diagnostic.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

namespace lanescope {
namespace {

void write_coordinate(std::ostream& out, std::string_view name, const Dim3& at) {
  out << name << " (" << at.x << ", " << at.y << ", " << at.z << ")";
}

/// Blanks up to the column, tabs kept so that the caret lines up whatever their width.
std::string caret_line(const std::string& source_line, std::uint32_t column) {
  std::string line = source_line.substr(0, column - 1);
  for (char& c : line)
    if (c != '\t') c = ' ';
  line.resize(column - 1, ' ');
  return line + "^";
}

/// Where it happened, for what the message itself may leave out.
void write_place(std::ostream& out, const Diagnostic& diagnostic) {
  if (!diagnostic.block && !diagnostic.thread && !diagnostic.address) return;
  std::string_view separator = "  at ";
  const auto next = [&] { out << std::exchange(separator, ", "); };
  if (diagnostic.block) next(), write_coordinate(out, "block", *diagnostic.block);
  if (diagnostic.thread) next(), write_coordinate(out, "thread", *diagnostic.thread);
  if (diagnostic.address)
    next(), out << "address 0x" << std::hex << *diagnostic.address << std::dec;
  out << '\n';
}

}  // namespace

std::string_view diagnostic_kind_name(DiagnosticKind kind) {
  constexpr std::string_view kNames[] = {
      "compile",      "usage",         "unsupported",  "out-of-bounds",    "misaligned",
      "null-pointer", "uninitialised", "race",         "integer-overflow", "divergent-barrier",
      "step-budget",  "cancelled",     "wrong-result", "assertion",        "truncated",
      "internal"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view severity_name(Severity severity) {
  constexpr std::string_view kNames[] = {"note", "warning", "error"};
  return kNames[static_cast<std::size_t>(severity)];
}

void stand_at(Diagnostic& diagnostic, const std::vector<std::string>& files, const SourcePos& at) {
  diagnostic.file = at.file < files.size() ? files[at.file] : "";
  diagnostic.line = at.line, diagnostic.column = at.column;
}

std::string format_diagnostic(const Diagnostic& diagnostic) {
  std::ostringstream out;
  if (!diagnostic.file.empty()) {
    out << diagnostic.file << ':';
    if (diagnostic.line != 0) out << diagnostic.line << ':';
    if (diagnostic.line != 0 && diagnostic.column != 0) out << diagnostic.column << ':';
    out << ' ';
  }
  out << severity_name(diagnostic.severity) << ": " << diagnostic.message.english() << '\n';
  if (!diagnostic.source_line.empty()) {
    out << diagnostic.source_line << '\n';
    if (diagnostic.column != 0)
      out << caret_line(diagnostic.source_line, diagnostic.column) << '\n';
  }
  write_place(out, diagnostic);
  if (!diagnostic.hint.empty()) out << "  hint: " << diagnostic.hint.english() << '\n';
  return out.str();
}

Diagnostic usage_error(Message message, Message hint) {
  Diagnostic d;
  d.kind = DiagnosticKind::usage;
  d.file = "<launch>";
  d.message = std::move(message);
  d.hint = std::move(hint);
  return d;
}

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

void append(std::vector<Diagnostic>& all, std::vector<Diagnostic> found) {
  all.insert(all.end(), std::make_move_iterator(found.begin()),
             std::make_move_iterator(found.end()));
}

}  // namespace lanescope

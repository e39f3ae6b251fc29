// Clang's diagnostics as ours, with file, line, column and the line's text. Private to the files that
// include Clang.
#pragma once

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/LexDiagnostic.h>

#include <map>
#include <string>
#include <vector>

#include "frontend/headers/setup.h"
#include "lanescope/diagnostic.h"

namespace lanescope {

class Collector : public clang::DiagnosticConsumer {
 public:
  /// `names`: what files are called in messages, by the names that Clang knows them by. `main`: for
  /// a message without a place.
  Collector(std::map<std::string, std::string> names, std::string main,
            std::vector<Diagnostic>& out)
      : names_(std::move(names)), main_(std::move(main)), out_(out) {}

  /// What to say of a header that is nowhere.
  void hint_at_missing_headers(Message hint) { missing_header_ = std::move(hint); }

  /// The header, as the text names it, that is nowhere; empty if there is none.
  [[nodiscard]] const std::string& lacked_header() const { return lacked_; }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& info) override {
    clang::DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level < clang::DiagnosticsEngine::Warning && level != clang::DiagnosticsEngine::Note)
      return;
    // That it stops needs no words of its own.
    if (out_.size() >= kMost || info.getID() == clang::diag::fatal_too_many_errors) return;
    Diagnostic d;
    d.kind = DiagnosticKind::compile;
    d.severity = level == clang::DiagnosticsEngine::Note      ? Severity::note
                 : level == clang::DiagnosticsEngine::Warning ? Severity::warning
                                                              : Severity::error;
    llvm::SmallString<128> message;
    info.FormatDiagnostic(message);
    d.message = Message::verbatim(message.str().str());
    d.file = main_;
    if (info.hasSourceManager() && info.getLocation().isValid()) locate(info, d);
    if (info.getID() == clang::diag::err_pp_file_not_found) {
      d.hint = missing_header_;
      if (info.getNumArgs() > 0 && info.getArgKind(0) == clang::DiagnosticsEngine::ak_std_string)
        lacked_ = info.getArgStdStr(0);
    }
    out_.push_back(std::move(d));
  }

 private:
  static constexpr std::size_t kMost = 200;

  void locate(const clang::Diagnostic& info, Diagnostic& d) const {
    const clang::SourceManager& sources = info.getSourceManager();
    const clang::SourceLocation location = sources.getExpansionLoc(info.getLocation());
    const auto presumed = sources.getPresumedLoc(location);
    if (presumed.isInvalid()) return;
    const llvm::StringRef name = presumed.getFilename();
    const auto known = names_.find(name.str());
    d.file = known != names_.end()           ? known->second
             : name.starts_with(kIncludeDir) ? name.substr(sizeof("/lanescope/") - 1).str()
                                             : name.str();
    d.line = presumed.getLine();
    d.column = presumed.getColumn();
    bool invalid = false;
    const llvm::StringRef buffer = sources.getBufferData(sources.getFileID(location), &invalid);
    if (invalid) return;
    const std::size_t offset = sources.getFileOffset(location);
    const std::size_t begin = buffer.rfind('\n', offset == 0 ? 0 : offset - 1);
    const std::size_t from = begin == llvm::StringRef::npos || offset == 0 ? 0 : begin + 1;
    d.source_line = buffer.slice(from, buffer.find('\n', offset)).take_front(400).str();
  }

  const std::map<std::string, std::string> names_;
  const std::string main_;
  Message missing_header_;
  std::string lacked_;
  std::vector<Diagnostic>& out_;
};

}  // namespace lanescope

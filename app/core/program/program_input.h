// What a person types for a program's run, and the request that it makes.
#pragma once

#include <string>
#include <vector>

#include "core/kernel/settings.h"
#include "core/program/program_request.h"
#include "lanescope/message.h"

namespace lanescope::app {

/// As it stands in the fields.
struct ProgramInput {
  /// argv[1] …, as a shell has them: words, quotes around those with spaces
  std::string arguments;
  /// -D, -I and -std as compilers have them, --memory SIZE, and further source files; relative to the
  /// program's folder
  std::string flags;
  std::string standard_input;
  bool operator==(const ProgramInput&) const = default;
};

/// Whether the text defines `main`: it can be run as a program. Comments and strings do not count.
bool has_main(const std::string& text);

/// Words between spaces; a quote holds a word together, a backslash takes what follows as it is.
std::vector<std::string> words_of(const std::string& text);

struct ProgramRequestResult {
  ProgramRequest request;
  /// Why there is none; empty if there is
  Message problem;
};
/// The request for a program of this file, whose text may differ from what the disk has.
ProgramRequestResult make_program_request(const std::string& file, const std::string& text,
                                          const ProgramInput& input);

struct CompileFlagsResult {
  CompileFlags flags;
  /// Why they are none; empty if they are
  Message problem;
};
/// -D, -I and -std for a kernel of this file; folders are relative to the file's.
CompileFlagsResult compile_flags_from(const std::string& file, const std::string& text);
/// As they are typed.
std::string flags_text(const CompileFlags& flags);

/// The headers of the toolkit in that folder, or of the one that is installed; empty if there is none.
std::string toolkit_headers(const std::string& folder = {});
/// A .cu or C++ file, by its name.
bool is_source_file(const std::string& name);

}  // namespace lanescope::app

// What is compiled, from settings and front matter; and what was, kept for whoever asks for it again.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "core/kernel/front_matter.h"
#include "core/kernel/settings.h"
#include "lanescope/compile.h"

namespace lanescope::app {

/// The language's standards that a text may be written in.
const std::vector<std::string>& language_standards();

/// "N=1024" → {"N", "1024"}; "FAST" → {"FAST", "1"}.
MacroDefinition macro_of(const std::string& text);

/// What both say: folders one after the other; of a macro and of the standard, what is chosen. A front
/// matter's folders lie below the file's.
CompileFlags merged(const CompileFlags& chosen, const CompileFlags& front_matter,
                    const std::string& file);

/// The text with its macros, without a kernel or expressions. `parameters`: of the tunable ones.
CompileRequest compile_request(const Settings& settings, const FrontMatter& front_matter,
                               const std::map<std::string, std::string>& parameters,
                               std::stop_token stop = {});

struct CompiledText {
  CompileResult result;
  /// What compiling took when it was done
  double milliseconds = 0;
};

/// compile(), once for equal requests: the picture, the advice, the counts beside recorded times, a sweep and an undone
/// edit all ask for the same programs. Kept are the newest few dozen that have no errors and of which nothing but the
/// request decides what they are. May be called from several threads; who asks for what another is compiling waits
/// for it.
CompiledText compile_once(const CompileRequest& request);

}  // namespace lanescope::app

// LLVM IR → flat program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lanescope/diagnostic.h"
#include "lanescope/program.h"
#include "simt/access_text.h"

namespace llvm {
class Module;
}

namespace lanescope {

struct LowerInput {
  llvm::Module* module = nullptr;  ///< simplified: one kernel, everything inlined into it
  std::string symbol;              ///< the kernel's mangled name
  std::string name, file;          ///< as asked for; the kernel text's name for messages
  SourcePos declared;
  std::vector<ParameterInfo> parameters;
  const AccessTexts* texts = nullptr;
};

/// Null, with diagnostics, when the kernel cannot be executed at all. What it could not translate
/// but may never reach becomes a trap that reports itself when executed.
ProgramPtr lower(const LowerInput& input, std::vector<Diagnostic>& diagnostics);

}  // namespace lanescope

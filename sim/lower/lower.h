// LLVM IR → flat program.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lanescope/diagnostic.h"
#include "lanescope/program.h"
#include "lower/access_text.h"

namespace llvm {
class Module;
}

namespace lanescope {

/// A function so named, with a number of bits behind it, gives the value of a variable that nothing has
/// set; its argument tells variables apart, metadata of its call gives the name.
inline constexpr const char* kUnset = "lanescope_unset";
inline constexpr const char* kUnsetName = "lanescope.unset";
/// The scope of what is atomic among the threads of a block alone, as LLVM names NVPTX's.
inline constexpr const char* kBlockScope = "block";

struct LowerInput {
  /// Simplified: one kernel, everything inlined into it
  llvm::Module* module = nullptr;
  /// The kernel's mangled name
  std::string symbol;
  /// As asked for; the kernel text's name for messages
  std::string name, file;
  SourcePos declared;
  std::vector<ArgumentInfo> arguments;
  const AccessTexts* texts = nullptr;
  /// What the compiler calls the kernel text: positions in other files are left out
  std::string path = "/lanescope/kernel.cu";
  /// Where the module's variables are, by symbol, when somebody else holds them; may be null
  const std::map<std::string, std::uint64_t>* variables = nullptr;
  /// From __launch_bounds__; 0 if the text has none
  std::uint32_t most_threads = 0;
  /// Blocks that are launched together
  Dim3 cluster = {};
};

/// Null, with diagnostics, when the kernel cannot be executed at all. What it could not translate
/// but may never reach becomes a trap that reports itself when executed.
ProgramPtr lower(const LowerInput& input, std::vector<Diagnostic>& diagnostics);

}  // namespace lanescope

// The kernel text through NVRTC: the same text and macros that the simulator compiled.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu/driver/libraries.h"
#include "lanescope/diagnostic.h"

namespace lanescope::gpu {

struct CompileInput {
  std::string file, text;
  /// Name expression: "k_smem<float,32>"
  std::string function;
  std::map<std::string, std::string> macros;
  /// Of the device
  int compute_major = 0, compute_minor = 0;
};

struct CompileOutput {
  /// A cubin, or PTX where NVRTC does not know the device; empty after an error
  std::vector<char> image;
  /// The function's name in it
  std::string symbol;
  std::vector<Diagnostic> diagnostics;
};
/// `libraries.nvrtc` must be there.
CompileOutput compile_for_device(const Libraries& libraries, const CompileInput& input);

/// NVRTC's log ("k.cu(3): error: …", the source line, a caret) as diagnostics with line and column.
/// Messages about other files keep their file; remarks and totals are left out.
std::vector<Diagnostic> parse_nvrtc_log(const std::string& log, const std::string& text);

}  // namespace lanescope::gpu

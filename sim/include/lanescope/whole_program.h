// Whole CUDA programs: texts with a main(), their host code for this machine and their kernels for the
// simulator, from one compilation of each text for either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "lanescope/compile.h"
#include "lanescope/diagnostic.h"
#include "lanescope/program.h"

namespace lanescope {

struct WholeProgramRequest {
  /// Paths of .cu and C++ files; what they include is read from disk
  std::vector<std::string> files;
  /// Instead of what a file holds on disk: an editor's text, by path
  std::map<std::string, std::string> texts;
  /// -I
  std::vector<std::string> include_folders;
  /// -D
  std::vector<MacroDefinition> macros;
  /// -std
  std::string standard = "c++17";
  /// Folder of a CUDA toolkit's headers, for those that we lack; empty: none
  std::string cuda_headers;
  /// Where what every text begins with is kept, parsed, from one compilation to the next; empty: nowhere
  std::string kept_folder;
  /// Leave the host code out: for whoever has launches already
  bool device_only = false;
  std::stop_token stop = {};
};

/// A `__device__`, `__constant__` or `__managed__` variable of one text.
struct GlobalVariableInfo {
  std::string symbol;
  /// As written
  std::string name;
  std::uint64_t bytes = 0, align = 1;
  bool constant = false;
  /// One address for host and device: the host's variable holds it
  bool managed = false;
  /// What it holds before the program begins; `bytes` long
  std::vector<std::byte> initial;
};

/// Device code of one text: makes kernels when they are first launched. Thread-safe.
class DeviceCode {
 public:
  virtual ~DeviceCode() = default;
  /// Null, with diagnostics, when there is no such kernel or it cannot be executed. `addresses`: where
  /// the text's variables are, by symbol.
  virtual ProgramPtr kernel(const std::string& symbol,
                            const std::map<std::string, std::uint64_t>& addresses,
                            std::vector<Diagnostic>& diagnostics) const = 0;
  /// "reduce<float, 256>"; empty if the text has no such kernel
  [[nodiscard]] virtual std::string kernel_name(const std::string& symbol) const = 0;
  /// From __launch_bounds__; 0 if the text has none
  [[nodiscard]] virtual std::uint32_t most_threads(const std::string& symbol) const = 0;
  [[nodiscard]] virtual std::vector<GlobalVariableInfo> variables() const = 0;
};

/// One text, compiled.
struct CompiledText {
  std::string file;
  /// LLVM bitcode for this machine
  std::string host;
  /// Null for a C++ file
  std::shared_ptr<const DeviceCode> device;
};

struct WholeProgramResult {
  /// One for each file, in that order; empty when there are errors
  std::vector<CompiledText> texts;
  std::vector<Diagnostic> diagnostics;
};

/// Thread-safe; never throws, never prints. The texts' kernels are registered by their host code with
/// a pseudo device image that holds the text's index in decimal.
WholeProgramResult compile_whole_program(const WholeProgramRequest& request);

}  // namespace lanescope

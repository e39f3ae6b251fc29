// What the Clang side hands to lowering: LLVM IR of one kernel, and what only the syntax tree
// knows.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lanescope/compile.h"
#include "lower/access_text.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace lanescope {

struct IrModule {
  IrModule();
  ~IrModule();
  IrModule(IrModule&&) noexcept;
  IrModule& operator=(IrModule&&) noexcept;

  std::unique_ptr<llvm::LLVMContext> context;  // outlives the module: declared first
  std::unique_ptr<llvm::Module> module;
  /// The kernel's mangled name in the module
  std::string symbol;
  /// As asked for, or the only kernel's
  std::string name;
  /// What the compiler called the text
  std::string path;
  SourcePos declared;
  /// From __launch_bounds__; 0 if the text has none
  std::uint32_t most_threads = 0;
  Dim3 cluster;
  std::vector<ArgumentInfo> arguments;
  AccessTexts texts;
  /// A header was not found, and the text read on without it
  bool lacks_header = false;
};

/// Parses, and when `make_code` also makes IR. Fills result's kernels, values and diagnostics.
/// The returned module is null when there are errors or nothing was to be made.
IrModule parse_kernel(const CompileRequest& request, bool make_code, CompileResult& result);

}  // namespace lanescope

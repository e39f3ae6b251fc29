// Text → program: any self-contained CUDA C++ file, through Clang and LLVM IR, in process.
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "lanescope/diagnostic.h"
#include "lanescope/program.h"

namespace lanescope {

struct MacroDefinition {
  std::string name, value;
};

/// A C++ constant expression to be evaluated in the scope of the kernel text, after it. Earlier
/// ones may be used by later ones under their name; `ceil_div(a, b)` is always at hand.
struct ConstantExpression {
  /// An identifier
  std::string name;
  /// "ceil_div(nx, BDIMX)"
  std::string text;
};

struct CompileRequest {
  /// For messages only; nothing is read from disk
  std::string file = "kernel.cu";
  std::string text;
  std::vector<MacroDefinition> macros;
  /// -I: beside its own folder and the system's, what a text may include from
  std::vector<std::string> include_folders;
  /// -std
  std::string standard = "c++17";
  /// A kernel's name, or a template instance as NVRTC's name expressions write it: `k<float,32>`.
  /// Empty: the only kernel in the file; with several (or none) that is an error which lists them.
  std::string kernel;
  std::vector<ConstantExpression> expressions;
  /// Where what texts from a tree begin with is kept, parsed, from one compilation to the next; empty: nowhere
  std::string kept_folder;
  /// Asked now and then; a compilation that is stopped ends with an error of its own.
  std::stop_token stop;
};

/// A kernel found in a text, whether or not it can be instantiated.
struct KernelEntry {
  std::string name;
  bool is_template = false;
  /// "class T", "int BX"
  std::vector<std::string> template_parameters;
  /// By parameter: "256"; empty where it has no default
  std::vector<std::string> template_defaults;
  std::vector<ArgumentInfo> arguments;
  SourcePos declared;
};

struct CompileResult {
  /// Null when there are errors
  ProgramPtr program;
  /// Every kernel of the text, in order, even when compilation failed later
  std::vector<KernelEntry> kernels;
  /// Of CompileRequest::expressions
  std::map<std::string, long long> values;
  /// Errors and warnings, in order of occurrence
  std::vector<Diagnostic> diagnostics;
  /// Headers of the disk were looked at: the same request may come to something else tomorrow.
  bool read_files = false;
};

/// Thread-safe; two calls may run at once. Never throws, never prints, never ends the process: a
/// crash inside the compiler becomes an `internal` diagnostic.
CompileResult compile(const CompileRequest& request);

/// Only finds the kernels (parses, makes no code); diagnostics as for `compile`.
CompileResult list_kernels(const CompileRequest& request);

/// A launch found in the text's host code: `kernel<<<grid, block, shared>>>(arguments)`, or a call such as
/// `cudaLaunchKernel`. A variable that stands for the kernel is replaced by what it was set to.
struct LaunchSite {
  /// With its template arguments, where they are known: those of a launcher that is a template itself are
  /// replaced by what it is called with.
  std::string kernel;
  /// Of the `<<<`, or of the call
  SourcePos pos;
  std::string grid_text, block_text, shared_text;
  std::vector<std::string> arguments;
  // Known when the texts are constant expressions, through `dim3` and integer variables set before
  // the launch.
  std::optional<Dim3> grid, block;
  std::optional<std::uint64_t> shared_bytes;
};

/// Every launch of the text, in order; empty when there is none or the text cannot be parsed.
/// Compiles the text once or more for each; meant for files without front matter.
std::vector<LaunchSite> find_launches(const CompileRequest& request);

/// A template instance that the text names, in a launch or elsewhere: `k<float, 256>`.
struct NamedInstance {
  std::string name;
  SourcePos pos;
};
/// Of these templates, in order, each once. By its words alone: what an instance is named by may be known
/// only where it stands.
std::vector<NamedInstance> find_instances(const std::string& text,
                                          const std::vector<std::string>& templates);

}  // namespace lanescope

// The pipeline from text to program, a named step per line, guarded against crashes of the
// compiler.
#include "lanescope/compile.h"

#include <llvm/IR/Module.h>

#include <algorithm>
#include <memory>

#include "frontend/clang_frontend.h"
#include "frontend/crash_guard.h"
#include "frontend/passes/ir_passes.h"
#include "lower/lower.h"
#include "model/simulator_messages.h"

namespace lanescope {
namespace {

Diagnostic error_in(const CompileRequest& request, Message message, Message hint = {}) {
  Diagnostic d;
  d.kind = DiagnosticKind::usage;
  d.file = request.file;
  d.message = std::move(message);
  d.hint = std::move(hint);
  return d;
}

std::string names_of(const std::vector<KernelEntry>& kernels) {
  std::string text;
  for (const KernelEntry& kernel : kernels) {
    text += text.empty() ? kernel.name : ", " + kernel.name;
    if (!kernel.is_template) continue;
    std::string parameters;
    for (const std::string& parameter : kernel.template_parameters)
      parameters += (parameters.empty() ? "" : ", ") + parameter;
    text += "<" + parameters + ">";
  }
  return text;
}

bool may_be_name(const std::string& kernel) {
  return kernel.find_first_of(";{}#\"\\\n") == std::string::npos;
}

/// The kernel to make: the one asked for, or the only one. Empty, with an error, when that is not
/// clear.
std::string choose_kernel(const CompileRequest& request, const std::vector<KernelEntry>& kernels,
                          std::vector<Diagnostic>& out) {
  if (kernels.empty()) {
    out.push_back(error_in(request, say::no_kernel, say::kernel_is_global));
    return {};
  }
  if (!may_be_name(request.kernel)) {
    out.push_back(error_in(request, say::no_kernel_name(request.kernel),
                           say::its_kernels(names_of(kernels))));
    return {};
  }
  if (request.kernel.empty()) {
    if (kernels.size() == 1 && !kernels[0].is_template) return kernels[0].name;
    if (kernels.size() == 1)
      out.push_back(error_in(request, say::kernel_is_template(kernels[0].name),
                             say::instance_for_example(kernels[0].name, names_of(kernels))));
    else
      out.push_back(
          error_in(request, say::several_kernels, say::choose_a_kernel(names_of(kernels))));
    return {};
  }
  const std::string bare = request.kernel.substr(0, request.kernel.find('<'));
  const auto same = [&bare](const KernelEntry& k) {
    return k.name == bare || k.name.ends_with("::" + bare) || "::" + k.name == bare;
  };
  if (std::none_of(kernels.begin(), kernels.end(), same)) {
    out.push_back(
        error_in(request, say::kernel_not_in_file(bare), say::its_kernels(names_of(kernels))));
    return {};
  }
  return request.kernel;
}

/// An expression may be of any type to the compiler; what is asked for are integers.
void check_values(const CompileRequest& request, CompileResult& result) {
  for (const ConstantExpression& expression : request.expressions) {
    if (result.values.count(expression.name) != 0) continue;
    Diagnostic d = error_in(request, say::no_integer_constant(expression.text));
    d.file = "<launch: " + expression.name + ">";
    d.line = 1;
    result.diagnostics.push_back(std::move(d));
  }
}

void compile_unguarded(const CompileRequest& request, bool make_code, CompileResult& result) {
  IrModule module;
  const bool unclear = request.kernel.empty() || !may_be_name(request.kernel);
  if (!make_code || unclear) {
    CompileRequest plain = request;
    plain.kernel.clear();
    module = parse_kernel(plain, false, result);
    if (!make_code || has_errors(result.diagnostics)) return;
  }
  CompileRequest named = request;
  if (unclear) {
    named.kernel = choose_kernel(request, result.kernels, result.diagnostics);
    if (named.kernel.empty()) return;
    result = {};
  }
  module = parse_kernel(named, true, result);
  if (!module.module) {
    // Behind a brace that is never closed, even what was added to the text is wrong: report the
    // text alone.
    const bool added_is_wrong =
        std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                    [](const Diagnostic& d) { return d.file == "<launch>"; });
    if (added_is_wrong) {
      CompileRequest plain = request;
      plain.kernel.clear();
      plain.expressions.clear();
      CompileResult alone;
      parse_kernel(plain, false, alone);
      if (has_errors(alone.diagnostics)) result.diagnostics = std::move(alone.diagnostics);
      return;
    }
    // A name that is not there gives the compiler's own, less helpful, error.
    std::vector<Diagnostic> better;
    const bool only_launch =
        std::all_of(result.diagnostics.begin(), result.diagnostics.end(), [](const Diagnostic& d) {
          return d.severity != Severity::error || d.file == "<kernel>";
        });
    if (only_launch && choose_kernel(named, result.kernels, better).empty())
      result.diagnostics = std::move(better);
    return;
  }
  if (module.symbol.empty()) {
    if (!choose_kernel(named, result.kernels, result.diagnostics).empty())
      result.diagnostics.push_back(error_in(request, say::is_no_kernel(named.kernel),
                                            say::its_kernels(names_of(result.kernels))));
    return;
  }
  check_values(request, result);
  simplify_ir(*module.module, module.symbol, module.texts, module.cluster);
  result.program = lower({module.module.get(), module.symbol, named.kernel, request.file,
                          module.declared, module.arguments, &module.texts, module.path, nullptr,
                          module.most_threads, module.cluster},
                         result.diagnostics);
}

void add_source_lines(const CompileRequest& request, std::vector<Diagnostic>& diagnostics) {
  for (Diagnostic& d : diagnostics) {
    if (d.file == "<kernel>") d.source_line = request.kernel, d.column = 0;
    for (const ConstantExpression& expression : request.expressions)
      if (d.file == "<launch: " + expression.name + ">" && d.source_line != expression.text)
        d.source_line = expression.text, d.column = 0;
  }
}

CompileResult guarded(const CompileRequest& request, bool make_code) {
  CompileResult result;
  const bool survived = survives([&] { compile_unguarded(request, make_code, result); });
  if (!survived) {
    result.program = nullptr;
    Diagnostic d = error_in(request, say::compiler_crashed, say::undo_last_change);
    d.kind = DiagnosticKind::internal;
    result.diagnostics.push_back(std::move(d));
  }
  add_source_lines(request, result.diagnostics);
  if (has_errors(result.diagnostics)) result.program = nullptr;
  return result;
}

}  // namespace

CompileResult compile(const CompileRequest& request) { return guarded(request, true); }
CompileResult list_kernels(const CompileRequest& request) { return guarded(request, false); }

}  // namespace lanescope

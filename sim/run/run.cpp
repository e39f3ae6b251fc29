// Launches: what is asked is checked, then run.
#include "lanescope/run.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "run/grid_run.h"

namespace lanescope {
namespace {

Diagnostic usage(std::string message, std::string hint = {}) {
  Diagnostic d;
  d.kind = DiagnosticKind::usage;
  d.file = "<launch>";
  d.message = std::move(message);
  d.hint = std::move(hint);
  return d;
}

bool parses_as(ScalarType type, const std::string& text) {
  if (type == ScalarType::boolean && (text == "true" || text == "false")) return true;
  if (text.empty()) return false;
  char* end = nullptr;
  errno = 0;
  if (type == ScalarType::f32 || type == ScalarType::f64) {
    std::strtod(text.c_str(), &end);
    return *end == '\0';
  }
  const std::size_t bytes = scalar_bytes(type);
  const bool is_signed = type == ScalarType::i8 || type == ScalarType::i16 ||
                         type == ScalarType::i32 || type == ScalarType::i64;
  if (type == ScalarType::u64) {
    std::strtoull(text.c_str(), &end, 0);
    return *end == '\0' && errno == 0 && text[0] != '-';
  }
  const long long value = std::strtoll(text.c_str(), &end, 0);
  if (*end != '\0' || errno != 0 || bytes == 0) return false;
  if (bytes >= 8) return true;
  const long long high = is_signed ? (1ll << (8 * bytes - 1)) - 1 : (1ll << (8 * bytes)) - 1;
  return value <= high && value >= (is_signed ? -high - 1 : 0);
}

}  // namespace

std::vector<Diagnostic> check_arguments(const Program& program, const Launch& launch,
                                        const GlobalMemory& memory) {
  std::vector<Diagnostic> out;
  const std::vector<ArgumentInfo>& parameters = program.info().arguments;
  std::string known;
  for (const ArgumentInfo& parameter : parameters)
    known += (known.empty() ? "" : ", ") + parameter.name + " (" + parameter.type_text + ")";
  for (const Argument& argument : launch.arguments)
    if (std::none_of(parameters.begin(), parameters.end(),
                     [&](const ArgumentInfo& p) { return p.name == argument.name; }))
      out.push_back(usage("the kernel has no parameter '" + argument.name + "'",
                          "its parameters are: " + known));
  for (const ArgumentInfo& parameter : parameters) {
    const auto argument = std::find_if(launch.arguments.begin(), launch.arguments.end(),
                                       [&](const Argument& a) { return a.name == parameter.name; });
    if (argument == launch.arguments.end()) {
      out.push_back(usage("no argument for parameter '" + parameter.name + "' (" +
                          parameter.type_text + ")"));
    } else if (parameter.is_pointer) {
      if (argument->buffer.empty())
        out.push_back(usage("parameter '" + parameter.name + "' is a pointer (" +
                            parameter.type_text + ") and needs a buffer"));
      else if (argument->buffer != "null" && memory.find(argument->buffer) == nullptr)
        out.push_back(usage("there is no buffer '" + argument->buffer + "' for parameter '" +
                            parameter.name + "'"));
    } else if (!argument->buffer.empty()) {
      out.push_back(usage("parameter '" + parameter.name + "' is a scalar (" + parameter.type_text +
                          ") and cannot take a buffer"));
    } else if (parameter.type == ScalarType::unknown || parameter.components != 1) {
      out.push_back(usage("parameter '" + parameter.name + "' is of type " + parameter.type_text +
                          ", which cannot be given as an argument"));
    } else if (!parses_as(parameter.type, argument->scalar)) {
      out.push_back(usage("'" + argument->scalar + "' is no value for parameter '" +
                          parameter.name + "' of type " + parameter.type_text));
    }
  }
  return out;
}

RunResult run(const Program& program, const Launch& launch, GlobalMemory& memory,
              const RunOptions& options) {
  RunResult result;
  result.diagnostics = check_arguments(program, launch, memory);
  if (launch.block.count() == 0 || launch.block.count() > 1024)
    result.diagnostics.push_back(usage("a block of " + std::to_string(launch.block.count()) +
                                       " threads: 1 to 1024 are possible"));
  if (launch.grid.count() == 0) result.diagnostics.push_back(usage("an empty grid"));
  for (const Dim3& block : options.blocks)
    if (block.x >= launch.grid.x || block.y >= launch.grid.y || block.z >= launch.grid.z)
      result.diagnostics.push_back(usage("block (" + std::to_string(block.x) + ", " +
                                         std::to_string(block.y) + ", " + std::to_string(block.z) +
                                         ") is outside the grid"));
  if (!result.ok()) return result;
  return run_grid(dynamic_cast<const FlatProgram&>(program), launch, memory, options);
}

}  // namespace lanescope

// What is wrong with a request before anything runs.
#include "run/check_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>

#include "model/simulator_messages.h"

namespace lanescope {
namespace {

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

/// What is wrong with the argument of one parameter, which may be missing.
std::optional<Diagnostic> check_argument(const ArgumentInfo& parameter, const Argument* argument,
                                         const GlobalMemory& memory) {
  const std::string &name = parameter.name, &type = parameter.type_text;
  if (argument == nullptr) return usage_error(say::no_argument(name, type));
  const std::string &buffer = argument->buffer, &scalar = argument->scalar;
  if (!argument->bytes.empty()) {
    if (argument->bytes.size() != parameter.bytes)
      return usage_error(say::type_cannot_be_given(name, type));
    for (const auto& [offset, pointed] : argument->pointers)
      if (memory.find(pointed) == nullptr || offset + 8 > argument->bytes.size())
        return usage_error(say::no_such_buffer(pointed, name));
    return std::nullopt;
  }
  if (parameter.is_pointer) {
    if (buffer.empty()) return usage_error(say::pointer_needs_buffer(name, type));
    if (buffer != "null" && memory.find(buffer) == nullptr)
      return usage_error(say::no_such_buffer(buffer, name));
    return std::nullopt;
  }
  if (!buffer.empty()) return usage_error(say::scalar_takes_no_buffer(name, type));
  if (parameter.type == ScalarType::unknown || parameter.components != 1)
    return usage_error(say::type_cannot_be_given(name, type));
  if (!parses_as(parameter.type, scalar))
    return usage_error(say::no_value_for_parameter(scalar, name, type));
  return std::nullopt;
}

}  // namespace

std::vector<Diagnostic> check_arguments(const Program& program, const Launch& launch,
                                        const GlobalMemory& memory) {
  std::vector<Diagnostic> out;
  const std::vector<ArgumentInfo>& parameters = program.info().arguments;
  std::string known;
  for (const ArgumentInfo& p : parameters)
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", p.name, p.type_text);
  for (const Argument& argument : launch.arguments)
    if (std::none_of(parameters.begin(), parameters.end(),
                     [&](const ArgumentInfo& p) { return p.name == argument.name; }))
      out.push_back(usage_error(say::unknown_parameter(argument.name), say::its_parameters(known)));
  for (const ArgumentInfo& parameter : parameters) {
    const auto argument = std::find_if(launch.arguments.begin(), launch.arguments.end(),
                                       [&](const Argument& a) { return a.name == parameter.name; });
    const Argument* given = argument == launch.arguments.end() ? nullptr : &*argument;
    if (auto wrong = check_argument(parameter, given, memory)) out.push_back(std::move(*wrong));
  }
  return out;
}

std::vector<Diagnostic> check_request(const Program& program, const Launch& launch,
                                      const GlobalMemory& memory, const std::vector<Dim3>& blocks) {
  std::vector<Diagnostic> out = check_arguments(program, launch, memory);
  if (launch.block.count() == 0 || launch.block.count() > 1024)
    out.push_back(usage_error(say::block_size_impossible(launch.block.count())));
  if (launch.grid.count() == 0) out.push_back(usage_error(say::empty_grid));
  for (const Dim3& block : blocks)
    if (block.x >= launch.grid.x || block.y >= launch.grid.y || block.z >= launch.grid.z)
      out.push_back(usage_error(say::block_outside_grid(block.x, block.y, block.z)));
  return out;
}

}  // namespace lanescope

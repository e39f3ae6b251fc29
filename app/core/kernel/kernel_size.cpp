#include "core/kernel/kernel_size.h"

#include <algorithm>

#include "core/text/messages.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

// Scalars that the buffers' extents are made of.
std::vector<std::string> extents_of(const FrontMatter& matter) {
  std::vector<std::string> names;
  for (const ArgumentSpec& spec : matter.arguments) {
    const bool used =
        spec.shape.empty() &&
        std::any_of(matter.arguments.begin(), matter.arguments.end(), [&](const ArgumentSpec& b) {
          return std::find(b.shape.begin(), b.shape.end(), spec.name) != b.shape.end();
        });
    if (used) names.push_back(spec.name);
  }
  return names;
}

}  // namespace

std::optional<MatrixSize> parse_size(const std::string& text) {
  const std::size_t by = text.find('x');
  const auto rows = parse_unsigned(text.substr(0, by));
  const auto cols = by == std::string::npos ? rows : parse_unsigned(text.substr(by + 1));
  if (!rows || !cols || *rows == 0 || *cols == 0) return std::nullopt;
  return MatrixSize{*rows, *cols};
}

Message apply_size(const FrontMatter& matter, MatrixSize size, Settings& settings) {
  if (matter.reference.kind == "none") return {};
  const std::vector<std::string> names = extents_of(matter);
  const auto input =
      std::find_if(matter.arguments.begin(), matter.arguments.end(), [&](const ArgumentSpec& spec) {
        return !matter.reference.inputs.empty() && spec.name == matter.reference.inputs.front();
      });
  if (size.rows != size.cols) {
    if (names.size() != 2 || input == matter.arguments.end() || input->shape.size() != 2)
      return say::not_matrices;
    settings.arguments[input->shape[0]] = std::to_string(size.rows);
    settings.arguments[input->shape[1]] = std::to_string(size.cols);
    return {};
  }
  for (const std::string& name : names) settings.arguments[name] = std::to_string(size.rows);
  return {};
}

std::string size_of(const std::map<std::string, std::string>& arguments) {
  if (arguments.empty()) return "";
  const std::string& first = arguments.begin()->second;
  const bool same = std::all_of(arguments.begin(), arguments.end(),
                                [&](const auto& argument) { return argument.second == first; });
  if (same) return first;
  const auto rows = arguments.find("ny"), cols = arguments.find("nx");
  if (arguments.size() == 2 && rows != arguments.end() && cols != arguments.end())
    return rows->second + "x" + cols->second;
  std::string text;
  for (const auto& [name, value] : arguments)
    text += (text.empty() ? "" : " ") + name + "=" + value;
  return text;
}

}  // namespace lanescope::app

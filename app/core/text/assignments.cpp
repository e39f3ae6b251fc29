#include "core/text/assignments.h"

#include <fmt/format.h>

namespace lanescope::app {

std::string assignments(const std::map<std::string, std::string>& values) {
  std::string text;
  for (const auto& [name, value] : values)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

}  // namespace lanescope::app

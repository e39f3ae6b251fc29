// Values in braces, as C++ initialises a struct: {1, 2.5, {3, 4}}.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::app {

struct Braced {
  /// As it was written
  std::string text;
  bool is_list = false;
  /// Of a list
  std::vector<Braced> items;
};
/// Nullopt where braces do not match, or a value is missing between two commas. A comma behind the last
/// value is nothing.
std::optional<Braced> parse_braced(std::string_view text);

}  // namespace lanescope::app

#include "core/text/utf8.h"

#include <utf8.h>

namespace lanescope::app {

std::u32string code_points(std::string_view text) {
  std::u32string result;
  for (auto at = text.begin(); at != text.end();) {
    const auto invalid = utf8::find_invalid(at, text.end());
    while (at != invalid) result += utf8::unchecked::next(at);
    if (at != text.end()) result += static_cast<unsigned char>(*at++);
  }
  return result;
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (auto at = text.begin(); at != text.end();) {
    const auto invalid = utf8::find_invalid(at, text.end());
    count += static_cast<std::size_t>(utf8::unchecked::distance(at, invalid));
    at = invalid;
    if (at != text.end()) ++at, ++count;
  }
  return count;
}

}  // namespace lanescope::app

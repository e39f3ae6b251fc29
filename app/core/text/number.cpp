#include "core/text/number.h"

#include <fmt/format.h>

namespace lanescope::app {

// By hand: fmt groups by the locale alone, with a separator of one byte.
std::string grouped(std::uint64_t value, std::string_view separator) {
  std::string text = fmt::format_int(value).str();
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, separator);
  return text;
}

std::string fixed(double value, int digits, Zeros zeros) {
  std::string text = fmt::format("{:.{}f}", value, digits);
  if (zeros == Zeros::kept || text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string percent(double share, Zeros zeros) { return fixed(100 * share, 1, zeros) + " %"; }

}  // namespace lanescope::app

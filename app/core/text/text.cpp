#include "core/text/text.h"

#include <fmt/format.h>
#include <utf8.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <ctime>

namespace lanescope::app {

namespace {

template <class T>
std::optional<T> parse_whole(std::string_view text) {
  text = trim(text);
  bool negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  if (text.empty() || !std::isxdigit(static_cast<unsigned char>(text.front()))) return std::nullopt;
  const std::string digits = (negative ? "-" : "") + std::string(text);
  T value{};
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::optional<long long> parse_integer(std::string_view text) {
  return parse_whole<long long>(text);
}

std::optional<unsigned long long> parse_unsigned(std::string_view text) {
  return parse_whole<unsigned long long>(text);
}

std::optional<double> parse_real(std::string_view text) {
  const std::string copy(trim(text));
  if (copy.empty()) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (*end == 'f' && end != copy.c_str()) ++end;
  return *end == '\0' ? std::optional(value) : std::nullopt;
}

std::optional<Dim3> parse_dim3(std::string_view text) {
  Dim3 result;
  std::uint32_t* const parts[] = {&result.x, &result.y, &result.z};
  for (std::uint32_t* part : parts) {
    const std::size_t comma = text.find(',');
    const auto value = parse_unsigned(text.substr(0, comma));
    if (!value || *value > 0xffffffffull) return std::nullopt;
    *part = static_cast<std::uint32_t>(*value);
    if (comma == std::string_view::npos) return result;
    text.remove_prefix(comma + 1);
  }
  return std::nullopt;
}

std::string dim3_text(Dim3 value) { return fmt::format("{},{},{}", value.x, value.y, value.z); }

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
  return text;
}

bool is_identifier(std::string_view text) {
  const auto letter = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front())) &&
         std::all_of(text.begin(), text.end(), letter);
}

bool is_utf8(std::string_view text) { return utf8::is_valid(text.begin(), text.end()); }

std::string line_of(std::string_view text, std::uint32_t number) {
  for (std::uint32_t line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    if (line == number) {
      std::string_view found = text.substr(0, end);
      if (found.ends_with('\r')) found.remove_suffix(1);
      return std::string(found);
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return {};
}

std::string listed(const std::vector<std::string>& items) {
  std::string result;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) result += i + 1 == items.size() ? " and " : ", ";
    result += items[i];
  }
  return result;
}

Diagnostic usage_error(std::string file, Message message, Message hint) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::usage;
  diagnostic.file = std::move(file);
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  return diagnostic;
}

Diagnostic launch_error(Message message, Message hint) {
  return usage_error("<launch>", std::move(message), std::move(hint));
}

}  // namespace lanescope::app

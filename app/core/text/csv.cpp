#include "core/text/csv.h"

namespace lanescope::app {

namespace {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

}  // namespace

std::string csv_line(const std::vector<std::string>& fields, std::string_view end) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) line += (i > 0 ? "," : "") + csv_field(fields[i]);
  return line.append(end);
}

std::string no_formula(const std::string& field) {
  const bool formula = !field.empty() && std::string_view("=+-@\t\r").find(field[0]) < 6;
  return formula ? "'" + field : field;
}

}  // namespace lanescope::app

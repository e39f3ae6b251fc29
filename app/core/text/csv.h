// Comma-separated values as RFC 4180 describes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::app {

inline constexpr std::string_view kCsvLineEnd = "\r\n";

/// The fields with commas between, quoted where they have commas, quotes or line ends. What is
/// printed on a terminal ends in "\n" alone.
std::string csv_line(const std::vector<std::string>& fields, std::string_view end = kCsvLineEnd);

/// A field that somebody else chose: what a spreadsheet would run as a formula begins with an apostrophe,
/// which makes it text.
std::string no_formula(const std::string& field);

}  // namespace lanescope::app

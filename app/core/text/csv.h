// Comma-separated values as RFC 4180 describes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::app {

/// The field as it stands, or quoted where it has commas, quotes or line ends.
std::string csv_field(std::string_view text);

/// The fields with commas between, ended by CR LF.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace lanescope::app

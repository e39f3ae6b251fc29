// Characters of a text. A name of a file need not be UTF-8: what is none counts byte by byte.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanescope::app {

std::u32string code_points(std::string_view text);
/// How many `code_points` there are.
std::size_t count_code_points(std::string_view text);

}  // namespace lanescope::app

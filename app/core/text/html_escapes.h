// Texts as a page and an address hold them. Pure.
#pragma once

#include <string>
#include <string_view>

namespace lanescope::app {

/// With &amp; and its like for what has a meaning in HTML.
std::string escaped_html(std::string_view text);
/// With %20 and its like for all but letters, digits and -_.~
std::string escaped_url(std::string_view text);

}  // namespace lanescope::app

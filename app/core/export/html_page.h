// Pages of HTML that need no other file and no script, and print.
#pragma once

#include <string>
#include <vector>

namespace lanescope::app {

/// A cell of a table, of HTML; `kind` is a class of the page's style: "l" stands to the left, "t" is code.
std::string cell(const std::string& html, const char* kind = "");
/// A row of headings; "<" in front: to the left.
std::string head(const std::vector<std::string>& titles);

/// Up to the first heading, which is the title.
std::string html_begin(const std::string& title);
inline constexpr const char* kHtmlEnd = "</body>\n</html>\n";

}  // namespace lanescope::app

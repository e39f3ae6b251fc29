// A name and what it is, side by side.
#pragma once

#include <string>

namespace lanescope::app {

/// A row of the table of two columns that is being drawn; the name is pale.
void named_value(const char* name, const std::string& value);

}  // namespace lanescope::app

// Settings as people read them.
#pragma once

#include <map>
#include <string>

namespace lanescope::app {

/// "PAD=1 BDIMX=32".
std::string assignments(const std::map<std::string, std::string>& values);

}  // namespace lanescope::app

// Memory that a program asks the host for holds zeros, as most of what a process of its own gets does:
// what this process has freed before the program began would be found in it.
#pragma once

#include <vector>

#include "lanescope/host_code.h"

namespace lanescope::app {

/// Stand in for malloc and operator new.
std::vector<HostFunction> fresh_memory();

}  // namespace lanescope::app

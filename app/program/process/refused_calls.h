// Calls that the sandbox refuses, told with their line: a program that only sees them fail says little.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lanescope/host_code.h"

namespace lanescope::app {

/// Stand in for the C library's functions of these names: fork and its like fail as the sandbox makes
/// them, fopen is the real one. `told` hears what was refused, and where it was asked for. In
/// `work_folder` (work_folder.h) fopen writes files anew where links stand.
std::vector<HostFunction>
refused_calls(std::function<void(const std::string& what, const void* caller)> told,
              std::string work_folder = {});

}  // namespace lanescope::app

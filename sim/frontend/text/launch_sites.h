// Launches in host code, found in the token stream: host bodies are never compiled.
#pragma once

#include <string>
#include <vector>

#include "frontend/text/tokens.h"
#include "lanescope/compile.h"

namespace lanescope {

/// `dim3 grid((n + 31) / 32);` or `const int n = 1024;` before a launch: what its shape may be made
/// of.
struct HostConstant {
  std::string name, text;
  /// Index of its token
  std::size_t order = 0;
};

struct RawLaunch {
  /// Texts and position; shapes not evaluated
  LaunchSite site;
  std::size_t order = 0;
};

struct HostScan {
  std::vector<HostConstant> constants;
  std::vector<RawLaunch> launches;
};

HostScan scan_host(const std::vector<RawToken>& tokens);

}  // namespace lanescope

// Launches in host code, found in the token stream: host bodies are never compiled.
#pragma once

#include <string>
#include <vector>

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

/// In clang_frontend.cpp.
struct RawToken {
  std::string text;
  SourcePos pos;
  bool is_identifier = false;
};
std::vector<RawToken> raw_tokens(const std::string& text);

HostScan scan_host(const std::vector<RawToken>& tokens);

}  // namespace lanescope

// Bounds of a process that is about to run somebody else's native code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::app {

struct SandboxOptions {
  /// Folders that may be written to
  std::vector<std::string> writable;
};

/// For this process and its threads, for good: no network, no other programs and processes, no new
/// privileges, no writing outside the folders. Where the machine runs out of memory, this process is
/// what the kernel ends first. Returns what this machine's kernel could not promise.
std::vector<std::string> enter_sandbox(const SandboxOptions& options);

}  // namespace lanescope::app

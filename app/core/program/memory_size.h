// Sizes of memory as people write them, and how much a program may take unless it is told otherwise.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::app {

/// "512M", "16G", "1.5GiB", "4096": bytes, by powers of 1024. Nothing where it is no size above 0.
std::optional<std::uint64_t> size_of(const std::string& text);
/// "1.5 GiB", "600 KiB", "12 bytes".
std::string size_text(std::uint64_t bytes);

/// Half of what this machine, or the container that this runs in, has; at most 8 GiB.
std::uint64_t usual_memory();

}  // namespace lanescope::app

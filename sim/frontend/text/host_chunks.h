// Host code of a text whose kernels alone are wanted: left out where it does not compile.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace lanescope {

/// Blanks the declarations at file or namespace scope that these lines (from 1) belong to, unless they
/// have device code; lines keep their numbers. The text as it is when there is nothing to leave out.
std::string without_host_chunks(const std::string& text, const std::set<std::uint32_t>& lines);

}  // namespace lanescope

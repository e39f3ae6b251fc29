// The size of the matrices that a kernel works on, whatever its arguments are called.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/kernel/front_matter.h"
#include "core/kernel/settings.h"

namespace lanescope::app {

struct MatrixSize {
  std::uint64_t rows = 0, cols = 0;
};
/// "4096" or "1000x700" (rows x columns).
std::optional<MatrixSize> parse_size(const std::string& text);

/// Sets the scalars that the buffers' extents are made of. Empty, or why the kernel has no such
/// size. Kernels without a reference keep theirs: only those that move or multiply whole matrices
/// have one.
Message apply_size(const FrontMatter& matter, MatrixSize size, Settings& settings);

/// The size that scalar arguments stand for, as `parse_size` reads it: "4096" when all extents are
/// equal, "1000x700" for ny x nx, else "M=1000 N=700 K=10". Empty for no arguments.
std::string size_of(const std::map<std::string, std::string>& arguments);

}  // namespace lanescope::app

// Elements of buffers, and what they begin with.
#pragma once

#include <optional>
#include <string_view>

#include "lanescope/memory.h"

namespace lanescope::app {

/// Half, float or double.
bool is_real(ScalarType type);
/// "index", "zero", "poison" or "random".
std::optional<Fill> fill_named(std::string_view name);

}  // namespace lanescope::app

// What was proposed for a launch, told to whoever may want something else.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/text/fronts.h"
#include "core/kernel/settings.h"
#include "lanescope/message.h"

namespace lanescope::cli {

/// A note on stderr for each.
void print_proposed(const std::vector<Message>& said, const Fronts& fronts);

/// Fills in what these settings leave open of their launch, and prints it. `steps`: --steps, 0 where it was not
/// given.
void take_proposal(app::Settings& settings, std::uint64_t steps, const Fronts& fronts);

}  // namespace lanescope::cli

// A launch with what nobody said about it proposed.
#pragma once

#include <stop_token>
#include <vector>

#include "core/run/prepare.h"

namespace lanescope::app {

struct ProposedLaunch {
  /// As they were asked for, with what was proposed
  Settings settings;
  /// What was, and why; empty when all was said
  std::vector<Message> said;
  PrepareResult result;
};

/// Prepares a launch, and one with everything open filled in where the first lacks something. What cannot
/// be proposed is told as `prepare` tells it: whatever is wrong with the text.
ProposedLaunch prepare_as_proposed(const Settings& settings, const MeasureBounds& bounds = {},
                                   std::stop_token stop = {});

}  // namespace lanescope::app

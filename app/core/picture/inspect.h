// The picture of one block: the inspected one, run alone and recorded.
#pragma once

#include <stop_token>

#include "core/picture/picture.h"
#include "core/run/prepare.h"

namespace lanescope::app {

/// Runs the block that the settings inspect, on memory as it was filled or left. Without an index
/// and a journey of the trace, which take their time, and without lines.
Picture inspect_block(ReadyLaunch& ready, const std::stop_token& stop);

}  // namespace lanescope::app

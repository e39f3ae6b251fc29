// What a launch might be where neither text nor user says it.
#pragma once

#include "core/launch/launch_survey.h"

namespace lanescope::app {

/// `asked` of the survey, with everything that is open in it filled in: the block from the text's own
/// launch, from __launch_bounds__, from a tile or a usual one; the grid, so that a few blocks run; sizes,
/// as far as those reach; buffers whose size the run finds.
Proposal propose(const LaunchSurvey& survey);

}  // namespace lanescope::app

#include "views/timing.h"

#include "views/tr.h"
#include "views/widgets.h"

namespace lanescope::app {

void draw_timing(const ViewContext& ctx, TimingState& /*state*/, Actions& /*actions*/) {
  nothing_to_show(ctx, tr("Nothing has been measured yet."));
}

}  // namespace lanescope::app

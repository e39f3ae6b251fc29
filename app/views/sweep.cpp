#include "views/sweep.h"

#include "views/tr.h"
#include "views/widgets.h"

namespace lanescope::app {

void draw_sweep(const ViewContext& ctx, SweepState& /*state*/, Actions& /*actions*/) {
  nothing_to_show(ctx, tr("No sweep has been run yet."));
}

}  // namespace lanescope::app

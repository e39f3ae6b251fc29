#include "views/compare.h"

#include "views/tr.h"
#include "views/widgets.h"

namespace lanescope::app {

void draw_compare(const ViewContext& ctx, CompareState& /*state*/, Actions& /*actions*/) {
  nothing_to_show(ctx, tr("Nothing to compare with has been chosen yet."));
}

}  // namespace lanescope::app

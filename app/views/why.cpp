#include "views/why.h"

#include "views/tr.h"
#include "views/widgets.h"

namespace lanescope::app {

void draw_why(const ViewContext& ctx, WhyState& /*state*/, Actions& /*actions*/) {
  nothing_to_show(ctx, tr("No access has been selected yet."));
}

}  // namespace lanescope::app

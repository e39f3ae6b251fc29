// What the timeline's files share: calls and copies, as bars.
#pragma once

#include <string>

#include "views/program/program_view.h"

namespace lanescope::app {

/// A copy or a fill, which a stream's row has; else the host's row alone has the call.
bool is_device_work(const CallRecord& call);
ImU32 call_color(const ViewContext& ctx, const CallRecord& call);
/// "H→D": what a bar has room for.
std::string call_label(const CallRecord& call);
void call_tooltip(const ViewContext& ctx, const CallRecord& call);
/// The colours of what there is, in a line from `at` to `right`; and what was left out.
void draw_call_legend(const ViewContext& ctx, ImVec2 at, float right);

}  // namespace lanescope::app

// What the window does because of what happens in its views: tabs that come forward, a text that is
// taken over before it is lost, errors that wait until one has typed a word to its end.
#pragma once

#include "views/draw/view_context.h"

namespace lanescope::app {

struct Workspace;

/// Brings forward what the user has just made interesting; after the views have been drawn.
void follow(Workspace& workspace, const ViewContext& ctx);
/// A text that is still being typed goes before what is asked for in the same moment.
void hand_over_text(const ViewContext& ctx, Workspace& workspace, Actions& actions);
/// Between two keys nearly every text is wrong: that is said when one pauses. What is right shows at
/// once. True while something is held back; then `status` says that all is well.
bool hold_back_errors(Workspace& workspace, SessionStatus& status);

}  // namespace lanescope::app

// What the window itself adds to files: its look in a session, its title, views drawn into files.
#pragma once

#include <string>

#include "session/files.h"
#include "views/workspace.h"

namespace lanescope::app {

/// Layout and look, as ImGui writes them.
Files::Look look_of(Workspace& workspace);
/// "03_shared_tile (edited copy) – Lanescope"
std::string window_title_of(const DocumentStatus& document);

}  // namespace lanescope::app

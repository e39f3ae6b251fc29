// What is kept between runs beside the layout: the look, closed views, presets, the tour.
#pragma once

#include <string>

namespace lanescope::app {

struct Workspace;
/// Makes it part of ImGui's layout file, and reads that; call before the first frame.
void remember_workspace(Workspace& workspace);
/// What a session keeps beyond that, in the same words: the moment at which the index map is.
std::string moment_text(Workspace& workspace);
/// Writes the file for the last time; before the workspace goes, which ImGui outlives.
void stop_remembering();

}  // namespace lanescope::app

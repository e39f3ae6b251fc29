// A folder for a program to work in that looks like the one it was started in, and that it may write to.
#pragma once

#include <string>
#include <vector>

namespace lanescope::app {

/// Makes below `scratch` a folder that holds a link to everything in `folder`: a relative path finds what it would find
/// there, and what is new is in `scratch`. With `above` it lies within folders that hold links to what is beside and above
/// `folder`; without, a path that leads up finds nothing. Empty where there is too much beside it to be linked, or `folder` is below one of `writable`, to which one writes
/// itself.
std::string make_work_folder(const std::string& folder, const std::string& scratch,
                             const std::vector<std::string>& writable, bool above);

/// Files that have come to be in it, by their names relative to it, in order.
std::vector<std::string> new_files(const std::string& work_folder);

/// Before a file of the folder is written anew: a link that stands there is taken away.
void make_way(const std::string& path, const std::string& work_folder);

}  // namespace lanescope::app

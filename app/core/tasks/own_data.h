// Where the program's own data are.
#pragma once

#include <string>

namespace lanescope::app {

/// Folder `name` of the data: beside the executable (share/lanescope/NAME) or beside its folder, else
/// `in_source` of the source tree that it was built from. "" when there is none.
std::string own_data_folder(const std::string& name, const std::string& in_source);

}  // namespace lanescope::app

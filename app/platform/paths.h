// Where the program finds its data and keeps its settings.
#pragma once

#include <string>

namespace lanescope::app {

/// Folder `name` of the program's data ("fonts", "lessons", ...): beside the binary in the build
/// tree, under ../share when installed. "" when there is none.
[[nodiscard]] std::string data_folder(const std::string& name);

/// Whether the file can be written, or made where it is; leaves no trace.
[[nodiscard]] bool is_writable(const std::string& file);

/// File `name` in the user's configuration folder for this program, which is made if it can be.
/// "" when there is no such folder.
[[nodiscard]] std::string config_file(const std::string& name);

/// The user's folders for this program, which need not exist yet; "" when there is no home.
[[nodiscard]] std::string config_folder();
[[nodiscard]] std::string state_folder();

}  // namespace lanescope::app

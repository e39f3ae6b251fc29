#include "platform/paths.h"

#include <cstdlib>
#include <filesystem>

namespace lanescope::app {

namespace fs = std::filesystem;

std::string data_folder(const std::string& name) {
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& base : {binary, binary.parent_path()}) {
    fs::path folder = base / "share" / "lanescope" / name;
    if (fs::is_directory(folder, error)) return folder.string();
  }
  return "";
}

std::string config_file(const std::string& name) {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  fs::path folder;
  if (config && *config) {
    folder = config;
  } else if (home && *home) {
    folder = fs::path(home) / ".config";
  } else {
    return "";
  }
  folder /= "lanescope";
  std::error_code error;
  fs::create_directories(folder, error);
  return fs::is_directory(folder, error) ? (folder / name).string() : "";
}

}  // namespace lanescope::app

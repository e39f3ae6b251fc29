#include "platform/paths.h"

#include <unistd.h>

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

namespace {

std::string user_folder(const char* variable, const char* below_home) {
  const char* base = std::getenv(variable);
  const char* home = std::getenv("HOME");
  if (base && *base) return (fs::path(base) / "lanescope").string();
  return home && *home ? (fs::path(home) / below_home / "lanescope").string() : "";
}

}  // namespace

std::string config_folder() { return user_folder("XDG_CONFIG_HOME", ".config"); }
std::string state_folder() { return user_folder("XDG_STATE_HOME", ".local/state"); }

bool is_writable(const std::string& file) {
  std::error_code error;
  if (file.empty()) return false;
  if (fs::exists(file, error)) return ::access(file.c_str(), W_OK) == 0;
  return ::access(fs::path(file).parent_path().c_str(), W_OK | X_OK) == 0;
}

std::string config_file(const std::string& name) {
  const fs::path folder = config_folder();
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  return !folder.empty() && fs::is_directory(folder, error) ? (folder / name).string() : "";
}

}  // namespace lanescope::app

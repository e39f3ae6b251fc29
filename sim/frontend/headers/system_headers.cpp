#include "frontend/headers/system_headers.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>

namespace lanescope {
namespace {

namespace fs = std::filesystem;

int version_of(const fs::path& folder) {
  const std::string name = folder.filename();
  int version = -1;
  std::from_chars(name.data(), name.data() + name.size(), version);
  return version;
}

/// The folder with the highest number for a name; empty if there is none.
fs::path newest_in(const fs::path& folder) {
  fs::path best;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.is_directory(ignored) && version_of(entry.path()) > version_of(best))
      best = entry.path();
  return best;
}

std::vector<SystemFolder> find_folders() {
  std::vector<SystemFolder> out;
  std::error_code ignored;
  const auto add = [&](const fs::path& path, bool is_c) {
    if (!path.empty() && fs::is_directory(path, ignored)) out.push_back({path.string(), is_c});
  };
  const fs::path cxx = newest_in("/usr/include/c++");
  add(cxx, false);
  if (!cxx.empty()) add(fs::path("/usr/include/x86_64-linux-gnu/c++") / cxx.filename(), false);
  if (!cxx.empty()) add(cxx / "backward", false);
  const std::size_t before = out.size();
  add(newest_in("/usr/lib/llvm-19/lib/clang") / "include", false);
  if (out.size() == before) add(newest_in("/usr/lib/gcc/x86_64-linux-gnu") / "include", false);
  add("/usr/include/x86_64-linux-gnu", true);
  add("/usr/include", true);
  add("/usr/local/include", false);
  return out;
}

}  // namespace

const std::vector<SystemFolder>& system_header_folders() {
  static const std::vector<SystemFolder> folders = find_folders();
  return folders;
}

std::vector<std::string> nearby_header_folders(const std::string& file) {
  constexpr int kLevels = 5;
  std::vector<std::string> out;
  std::error_code ignored;
  fs::path folder = fs::absolute(file, ignored).parent_path();
  for (int level = 0; level < kLevels && folder.has_relative_path(); ++level) {
    for (const char* name : {"include", "inc", "Common", "common"})
      if (fs::is_directory(folder / name, ignored)) out.push_back((folder / name).string());
    if (level > 0 && level < 3) out.push_back(folder.string());
    folder = folder.parent_path();
  }
  return out;
}

}  // namespace lanescope

#include "core/tasks/own_data.h"

#include <filesystem>
#include <vector>

namespace lanescope::app {

namespace fs = std::filesystem;

std::string own_data_folder(const std::string& name, const std::string& in_source) {
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error).parent_path();
  std::vector<fs::path> places = {binary / "share/lanescope" / name,
                                  binary.parent_path() / "share/lanescope" / name};
#ifdef LANESCOPE_SOURCE_DIR
  places.push_back(fs::path(LANESCOPE_SOURCE_DIR) / in_source);
#endif
  for (const fs::path& place : places) {
    if (fs::is_directory(place, error)) return place.string();
  }
  return "";
}

}  // namespace lanescope::app

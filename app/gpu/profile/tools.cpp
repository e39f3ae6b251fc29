#include "gpu/profile/tools.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

namespace lanescope::gpu {

std::string find_tool(const std::string& name, const std::string& toolkit) {
  std::vector<std::string> folders;
  if (!toolkit.empty()) folders.push_back(toolkit + "/bin");
  if (const char* path = std::getenv("PATH")) {
    std::istringstream stream(path);
    for (std::string folder; std::getline(stream, folder, ':');) folders.push_back(folder);
  }
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* value = std::getenv(variable)) folders.push_back(std::string(value) + "/bin");
  folders.emplace_back("/usr/local/cuda/bin");
  for (const std::string& folder : folders) {
    const std::string path = folder + "/" + name;
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return "";
}

std::string profiler_name(const std::string& profiler) {
  const std::string path = std::filesystem::weakly_canonical(profiler).string();
  const std::size_t at = path.find("nsight-compute/");
  const std::string version = at == std::string::npos ? "" : path.substr(at + 15);
  return "Nsight Compute" + (version.empty() ? "" : " " + version.substr(0, version.find('/')));
}

}  // namespace lanescope::gpu

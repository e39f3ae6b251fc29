#include "core/tasks/scratch.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace lanescope::app {

Scratch::Scratch() {
  std::string pattern = (std::filesystem::temp_directory_path() / "lanescope-XXXXXX").string();
  if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

Scratch::~Scratch() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

std::string Scratch::content(const char* name) const {
  std::ifstream stream(file(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace lanescope::app

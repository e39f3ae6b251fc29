#include "frontend/headers/toolkit_headers.h"

#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "frontend/headers/embedded.h"
#include "frontend/headers/forwarding.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

bool there_is(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

}  // namespace

bool is_core_library(std::string_view header) {
  static constexpr std::array<std::string_view, 4> kFolders{"thrust/", "cub/", "cuda/", "nv/"};
  return std::any_of(kFolders.begin(), kFolders.end(),
                     [&](std::string_view folder) { return header.starts_with(folder); });
}

std::string core_libraries_in(const std::string& toolkit) {
  if (toolkit.empty()) return {};
  for (const fs::path& folder : {fs::path(toolkit) / "cccl", fs::path(toolkit)})
    if (there_is(folder / "cub/cub.cuh") && there_is(folder / "cuda/std/version"))
      return folder.string();
  return {};
}

void put_ours_over(const std::string& folder, llvm::vfs::InMemoryFileSystem& files) {
  if (!there_is(fs::path(folder) / "crt/host_defines.h")) return;
  const auto put = [&](const std::string& name, std::string_view content) {
    const fs::path theirs = fs::path(folder) / name;
    if (!there_is(theirs)) return;
    files.addFile(theirs.string(), 0, llvm::MemoryBuffer::getMemBufferCopy(content, name));
  };
  for (const auto& [name, content] : cuda_headers())
    if (!is_core_library(name)) put(name, content);
  for (std::size_t i = 0; i < kPreludeFileCount; ++i)
    put(kPreludeFiles[i].name, {kPreludeFiles[i].data, kPreludeFiles[i].size});
}

}  // namespace lanescope

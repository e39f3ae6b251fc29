#include "frontend/kept_heads.h"

#pragma GCC diagnostic ignored "-Wnonnull"  // inside Clang's own headers, once inlined
#include <clang/Basic/Version.h>
#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/xxhash.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "frontend/headers/precompiled.h"
#include "frontend/headers/setup.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

/// Trees that are kept: host and device, of a few dialects and versions
constexpr std::size_t kMostKept = 12;

/// Differs wherever the tree could, but for the machine's headers.
std::string name_of(const std::vector<std::string>& args) {
  std::string text = clang::getClangFullVersion() + kTreeFlag;
  for (const std::string& arg : args) text += '\0' + arg;
  for (std::size_t i = 0; i < kPreludeFileCount; ++i)
    text += fmt::format(
        "{:c}{}", '\0',
        llvm::xxh3_64bits(llvm::StringRef(kPreludeFiles[i].data, kPreludeFiles[i].size)));
  return fmt::format("head-{:016x}", llvm::xxh3_64bits(text));
}

/// "size time path": what a header looks like from outside; empty if there is none.
std::string look_of(const std::string& path) {
  std::error_code error;
  const auto bytes = fs::file_size(path, error);
  const auto time = fs::last_write_time(path, error);
  if (error) return {};
  return fmt::format("{} {} {}", bytes, time.time_since_epoch().count(), path);
}

/// The headers look as they did when the list was written; of a head without any there is nothing to compare.
bool holds(const fs::path& list) {
  std::ifstream in(list);
  if (!in) return false;
  for (std::string line; std::getline(in, line);) {
    const std::size_t second = line.find(' ', line.find(' ') + 1);
    if (second == std::string::npos || look_of(line.substr(second + 1)) != line) return false;
  }
  return true;
}

/// Whole or not at all, whoever else writes it.
bool write_whole(const fs::path& path, const std::string& content) {
  std::string pattern = path.string() + "-XXXXXX";
  const int descriptor = mkstemp(pattern.data());
  if (descriptor < 0) return false;
  close(descriptor);
  std::ofstream out(pattern, std::ios::binary);
  out << content << std::flush;
  std::error_code error;
  if (out) fs::rename(pattern, path, error);
  if (!out || error) fs::remove(pattern, error);
  return out && !error;
}

/// What was used longest ago goes.
void leave_newest(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> kept;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".pch")
      kept.emplace_back(entry.last_write_time(error), entry.path());
  if (kept.size() <= kMostKept) return;
  std::sort(kept.begin(), kept.end());
  for (std::size_t i = 0; i + kMostKept < kept.size(); ++i) {
    fs::remove(kept[i].second, error);
    fs::remove(kept[i].second.replace_extension(".files"), error);
  }
}

void keep(const SyntaxTree& tree, const fs::path& folder, const std::string& name) {
  std::string list;
  for (const std::string& file : tree.files) list += look_of(file) + '\n';
  std::error_code error;
  fs::create_directories(folder, error);
  // Who finds the list finds the tree, too.
  if (write_whole(folder / (name + ".pch"), tree.content))
    write_whole(folder / (name + ".files"), list);
  leave_newest(folder);
}

}  // namespace

std::unique_ptr<llvm::MemoryBuffer> kept_head(const std::vector<std::string>& args,
                                              llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                              const std::string& folder) {
  const std::string name = name_of(args);
  const fs::path path = fs::path(folder) / (name + ".pch");
  if (holds(fs::path(path).replace_extension(".files")))
    if (auto tree = llvm::MemoryBuffer::getFile(path.string(), false, false))
      return std::move(*tree);
  const SyntaxTree tree = make_tree(args, std::move(files));
  if (tree.content.empty()) return nullptr;
  keep(tree, folder, name);
  return llvm::MemoryBuffer::getMemBufferCopy(tree.content);
}

}  // namespace lanescope

// The real file system, as far as a text that nobody vouches for may see it.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <filesystem>
#include <string>
#include <vector>

namespace lanescope {

/// Files below the given folders; all others are not there. Links are followed before they are judged.
class OwnFolders : public llvm::vfs::ProxyFileSystem {
 public:
  OwnFolders(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below,
             std::vector<std::string> folders)
      : ProxyFileSystem(std::move(below)) {
    for (const std::string& folder : folders) folders_.push_back(canonical(folder) + "/");
  }

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    if (!may_see(path.str())) return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::status(path);
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine& path) override {
    if (!may_see(path.str())) return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::openFileForRead(path);
  }

 private:
  static std::string canonical(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::weakly_canonical(path, ignored).string();
  }
  [[nodiscard]] bool may_see(const std::string& path) const {
    const std::string real = canonical(path) + "/";
    for (const std::string& folder : folders_)
      if (real.starts_with(folder)) return true;
    return false;
  }

  std::vector<std::string> folders_;
};

}  // namespace lanescope

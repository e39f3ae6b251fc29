// A syntax tree as the one file of a file system.
#pragma once

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <memory>
#include <string>
#include <utility>

namespace lanescope {

/// `content`, which stays the caller's, under `path`, which is absolute. LLVM's own file systems in memory read all of
/// a file to number it: of a syntax tree that takes longer than most texts do.
class OneFile : public llvm::vfs::FileSystem {
 public:
  OneFile(const std::string& path, llvm::StringRef content)
      : content_(content),
        status_(path, llvm::vfs::getNextVirtualUniqueID(), {}, 0, 0, content.size(),
                llvm::sys::fs::file_type::regular_file, llvm::sys::fs::perms::all_read) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    if (!is_it(path)) return not_here();
    return status_;
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine& path) override {
    if (!is_it(path)) return not_here();
    return std::make_unique<Opened>(*this);
  }
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine&, std::error_code& error) override {
    error = not_here();
    return {};
  }
  std::error_code setCurrentWorkingDirectory(const llvm::Twine&) override { return {}; }
  [[nodiscard]] llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override {
    return std::string("/");
  }

 private:
  class Opened : public llvm::vfs::File {
   public:
    explicit Opened(const OneFile& of) : content_(of.content_), status_(of.status_) {}
    llvm::ErrorOr<llvm::vfs::Status> status() override { return status_; }
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
    getBuffer(const llvm::Twine& name, std::int64_t, bool needs_terminator, bool) override {
      return llvm::MemoryBuffer::getMemBuffer(content_, name.str(), needs_terminator);
    }
    std::error_code close() override { return {}; }

   private:
    llvm::StringRef content_;
    llvm::vfs::Status status_;
  };

  [[nodiscard]] bool is_it(const llvm::Twine& path) const {
    return path.str() == status_.getName();
  }
  static std::error_code not_here() {
    return std::make_error_code(std::errc::no_such_file_or_directory);
  }

  llvm::StringRef content_;
  llvm::vfs::Status status_;
};

}  // namespace lanescope

// Files as Clang is to read them: where a text aligns shared memory in nvcc's order, in its own.
#pragma once

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <memory>
#include <string>
#include <utility>

#include "frontend/text/shared_alignment.h"

namespace lanescope {

class AlignedFiles : public llvm::vfs::ProxyFileSystem {
 public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file) return file;
    return std::make_unique<File>(std::move(*file));
  }

 private:
  class File : public llvm::vfs::File {
   public:
    explicit File(std::unique_ptr<llvm::vfs::File> below) : below_(std::move(below)) {}
    llvm::ErrorOr<llvm::vfs::Status> status() override { return below_->status(); }
    llvm::ErrorOr<std::string> getName() override { return below_->getName(); }
    std::error_code close() override { return below_->close(); }
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name,
                                                                 std::int64_t size, bool terminated,
                                                                 bool is_volatile) override {
      auto buffer = below_->getBuffer(name, size, terminated, is_volatile);
      if (!buffer || !(*buffer)->getBuffer().contains("__shared__") ||
          !(*buffer)->getBuffer().contains("alignas"))
        return buffer;
      return llvm::MemoryBuffer::getMemBufferCopy(
          with_alignment_first((*buffer)->getBuffer().str()), (*buffer)->getBufferIdentifier());
    }

   private:
    std::unique_ptr<llvm::vfs::File> below_;
  };
};

}  // namespace lanescope

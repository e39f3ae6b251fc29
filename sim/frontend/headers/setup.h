// Headers as both compilations see them: kernels by themselves, and whole programs. Private to the files
// that include Clang.
#pragma once

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <string>
#include <vector>

#include "frontend/headers/embedded.h"
#include "frontend/headers/system_headers.h"

namespace lanescope {

/// Where our own headers are, to the compiler.
inline constexpr const char* kIncludeDir = "/lanescope/include";

/// Our own headers, in kIncludeDir.
inline void add_prelude(llvm::vfs::InMemoryFileSystem& files) {
  const std::string folder = std::string(kIncludeDir) + "/";
  for (std::size_t i = 0; i < kPreludeFileCount; ++i)
    files.addFile(
        folder + kPreludeFiles[i].name, 0,
        llvm::MemoryBuffer::getMemBuffer(
            llvm::StringRef(kPreludeFiles[i].data, kPreludeFiles[i].size), kPreludeFiles[i].name));
}

/// The machine's, as arguments.
inline void add_system_headers(std::vector<std::string>& args) {
  for (const SystemFolder& folder : system_header_folders())
    args.insert(args.end(),
                {folder.is_c ? "-internal-externc-isystem" : "-internal-isystem", folder.path});
}

}  // namespace lanescope

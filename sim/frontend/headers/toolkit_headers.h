// Headers of a CUDA toolkit that is installed beside ours: ours stand in the place of theirs, and its C++
// libraries are found where a text asks for what we lack of them.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <string>
#include <string_view>

namespace lanescope {

/// Whether a name by which a text includes is one of the toolkit's C++ libraries (CCCL).
bool is_core_library(std::string_view header);

/// The folder of CCCL in a toolkit's folder of headers: its own from CUDA 13 on. Empty if there is none.
std::string core_libraries_in(const std::string& toolkit);

/// In a folder that holds a toolkit's headers, those that we have are ours, however they are included.
void put_ours_over(const std::string& folder, llvm::vfs::InMemoryFileSystem& files);

}  // namespace lanescope

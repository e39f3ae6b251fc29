// What every text from a real tree begins with, whole program or kernel (prelude/host/lanescope_program.h and the
// standard headers that it includes), parsed once on a machine and kept: parsing it takes longer than most programs
// do. Private to the files that include Clang.
#pragma once

#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <memory>
#include <string>
#include <vector>

namespace lanescope {

/// The syntax tree of what `args` (of Clang's own command line; the last is the head's name) parse in
/// `files`, from `folder`, or made now and kept there. It is made anew for another Clang, another
/// Lanescope, and when one of the machine's headers that it was made of has changed. Null where it has
/// errors: whoever includes it is told of those. What cannot be written is not kept. May be called from
/// several threads and processes at once.
std::unique_ptr<llvm::MemoryBuffer> kept_head(
    const std::vector<std::string>& args, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
    const std::string& folder);

}  // namespace lanescope

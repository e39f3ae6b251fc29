#pragma once

namespace llvm {
class Function;
}

namespace lanescope {

/// What may lie at any address, as a member of a packed struct or what memcpy moves, is read and written in pieces
/// as wide as is known to be aligned: NVPTX has no other way.
void split_unaligned(llvm::Function& function);

}  // namespace lanescope

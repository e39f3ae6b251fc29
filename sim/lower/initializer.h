// What a module's variable holds before anything runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace llvm {
class Constant;
class DataLayout;
}  // namespace llvm

namespace lanescope {

/// Writes the bytes of `value` to `image` from `offset` on; addresses of other variables stay zero.
void write_initializer(const llvm::DataLayout& layout, const llvm::Constant& value,
                       std::span<std::byte> image, std::uint64_t offset);

}  // namespace lanescope

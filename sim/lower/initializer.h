// What a module's variable holds before anything runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace llvm {
class Constant;
class DataLayout;
}  // namespace llvm

namespace lanescope {

/// What a pointer to the function of this symbol holds: the same in every kernel of a text. No memory is there.
std::uint64_t function_address(std::string_view symbol);

/// Writes the bytes of `value` to `image` from `offset` on; addresses of other variables stay zero.
void write_initializer(const llvm::DataLayout& layout, const llvm::Constant& value,
                       std::span<std::byte> image, std::uint64_t offset);

}  // namespace lanescope

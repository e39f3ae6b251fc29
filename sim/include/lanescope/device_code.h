// More of the device code of one text: as bytes, for another process that then need not compile the text again, and
// its kernels by the pointers that device code has of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "lanescope/whole_program.h"

namespace lanescope {

/// For `device_code_from` of the same version of this library; bytes, not text.
std::string bytes_of(const DeviceCode& device);

/// Throws std::exception where the bytes are not those of `bytes_of`.
std::shared_ptr<const DeviceCode> device_code_from(const std::string& bytes);

/// Under which symbol the code of a program's other texts finds a variable of text number `text`.
std::string shared_variable(std::size_t text, const std::string& symbol);

/// The symbol of the kernel that a pointer in device code means; empty for anything else.
std::string kernel_of_pointer(const DeviceCode& device, std::uint64_t pointer);

}  // namespace lanescope

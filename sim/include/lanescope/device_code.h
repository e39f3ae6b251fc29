// Device code of one text on its way to another process, which then need not compile the text again.
#pragma once

#include <memory>
#include <string>

#include "lanescope/whole_program.h"

namespace lanescope {

/// For `device_code_from` of the same version of this library; bytes, not text.
std::string bytes_of(const DeviceCode& device);

/// Throws std::exception where the bytes are not those of `bytes_of`.
std::shared_ptr<const DeviceCode> device_code_from(const std::string& bytes);

}  // namespace lanescope

// Addresses and numbers as people say them.
#pragma once

#include <string>

#include "lanescope/memory.h"
#include "lanescope/message.h"
#include "lower/flat.h"

namespace lanescope {

/// "0x7000000000a0".
std::string hex(std::uint64_t value);
/// Which array or buffer an address is in or nearest to: "element 1024 of 'in' (float, 1024
/// elements)". `shared_bytes` of a block, static and dynamic.
Message place_of(const FlatProgram& program, std::size_t shared_bytes, const GlobalMemory& memory,
                 std::uint64_t address);

}  // namespace lanescope

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
/// elements)". `shared_bytes` of a block, static and dynamic; `base`: the pointer that the address was
/// computed from, whose buffer it is told by, 0 if unknown.
Message place_of(const FlatProgram& program, std::size_t shared_bytes, const GlobalMemory& memory,
                 std::uint64_t address, std::uint64_t base = 0);
/// "element 17 of 's' (16 elements)", wherever the address is.
Message place_in(const MemoryObject& object, std::uint64_t address);
/// The variable or array that an address is in or, in its window, comes after; null if none is.
const MemoryObject* object_at(const FlatProgram& program, std::uint64_t address);

}  // namespace lanescope

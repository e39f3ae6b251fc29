// The word of shared memory that an mbarrier is (PTX ISA, "Parallel Synchronization and Communication
// Instructions: mbarrier"). The manual leaves its bits open; these are ours, and those of
// frontend/prelude/ptx/lanescope_mbarrier.h:
//
//   0–19   arrivals that the phase still waits for
//   20–39  arrivals that each phase waits for
//   40–61  bytes that the phase still waits for, signed
//   62     0 in an mbarrier: memory that nobody has written is no mbarrier
//   63     parity of the phase
#pragma once

#include <cstdint>

namespace lanescope::mbarrier {

/// A change of the word, the operand of AtomicOp::mbarrier: arrivals in bits 0–19, bytes in bits 40–61 as in
/// the word, and whether the arrivals are taken off all later phases too.
inline constexpr std::uint64_t kDrops = std::uint64_t{1} << 20;

constexpr std::uint32_t pending(std::uint64_t word) { return word & 0xfffffu; }
constexpr std::uint32_t expected(std::uint64_t word) { return word >> 20 & 0xfffffu; }
/// Expected and not there yet; below zero, more than were expected.
constexpr std::int64_t bytes(std::uint64_t word) {
  return static_cast<std::int64_t>(word << 2) >> 42;
}
constexpr bool is_valid(std::uint64_t word) { return (word >> 62 & 1) == 0 && expected(word) != 0; }

constexpr std::uint64_t with_bytes(std::int64_t bytes) {
  return (static_cast<std::uint64_t>(bytes) & 0x3fffffu) << 40;
}

/// The word after the change. A phase is over when nothing is missing of it; the next one begins at once.
constexpr std::uint64_t changed(std::uint64_t word, std::uint64_t change) {
  const std::uint64_t arrivals = change & 0xfffffu;
  const std::uint64_t all = expected(word) - ((change & kDrops) != 0 ? arrivals : 0);
  const std::uint64_t left = (pending(word) - arrivals) & 0xfffffu;
  const std::int64_t missing = bytes(word) + bytes(change);
  const std::uint64_t top = word & (std::uint64_t{3} << 62);
  if (left != 0 || missing != 0) return top | with_bytes(missing) | (all & 0xfffffu) << 20 | left;
  return (top ^ std::uint64_t{1} << 63) | (all & 0xfffffu) << 20 | (all & 0xfffffu);
}

/// Whether the phase of that parity is over: the one that is open has the other. Of what is no mbarrier none is.
constexpr bool is_over(std::uint64_t word, std::uint32_t phase) {
  return expected(word) != 0 && word >> 62 == (phase != 0 ? 0u : 2u);
}
/// Whether a change has ended a phase.
constexpr bool is_next_phase(std::uint64_t before, std::uint64_t after) {
  return (before ^ after) >> 63 != 0;
}

}  // namespace lanescope::mbarrier

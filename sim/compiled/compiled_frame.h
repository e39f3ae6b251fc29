// What compiled code and the rest share while a warp runs: plain fields at fixed places, and the
// functions that the code calls.
#pragma once

#include <cstdint>
#include <vector>

#include "compiled/lane_shapes.h"
#include "execute/executor.h"

namespace lanescope {

/// Of one warp's run, as compiled code sees it.
struct Frame {
  /// The machine's, where operations that are called find their operands
  std::uint32_t* rows = nullptr;
  LaneMask* predicates = nullptr;
  /// The warp's own: what lives across barriers, never copied
  std::uint32_t* kept_rows = nullptr;
  LaneMask* kept_predicates = nullptr;
  /// By reference: the region of its last access
  const Region* regions = nullptr;
  /// Fast accesses, kSlots for each reference
  std::uint64_t* fast = nullptr;
  /// By reference, two words: where the warp's last access began, in this block or the one before, and how far
  /// that was from the time before
  std::uint64_t* last_offsets = nullptr;
  /// By FlatBlock
  std::uint64_t* entries = nullptr;
  /// [x, y, z][lane] of the warp
  const std::uint32_t* threads = nullptr;
  /// The warp's local memory, a word of all lanes at a time
  std::uint32_t* local = nullptr;
  /// Warp instructions so far, and when to look at budget and cancellation
  std::uint64_t executed = 0, next_check = 0;
  /// Active lanes, and where they meet others
  LaneMask mask = 0;
  std::uint32_t meet = 0;
  /// All lanes that the warp has
  LaneMask existing = 0;
  /// Where they have met the block's other warps, or come to (kMet)
  std::uint32_t met_at = 0;
  std::uint32_t block[3] = {};
  std::uint32_t warp = 0, barrier_count = 0;
  /// Times on end that the warp has been seen where it may wait for memory to change
  std::uint32_t polls = 0;
  // Not for the code itself
  Machine* machine = nullptr;
  WarpState* state = nullptr;
};

/// An access at a pattern of lanes costs the same wherever it lies but for its place in a sector or word:
/// its offset modulo 32 bytes tells.
inline constexpr std::uint32_t kSlots = 32;
/// Of words in shared memory that follow no pattern: no two lanes in one bank.
inline constexpr std::uint32_t kApartSlot = 1;
/// Of atomic operations on words of shared memory: how many, and their wavefronts together.
inline constexpr std::uint32_t kRequestsSlot = 0, kWavefrontsSlot = 1;

/// Returned by what compiled code calls, and by the code itself: a Stop, or go on.
inline constexpr std::uint32_t kGoOn = 0xff;
/// … or the warp is to be handed over to the interpreter, which sees what it waits for.
inline constexpr std::uint32_t kHandOver = 0xfe;
/// … or all its lanes have come to a barrier of the block, which nobody has been told.
inline constexpr std::uint32_t kMet = 0xfd;
inline constexpr auto kEnded = static_cast<std::uint32_t>(Stop::exited);

using CompiledWarp = std::uint32_t (*)(Frame*, std::uint32_t pc);

// What compiled code calls. `pc` is the operation's.
namespace called {
/// Any operation, as the interpreter executes it on the machine's rows.
std::uint32_t operation(Frame* frame, std::uint32_t pc, LaneMask mask);
/// Parts the lanes at a branch, or lets the top of the stack settle; where execution goes on.
std::uint32_t part(Frame* frame, std::uint32_t pc, LaneMask taken, LaneMask rest);
std::uint32_t settle(Frame* frame, std::uint32_t pc);
/// The lanes of `mask` have ended; kNone when the warp has.
std::uint32_t leave(Frame* frame, LaneMask mask);
std::uint32_t barrier(Frame* frame, std::uint32_t pc, LaneMask mask, LaneMask counted);
/// Budget and cancellation, at the jump or branch `pc`. `to`: the FlatBlock where that leads, if lanes may wait
/// there for memory to change; kHandOver then, if they seem to.
std::uint32_t check(Frame* frame, std::uint32_t pc, LaneMask mask, std::uint32_t to);
/// The cost of an access by the lanes of `mask`, which are inside: offsets in shared memory, or addresses.
std::uint32_t count_shared(Frame* frame, std::uint32_t pc, const std::uint64_t* offset,
                           LaneMask mask);
std::uint32_t count_global(Frame* frame, std::uint32_t pc, const std::uint64_t* address,
                           LaneMask mask);
/// Adds the lanes' values to words, which may be none (data that the run does without), and gives back
/// what was there.
std::uint32_t add_atomically(std::byte* data, const std::uint64_t* offset, std::uint32_t* values,
                             LaneMask mask);
/// Some lanes of an access at a pattern, whose first address lies at `slot`.
std::uint32_t count_part(Frame* frame, std::uint32_t pc, std::uint32_t slot, LaneMask mask);
std::uint32_t count_execution(Frame* frame, std::uint32_t pc, const std::uint64_t*, LaneMask);
}  // namespace called

}  // namespace lanescope

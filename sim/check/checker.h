// Finds memory mistakes that do not stop a kernel: uninitialised reads, races, overflowing indices.
//
// Shared memory, within a block: two accesses of the same granule by different threads, one of them
// a write, with no barrier between them. __syncwarp and the *_sync operations order the lanes of
// one warp. Atomics do not race with atomics. Global memory, between blocks: no order exists, so a
// granule written by one block may be touched by no other; kernels with global atomics are not
// judged, since they can order blocks through them.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "lanescope/memory.h"
#include "lanescope/run.h"
#include "machine/machine.h"

namespace lanescope {

/// One mistake, where it was first seen.
struct Finding {
  DiagnosticKind kind = DiagnosticKind::race;
  MemorySpace space = MemorySpace::shared;
  /// Index in KernelInfo::ops
  std::uint32_t info = 0, other_info = kNone;
  Dim3 block, thread, other_block, other_thread;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  bool is_store = false, other_is_store = false;
  /// What is said of it, where that does not follow from the kind
  Message message = {}, hint = {};
  /// Of an access that leaves its array: where it lands, if known, and the pointer that it was
  /// computed from, 0 for none
  Message place = {};
  std::uint64_t base = 0;
  Severity severity = Severity::error;
};

/// What is wrong with a computation.
enum class Arithmetic {
  signed_overflow,
  /// A 32-bit product that becomes part of an address
  product_wraps,
  zero_divisor,
  /// The most negative number by -1
  quotient_too_large,
  /// By the width of the type or more
  shift_too_far
};

/// Told by the interpreter what the blocks of a launch do, block after block. Keeps the first
/// findings, one for each kind of mistake and operation.
class Checker {
 public:
  Checker(const FlatProgram& program, const Launch& launch, const GlobalMemory& memory);

  /// `index` numbers the blocks of the grid, x fastest.
  void begin_block(Dim3 block, std::uint64_t index);
  /// All warps of the block have met.
  void barrier() { ++epoch_; }
  /// The warp's lanes have met.
  void warp_sync(std::uint32_t warp) { ++warp_sync_[warp]; }
  /// The lanes of `mask` touch ref.bytes each at their addresses, all within `region`.
  void access(const WarpState& warp, const Op& op, const MemRef& ref, const Region& region,
              const std::uint64_t* address, LaneMask mask);
  /// The lanes of `mask` are about to touch memory: they are to stay in what their pointer belongs to.
  void guard(const Machine& machine, const WarpState& warp, const Op& op, const MemRef& ref,
             const std::uint64_t* address, LaneMask mask);
  /// A local variable's scope begins or ends.
  void scope(std::uint32_t warp, const MemoryObject& object, bool ends, LaneMask mask);
  /// The device's heap has given a block, or is given one back.
  void heap_taken(const std::uint64_t* address, const std::uint64_t* bytes, LaneMask mask);
  void heap_freed(const WarpState& warp, const Op& op, const std::uint64_t* address,
                  LaneMask mask);
  /// A lane's result is not what the text means: it does not fit, or the operands have none.
  void arithmetic(std::uint32_t warp, const Op& op, int lane, Arithmetic what);

  /// Keeps the last store to this global address for `watched`.
  void watch(std::uint64_t address) { watch_ = address; }
  [[nodiscard]] std::optional<Finding> watched() const { return watched_; }
  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }

 private:
  struct Toucher {
    std::uint32_t thread = 0, epoch = 0, sync = 0, info = 0;
  };
  struct SharedCell {
    Toucher writer, reader, other_reader;
    bool atomic = false;
  };
  struct GlobalCell {
    /// Block index + 1; 0 for none
    std::uint32_t writer = 0, reader = 0;
  };
  struct Free {
    void operator()(GlobalCell* cells) const { std::free(cells); }
  };
  struct GlobalShadow {
    std::uint64_t base = 0, bytes = 0;
    /// Poisoned: reading before writing is a mistake
    bool starts_empty = false;
    /// 4 bytes each; null when the buffer is too large. Pages that no block touches are never
    /// taken.
    std::unique_ptr<GlobalCell[], Free> cells;
  };

  void access_shared(const WarpState& warp, const Op& op, const MemRef& ref, std::uint64_t offset,
                     int lane);
  void access_global(const WarpState& warp, const Op& op, const MemRef& ref, std::uint64_t address,
                     int lane);
  void access_local(const WarpState& warp, const Op& op, const MemRef& ref, std::uint64_t offset,
                    int lane);
  void judge_scope(const WarpState& warp, const Op& op, const MemRef& ref, std::uint64_t offset,
                   int lane);
  void judge_heap(const WarpState& warp, const Op& op, const MemRef& ref, std::uint64_t address,
                  int lane);
  void write_to_constant(const WarpState& warp, const Op& op, const MemRef& ref,
                         const Region& region, std::uint64_t address, int lane);
  bool conflicts(const Toucher& before, const WarpState& warp, std::uint32_t thread) const;
  Finding& add(DiagnosticKind kind, MemorySpace space, const WarpState& warp, const Op& op,
               int lane, std::uint64_t address, const MemRef& ref);
  bool is_new(DiagnosticKind kind, MemorySpace space, std::uint32_t info) const;

  const FlatProgram& program_;
  const Launch& launch_;
  /// Bytes a shared cell stands for
  std::uint32_t granule_ = 4;
  /// Grows with every barrier and block
  std::uint32_t epoch_ = 1;
  std::vector<std::uint32_t> warp_sync_;
  std::vector<SharedCell> shared_;
  /// Block index + 1 that last wrote the cell
  std::vector<std::uint32_t> shared_written_;
  /// By warp, by word
  std::vector<std::vector<LaneMask>> local_written_, local_ended_;
  /// By address: blocks of the device's heap, those that were given back too
  struct HeapBlock {
    std::uint64_t bytes = 0;
    bool freed = false;
  };
  std::map<std::uint64_t, HeapBlock> heap_;
  std::vector<GlobalShadow> global_;
  bool judge_blocks_ = true;
  Dim3 block_;
  /// + 1
  std::uint32_t block_index_ = 0;
  std::uint64_t watch_ = 0;
  std::optional<Finding> watched_;
  std::vector<Finding> findings_;
};

}  // namespace lanescope

// Finds memory mistakes that do not stop a kernel: uninitialised reads, races, overflowing indices.
//
// Races (races.cpp): two accesses of the same granule by different threads, one of them a write, that
// nothing orders. Barriers order a block; __syncwarp and the *_sync operations the lanes of one warp;
// fences and flags anybody (happens_before.h). Atomics do not race with atomics.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "check/async_copies.h"
#include "check/group_sums.h"
#include "check/happens_before.h"
#include "check/lane_meetings.h"
#include "check/touches.h"
#include "check/undefined_lanes.h"
#include "check/warp_clocks.h"
#include "lanescope/memory.h"
#include "lanescope/run.h"
#include "machine/bulk.h"
#include "machine/machine.h"
#include "trace/pages.h"

namespace lanescope {

/// What is the matter with two accesses.
enum class RaceKind : std::uint8_t {
  unordered,
  /// Both write the same
  same_value,
  /// One waits for the other, which is a lane of its own warp
  lanes_wait,
  /// A flag was read in between, and no fence executed
  without_fence,
  /// Both volatile, of different blocks: not torn, but in no order
  is_volatile,
  /// The warp's lanes met in between by an operation that orders no memory
  only_met,
  /// Atomic among the threads of one block, and the other is of another
  narrow_scope,
  /// Read past the caches that see what the launch writes
  incoherent,
  /// The other is a bulk copy, or a wgmma, that is not known to be complete
  bulk_not_waited_for,
  product_not_waited_for,
  /// … or has read what it copies, and may not have seen what the other wrote
  no_proxy_fence,
  /// The other is an asynchronous copy that its thread has not waited for
  copy_not_waited_for,
  /// … has waited for, and no barrier came after that
  copy_no_barrier
};

/// One mistake, where it was first seen.
struct Finding {
  DiagnosticKind kind = DiagnosticKind::race;
  RaceKind race = RaceKind::unordered;
  Severity severity = Severity::error;
  MemorySpace space = MemorySpace::shared;
  /// Index in KernelInfo::ops
  std::uint32_t info = 0, other_info = kNone;
  Dim3 block, thread, other_block, other_thread;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  bool is_store = false, other_is_store = false;
  bool is_atomic = false, other_is_atomic = false;
  /// Of a shuffle whose value was used at other_info
  std::optional<UndefinedLanes::Source> shuffle;
  /// What is said of it, where that does not follow from the kind
  Message message = {}, hint = {};
  /// Of an access that leaves its array: where it lands, if known, and the pointer that it was
  /// computed from, 0 for none
  Message place = {};
  std::uint64_t base = 0;
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
  void barrier();
  /// The lanes of `mask` meet at a warp operation.
  void warp_sync(const Machine& machine, const WarpState& warp, const Op& op, LaneMask mask);
  /// The warp comes to barrier `id` of a part of the block, and is perhaps the last; has waited there; has
  /// waited for phases of mbarriers.
  void meets_part(std::uint32_t warp, std::uint32_t id, bool is_met);
  void met_part(std::uint32_t warp, std::uint32_t id);
  void waited_for(std::uint32_t warp, const Awaited& awaited);
  /// A lane of the warp has memory copied, before that happens.
  void bulk(const WarpState& warp, const Op& op, const BulkMove& move);
  /// A warp's wgmma reads pieces of shared memory.
  void group_reads(const Machine& machine, const WarpState& warp, const Op& op,
                   const std::vector<BulkPiece>& pieces);
  /// The lanes of `mask` come to the operation `pc`, which is marked.
  void marks(const Machine& machine, const WarpState& warp, std::uint32_t pc, LaneMask mask);
  /// The lanes of `mask` are about to touch ref.bytes each at their addresses, all within `region`.
  void access(const Machine& machine, const WarpState& warp, const Op& op, const MemRef& ref,
              const Region& region, const std::uint64_t* address, LaneMask mask);
  /// The lanes of `mask` shuffle, or execute anything else.
  void shuffle(const Machine& machine, const WarpState& warp, const Op& op, LaneMask mask);
  void operation(const Machine& machine, const WarpState& warp, const Op& op, LaneMask mask) {
    if (undefined_.any()) follow(machine, warp, op, mask);
    if (sums_.any() || op.code == Code::group_multiply) follow_sums(machine, warp, op);
  }
  /// The lanes of `mask` are about to touch memory: they are to stay in what their pointer belongs to.
  void guard(const Machine& machine, const WarpState& warp, const Op& op, const MemRef& ref,
             const std::uint64_t* address, LaneMask mask);
  /// A local variable's scope begins or ends.
  void scope(std::uint32_t warp, const MemoryObject& object, bool ends, LaneMask mask);
  /// The device's heap has given a block, or is given one back.
  void heap_taken(const WarpState& warp, const Op& op, const std::uint64_t* address,
                  const std::uint64_t* bytes, LaneMask mask);
  void heap_freed(const WarpState& warp, const Op& op, const std::uint64_t* address, LaneMask mask);
  /// A lane's result is not what the text means: it does not fit, or the operands have none.
  void arithmetic(std::uint32_t warp, const Op& op, int lane, Arithmetic what);

  /// The launch has ended. `image`: the module's variables and the device's heap, as they are now.
  void launch_ended(std::span<const std::byte> image);

  /// Keeps the last store to this global address for `watched`.
  void watch(std::uint64_t address) { watch_ = address; }
  [[nodiscard]] std::optional<Finding> watched() const { return watched_; }
  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }

 private:
  /// By whom a granule was touched last.
  struct Cell {
    /// Not by an atomic operation, and by one
    Touch writer = 0, atomic = 0;
    /// Two of different warps, if there are
    Touch reader = 0, other_reader = 0;
  };
  struct GlobalCell : Cell {
    /// Of another block than `reader`
    Touch foreign_reader = 0;
  };
  struct GlobalShadow {
    std::uint64_t base = 0, bytes = 0;
    /// Poisoned: reading before writing is a mistake
    bool starts_empty = false;
    Pages pages;
    /// Null when the buffer is too large. What no block touches is never taken.
    GlobalCell* cells = nullptr;
  };
  /// A warp-wide access that is being looked at.
  struct Access {
    const Machine& machine;
    const WarpState& warp;
    const Op& op;
    const MemRef& ref;
    const Region& region;
    const std::uint64_t* address;
    LaneMask mask;
    bool reads, writes;
    TouchedBy by;
    /// Number of `by`, lane 0
    Touch touch;
  };
  /// One of its lanes at one granule.
  struct Spot {
    int lane;
    /// Of the lane's access, and of the granule
    std::uint64_t address, at;
    std::uint32_t granule;
  };

  /// All lanes of the warp have met.
  void meet_warp(std::uint32_t warp);
  void follow(const Machine& machine, const WarpState& warp, const Op& op, LaneMask mask);
  void follow_sums(const Machine& machine, const WarpState& warp, const Op& op);
  Access looked_at(const Machine& machine, const WarpState& warp, const Op& op, const MemRef& ref,
                   const Region& region, const std::uint64_t* address, LaneMask mask);
  void access_shared(const Access& access, std::uint64_t offset, int lane);
  void access_global(const Access& access, GlobalShadow& shadow, std::uint64_t offset, int lane);
  void watch(const Access& access);
  GlobalShadow* shadow_of(const Region& region, std::uint64_t address);
  GlobalShadow* shadow_at(std::uint64_t address);
  void judge_unwritten(const Access& access, const GlobalShadow& shadow, std::uint64_t address,
                       int lane);

  /// Ordered before whatever comes now, by a barrier of the block; of shared memory, by its end.
  [[nodiscard]] bool is_past(Touch touch, bool in_shared) const {
    return touch == 0 || (touch < epoch_begin_ && (in_shared || touch >= block_begin_));
  }
  /// Nothing of the cell can be wrong with the access: most are so.
  [[nodiscard]] bool is_past(const Access& access, const Cell& cell, Touch foreign_reader,
                             bool in_shared) const;
  void keep(const Access& access, int lane, Cell& cell);

  // races.cpp
  void judge_all(const Access& access, const Spot& spot, const Cell& cell, Touch foreign_reader);
  bool judge(const Access& access, const Spot& spot, const Cell& cell, Touch before);
  std::optional<RaceKind> race(const Access& access, const Spot& spot, const Cell& cell,
                               Touch before) const;
  [[nodiscard]] bool has_seen(const Access& access, Touch reader, const TouchedBy& by,
                              std::uint32_t thread) const;
  static void note(const Access& access, int lane, Cell& cell, const Touches& touches);
  void synchronise(const Access& access);
  void begin_copies(const Access& access);
  void judge_coherence(const Access& access, const Spot& spot, const Cell& cell);
  void judge_masks(const WarpState& warp, const Op& op, LaneMask active, LaneMask living,
                   const std::uint32_t* masks);
  void judge_copy(const Access& access, const Spot& spot, const Cell& cell, const AsyncCopy& copy);
  void add_race(RaceKind kind, Finding finding);
  [[nodiscard]] Finding seen(const Access& access, int lane) const;
  /// A race of the two.
  [[nodiscard]] Finding against(const Access& access, const Spot& spot, Touch before) const;
  [[nodiscard]] HappensBefore::Now now(const WarpState& warp, int lane) const;

  // phases.cpp
  void change_mbarriers(const Access& access);

  // bulk_copies.cpp
  /// What copies for a mbarrier or for a thread's groups, by a number that no warp has.
  std::uint32_t engine_of(std::uint64_t key);
  /// Makes the engine know what lanes of the warp know that ask for something.
  std::uint32_t ask(std::uint64_t key, std::uint32_t warp, LaneMask lanes);
  [[nodiscard]] RaceKind unfinished(const TouchedBy& by) const;
  void mark_sums(const Mark& mark, std::uint32_t warp);
  void bulk_piece(const BulkPiece& piece, const BulkMove& move, const Op& op, const TouchedBy& by);
  void mark_bulk(const Mark& mark, std::uint32_t thread);
  void judge_engine(const TouchedBy& by, int lane, const Op& op, std::uint64_t offset,
                    Touch before);
  void judge_proxy(const TouchedBy& by, int lane, const Op& op, std::uint64_t offset, Touch writer);
  /// Of a touch of an engine, for a lane, with one before it
  void add_engine_race(RaceKind kind, const TouchedBy& by, int lane, const Op& op,
                       std::uint64_t offset, Touch before);

  void access_local(const WarpState& warp, const Op& op, const MemRef& ref, std::uint64_t offset,
                    int lane);
  void judge_scope(const WarpState& warp, const Op& op, const MemRef& ref, std::uint64_t offset,
                   int lane);
  void judge_heap(const WarpState& warp, const Op& op, const MemRef& ref, std::uint64_t address,
                  int lane);
  void write_to_constant(const WarpState& warp, const Op& op, const MemRef& ref,
                         const Region& region, std::uint64_t address, int lane);
  Finding& add(DiagnosticKind kind, MemorySpace space, const WarpState& warp, const Op& op,
               int lane, std::uint64_t address, const MemRef& ref);
  /// Said of an operation that touches no memory, once; takes the place of a milder one of its kind.
  void say_of(DiagnosticKind kind, Severity severity, std::uint32_t warp, std::uint32_t info,
              int lane, const Message& message, const Message& hint);
  void put(const Finding& finding);
  [[nodiscard]] bool is_same_race(const Finding& a, const Finding& b) const;
  bool is_new(DiagnosticKind kind, MemorySpace space, std::uint32_t info) const;

  const FlatProgram& program_;
  /// Nothing of it has a line of the text
  bool is_of_library_;
  const Launch& launch_;
  const GlobalMemory& memory_;
  /// Bytes a shared cell stands for
  std::uint32_t granule_ = 4;
  /// Grows with every barrier and block
  std::uint32_t epoch_ = 1;
  /// What has been touched since it began, and since the block did, has numbers from these on
  Touch epoch_begin_ = 0, block_begin_ = 0;
  std::vector<Cell> shared_;
  /// Block index + 1 that last wrote the cell
  std::vector<std::uint32_t> shared_written_;
  /// By warp, by so many bytes
  std::uint32_t local_granule_ = 4;
  std::vector<std::vector<LaneMask>> local_written_, local_ended_;
  /// By address: blocks of the device's heap, those that were given back too
  struct HeapBlock {
    std::uint64_t bytes = 0;
    bool freed = false;
    /// Index in KernelInfo::ops, and by whom
    std::uint32_t info = 0;
    Dim3 block, thread;
    bool is_led_to = false;
  };
  void find_pointers(std::span<const std::byte> memory);
  std::pair<const std::uint64_t, HeapBlock>* heap_block(std::uint64_t address);
  void judge_pointer(const Access& access, const Cell& cell, std::uint64_t address, int lane);
  std::map<std::uint64_t, HeapBlock> heap_;
  std::vector<GlobalShadow> global_;
  /// Bytes a global cell stands for
  std::uint32_t global_granule_ = 4;
  Touches touches_;
  /// By info: an operation in whose accesses a race has been found that is an error
  std::vector<bool> settled_;
  /// Lanes' accesses of the block so far
  std::uint64_t looked_at_ = 0;
  HappensBefore happens_before_;
  LaneMeetings meetings_;
  WarpClocks clocks_;
  AsyncCopies copies_;
  /// Engines by what they copy for; by thread, the bulk groups that it has committed, and the phase in which it
  /// last fenced its writes
  std::unordered_map<std::uint64_t, std::uint32_t> engines_;
  /// Of these, those that multiply
  std::unordered_set<std::uint32_t> multipliers_;
  std::unordered_map<std::uint32_t, std::uint32_t> bulk_groups_, proxy_fences_;
  UndefinedLanes undefined_;
  GroupSums sums_;
  Dim3 block_;
  /// + 1
  std::uint32_t block_index_ = 0;
  std::uint64_t watch_ = 0;
  std::optional<Finding> watched_;
  std::vector<Finding> findings_;
};

}  // namespace lanescope

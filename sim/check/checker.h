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
#include "lanescope/trace.h"
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
  copy_no_barrier,
  /// The shared memory is that of a block of the cluster that may not have begun, or may have ended
  owner_not_begun,
  owner_ended
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
  /// Blocks of a cluster begin, by rank. Then the one of that rank begins or goes on, has ended, all that are left
  /// have met.
  void begin_cluster(const std::vector<Dim3>& blocks);
  void enter(std::size_t rank);
  void block_ended();
  void cluster_met();
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
    if (own_.undefined.any()) follow(machine, warp, op, mask);
    if (own_.sums.any() || op.code == Code::group_multiply) follow_sums(machine, warp, op);
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
  /// What is known of the block that runs; each of a cluster's has its own.
  struct OfBlock {
    Dim3 block;
    /// In the grid, + 1
    std::uint32_t index = 0;
    /// Another with every barrier and block; what has been touched since it began has numbers from that on
    std::uint32_t epoch = 1;
    Touch epoch_begin = 0;
    /// By warp, by so many bytes
    std::vector<std::vector<LaneMask>> local_written, local_ended;
    AsyncCopies copies;
    UndefinedLanes undefined;
    GroupSums sums;
    /// By thread of other blocks: its last touch of this one's shared memory, and where
    std::map<std::uint32_t, std::pair<Touch, std::uint64_t>> reached;
    bool has_ended = false;
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
    /// Of shared memory, whose it is
    std::size_t rank;
  };
  /// One of its lanes at one granule.
  struct Spot {
    int lane;
    /// Of the lane's access, and of the granule
    std::uint64_t address, at;
    std::uint32_t granule;
  };

  void begin_own(Dim3 block, std::uint64_t index);
  void next_epoch();
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
    if (touch == 0) return true;
    if (is_in_cluster()) return in_shared && touch < block_begin_;
    return touch < own_.epoch_begin && (in_shared || touch >= block_begin_);
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
  /// Its thread, and the block of that
  [[nodiscard]] Dim3 block_of(Touch touch) const;
  [[nodiscard]] Dim3 thread_in_block(Touch touch) const {
    return thread_of(launch_.block, touches_[touch].issuer % warps_,
                     static_cast<int>(touch % kLanes));
  }
  [[nodiscard]] HappensBefore::Now now(const WarpState& warp, int lane) const;

  // phases.cpp: clusters
  [[nodiscard]] bool is_in_cluster() const { return !others_.empty(); }
  [[nodiscard]] bool is_of_cluster(Touch touch) const {
    return is_in_cluster() && touch >= block_begin_;
  }
  /// Among all of the cluster
  [[nodiscard]] std::uint32_t number(std::uint32_t warp) const {
    return static_cast<std::uint32_t>(rank_) * warps_ + warp;
  }
  OfBlock& of(std::size_t rank) { return rank == rank_ ? own_ : others_[rank]; }
  void cluster_arrival(std::uint32_t warp, LaneMask lanes, bool is_relaxed, bool waits);
  void fence(const HappensBefore::Now& at, bool device);
  /// A thread's touch of that block's shared memory: whether that is certainly there.
  bool reaches(std::size_t rank, Touch touch, std::uint64_t address);
  void add_unheld(RaceKind kind, Touch touch, std::uint64_t address);
  [[nodiscard]] bool knows_block(Touch touch) const;

  // phases.cpp
  [[nodiscard]] static std::uint64_t place_of(std::size_t rank, std::uint64_t offset) {
    return std::uint64_t{rank} << 40 | offset;
  }
  void change_mbarriers(const Access& access);

  // bulk_copies.cpp
  /// What copies for a mbarrier or for a thread's groups, by a number that no warp has.
  std::uint32_t engine_of(std::uint64_t key);
  /// Makes the engine know what lanes of the warp know that ask for something.
  std::uint32_t ask(std::uint64_t key, std::uint32_t warp, LaneMask lanes);
  [[nodiscard]] RaceKind unfinished(const TouchedBy& by) const;
  void mark_sums(const Mark& mark, std::uint32_t warp);
  void bulk_piece(const BulkPiece& piece, const BulkMove& move, std::size_t rank, const Op& op,
                  const TouchedBy& by);
  void bulk_source(const BulkPiece& piece, const BulkMove& move, const Op& op, const TouchedBy& by);
  void mark_bulk(const Mark& mark, std::uint32_t thread);
  void judge_engine(const TouchedBy& by, int lane, const Op& op, std::uint64_t address,
                    Touch before);
  void judge_proxy(const TouchedBy& by, int lane, const Op& op, std::uint64_t address,
                   Touch writer);
  /// Of a touch of an engine, for a lane, with one before it
  void add_engine_race(RaceKind kind, const TouchedBy& by, int lane, const Op& op,
                       std::uint64_t address, Touch before);
  [[nodiscard]] Finding of_engine(const TouchedBy& by, int lane, const Op& op,
                                  std::uint64_t address) const;
  /// Where a cell of shared memory is seen from the block that runs
  [[nodiscard]] std::uint64_t address_of(std::size_t rank, std::uint64_t offset) const {
    return kSharedWindow + (rank == rank_ ? 0 : cluster_offset(rank)) + offset;
  }

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
  std::uint32_t local_granule_ = 4;
  OfBlock own_;
  std::uint32_t epochs_ = 1;
  /// What has been touched since the block began, or the cluster, has numbers from it on
  Touch block_begin_ = 0;
  /// Of a cluster: its blocks but for the one that runs, by rank; and that one's rank
  std::vector<OfBlock> others_;
  std::size_t rank_ = 0;
  /// Of a block
  std::uint32_t warps_;
  /// By warp of the cluster: lanes that have come to its barrier; some did something else before they waited there
  std::vector<LaneMask> arrived_;
  bool is_split_ = false;
  /// The phase in which the cluster began; by thread, that of its last fence
  std::uint32_t begun_ = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> fences_;
  /// Those of each block after those of the one before
  std::vector<Cell> shared_;
  std::size_t cells_ = 0;
  /// Block index + 1 that last wrote the cell: its owner, whoever did
  std::vector<std::uint32_t> shared_written_;
  /// Of a cluster, by cell: who of the other blocks read it last
  std::vector<Touch> foreign_readers_;
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
  /// Engines by what they copy for; by thread, the bulk groups that it has committed, and the phase in which it
  /// last fenced its writes
  std::unordered_map<std::uint64_t, std::uint32_t> engines_;
  /// Of these, those that multiply
  std::unordered_set<std::uint32_t> multipliers_;
  std::unordered_map<std::uint32_t, std::uint32_t> bulk_groups_, proxy_fences_;
  std::uint64_t watch_ = 0;
  std::optional<Finding> watched_;
  std::vector<Finding> findings_;
};

}  // namespace lanescope

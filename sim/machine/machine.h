// State of a simulated multiprocessor while it executes blocks: one Machine per worker thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "lanescope/memory.h"
#include "lanescope/message.h"
#include "lanescope/run.h"
#include "lower/flat.h"

namespace lanescope {

/// Divergence: lanes of `mask` run from `pc` until they reach `meet`, where the entry below
/// continues.
struct StackEntry {
  /// Indices in FlatCode::ops
  std::uint32_t pc = 0, meet = kNone;
  LaneMask mask = 0;
};

/// Barriers behind those that a block has numbers for: of its warpgroups, at wgmma.wait_group
/// (prelude/ptx/lanescope_mbarrier.h).
inline constexpr std::uint32_t kFirstWarpgroup = 256;

/// What a warp waits for that has stopped.
struct Awaited {
  enum class Kind : std::uint8_t {
    nothing,
    /// All warps of the block, or of the grid
    all,
    /// Other warps, at one of the block's numbered barriers
    part,
    /// Phases of mbarriers
    mbarrier
  } kind = Kind::nothing;
  /// part: the barrier's number, and how many threads meet there
  std::uint32_t id = 0, threads = 0;
  /// mbarrier: of these lanes, the words' offsets in shared memory, and the phases' parities
  LaneMask lanes = 0, parities = 0;
  std::array<std::uint32_t, kLanes> offset{};
};

/// One warp of the block being executed, as it stands between barriers.
struct WarpState {
  /// In the block
  std::uint32_t index = 0;
  /// The block's last warp may have fewer than 32
  LaneMask existing = 0, exited = 0;
  /// What runs is on top
  std::vector<StackEntry> stack;
  /// Where its lanes wait for one another (execute/strands.h): those that run, at how few entries of the stack they
  /// stop, and whether they are yet to enter the block that they go on in
  LaneMask strand = kAllLanes;
  std::size_t floor = 0;
  bool enters = false;
  bool done = false;
  /// Machine code has handed it over: until the block ends it is the interpreter's
  bool is_interpreted = false;
  Awaited awaited;
  /// The barrier it waits at
  std::uint32_t barrier_pc = kNone;
  /// barrier_count, mbarrier_wait: where the result goes when it resumes
  std::uint32_t barrier_row = kNone;
  /// barrier_count: this warp's lanes that count
  LaneMask barrier_predicate = 0;
  /// The result: the block's number of them; whether the phases are over
  std::uint32_t barrier_count = 0;
  /// FlatCode::kept_rows × 32 words, while the warp waits
  std::vector<std::uint32_t> kept_rows;
  std::vector<LaneMask> kept_predicates;
  /// Word w of lane l at [w × 32 + l], as the hardware interleaves it
  std::vector<std::uint32_t> local;
};

/// What is known of the loop that a warp is in (execute/loop_watch.h).
enum class LoopVerdict : std::uint8_t { goes_on, comes_back, has_no_end };

/// Why execution of a warp stopped for good.
struct Fault {
  DiagnosticKind kind = DiagnosticKind::internal;
  /// Index in KernelInfo::ops
  std::uint32_t info = 0;
  /// The first one concerned
  int lane = 0;
  /// Of an access: where, and how many bytes a lane
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  bool is_store = false;
  /// Of an access: what its pointer belongs to (FlatCode::guards; kNone if unknown), and the pointer
  /// that it was computed from, 0 for none
  std::uint32_t guard = kNone;
  std::uint64_t base = 0;
  /// Of a barrier: other blocks wait at it
  bool is_grid = false;
  /// Of a barrier that nobody comes to any more: what it is, and of a part of the block who has come
  Awaited::Kind awaited = Awaited::Kind::all;
  std::uint32_t id = 0, threads = 0, arrived = 0;
  /// Of lanes that are missing: at a matrix instruction. Of an access: it reads or writes matrices
  bool is_matrix = false;
  /// Of bulk copies and matrices in shared memory: what is wrong, where that is none of the above
  Message message = {}, hint = {};
  /// The hardware goes on, and so does the run
  bool passes = false;
  /// Trap text (index in FlatProgram::traps), the lane mask concerned, or a LoopVerdict
  std::uint32_t detail = 0;
};

/// A fault after which the warp went on: the first of its kind at its place.
struct Tolerated {
  Fault fault;
  Dim3 block;
  std::uint32_t warp = 0;
};

/// A stretch of memory that an address may lie in.
struct Region {
  MemorySpace space = MemorySpace::generic;
  /// In bytes
  std::uint64_t base = 0, size = 0;
  /// Null for local memory, which each warp holds, and for data that the run does without
  std::byte* data = nullptr;
  /// A buffer that is filled as it is touched
  const Buffer* deferred = nullptr;
};

/// What an access by these lanes has cost before: the addresses from the first active one on (0 for lanes
/// that are off), that one's place in a sector or word, and what is counted of it.
struct SeenCost {
  alignas(64) std::uint32_t lanes[kLanes] = {};
  LaneMask mask = 0;
  std::uint32_t place = 0;
  AccessCounts counts;
};
/// Of one reference. Where they do not come again nobody looks for them.
struct SeenCosts {
  static constexpr std::uint32_t kEach = 16;
  std::int32_t trust = 0;
  SeenCost each[kEach];
};

/// Where a block of a cluster sees the shared memory of the block of that rank, from the window of its own on; and its
/// own, which lies at the window's beginning too.
inline constexpr std::uint64_t kClusterStride = 1u << 24;
constexpr std::uint64_t cluster_offset(std::uint64_t rank) { return (rank + 1) * kClusterStride; }

class Checker;
class CompiledKernel;
class LoopWatch;
class Recorder;

/// A multiprocessor: what its warps share, and the row file of the one that runs.
struct Machine {
  const FlatProgram* program = nullptr;
  const FlatCode* code = nullptr;
  const Launch* launch = nullptr;
  /// Structs among the kernel's arguments, one after the other, 64-byte aligned
  std::vector<std::byte> parameters;
  /// [0] shared, [1] module image, [2] local, [3] parameters, then the buffers
  std::vector<Region> regions;
  /// Last region of each MemRef: nearly always right again
  std::vector<Region> ref_region;
  /// FlatCode::rows of them, 32 words each, 64-byte aligned
  std::uint32_t* rows = nullptr;
  /// FlatCode::predicates of them
  LaneMask* predicates = nullptr;
  /// [warp][x, y, z][lane]
  std::vector<std::uint32_t> thread_rows;
  /// The block's shared memory: static, then dynamic
  std::vector<std::byte> shared;
  /// Of each block of the cluster, by rank, its shared memory; empty where a block is alone
  std::vector<std::byte*> cluster;
  /// By AccessInfo::id
  std::vector<AccessCounts> counts;
  /// By FlatBlock
  std::vector<std::uint64_t> block_entries;
  /// Warp instructions; the block's may not pass `budget_end`, which is looked at every so often
  std::uint64_t executed = 0, budget_end = 0, next_check = 0;
  std::stop_token stop;
  Fault fault;
  /// RunControl::go_on, and what came of it
  bool go_on = false;
  std::vector<Tolerated> tolerated;
  /// Either may be null in an observed run
  Recorder* recorder = nullptr;
  Checker* checker = nullptr;
  /// Of the block that runs
  LoopWatch* watch = nullptr;
  /// A warp of the launch has waited in a loop for memory to change: others will
  bool has_waits = false;
  /// The one being executed
  Dim3 block;
  std::vector<Printed> printed;
  /// What execute_compiled runs, and its counts by place (compiled/compiled_frame.h)
  const CompiledKernel* compiled = nullptr;
  std::vector<std::uint64_t> fast;
  /// By reference
  std::vector<SeenCosts> seen;
  /// What `rows` and `predicates` point into
  std::unique_ptr<std::uint32_t[]> row_storage;
  std::vector<LaneMask> predicate_storage;
};

}  // namespace lanescope

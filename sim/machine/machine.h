// State of a simulated multiprocessor while it executes blocks: one Machine per worker thread.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "lanescope/memory.h"
#include "lanescope/run.h"
#include "lower/flat.h"

namespace lanescope {

/// Divergence: lanes of `mask` run from `pc` until they reach `meet`, where the entry below
/// continues.
struct StackEntry {
  std::uint32_t pc = 0, meet = kNone;
  LaneMask mask = 0;
};

struct WarpState {
  std::uint32_t index = 0;
  LaneMask existing = 0, exited = 0;
  std::vector<StackEntry> stack;
  bool done = false;
  /// The barrier it waits at
  std::uint32_t barrier_pc = kNone;
  /// barrier_count: where the count goes when it resumes
  std::uint32_t barrier_row = kNone;
  LaneMask barrier_predicate = 0;
  std::uint32_t barrier_count = 0;
  /// 32 words a row
  std::vector<std::uint32_t> kept_rows;
  std::vector<LaneMask> kept_predicates;
  /// Word w of lane l at [w × 32 + l], as the hardware interleaves it
  std::vector<std::uint32_t> local;
};

/// Why execution of a warp stopped for good.
struct Fault {
  DiagnosticKind kind = DiagnosticKind::internal;
  /// Index in KernelInfo::ops
  std::uint32_t info = 0;
  int lane = 0;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  bool is_store = false;
  /// Trap text, or the lane mask concerned
  std::uint32_t detail = 0;
};

/// A stretch of memory that an address may lie in.
struct Region {
  MemorySpace space = MemorySpace::generic;
  std::uint64_t base = 0, size = 0;
  std::byte* data = nullptr;
  /// A buffer that is filled as it is touched
  const Buffer* deferred = nullptr;
};

class Checker;
class Recorder;

struct Machine {
  const FlatProgram* program = nullptr;
  const FlatCode* code = nullptr;
  const Launch* launch = nullptr;
  /// [0] shared, [1] module image, then the buffers
  std::vector<Region> regions;
  /// Last region of each MemRef: nearly always right again
  std::vector<Region> ref_region;
  /// 32-byte aligned, 32 words a row
  std::uint32_t* rows = nullptr;
  LaneMask* predicates = nullptr;
  /// [warp][x, y, z][lane]
  std::vector<std::uint32_t> thread_rows;
  std::vector<std::byte> shared;
  /// By AccessInfo::id
  std::vector<AccessCounts> counts;
  /// By FlatBlock
  std::vector<std::uint64_t> block_entries;
  std::uint64_t executed = 0, budget_end = 0, next_check = 0;
  std::stop_token stop;
  Fault fault;
  /// Either may be null in an observed run
  Recorder* recorder = nullptr;
  Checker* checker = nullptr;
  /// The one being executed
  Dim3 block;
  std::vector<Printed> printed;
  std::unique_ptr<std::uint32_t[]> row_storage;
  std::vector<LaneMask> predicate_storage;
};

}  // namespace lanescope

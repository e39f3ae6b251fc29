// State of a simulated multiprocessor while it executes blocks: one Machine per worker thread.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "lanescope/memory.h"
#include "lanescope/run.h"
#include "simt/flat.h"

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
  std::uint32_t barrier_pc = kNone;   ///< the barrier it waits at
  std::uint32_t barrier_row = kNone;  ///< barrier_count: where the count goes when it resumes
  LaneMask barrier_predicate = 0;
  std::uint32_t barrier_count = 0;
  std::vector<std::uint32_t> kept_rows;  ///< 32 words a row
  std::vector<LaneMask> kept_predicates;
  std::vector<std::uint32_t>
      local;  ///< word w of lane l at [w × 32 + l], as the hardware interleaves it
};

/// Why execution of a warp stopped for good.
struct Fault {
  DiagnosticKind kind = DiagnosticKind::internal;
  std::uint32_t info = 0;  ///< index in KernelInfo::ops
  int lane = 0;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  bool is_store = false;
  std::uint32_t detail = 0;  ///< trap text, or the lane mask concerned
};

/// A stretch of memory that an address may lie in.
struct Region {
  MemorySpace space = MemorySpace::generic;
  std::uint64_t base = 0, size = 0;
  std::byte* data = nullptr;
  const Buffer* deferred = nullptr;  ///< a buffer that is filled as it is touched
};

class Checker;
class Recorder;

struct Machine {
  const FlatProgram* program = nullptr;
  const FlatCode* code = nullptr;
  const Launch* launch = nullptr;
  std::vector<Region> regions;     ///< [0] shared, [1] module image, then the buffers
  std::vector<Region> ref_region;  ///< last region of each MemRef: nearly always right again
  std::uint32_t* rows = nullptr;   ///< 32-byte aligned, 32 words a row
  LaneMask* predicates = nullptr;
  std::vector<std::uint32_t> thread_rows;  ///< [warp][x, y, z][lane]
  std::vector<std::byte> shared;
  std::vector<AccessCounts> counts;          ///< by AccessInfo::id
  std::vector<std::uint64_t> block_entries;  ///< by FlatBlock
  std::uint64_t executed = 0, budget_end = 0, next_check = 0;
  std::stop_token stop;
  Fault fault;
  Recorder* recorder = nullptr;  ///< either may be null in an observed run
  Checker* checker = nullptr;
  Dim3 block;  ///< the one being executed
  std::vector<Printed> printed;
  std::unique_ptr<std::uint32_t[]> row_storage;
  std::vector<LaneMask> predicate_storage;
};

enum class Stop { barrier, exited, fault, budget, cancelled };

/// Runs one warp until it waits at a barrier, ends or fails.
using ExecuteWarp = Stop (*)(Machine&, WarpState&);
ExecuteWarp executor_base(bool observed);
ExecuteWarp executor_v3(bool observed);
/// The fastest form that this machine's processor can run. An observed run tells the machine's
/// recorder and checker.
ExecuteWarp choose_executor(bool observed);

}  // namespace lanescope

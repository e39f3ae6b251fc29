// Runs a program: warps of 32 lanes in lock step, blocks one after the other on each worker.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "lanescope/diagnostic.h"
#include "lanescope/memory.h"
#include "lanescope/program.h"
#include "lanescope/trace.h"

namespace lanescope {

/// A kernel argument: a scalar as text ("1024", "0.5", "true"), or a buffer of the GlobalMemory by
/// name.
struct Argument {
  /// The kernel parameter it is for
  std::string name;
  /// Used when `buffer` is empty
  std::string scalar;
  /// Name in GlobalMemory; "" for a scalar; "null" is a null pointer unless a buffer is called so
  std::string buffer;
};

struct Launch {
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<Argument> arguments;
};

/// Which blocks to execute, and which of them to record step by step.
struct RunOptions {
  bool all_blocks = true;
  /// When not all: these, in this order
  std::vector<Dim3> blocks;
  /// Coordinates to record; must be among those executed
  std::vector<Dim3> record;
  /// Warp instructions a block may execute; 0 picks 200 million
  std::uint64_t step_budget = 0;
  /// Cap on recorded data, then `truncated`. Rows count in full, though they are kept in less.
  std::size_t trace_bytes = 256u << 20;
  /// What memory holds afterwards is of no interest: the counts of the whole grid may then come
  /// from one symbolic block of each class, when that is proved to be exact, and from every block
  /// when it is not. The latter without global memory if that is over `most_data` bytes and no
  /// address and no branch depends on loaded data.
  bool counts_only = false;
  std::uint64_t most_data = 1ull << 30;
  /// With `counts_only`: execute every block instead of looking for a proof. Global memory is left
  /// out of it (loads give 0, stores are dropped) when no address and no branch depends on loaded
  /// data.
  bool every_block = false;
  /// Look for uninitialised reads, races and overflowing indices too. With `counts_only`, in one
  /// block of each class (or in the grid's corner blocks when there are no classes); else in every
  /// executed block.
  bool checks = false;
  /// A global address whose last writer is wanted; every block is executed in order
  std::uint64_t watch = 0;
  /// Workers; 0 picks the machine's cores
  unsigned threads = 0;
  /// Cancels between barriers of a block and within long loops
  std::stop_token stop;
  /// Called now and then from worker threads with (blocks done, blocks in all). May be empty.
  std::function<void(std::uint64_t, std::uint64_t)> progress;
};

struct Coverage {
  /// In the grid
  std::uint64_t blocks = 0;
  std::uint64_t blocks_executed = 0;
  /// The totals are those of the whole grid
  bool exact = false;
  /// Above 0: the totals were proved from so many classes of blocks
  std::uint64_t classes = 0;
  /// Why the proof did not hold, when it was tried and did not
  std::string fallback;
  /// The blocks were executed for their counts alone: no results
  bool without_data = false;
};

/// What one thread printed with one call of printf.
struct Printed {
  Dim3 block, thread;
  std::string text;
  bool operator==(const Printed&) const = default;
};
/// Calls kept; the GPU's own buffer is limited too
inline constexpr std::size_t kMostPrinted = 10'000;

struct RunResult {
  Coverage coverage;
  /// By AccessInfo::id
  std::vector<AccessCounts> accesses;
  /// warp-wide, by index in KernelInfo::ops
  std::vector<std::uint64_t> op_executions;
  /// Executed operations, all warps
  std::uint64_t warp_instructions = 0;
  /// In the order of execution
  std::vector<Printed> printed;
  /// As asked by RunOptions::record, in that order
  std::vector<BlockTrace> traces;
  /// The first fault ends the run; what `checks` finds does not. Sorted as found, blocks in order.
  std::vector<Diagnostic> diagnostics;
  /// With RunOptions::watch: block, thread and position of the last store to that address.
  std::optional<Diagnostic> last_writer;

  [[nodiscard]] bool ok() const { return !has_errors(diagnostics); }
};

/// Checks the launch and the arguments against the program; empty if it can run.
std::vector<Diagnostic> check_arguments(const Program& program, const Launch& launch,
                                        const GlobalMemory& memory);

/// Runs the launch; `memory` holds the results afterwards. Totals and traces do not depend on
/// `threads`. Never throws, never prints. An error stops the run: counts so far are returned,
/// coverage.exact is false.
RunResult run(const Program& program, const Launch& launch, GlobalMemory& memory,
              const RunOptions& options);

}  // namespace lanescope

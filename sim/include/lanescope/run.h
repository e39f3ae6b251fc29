// Runs a program: warps of 32 lanes in lock step, blocks one after the other on each worker.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
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
  /// The parameter's value as it is in memory, of any type; used instead of the two above unless
  /// empty
  std::vector<std::byte> bytes = {};
  /// Where in `bytes` the address of a buffer of the GlobalMemory goes, and its name
  std::vector<std::pair<std::uint32_t, std::string>> pointers = {};
};

struct Launch {
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<Argument> arguments;
  /// All blocks are there at once, and may wait for one another (cudaLaunchCooperativeKernel). Where
  /// they do, they run on one worker, and `checks` finds nothing: what the grid's barriers order is
  /// not followed.
  bool cooperative = false;
};

/// What executes blocks of which only counts and results are wanted: the same come of both.
enum class Engine : std::uint8_t {
  /// The interpreter at once, machine code as soon as it pays
  automatic,
  interpreter,
  /// Machine code from the first block, where the kernel can be compiled
  compiled
};

/// What every request has in common.
struct RunControl {
  Engine engine = Engine::automatic;
  /// Cancels between barriers of a block and within long loops; the run then ends with a
  /// DiagnosticKind::cancelled
  std::stop_token stop;
  /// Called now and then, from worker threads too, with (blocks done, blocks in all). May be empty.
  std::function<void(std::uint64_t, std::uint64_t)> progress;
  /// Warp instructions a block may execute; 0 picks 200 million
  std::uint64_t step_budget = 0;
  /// Report a mistake that hardware carries on after, and carry on: an access beyond a buffer but in
  /// memory that the device has (loads give 0, stores are dropped), lanes or warps that miss a barrier.
  /// A run that fails is then not repeated: memory is somebody else's.
  bool go_on = false;
};

/// These blocks step by step: a trace of each. Of up to 16, deferred buffers are filled only where
/// the blocks touch them.
struct InspectRequest {
  /// Executed in this order and recorded, all of them; a block outside the grid is a usage error
  std::vector<Dim3> blocks;
  /// Cap on the recorded data of a block in bytes, then `truncated`. Rows count in full, though
  /// they are kept in less.
  std::size_t trace_bytes = 256u << 20;
  /// Look for uninitialised reads, races and overflowing indices too
  bool checks = false;
  RunControl control;
};

/// The counts of the whole grid; what memory holds afterwards is of no interest. They come from one
/// symbolic block of each class, when that is proved to be exact, and from every block when it is
/// not.
struct CountRequest {
  /// Execute every block instead of looking for a proof. Global memory is left out of it (loads
  /// give 0, stores are dropped) when no address and no branch depends on loaded data.
  bool every_block = false;
  /// Bytes of all buffers above which, without a proof, global memory is left out in the same way
  std::uint64_t most_data = 1ull << 30;
  /// Look for uninitialised reads, races and overflowing indices in one block of each class, or in
  /// the grid's corner blocks when there are no classes; and in every block where they can only be executed
  /// in order
  bool checks = false;
  /// Workers; 0 picks the machine's cores
  unsigned threads = 0;
  RunControl control;
};

/// Every block with data: memory holds the results afterwards.
struct ExecuteRequest {
  /// These instead of the whole grid, in this order; a block outside the grid is a usage error. Of
  /// up to 16, deferred buffers are filled only where the blocks touch them.
  std::optional<std::vector<Dim3>> blocks;
  /// Look for uninitialised reads, races and overflowing indices in every block: one after the
  /// other, on one worker
  bool checks = false;
  /// Workers; 0 picks the machine's cores
  unsigned threads = 0;
  RunControl control;
};

/// Who stored last to an address; every block is executed in order.
struct FindWriterRequest {
  /// In the launch's address space, as in Diagnostic::address
  std::uint64_t address = 0;
  RunControl control;
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
  /// Of matrix instructions, all warps
  std::uint64_t multiply_adds = 0;
  /// In the order of execution
  std::vector<Printed> printed;
  /// Of an InspectRequest: its blocks, in that order
  std::vector<BlockTrace> traces;
  /// The first fault ends the run; what `checks` finds does not. Sorted as found, blocks in order.
  std::vector<Diagnostic> diagnostics;

  [[nodiscard]] bool ok() const { return !has_errors(diagnostics); }
};

struct WriterResult {
  /// Block, thread and position of the last store to the address; nullopt if there was none
  std::optional<Diagnostic> writer;
  /// The first fault ends the run
  std::vector<Diagnostic> diagnostics;

  [[nodiscard]] bool ok() const { return !has_errors(diagnostics); }
};

/// Checks the arguments against the program; empty if they fit.
std::vector<Diagnostic> check_arguments(const Program& program, const Launch& launch,
                                        const GlobalMemory& memory);

// What all four have in common: the launch and the arguments are checked first, and what is wrong
// with them is returned as usage errors, with nothing run. `memory` holds the results afterwards
// (of `count`: nothing of use). Totals and traces do not depend on the number of workers. They
// never throw and never print. An error stops a run: counts so far are returned, and coverage.exact
// is false.

RunResult inspect(const Program& program, const Launch& launch, GlobalMemory& memory,
                  const InspectRequest& request);
RunResult count(const Program& program, const Launch& launch, GlobalMemory& memory,
                const CountRequest& request);
RunResult execute(const Program& program, const Launch& launch, GlobalMemory& memory,
                  const ExecuteRequest& request);
WriterResult find_writer(const Program& program, const Launch& launch, GlobalMemory& memory,
                         const FindWriterRequest& request);

}  // namespace lanescope

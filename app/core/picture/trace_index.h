// What a recorded block touched and assigned, and when: found by address, by access and by variable
// instead of by looking through the trace. Built once for a trace, of which it keeps no pointer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lanescope/trace.h"

namespace lanescope::app {

/// One warp-wide execution that reaches shared memory.
struct SharedExecution {
  std::uint32_t warp = 0, step = 0;
  /// Barriers that the warp passed before
  std::uint32_t phase = 0;
  std::uint32_t access = 0;
  std::uint16_t wavefronts = 0, ideal = 0, conflicts = 0;
};

class TraceIndex {
 public:
  TraceIndex(const KernelInfo& kernel, const BlockTrace& trace);

  /// A warp's steps of one access, ascending.
  [[nodiscard]] std::span<const std::uint32_t> steps(std::uint32_t warp, int access) const {
    return accesses_.list(warp, access);
  }
  /// A warp's steps that assign one variable, ascending.
  [[nodiscard]] std::span<const std::uint32_t> assignments(std::uint32_t warp, int variable) const {
    return assigns_.list(warp, variable);
  }
  /// Barriers that a warp passed before a step.
  [[nodiscard]] std::uint32_t phase(std::uint32_t warp, std::size_t step) const;

  /// By phase, then step, then warp.
  [[nodiscard]] const std::vector<SharedExecution>& shared() const { return shared_; }
  /// Those that touch the 32-bit word at a shared address, as indices in `shared`, ascending.
  [[nodiscard]] std::span<const std::uint32_t> touching(std::uint64_t address) const;

 private:
  // Lists of steps for each warp and each of `count` things, one behind the other.
  struct Lists {
    std::size_t count = 0;
    std::vector<std::uint32_t> begin, steps;
    void start(std::size_t warps, std::size_t things);
    void add(std::size_t warp, int thing);  // counted first,
    void place();
    void put(std::size_t warp, int thing, std::uint32_t step);  // then put, in the same order
    [[nodiscard]] std::span<const std::uint32_t> list(std::uint32_t warp, int thing) const;

   private:
    std::vector<std::uint32_t> next_;
  };
  void list_steps(const KernelInfo& kernel, const BlockTrace& trace);
  void collect_shared(const KernelInfo& kernel, const BlockTrace& trace);
  void index_words(const KernelInfo& kernel, const BlockTrace& trace);

  Lists accesses_, assigns_;
  std::vector<std::vector<std::uint32_t>> barriers_;  // steps of each warp
  std::vector<SharedExecution> shared_;
  std::vector<std::uint32_t> word_begin_, word_executions_;
};

/// As lanescope::last_writer, for an address in shared memory.
std::optional<StepRef> last_writer(const TraceIndex& index, const KernelInfo& kernel,
                                   const BlockTrace& trace, std::uint64_t address, StepRef before,
                                   int* lane);
/// As lanescope::variables_at.
std::vector<VariableValues> variables_at(const TraceIndex& index, const KernelInfo& kernel,
                                         const BlockTrace& trace, std::uint32_t warp,
                                         std::size_t step);

}  // namespace lanescope::app

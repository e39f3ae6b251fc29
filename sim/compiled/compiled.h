// A kernel as machine code: the flat program of one launch, lanes in vector registers, made with LLVM.
// What it computes, counts and reports is what the interpreter does.
#pragma once

#include <memory>

#include "compiled/compiled_frame.h"
#include "compiled/machine_code.h"

namespace lanescope {

/// The code of one program for launches of one shape: block, grid and arguments are part of it.
class CompiledKernel {
 public:
  /// Null where it cannot be made: too large a program, or a processor that LLVM does not know. The
  /// machine has been made for the launch.
  static std::shared_ptr<const CompiledKernel> make(const Machine& machine);
  CompiledKernel(const CompiledKernel&) = delete;
  CompiledKernel& operator=(const CompiledKernel&) = delete;

  [[nodiscard]] Stop run(Machine& machine, WarpState& warp) const;
  /// As ExecuteBlock
  [[nodiscard]] Stop run_block(Machine& machine, std::vector<WarpState>& warps,
                               std::uint32_t& which) const;
  /// Counts that were kept by slots become the machine's.
  void settle_counts(Machine& machine) const;
  /// Of one quick access by some lanes
  [[nodiscard]] AccessCounts cost_of(const Op& op, std::uint32_t slot, LaneMask mask) const;
  /// Was it made for a launch like the machine's?
  [[nodiscard]] bool fits(const Machine& machine) const;

 private:
  struct Key {
    const FlatCode* code = nullptr;
    Dim3 block, grid;
    std::vector<std::uint32_t> arguments;
    bool operator==(const Key&) const = default;
  };
  CompiledKernel() = default;
  void begin(Machine& machine) const;
  static Frame frame_of(Machine& machine, WarpState& warp);
  static Stop end(Machine& machine, const Frame& frame, std::uint32_t told);
  static Stop hand_over(Machine& machine, WarpState& warp);
  static Key key_of(const Machine& machine);
  Key made_for_;
  MachineCode code_;
  /// By reference: of quick accesses
  std::vector<LanePattern> patterns_;
};

/// May the machine's kernel be worth it at all, and is it of a size that is made in reasonable time?
bool can_be_compiled(const FlatCode& code);

/// Runs the warp, or the block's together, by Machine::compiled.
Stop execute_compiled(Machine& machine, WarpState& warp);
Stop execute_compiled_block(Machine& machine, std::vector<WarpState>& warps, std::uint32_t& which);

}  // namespace lanescope

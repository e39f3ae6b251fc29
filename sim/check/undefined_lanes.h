// Values that mean nothing: those that a shuffle made up, since a lane that reads from one which does not
// take part gets an undefined value (PTX ISA, "shfl.sync"), and those of variables that nothing has set.
// Followed lane by lane from row to row until a lane uses one: stores it, branches by it, multiplies
// matrices by it, or makes an address of it. Many tree reductions compute such values and never use
// them; so the shuffle alone is no mistake.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "machine/machine.h"

namespace lanescope {

class UndefinedLanes {
 public:
  /// A shuffle that read from a lane which was not there, or a variable.
  struct Source {
    /// Index in KernelInfo::ops: of the shuffle, or of what first computed with the variable, kNone if
    /// nothing did
    std::uint32_t info = 0;
    /// Index in FlatProgram::unset; kNone of a shuffle
    std::uint32_t variable = kNone;
    int lane = 0, from = 0;
    /// The block has no such lane; it has ended
    bool missing = false, ended = false;
  };
  /// A lane uses one.
  struct Use {
    Source source;
    int lane = 0;
  };

  void begin_block() { warps_.clear(), any_ = is_made_ = false; }
  [[nodiscard]] bool any() const { return any_; }
  /// A shuffle of the lanes of `mask`.
  void shuffle(const Machine& machine, const WarpState& warp, const Op& op, LaneMask mask);
  /// The next operation makes the value of a variable that nothing has set.
  void unset(const Machine& machine, const WarpState& warp, const Op& op, LaneMask mask,
             std::uint32_t variable);
  /// Any other operation, once there are such values; what of them it uses.
  std::optional<Use> operation(const Machine& machine, const WarpState& warp, const Op& op,
                               LaneMask mask);

 private:
  /// Lanes, and where the value came from: an index in sources_
  struct Row {
    LaneMask lanes = 0;
    std::uint32_t source = 0;
    /// Of each of these lanes, where it is not the whole value
    std::vector<std::uint64_t> bits;

    [[nodiscard]] std::uint64_t unset(int lane, std::uint64_t all) const {
      if ((lanes >> lane & 1) == 0) return 0;
      return bits.empty() ? all : bits[static_cast<std::size_t>(lane)] & all;
    }
    /// Makes the lanes what they are in another row.
    void take(LaneMask mask, const Row& other);
    void set(int lane, std::uint64_t unset, std::uint64_t all);
  };
  struct Warp {
    std::vector<Row> rows, predicates;
  };
  Warp& of(const Machine& machine, const WarpState& warp);
  static Row* row_of(Warp& warp, Operand kind, std::uint32_t index);
  Row joined(const Machine& machine, Warp& warp, const Op& op);
  /// Of lanes whose operands mean nothing, or not in every bit
  static bool join_bits(const Machine& machine, Warp& warp, const Op& op, Row& out);
  std::uint32_t of_variable(std::uint32_t variable, std::uint32_t info);
  Row selected(const Machine& machine, Warp& warp, const Op& op) const;
  std::optional<Use> access(Warp& warp, const MemRef& ref, LaneMask mask);
  std::optional<Use> multiplied(Warp& warp, const MatrixCall& call, LaneMask mask);
  [[nodiscard]] std::optional<Use> used(const Row& row, LaneMask mask) const;

  bool any_ = false;
  /// By the operation that comes next
  bool is_made_ = false;
  std::vector<Source> sources_;
  /// Of variables: index in sources_ by variable and info
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> of_variables_;
  /// By warp, made when needed
  std::vector<Warp> warps_;
};

/// Where each lane of a shuffle reads (PTX ISA, "shfl.sync"): itself where that lies outside of its
/// segment.
int shuffle_source(const Machine& machine, const WarpCall& call, int lane);

}  // namespace lanescope

// One symbolic run: the flow of its warps, the counts of their accesses, and its loops. Private to
// sim/prove.
//
// Warps run one after the other, each to its end: what they load is unknown, so none can see what
// another does. That they meet at the same barriers is compared afterwards.
//
// A loop is run as a whole where its values are affine in the number of its iteration. Two iterations
// tell by how much each value moves; from there on every value is taken to move so, with a dimension of
// the box for the iteration. The body is run once on that: if it leaves every value as the next
// iteration was taken to find it, and no condition changes in the n iterations, then that is so for
// all n of them (by induction), and its counts are those of all n.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "lanescope/tensor_map.h"
#include "machine/flow.h"
#include "model/cost_service.h"
#include "prove/symbolic_values.h"

namespace lanescope {

class SymbolicRun {
 public:
  SymbolicRun(const Machine& machine, const LoopNest& loops, const Box& box, std::uint64_t budget,
              BoxCounts& counts);

  SymbolicOutcome run();

 private:
  // ---- flow: symbolic.cpp ----

  /// Where `advance` came to.
  enum class Place : std::uint8_t { end, stopped, header };

  void run_warp(std::uint32_t index);
  /// Goes on from pc_ until the warp ends, the proof stops, or a back edge leads to the header of
  /// `within`; leaving that is `end` too. Null: the whole program.
  Place advance(const LoopBody* within);
  void enter(std::uint32_t pc);
  /// The next pc of a branch, jump or exit; kNone when the warp has ended.
  std::uint32_t follow(const Op& op);
  void warp_operation(const Op& op);
  /// Where the proof ended, if the text has a line for it.
  void name_line(std::string& reason) const;

  // ---- accesses: symbolic_counts.cpp ----

  void access(const Op& op, LaneMask mask);
  /// The region that holds the addresses of all active lanes in every block of the box; null if none
  /// does.
  const Region* region_of(const AffineRow& address, LaneMask mask, std::uint32_t bytes) const;
  /// All active lanes move by the same amount from block to block, in steps of so many bytes.
  bool moves_by(const AffineRow& address, LaneMask mask, std::int64_t step) const;
  /// All active lanes move by the same amount from block to block, in steps of `bytes` at least, and
  /// begin aligned to it.
  bool moves_together(const AffineRow& address, LaneMask mask, std::uint32_t bytes) const;
  void low_addresses(const AffineRow& address, LaneMask mask, std::uint64_t* out) const;
  void count_shared(AccessCounts& counts, const AffineRow& address, LaneMask mask,
                    const MemRef& ref);
  std::optional<cost::Copied> copied(const AffineRow& address, LaneMask mask, const MemRef& ref);
  void count_global(AccessCounts& counts, const AffineRow& address, LaneMask mask,
                    const MemRef& ref);
  /// How many blocks of the box shift the request by r bytes modulo a sector, for each r.
  std::array<std::uint64_t, kSectorBytes> residues(const AffineRow& address,
                                                   std::size_t lane) const;

  // ---- copies and products past the lanes: symbolic_engines.cpp ----

  void count_product(const GroupProduct& product);
  void count_bulk_copy(const BulkCopy& copy, LaneMask mask);
  void count_plain(AccessCounts& counts, const BulkCopy& copy, int lane);
  void count_tiles(AccessCounts& counts, const BulkCopy& copy, int lane);
  /// All of the tensor is memory that there is.
  [[nodiscard]] bool lies_in_a_buffer(const TensorMap& map) const;
  /// The map that the copy names, in memory that no block writes to.
  [[nodiscard]] std::optional<TensorMap> map_at(const AffineRow& address, int lane) const;

  // ---- loops: symbolic_loops.cpp ----

  /// A loop that is being run, from its first back edge on.
  struct Loop {
    const LoopBody* body = nullptr;
    WarpState flow;
    /// left_ when it was first seen
    std::uint64_t left = 0;
    /// Iterations from one snapshot to the next, and since the last
    std::uint32_t period = 1, since = 0;
    bool given_up = false;
    /// The last try came to nothing
    bool in_vain = false;
    int tries = 0;
    std::optional<SymbolicSnapshot> before;
  };
  /// What came of running a body for n iterations at once.
  enum class Attempt : std::uint8_t { holds, demoted, fewer, residues, failed };

  /// A back edge of the loop has led to pc_.
  void at_loop(const LoopBody& body);
  Loop& loop_at(const LoopBody& body);
  [[nodiscard]] bool is_worth_trying(const Loop& loop);
  [[nodiscard]] bool same_flow(const WarpState& flow) const;
  /// Runs as many iterations at once as can be; the rest is left to `advance`.
  void accelerate(Loop& loop);
  /// `start`: values by the iteration in dimension `d`; what does not hold becomes unknown in it.
  Attempt attempt(const Loop& loop, SymbolicSnapshot& start, std::size_t d, std::int64_t& n,
                  BoxCounts& counts, std::vector<std::uint32_t>& barriers);
  void add(const BoxCounts& counts);

  const Machine& m_;
  const FlatCode& code_;
  Box box_;
  std::uint64_t left_;
  const std::uint64_t budget_;
  BoxCounts* counts_;
  SymbolicValues values_;
  const LoopNest& nest_;

  // Of the warp that runs
  WarpState flow_;
  std::uint32_t pc_ = 0, block_ = 0;
  LaneMask mask_ = 0;
  /// Those it came to, in order
  std::vector<std::uint32_t> barriers_;
  std::vector<Loop> loops_;
  /// By loop of nest_: the most operations that it took, in any warp so far, with nothing gained by trying
  std::vector<std::uint64_t> in_vain_;
  /// Loops that are run as a whole at the moment
  std::size_t depth_ = 0;
  /// What the last attempt told: the modulus that it asked for, and for how many iterations no
  /// comparison would change
  std::uint32_t modulus_ = 1;
  std::int64_t uniform_ = 0;
};

}  // namespace lanescope

// The way of a block's elements, move by move: from the input into a lane's register, into a cell of
// the tile, past the barrier, into another lane's register and out. Made from the recorded accesses
// alone, once for a trace, and immutable. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "lanescope/trace.h"

namespace lanescope::app {

/// What a value is: the byte address in global memory of the element that it was loaded from, or
/// one of the three below.
using Token = std::uint64_t;
/// Nobody has stored anything there
inline constexpr Token kNothing = 0;
/// Not a copy of an element
inline constexpr Token kComputed = 1;
/// What was read where nobody had stored anything
inline constexpr Token kGarbage = 2;
inline bool is_element(Token token) { return token > kGarbage; }

enum class Leg : std::uint8_t { load, tile_store, barrier, tile_load, store };
/// From or to shared memory.
inline bool in_tile(Leg leg) { return leg == Leg::tile_store || leg == Leg::tile_load; }
inline bool is_store(Leg leg) { return leg == Leg::tile_store || leg == Leg::store; }

/// What an access does at an address of shared or global memory. An asynchronous copy loads from
/// global memory and stores to the tile.
Leg leg_of(const AccessInfo& access, std::uint64_t address);

/// One warp's execution of an access: all its lanes move together. Or a barrier of the block.
struct JourneyMove {
  Leg leg = Leg::barrier;
  /// Of a barrier 0
  std::uint32_t warp = 0;
  /// In the warp's track; of a barrier in the first warp that comes to it
  std::uint32_t step = 0;
  /// Index in KernelInfo::accesses; -1 for a barrier
  int access = -1;
  LaneMask mask = 0;
  /// Barriers before it
  std::uint32_t interval = 0;
  /// Wavefronts in shared memory; 1 for everything else
  std::uint16_t ticks = 1;
  /// Lanes that read a cell which nobody has stored to yet
  LaneMask empty = 0;
  /// An asynchronous copy, from global memory straight into the tile: the step of its other side
  std::optional<std::uint32_t> copied_from = std::nullopt;
  /// Of a bulk copy, which the copy engine makes: the number of this part of the step's 16-byte pieces, up to 32,
  /// which stand where lanes do otherwise
  std::optional<std::uint32_t> part = std::nullopt;
  /// Of a bulk copy: where its addresses are kept
  std::uint32_t pieces = 0;
  /// No lane's register is passed
  [[nodiscard]] bool copies() const { return copied_from || part; }
};

/// Moves that follow each other and do the same: one access, by one warp after the other.
struct JourneyStage {
  Leg leg = Leg::barrier;
  int access = -1;
  std::uint32_t interval = 0;
  /// In the journey's moves
  std::size_t first = 0, count = 0;
  /// Of asynchronous and bulk copies
  bool copies = false;
};

/// In which order the warps of a block are shown between two barriers. Nothing orders them, so any
/// is one that a GPU might choose.
enum class WarpOrder : std::uint8_t {
  /// Access by access: all warps do the one before any does the next
  together,
  /// A warp goes as far as it can before the next one starts, as the recorded run did. Chosen where
  /// a warp reads what another one stores without a barrier between them: it shows what goes wrong.
  one_by_one,
};

class Journey {
 public:
  /// Of a trace of that kernel, never null. Without an order, the one that suits the block.
  Journey(const KernelInfo& kernel, std::shared_ptr<const BlockTrace> trace,
          std::optional<WarpOrder> order = std::nullopt);

  [[nodiscard]] std::span<const JourneyMove> moves() const { return moves_; }
  [[nodiscard]] std::span<const JourneyStage> stages() const { return stages_; }
  [[nodiscard]] WarpOrder order() const { return order_; }
  /// Only the first moves of a long run are kept
  [[nodiscard]] bool truncated() const { return truncated_; }
  [[nodiscard]] std::uint32_t warps() const {
    return static_cast<std::uint32_t>(trace_->warps.size());
  }
  /// What the lanes of a move touch, by lane; not of a barrier. Of a copy where it goes.
  [[nodiscard]] LaneRow addresses(std::size_t move) const;
  /// Where a copy comes from, by lane; 0 where a tensor has ended and zeros are made.
  [[nodiscard]] LaneRow sources(std::size_t move) const;
  [[nodiscard]] std::uint32_t bytes(std::size_t move) const;
  /// The bytes that one token stands for: of the narrowest access.
  [[nodiscard]] std::uint32_t unit() const { return unit_; }
  /// What a lane carries, a token for each `unit()` bytes that it moves. Of an inactive lane: no
  /// meaning.
  [[nodiscard]] std::span<const Token> tokens(std::size_t move, int lane) const;

  /// The move that loads an element first; nullopt for one that nobody loads.
  [[nodiscard]] std::optional<std::size_t> loaded_by(Token element) const;
  /// The tile's cell that an element is stored to first: its address.
  [[nodiscard]] std::optional<std::uint64_t> cell_of(Token element) const;

  [[nodiscard]] std::size_t stage_of(std::size_t move) const;
  /// The warp's last move at or before a step of its, a barrier included; nullopt before its first.
  [[nodiscard]] std::optional<std::size_t> move_at(std::uint32_t warp, std::size_t step) const;
  /// The step at which a warp is when so many moves are done: that of its last move, 0 at the start.
  [[nodiscard]] std::size_t step_after(std::uint32_t warp, std::size_t done) const;

 private:
  friend class JourneyReplay;
  struct Hands;
  void collect(const KernelInfo& kernel);
  void add_bulk_copies(const KernelInfo& kernel, std::uint32_t warp, std::uint32_t step,
                       std::uint32_t interval);
  [[nodiscard]] std::optional<JourneyMove> move_of(const KernelInfo& kernel, std::uint32_t warp,
                                                   std::uint32_t step) const;
  [[nodiscard]] bool warps_race() const;
  [[nodiscard]] std::optional<std::size_t> barrier_step(std::uint32_t warp,
                                                        std::uint32_t nth) const;
  void stand_together();
  void list_by_warp();
  void carry(const KernelInfo& kernel);
  void pick_up(std::size_t move, Hands& hands);
  void put_down(std::size_t move, const KernelInfo& kernel, Hands& hands);
  void hand_over(std::size_t move, int lane, std::size_t units, const KernelInfo& kernel,
                 Hands& hands);
  [[nodiscard]] std::pair<std::size_t, std::optional<std::uint32_t>>
  brought_by(std::size_t store, int lane, const ValueSource& source, const KernelInfo& kernel,
             Hands& hands) const;
  void copy_over(std::size_t move, int lane, std::size_t units, const Hands& hands);
  void part_into_stages();

  std::shared_ptr<const BlockTrace> trace_;
  std::vector<JourneyMove> moves_;
  std::vector<JourneyStage> stages_;
  /// By access, of the kernel
  std::vector<std::uint32_t> bytes_;
  std::vector<std::vector<ValueSource>> sources_;
  /// Of parts of bulk copies: addresses of their pieces
  struct Pieces {
    LaneRow to, from;
  };
  std::vector<Pieces> pieces_;
  WarpOrder order_ = WarpOrder::together;
  bool truncated_ = false;
  std::uint32_t unit_ = 4;
  std::vector<Token> tokens_;
  /// Beside the tokens of stores: the number of the cell that each is stored to
  std::vector<std::uint32_t> cells_;
  /// Of every cell that is ever stored to, by address / unit
  std::unordered_map<std::uint64_t, std::uint32_t> cell_ids_;
  std::unordered_map<Token, std::size_t> loaded_by_;
  std::unordered_map<Token, std::uint64_t> cell_of_;
  /// By move: where its tokens begin
  std::vector<std::size_t> first_token_;
  /// By warp: the steps that are barriers
  std::vector<std::vector<std::uint32_t>> barriers_;
  /// By warp: its moves, barriers included
  std::vector<std::vector<std::uint32_t>> of_warp_;
};

/// The wavefront that serves each lane of a move, from 0: of several the last. Zeros for what is
/// not shared memory.
std::array<std::uint16_t, kLanes> served_in(const Journey& journey, std::size_t move, bool is_load);

/// How far a lane of a move is, 0 to 1, when the move is `fraction` done: those of later wavefronts
/// set out later, a tick each.
float lane_progress(std::uint16_t ticks, std::uint16_t served, float fraction);
/// The wavefront whose lanes set out at that moment, counted from 0; between two, a fraction.
float wavefront_at(std::uint16_t ticks, float fraction);
/// How long a move takes, in ways of one lane.
float move_length(std::uint16_t ticks);

}  // namespace lanescope::app

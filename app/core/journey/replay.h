// What is where at a moment of a journey: tile cells, registers of lanes, cells of the output. Pure;
// any moment can be asked for, forwards and backwards.
#pragma once

#include <cstdint>
#include <vector>

#include "core/journey/journey.h"

namespace lanescope::app {

/// What a cell or a lane holds, and since which move.
struct Held {
  Token token = kNothing;
  std::uint32_t move = 0;
  bool operator==(const Held&) const = default;
};

class JourneyReplay {
 public:
  /// The journey must outlive it.
  explicit JourneyReplay(const Journey& journey);

  /// To the moment at which that many moves are done.
  void seek(std::size_t done);
  [[nodiscard]] std::size_t done() const { return done_; }

  /// Of shared or global memory, what this block has stored there until now; nothing where it has
  /// not.
  [[nodiscard]] Held cell(std::uint64_t address) const;
  /// What a lane has loaded and not yet stored.
  [[nodiscard]] Held lane(std::uint32_t warp, int lane) const;
  /// Barriers that all warps have passed.
  [[nodiscard]] std::uint32_t barriers() const { return barriers_; }
  /// The warp has no more moves before the next barrier.
  [[nodiscard]] bool waits(std::uint32_t warp) const;

 private:
  void restart();
  void advance(std::size_t move);

  const Journey& journey_;
  std::size_t done_ = 0;
  std::uint32_t barriers_ = 0;
  /// By the cell's number
  std::vector<Held> cells_;
  struct Register {
    Held held;
    int access = -1;
  };
  /// By warp × kLanes + lane
  std::vector<Register> registers_;
  /// By warp: moves done
  std::vector<std::uint32_t> moved_;
};

}  // namespace lanescope::app

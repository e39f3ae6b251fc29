// The common axis of a block's warps, on which barriers stand above each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/picture/picture.h"

namespace lanescope::app {

/// Where each warp's steps lie on one common axis: the stretch between two barriers is as wide as
/// the longest warp's, so that every barrier is one vertical line.
class TrackAxis {
 public:
  TrackAxis() = default;
  TrackAxis(const KernelInfo& kernel, const BlockTrace& trace);
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t position(std::uint32_t warp, std::size_t step) const;
  /// Of all of a warp's steps.
  [[nodiscard]] std::vector<std::size_t> positions(std::uint32_t warp) const;
  /// The step of a warp that lies at a position, or its nearest earlier one.
  [[nodiscard]] std::size_t step_at(std::uint32_t warp, std::size_t position) const;

 private:
  struct Stretch {
    /// The warp's first step of it; where it begins on the axis
    std::size_t first_step, begin;
  };
  static std::size_t last_from(const std::vector<Stretch>& stretches, std::size_t Stretch::*number,
                               std::size_t at);
  std::vector<std::vector<Stretch>> warps_;
  std::vector<std::size_t> steps_;
  std::size_t width_ = 0;
};

}  // namespace lanescope::app

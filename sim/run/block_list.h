// The blocks of one run, by position: the whole grid in order of x, then y, then z, or a list.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "lanescope/trace.h"
#include "machine/grid_index.h"

namespace lanescope {

class BlockList {
 public:
  explicit BlockList(Dim3 grid, std::optional<std::vector<Dim3>> blocks = std::nullopt)
      : grid_(grid), blocks_(std::move(blocks)) {}

  [[nodiscard]] std::uint64_t size() const { return blocks_ ? blocks_->size() : grid_.count(); }
  [[nodiscard]] Dim3 at(std::uint64_t i) const {
    if (blocks_) return (*blocks_)[i];
    return block_of_index(i, grid_);
  }
  /// A list so short that deferred buffers are filled only where its blocks touch them.
  [[nodiscard]] bool few() const { return blocks_ && blocks_->size() <= 16; }

 private:
  Dim3 grid_;
  std::optional<std::vector<Dim3>> blocks_;
};

}  // namespace lanescope

// The threads of a block as a matrix: as they are numbered, and as they stand by what they write.
// Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/journey/journey.h"
#include "core/picture/picture.h"

namespace lanescope::app {

struct ThreadGrid {
  struct Spot {
    std::uint32_t row = 0, col = 0;
    bool there = false;
    bool operator==(const Spot&) const = default;
  };
  std::uint32_t rows = 0, cols = 0;
  /// By warp × kLanes + lane
  std::vector<Spot> spots;
  /// By row × cols + col: the thread, -1 for none
  std::vector<int> threads;
  /// What counts rows and columns: "threadIdx.y", "irow"; empty where nothing in the text does
  std::string row_name, col_name;

  [[nodiscard]] const Spot* at(std::uint32_t warp, int lane) const;
  /// The thread in a place, as warp × kLanes + lane; -1 for none.
  [[nodiscard]] int thread_at(std::uint32_t row, std::uint32_t col) const;
  /// Fills `threads` from `spots`.
  void index();
};

/// By threadIdx: a row for each y and z. A block of one dimension is shown a warp a row.
ThreadGrid block_grid(Dim3 block);

/// A place in a matrix.
struct MatrixPlace {
  std::uint64_t row = 0, col = 0;
};
/// By what they store first to global memory: a thread stands where its cell is in the part of the
/// matrix that the block writes, so that a renumbering of the threads is seen as a change of shape.
/// `place_of` tells an address's place, nullopt for what is not in a matrix. Rows and columns are
/// named by the kernel's variables that have those values in every thread. nullopt where threads
/// share a cell, or stand too far apart to be a shape.
std::optional<ThreadGrid>
output_grid(const Picture& picture, const Journey& journey,
            const std::function<std::optional<MatrixPlace>(std::uint64_t)>& place_of);

}  // namespace lanescope::app

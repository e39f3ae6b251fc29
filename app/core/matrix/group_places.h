// Where wgmma's operands lie in shared memory, chunk by chunk, as lines of 128 bytes are drawn. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "core/journey/chunk_line.h"
#include "lanescope/group_matrix.h"

namespace lanescope::app {

/// 16 bytes of an operand.
struct GroupChunk {
  /// Of its first element: a row of A or a column of B; and along k
  int line = 0, k = 0;
  /// Which of the chunks that lie side by side in the matrix, before the swizzle
  int column = 0;
};

/// A, from `first` on so many rows, or B.
class GroupPlaces {
 public:
  GroupPlaces(const GroupStep& step, MatrixRole role, int first, int lines);

  /// Ascending, of the numbers of `chunks`
  [[nodiscard]] const std::vector<ChunkLine>& lines() const { return lines_; }
  [[nodiscard]] const std::vector<GroupChunk>& chunks() const { return chunks_; }
  /// Elements lie side by side along m or n, not along k
  [[nodiscard]] bool by_columns() const { return by_columns_; }
  /// In a chunk
  [[nodiscard]] int elements() const { return elements_; }
  [[nodiscard]] const GroupMatrix& matrix() const { return matrix_; }
  /// The chunk holds an element of this row of A, or column of B.
  [[nodiscard]] bool holds(const GroupChunk& chunk, int line) const;

 private:
  bool by_columns_;
  int elements_;
  GroupMatrix matrix_;
  std::vector<GroupChunk> chunks_;
  std::vector<ChunkLine> lines_;
};

/// Bits of an element of a recorded product, at a row of A that the warp has, from 0, or a column of B, and k.
std::uint64_t group_element(const GroupStep& step, const MatrixOperands& held, MatrixRole role,
                            int line, int k);

}  // namespace lanescope::app

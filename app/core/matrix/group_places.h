// Where wgmma's operands lie in shared memory, chunk by chunk, as lines of 128 bytes are drawn. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

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

  struct Line {
    /// Of shared memory: offset ÷ 128
    std::uint32_t number = 0;
    /// By chunk; −1 where none of the operand lies
    std::array<int, 8> chunk{-1, -1, -1, -1, -1, -1, -1, -1};
  };
  /// Ascending
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
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
  std::vector<Line> lines_;
};

}  // namespace lanescope::app

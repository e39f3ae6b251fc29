// Where wgmma finds a matrix in shared memory (PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory
// Layout" and "Matrix Descriptor").
//
// A descriptor: bits 0–13 the matrix's address, 16–29 the leading and 32–45 the stride byte offset, each
// without its low four bits; 49–51 the base offset; 62–63 the swizzle: 0 none, 1 of 128, 2 of 64, 3 of 32 bytes.
//
// Chunks are 16 bytes. Where elements lie side by side along k (by rows), a row's chunks do so too in a
// swizzle's width, eight rows one after the other, the next eight a stride further; without a swizzle eight rows
// are 16 bytes each, and the next chunk along k is a leading offset away. By columns the chunks run along m or n,
// eight of k one after the other; the next eight are a stride away, and what passes the swizzle's width a leading
// offset; without a swizzle the two change places.
#pragma once

#include <cstdint>

#include "lanescope/tensor_map.h"

namespace lanescope {

class GroupMatrix {
 public:
  GroupMatrix(std::uint64_t descriptor, bool by_columns, std::uint32_t element_bytes);
  /// Offset in shared memory of the element at `line`, a row of A or a column of B, and `k`.
  [[nodiscard]] std::uint32_t offset(std::uint32_t line, std::uint32_t k) const;

 private:
  std::uint32_t start_, leading_, stride_, base_;
  TensorSwizzle swizzle_;
  bool by_columns_;
  std::uint32_t element_bytes_;
};

}  // namespace lanescope

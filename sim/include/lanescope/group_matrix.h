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
#include <span>
#include <vector>

#include "lanescope/banks.h"
#include "lanescope/fragments.h"
#include "lanescope/matrix_sum.h"
#include "lanescope/tensor_map.h"
#include "lanescope/types.h"

namespace lanescope {

/// Warps that make a product together; each has so many rows of A and D.
inline constexpr std::uint32_t kGroupWarps = 4, kGroupRows = 16;

/// What one of a warpgroup's four warps reads from shared memory for a product. The four together take a wavefront
/// for each 128 bytes of B, and of A unless that is in registers, whatever the layout, and never a conflict: read on
/// an NVIDIA H200 (rows/group_wavefronts.jsonl). Which warp takes how many nobody can see; they share them as evenly
/// as can be.
SharedCounts group_product_cost(const MatrixForm& form, bool a_in_registers, std::uint32_t warp);

class GroupMatrix {
 public:
  GroupMatrix(std::uint64_t descriptor, bool by_columns, std::uint32_t element_bytes);
  /// Offset in shared memory of the element at `line`, a row of A or a column of B, and `k`.
  [[nodiscard]] std::uint32_t offset(std::uint32_t line, std::uint32_t k) const;
  [[nodiscard]] TensorSwizzle swizzle() const { return swizzle_; }
  /// Bytes: where it begins, and its two offsets
  [[nodiscard]] std::uint32_t start() const { return start_; }
  [[nodiscard]] std::uint32_t leading() const { return leading_; }
  [[nodiscard]] std::uint32_t stride() const { return stride_; }

 private:
  std::uint32_t start_, leading_, stride_, base_;
  TensorSwizzle swizzle_;
  bool by_columns_;
  std::uint32_t element_bytes_;
};

/// What a warp has of a product, eight columns: m16n8 of the same types and k.
MatrixForm form_of_warp(const MatrixForm& form);
/// A warp's part of the operands in the registers of such fragments: of A one, of B and C one for each eight columns,
/// one after the other.
MatrixOperands operands_of_columns(const MatrixForm& form, const MatrixOperands& operands,
                                   int block);
/// Such operands, of 16 rows of A, the columns of B, k fastest in both, and rows of C, by their elements' bits.
MatrixOperands group_operands(const MatrixForm& form, std::span<const std::uint32_t> a,
                              std::span<const std::uint32_t> b, std::span<const std::uint32_t> c);
/// All registers of D, from such operands.
std::vector<LaneRow> multiply_group(const MatrixForm& form, const MatrixOperands& operands);

/// A product as a trace keeps it (AccessOp::product): row 0 is its form (`form_row`), row 1 the rest. Where it
/// `has_values` the registers of A, of B and of C follow, as `multiply_group` takes them; C's are zeros where the
/// product is not added to D.
struct GroupStep {
  MatrixForm form;
  bool a_in_registers = false;
  /// Elements lie side by side along m, or n, rather than along k
  bool a_by_columns = false, b_by_columns = false;
  /// The product is added to D
  bool adds = false;
  bool has_values = false;
  /// That of A means nothing where A is in registers.
  std::uint64_t a_descriptor = 0, b_descriptor = 0;
  bool operator==(const GroupStep&) const = default;
};
LaneRow group_row(const GroupStep& step);
GroupStep group_step(const LaneRow& form, const LaneRow& rest);

}  // namespace lanescope

// Matrix instructions: which lane and register holds which element (PTX ISA, "Matrix Fragments for
// mma.m16n8k16" and its kin).
//
// One rule covers all shapes m16n8k* and m8n8k*. With group = lane / 4, t = lane mod 4, and P
// elements in a register (32 bits ÷ the element's; 1 for f64):
//  * A: register r, part j: row = group + 8·(r mod 2), column = P·t + j + 4P·(r div 2); of m8, r
//    counts columns only.
//  * B: register r, part j: row = P·t + j + 4P·r, column = group.
//  * C, D of 32 bits and more: row = group + 8·(r div 2), column = 2·t + r mod 2.
//  * C, D of halves: register r, part j: row = group + 8·r, column = 2·t + j.
//  * An 8×8 matrix of ldmatrix: row = group, column = 2·t + j; with .trans, the two exchanged.
// m8n8k4 of halves is of four products, one for each quad pair (lanes 4q to 4q + 3 and 16 more), which are shown one
// below the other, B's side by side. With i the number of an element in its lane, h = lane div 16, t = lane mod 4:
//  * A by rows: row = 8q + 4h + t, column = i; by columns: row = 8q + 4h + i, column = t. B the same of its columns.
//  * C, D of halves: row = 8q + 4h + t, column = i.
//  * C, D of floats: row = 8q + 4h + t mod 2 + 2·(i div 2 mod 2), column = 4·(i div 4) + 2·(t div 2) + i mod 2.
// What `is_known` is a form that an H200 executes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lanescope {

/// What an element of a matrix instruction is, by its PTX name.
enum class MatrixType : std::uint8_t {
  f16,
  bf16,
  tf32,
  e4m3,
  e5m2,
  f32,
  f64,
  s8,
  u8,
  s4,
  u4,
  b1,
  s32,
};
/// Bits in a register: 32 for tf32, of which it uses 19.
int matrix_type_bits(MatrixType type);
std::string_view matrix_type_name(MatrixType type);
std::optional<MatrixType> matrix_type_from_name(std::string_view name);

/// A is m × k, B is k × n, C and D (the accumulators) are m × n.
enum class MatrixRole : std::uint8_t { a, b, accumulator };

struct MatrixShape {
  int m = 0, n = 0, k = 0;
  bool operator==(const MatrixShape&) const = default;
};
/// m16n8k16
std::string matrix_shape_name(MatrixShape shape);

/// One form of `mma.sync`: D = A × B + C, C and D of one type.
struct MatrixForm {
  MatrixShape shape;
  MatrixType a = MatrixType::f16, b = MatrixType::f16, accumulator = MatrixType::f32;
  /// Of b1: and, rather than exclusive or, before the bits are counted
  bool is_and = false;
  /// Of integers: .satfinite
  bool saturates = false;
  /// Of m8n8k4 of halves, which has four layouts: .col of A, .row of B
  bool a_by_columns = false, b_by_rows = false;
  bool operator==(const MatrixForm&) const = default;

  [[nodiscard]] MatrixType type(MatrixRole role) const {
    return role == MatrixRole::a ? a : role == MatrixRole::b ? b : accumulator;
  }
  /// Each of a warp's four quad pairs has a product of its own.
  [[nodiscard]] bool of_quads() const { return shape.m == 8 && a == MatrixType::f16; }
};
inline constexpr int kQuadPairs = 4;
/// Is there such an instruction, and is its arithmetic known?
bool is_known(const MatrixForm& form);

/// The same of `wgmma.mma_async`, whose m is 64: warp w of the four has rows 16·w and on, with the fragments of
/// m16n8 for each eight columns. Its arithmetic is that of the `mma.sync` of the same types and k, but for e4m3 and e5m2
/// (model/matrix_math.h).
bool is_known_group(const MatrixForm& form);

/// Part of a register of one lane: elements with the lower index lie in the lower bits.
struct FragmentSlot {
  int lane = 0, reg = 0, part = 0;
  bool operator==(const FragmentSlot&) const = default;
};
/// Row and column within the role's matrix, of quad pairs within all four.
struct MatrixElement {
  int row = 0, column = 0;
  bool operator==(const MatrixElement&) const = default;
};

/// One operand of a form as it lies in the registers of a warp.
class Fragment {
 public:
  Fragment(const MatrixForm& form, MatrixRole role);
  [[nodiscard]] int rows() const;
  [[nodiscard]] int columns() const;
  /// Of one lane; of 64 bits for f64, of 32 otherwise
  [[nodiscard]] int registers() const;
  /// Elements in one register
  [[nodiscard]] int parts() const { return parts_; }
  [[nodiscard]] MatrixElement element(FragmentSlot slot) const;
  [[nodiscard]] FragmentSlot slot(MatrixElement element) const;
  /// The elements of a register lie below each other
  [[nodiscard]] bool parts_downwards() const { return (role_ == MatrixRole::b) != across_; }
  /// `row` and `column` as expressions of lane, r and j, for people to read
  [[nodiscard]] std::string row_formula() const;
  [[nodiscard]] std::string column_formula() const;

 private:
  [[nodiscard]] MatrixElement quad_element(FragmentSlot slot) const;
  [[nodiscard]] FragmentSlot quad_slot(MatrixElement element) const;

  MatrixShape shape_;
  MatrixRole role_;
  int parts_ = 1;
  /// Of an accumulator: elements that lie side by side in a register
  bool packed_ = false;
  /// Of quad pairs; a lane's elements lie across: in a column of A or a row of B
  bool quads_ = false, across_ = false;
};

/// The column of B that an element of D is made of: of quad pairs there are as many as rows.
inline int column_of_b(const MatrixForm& form, MatrixElement element) {
  return element.column + (form.of_quads() ? element.row / 8 * 8 : 0);
}

/// Where an element of an 8×8 matrix of `ldmatrix` or `stmatrix` goes: lane and half of its register.
FragmentSlot ldmatrix_slot(MatrixElement element, bool transposed);
MatrixElement ldmatrix_element(FragmentSlot slot, bool transposed);

}  // namespace lanescope

// The matrices of an instruction as they are drawn: which lane, register and part of a register holds
// each element, and what is in them. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/matrix/matrix_instruction.h"
#include "lanescope/fragments.h"
#include "lanescope/matrix_sum.h"

namespace lanescope::app {

/// One matrix: an operand of mma, or one of the 8×8 matrices of ldmatrix and stmatrix.
class FragmentPanel {
 public:
  FragmentPanel(const MatrixForm& form, MatrixRole role);
  /// Matrix `number` of the instruction, which lies in the register of that number.
  FragmentPanel(int number, bool transposed);

  /// The rows of D that a warp of a warpgroup has, as many of its columns as are looked at.
  static FragmentPanel of_group(const MatrixForm& form);

  /// "A"; of ldmatrix "0"
  [[nodiscard]] const std::string& title() const { return title_; }
  /// Nullopt of ldmatrix
  [[nodiscard]] std::optional<MatrixRole> role() const { return role_; }
  [[nodiscard]] MatrixType type() const { return type_; }
  [[nodiscard]] int rows() const { return fragment_ ? fragment_->rows() : 8; }
  [[nodiscard]] int columns() const { return (fragment_ ? fragment_->columns() : 8) * blocks_; }
  /// Of a lane
  [[nodiscard]] int registers() const { return (fragment_ ? fragment_->registers() : 1) * blocks_; }
  /// Elements in a register
  [[nodiscard]] int parts() const { return fragment_ ? fragment_->parts() : 2; }
  /// Whether the parts of a register lie below each other
  [[nodiscard]] bool parts_downwards() const;
  /// "a2"
  [[nodiscard]] std::string register_name(int reg) const;

  [[nodiscard]] MatrixElement element(FragmentSlot slot) const;
  [[nodiscard]] FragmentSlot slot(MatrixElement element) const;
  /// "lane / 4 + 8 * (r % 2)", of lane, r (register) and j (part)
  [[nodiscard]] std::string row_formula() const;
  [[nodiscard]] std::string column_formula() const;
  /// The lane that gives the address of a row of ldmatrix; −1 of mma
  [[nodiscard]] int address_lane(int row) const { return fragment_ ? -1 : 8 * number_ + row; }
  /// Bits of the element; `rows` as of the operand that this is, or the registers of ldmatrix
  [[nodiscard]] std::uint64_t bits(const std::vector<LaneRow>& rows, MatrixElement element) const;

 private:
  std::string title_;
  std::optional<MatrixRole> role_;
  MatrixType type_ = MatrixType::f16;
  std::optional<Fragment> fragment_;
  int number_ = 0;
  bool transposed_ = false;
  /// Of 8 columns, each with the fragment's registers
  int blocks_ = 1;
  /// D of a wgmma
  bool of_group_ = false;
};

/// A, B and the accumulators; of wgmma those that lie in registers; or the matrices that are moved.
std::vector<FragmentPanel> panels_of(const MatrixInstruction& instruction);

/// A formula with a slot's numbers in it: "5 / 4 + 8 * (3 % 2)".
std::string filled(const std::string& formula, FragmentSlot slot);

/// What the registers hold. `d` are those of D; of ldmatrix only `a`, a register for each matrix.
struct FragmentValues {
  MatrixOperands operands;
  std::vector<LaneRow> d;
  /// Of ldmatrix and stmatrix, where it is recorded: the addresses that lanes give
  std::optional<LaneRow> address;
  /// By the run; made up for study otherwise
  bool recorded = false;
};
/// Numbers made up for study, of many magnitudes: always the same ones. Of ldmatrix: none.
FragmentValues study_values(const MatrixInstruction& instruction);
/// "0.5"; whole numbers for integers
std::string value_text(MatrixType type, std::uint64_t bits);
/// A number as short as it can be read back at `digits` significant ones.
std::string shortest(double value, int digits = 9);

}  // namespace lanescope::app

#include "core/matrix/fragment_panel.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "lanescope/group_matrix.h"

namespace lanescope::app {
namespace {

constexpr const char* kTitles[] = {"A", "B", "C, D"};
constexpr const char* kRegisters[] = {"a", "b", "c"};
// Eight columns after the other are alike: more would be too small to be read.
constexpr int kGroupBlocks = 4;

std::size_t index_of(MatrixRole role) { return static_cast<std::size_t>(role); }

/// Numbers that are always the same, of all bits.
std::uint32_t scattered(std::uint32_t number) {
  number = (number ^ 61) ^ (number >> 16);
  number *= 9;
  number ^= number >> 4;
  number *= 0x27d4eb2du;
  return number ^ (number >> 15);
}

/// An element for study: whole numbers of a few bits, and magnitudes that differ by up to 2^12.
double study_number(MatrixType type, std::uint32_t random) {
  const int width = matrix_type_bits(type);
  const bool integer = type >= MatrixType::s8 && type != MatrixType::f64;
  if (type == MatrixType::b1) return random & 1;
  if (integer && width <= 8) {
    const bool is_signed = type == MatrixType::s8 || type == MatrixType::s4;
    const int count = 1 << (width - 1);
    const auto value = static_cast<int>(random % static_cast<std::uint32_t>(count));
    return is_signed ? value - count / 2 : value;
  }
  if (integer) return static_cast<int>(random % 201) - 100;
  // Accumulators have more bits than what is added keeps.
  if (type == MatrixType::f32) return std::ldexp(static_cast<double>(random % (1u << 23)), -21);
  const double whole = static_cast<int>(random % 129) - 64;
  return std::ldexp(whole, -6 - static_cast<int>(random >> 8 & (width == 8 ? 3 : 7)));
}

std::vector<LaneRow> study_rows(const MatrixForm& form, MatrixRole role) {
  const Fragment fragment(form, role);
  const int width = fragment.parts() == 1 ? 0 : 32 / fragment.parts();
  std::vector<LaneRow> rows(static_cast<std::size_t>(fragment.registers()), LaneRow{});
  for (int reg = 0; reg < fragment.registers(); ++reg)
    for (int lane = 0; lane < kLanes; ++lane)
      for (int part = 0; part < fragment.parts(); ++part) {
        const auto [row, column] = fragment.element({lane, reg, part});
        const std::uint32_t seed = static_cast<std::uint32_t>(
            (static_cast<int>(index_of(role)) * 512 + row) * 512 + column);
        rows[static_cast<std::size_t>(reg)][static_cast<std::size_t>(lane)] |=
            element_from_value(form.type(role), study_number(form.type(role), scattered(seed)))
            << (part * width);
      }
  return rows;
}

}  // namespace

FragmentPanel::FragmentPanel(const MatrixForm& form, MatrixRole role)
    : title_(kTitles[index_of(role)]), role_(role), type_(form.type(role)),
      fragment_(Fragment(form, role)) {}

FragmentPanel::FragmentPanel(int number, bool transposed)
    : title_(std::to_string(number)), number_(number), transposed_(transposed) {}

FragmentPanel FragmentPanel::of_group(const MatrixForm& form) {
  FragmentPanel panel(form_of_warp(form), MatrixRole::accumulator);
  panel.title_ = "D";
  panel.of_group_ = true;
  panel.blocks_ = std::min(form.shape.n / 8, kGroupBlocks);
  return panel;
}

bool FragmentPanel::parts_downwards() const {
  return fragment_ ? fragment_->parts_downwards() : transposed_;
}

std::string FragmentPanel::register_name(int reg) const {
  if (of_group_) return fmt::format("d{}", reg);
  return fragment_ ? fmt::format("{}{}", kRegisters[index_of(*role_)], reg)
                   : fmt::format("r{}", number_);
}

MatrixElement FragmentPanel::element(FragmentSlot slot) const {
  if (!fragment_) return ldmatrix_element(slot, transposed_);
  const int each = fragment_->registers(), block = blocks_ > 1 ? slot.reg / each : 0;
  MatrixElement at = fragment_->element({slot.lane, slot.reg - block * each, slot.part});
  at.column += 8 * block;
  return at;
}

FragmentSlot FragmentPanel::slot(MatrixElement element) const {
  if (!fragment_) return ldmatrix_slot(element, transposed_);
  const int block = blocks_ > 1 ? element.column / 8 : 0;
  FragmentSlot at = fragment_->slot({element.row, element.column - 8 * block});
  at.reg += block * fragment_->registers();
  return at;
}

std::string FragmentPanel::row_formula() const {
  if (blocks_ > 1)
    return registers() == 4 * blocks_ ? "lane / 4 + 8 * (r % 4 / 2)" : "lane / 4 + 8 * (r % 2)";
  if (fragment_) return fragment_->row_formula();
  return transposed_ ? "2 * (lane % 4) + j" : "lane / 4";
}

std::string FragmentPanel::column_formula() const {
  if (blocks_ > 1)
    return registers() == 4 * blocks_ ? "2 * (lane % 4) + r % 2 + 8 * (r / 4)"
                                      : "2 * (lane % 4) + j + 8 * (r / 2)";
  if (fragment_) return fragment_->column_formula();
  return transposed_ ? "lane / 4" : "2 * (lane % 4) + j";
}

std::uint64_t FragmentPanel::bits(const std::vector<LaneRow>& rows, MatrixElement element) const {
  const FragmentSlot at = slot(element);
  const auto reg = static_cast<std::size_t>(fragment_ ? at.reg : number_);
  const int width = matrix_type_bits(type_);
  const std::uint64_t whole = rows[reg][static_cast<std::size_t>(at.lane)] >> (width * at.part);
  return width == 64 ? whole : whole & ((std::uint64_t{1} << width) - 1);
}

std::vector<FragmentPanel> panels_of(const MatrixInstruction& instruction) {
  std::vector<FragmentPanel> panels;
  if (instruction.operation == MatrixOperation::group) {
    if (instruction.a_in_registers)
      panels.emplace_back(form_of_warp(instruction.form), MatrixRole::a);
    panels.push_back(FragmentPanel::of_group(instruction.form));
  } else if (instruction.operation == MatrixOperation::multiply) {
    for (const MatrixRole role : {MatrixRole::a, MatrixRole::b, MatrixRole::accumulator})
      panels.emplace_back(instruction.form, role);
  } else {
    for (int matrix = 0; matrix < instruction.matrices; ++matrix)
      panels.emplace_back(matrix, instruction.transposed);
  }
  return panels;
}

std::string filled(const std::string& formula, FragmentSlot slot) {
  std::string out;
  for (std::size_t at = 0; at < formula.size();) {
    std::size_t end = at;
    while (end < formula.size() && std::isalpha(static_cast<unsigned char>(formula[end]))) ++end;
    if (end == at) {
      out += formula[at++];
      continue;
    }
    const std::string name = formula.substr(at, end - at);
    out += std::to_string(name == "lane" ? slot.lane : name == "r" ? slot.reg : slot.part);
    at = end;
  }
  return out;
}

FragmentValues study_values(const MatrixInstruction& instruction) {
  FragmentValues values;
  if (instruction.operation != MatrixOperation::multiply) return values;
  const MatrixForm& form = instruction.form;
  values.operands = {study_rows(form, MatrixRole::a), study_rows(form, MatrixRole::b),
                     study_rows(form, MatrixRole::accumulator)};
  values.d = multiply(form, values.operands);
  return values;
}

std::string shortest(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }

std::string value_text(MatrixType type, std::uint64_t bits) {
  const int width = matrix_type_bits(type);
  const bool short_one = width <= 16 || type == MatrixType::tf32;
  return shortest(element_value(type, bits), width == 64 ? 17 : short_one ? 5 : 10);
}

}  // namespace lanescope::app

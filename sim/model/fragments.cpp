#include "lanescope/fragments.h"

#include <array>

#include <fmt/format.h>

namespace lanescope {
namespace {

struct TypeRow {
  std::string_view name;
  int bits;
};
/// By MatrixType.
constexpr TypeRow kTypes[] = {{"f16", 16}, {"bf16", 16}, {"tf32", 32}, {"e4m3", 8}, {"e5m2", 8},
                              {"f32", 32}, {"f64", 64},  {"s8", 8},    {"u8", 8},   {"s4", 4},
                              {"u4", 4},   {"b1", 1},    {"s32", 32}};

constexpr const TypeRow& row_of(MatrixType type) { return kTypes[static_cast<std::size_t>(type)]; }

bool is_integer(MatrixType type) { return type >= MatrixType::s8 && type <= MatrixType::u4; }
bool is_eight_bit_float(MatrixType type) {
  return type == MatrixType::e4m3 || type == MatrixType::e5m2;
}

}  // namespace

int matrix_type_bits(MatrixType type) { return row_of(type).bits; }
std::string_view matrix_type_name(MatrixType type) { return row_of(type).name; }

std::optional<MatrixType> matrix_type_from_name(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kTypes); ++i)
    if (kTypes[i].name == name) return static_cast<MatrixType>(i);
  return std::nullopt;
}

std::string matrix_shape_name(MatrixShape shape) {
  return fmt::format("m{}n{}k{}", shape.m, shape.n, shape.k);
}

bool is_known(const MatrixForm& form) {
  const auto [m, n, k] = form.shape;
  const MatrixType a = form.a, b = form.b, c = form.accumulator;
  const bool wide = m == 16 && n == 8;
  using enum MatrixType;
  if ((form.a_by_columns || form.b_by_rows) && !form.of_quads()) return false;
  if (a == f64 && b == f64 && c == f64)
    return (m == 8 && n == 8 && k == 4) || (wide && (k == 4 || k == 8 || k == 16));
  if (is_integer(a) && is_integer(b) && c == s32 && row_of(a).bits == row_of(b).bits) {
    const int step = 128 / row_of(a).bits;
    return (m == 8 && n == 8 && k == step) || (wide && (k == step || k == 2 * step));
  }
  if (a == b1 && b == b1 && c == s32)
    return (m == 8 && n == 8 && k == 128) || (wide && (k == 128 || k == 256));
  if (form.of_quads() && b == f16) return n == 8 && k == 4 && (c == f16 || c == f32);
  if (!wide) return false;
  if (a == f16 && b == f16) return (k == 8 || k == 16) && (c == f16 || c == f32);
  if (a == bf16 && b == bf16) return (k == 8 || k == 16) && c == f32;
  if (a == tf32 && b == tf32) return (k == 4 || k == 8) && c == f32;
  return is_eight_bit_float(a) && is_eight_bit_float(b) && k == 32 && (c == f16 || c == f32);
}

/// PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions: Shape": k is 256 bits of A, and n any multiple of 8 to
/// 256, of integers beyond 32 of 16.
bool is_known_group(const MatrixForm& form) {
  const auto [m, n, k] = form.shape;
  const bool is_whole = form.accumulator == MatrixType::s32;
  MatrixForm of_warp = form;
  of_warp.shape = {16, 8, k};
  return m == 64 && n >= 8 && n <= 256 && n % 8 == 0 && (!is_whole || n <= 32 || n % 16 == 0) &&
         k * row_of(form.a).bits == 256 && row_of(form.a).bits >= 8 && is_known(of_warp);
}

Fragment::Fragment(const MatrixForm& form, MatrixRole role) : shape_(form.shape), role_(role) {
  const int bits = row_of(form.type(role)).bits;
  packed_ = bits < 32;
  parts_ = bits > 32 ? 1 : 32 / bits;
  quads_ = form.of_quads();
  across_ =
      (role == MatrixRole::a && form.a_by_columns) || (role == MatrixRole::b && form.b_by_rows);
}

int Fragment::rows() const {
  return role_ == MatrixRole::b ? shape_.k : shape_.m * (quads_ ? kQuadPairs : 1);
}
int Fragment::columns() const {
  if (role_ == MatrixRole::a) return shape_.k;
  return shape_.n * (quads_ && role_ == MatrixRole::b ? kQuadPairs : 1);
}
int Fragment::registers() const { return rows() * columns() / 32 / parts_; }

MatrixElement Fragment::quad_element(FragmentSlot slot) const {
  const int t = slot.lane % 4, i = parts_ * slot.reg + slot.part;
  const int first = slot.lane % 16 / 4 * 8 + slot.lane / 16 * 4;
  if (role_ == MatrixRole::accumulator && !packed_)
    return {first + t % 2 + i / 2 % 2 * 2, i / 4 * 4 + t / 2 * 2 + i % 2};
  const int across = first + (across_ ? i : t), along = across_ ? t : i;
  return role_ == MatrixRole::b ? MatrixElement{along, across} : MatrixElement{across, along};
}

FragmentSlot Fragment::quad_slot(MatrixElement element) const {
  const bool is_b = role_ == MatrixRole::b;
  const int across = is_b ? element.column : element.row,
            along = is_b ? element.row : element.column;
  const int first = across / 8 * 4 + across % 8 / 4 * 16, within = across % 4;
  if (role_ == MatrixRole::accumulator && !packed_)
    return {first + within % 2 + along / 2 % 2 * 2, within / 2 * 2 + along / 4 * 4 + along % 2, 0};
  const int i = across_ ? within : along;
  return {first + (across_ ? along : within), i / parts_, i % parts_};
}

MatrixElement Fragment::element(FragmentSlot slot) const {
  if (quads_) return quad_element(slot);
  const int group = slot.lane / 4, t = slot.lane % 4;
  const int along = parts_ * t + slot.part;
  switch (role_) {
  case MatrixRole::a: {
    const int halves = shape_.m / 8;
    return {group + 8 * (slot.reg % halves), along + 4 * parts_ * (slot.reg / halves)};
  }
  case MatrixRole::b:
    return {along + 4 * parts_ * slot.reg, group};
  case MatrixRole::accumulator:
    break;
  }
  if (packed_) return {group + 8 * slot.reg, along};
  return {group + 8 * (slot.reg / 2), 2 * t + slot.reg % 2};
}

FragmentSlot Fragment::slot(MatrixElement element) const {
  if (quads_) return quad_slot(element);
  const auto [row, column] = element;
  if (role_ == MatrixRole::accumulator && !packed_)
    return {row % 8 * 4 + column / 2, row / 8 * 2 + column % 2, 0};
  // What lies along the lanes of a group, and the group.
  const int along = role_ == MatrixRole::b ? row : column;
  const int across = role_ == MatrixRole::b ? column : row;
  const int halves = role_ == MatrixRole::a ? shape_.m / 8 : 1;
  const int lane = across % 8 * 4 + along / parts_ % 4, part = along % parts_;
  if (role_ == MatrixRole::accumulator) return {lane, across / 8, part};
  return {lane, along / (4 * parts_) * halves + across / 8, part};
}

namespace {

/// Where a quad pair begins, across
const char* const kQuadFormula = "8 * (lane % 16 / 4) + 4 * (lane / 16)";

}  // namespace

std::string Fragment::row_formula() const {
  if (quads_ && role_ == MatrixRole::b) return across_ ? "lane % 4" : "2 * r + j";
  if (quads_ && role_ == MatrixRole::accumulator && !packed_)
    return std::string(kQuadFormula) + " + lane % 2 + 2 * (r / 2 % 2)";
  if (quads_) return std::string(kQuadFormula) + (across_ ? " + 2 * r + j" : " + lane % 4");
  const std::string along = parts_ == 1 ? "lane % 4" : fmt::format("{} * (lane % 4) + j", parts_);
  if (role_ == MatrixRole::b)
    return registers() == 1 ? along : fmt::format("{} + {} * r", along, 4 * parts_);
  if (shape_.m == 8) return "lane / 4";
  if (role_ == MatrixRole::a) return registers() == 1 ? "lane / 4" : "lane / 4 + 8 * (r % 2)";
  return packed_ ? "lane / 4 + 8 * r" : "lane / 4 + 8 * (r / 2)";
}

std::string Fragment::column_formula() const {
  if (quads_ && role_ == MatrixRole::b)
    return std::string(kQuadFormula) + (across_ ? " + 2 * r + j" : " + lane % 4");
  if (quads_ && role_ == MatrixRole::accumulator && !packed_)
    return "4 * (r / 4) + 2 * (lane % 4 / 2) + r % 2";
  if (quads_) return across_ ? "lane % 4" : "2 * r + j";
  if (role_ == MatrixRole::b) return "lane / 4";
  if (role_ == MatrixRole::accumulator)
    return packed_ ? "2 * (lane % 4) + j" : "2 * (lane % 4) + r % 2";
  const std::string along = parts_ == 1 ? "lane % 4" : fmt::format("{} * (lane % 4) + j", parts_);
  const int halves = shape_.m / 8;
  if (registers() <= halves) return along;
  return fmt::format("{} + {} * (r / {})", along, 4 * parts_, halves);
}

FragmentSlot ldmatrix_slot(MatrixElement element, bool transposed) {
  const int row = transposed ? element.column : element.row;
  const int column = transposed ? element.row : element.column;
  return {row * 4 + column / 2, 0, column % 2};
}

MatrixElement ldmatrix_element(FragmentSlot slot, bool transposed) {
  const int row = slot.lane / 4, column = slot.lane % 4 * 2 + slot.part;
  return transposed ? MatrixElement{column, row} : MatrixElement{row, column};
}

}  // namespace lanescope

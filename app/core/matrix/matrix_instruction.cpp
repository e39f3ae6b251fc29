#include "core/matrix/matrix_instruction.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "lanescope/matrix_sum.h"

namespace lanescope::app {
namespace {

constexpr std::array<std::string_view, 5> kOpcodes = {"wgmma.mma_async", "wmma.mma", "mma.sync",
                                                      "ldmatrix.sync", "stmatrix.sync"};

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t dot = std::min(name.find('.', at), name.size());
    parts.push_back(name.substr(at, dot - at));
    at = dot + 1;
  }
  return parts;
}

/// The number behind a letter, which are taken away: 16 of "m16n8k16".
std::optional<int> take_number(std::string_view& text, char letter) {
  if (!text.starts_with(letter)) return std::nullopt;
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data() + 1, end, value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(after - text.data()));
  return value;
}

std::optional<MatrixShape> shape_from(std::string_view text) {
  const auto m = take_number(text, 'm'), n = take_number(text, 'n'), k = take_number(text, 'k');
  if (!m || !n || !k || !text.empty()) return std::nullopt;
  return MatrixShape{*m, *n, *k};
}

std::optional<MatrixInstruction> multiply_from(const std::vector<std::string_view>& parts) {
  MatrixInstruction out;
  std::vector<MatrixType> types;
  bool shaped = false;
  std::vector<bool> by_columns;
  for (const std::string_view part : parts) {
    if (part == "row" || part == "col") by_columns.push_back(part == "col");
    if (const auto shape = shape_from(part)) out.form.shape = *shape, shaped = true;
    if (const auto type = matrix_type_from_name(part)) types.push_back(*type);
    out.form.is_and |= part == "and";
    out.form.saturates |= part == "satfinite";
  }
  const bool group = parts[0] == "wgmma";
  // D, A, B, and of mma.sync C: the accumulators are of one type.
  if (!shaped || types.size() != (group ? 3 : 4)) return std::nullopt;
  if (by_columns.size() == 2)
    out.form.a_by_columns = by_columns[0], out.form.b_by_rows = !by_columns[1];
  out.form.a = types[1];
  // C of m8n8k4 may be of halves where D is of floats.
  if (!group && types[0] != types[3] && !(out.form.of_quads() && types[0] == MatrixType::f32))
    return std::nullopt;
  out.form.accumulator = types[0];
  out.form.a = types[1], out.form.b = types[2];
  if (group) out.operation = MatrixOperation::group;
  return (group ? is_known_group(out.form) : is_known(out.form)) ? std::optional(out)
                                                                 : std::nullopt;
}

/// The mma that a wmma is made of: of its shapes of 16 by 16 and more that of 16 by 8. Of halves only D's and C's types
/// are named.
std::optional<MatrixInstruction> fragment_product_from(const std::vector<std::string_view>& parts) {
  std::vector<MatrixType> types;
  MatrixInstruction out;
  for (const std::string_view part : parts) {
    if (const auto shape = shape_from(part)) out.form.shape = *shape;
    if (const auto type = matrix_type_from_name(part)) types.push_back(*type);
    out.form.saturates |= part == "satfinite";
  }
  if (types.size() == 2) types.insert(types.begin() + 1, 2, MatrixType::f16);
  if (types.size() != 4) return std::nullopt;
  const bool is_wide = types[0] == MatrixType::f32 || types[3] == MatrixType::f32;
  out.form.accumulator = is_wide ? MatrixType::f32 : types[0];
  out.form.a = types[1], out.form.b = types[2];
  if (out.form.shape.m * out.form.shape.n == 256) out.form.shape.m = 16, out.form.shape.n = 8;
  return is_known(out.form) ? std::optional(out) : std::nullopt;
}

std::optional<MatrixInstruction> move_from(const std::vector<std::string_view>& parts) {
  MatrixInstruction out{.operation =
                            parts[0] == "ldmatrix" ? MatrixOperation::load : MatrixOperation::store,
                        .form = {},
                        .matrices = 0};
  bool halves = false;
  for (const std::string_view part : parts) {
    if (part == "x1" || part == "x2" || part == "x4") out.matrices = part[1] - '0';
    out.transposed |= part == "trans";
    halves |= part == "b16";
  }
  return out.matrices > 0 && halves ? std::optional(out) : std::nullopt;
}

/// Where the next opcode begins at or after `from`; npos for none.
std::size_t next_opcode(std::string_view text, std::size_t from) {
  std::size_t first = std::string_view::npos;
  for (const std::string_view opcode : kOpcodes) first = std::min(first, text.find(opcode, from));
  return first;
}

std::string_view opcode_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  const auto belongs = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_';
  };
  while (end < text.size() && belongs(text[end])) ++end;
  return text.substr(at, end - at);
}

}  // namespace

std::string instruction_name(const MatrixInstruction& instruction) {
  if (instruction.operation == MatrixOperation::group)
    return fmt::format("wgmma {} {}.{}.{}", matrix_shape_name(instruction.form.shape),
                       matrix_type_name(instruction.form.accumulator),
                       matrix_type_name(instruction.form.a), matrix_type_name(instruction.form.b));
  if (instruction.operation != MatrixOperation::multiply)
    return fmt::format("{}.x{}{}",
                       instruction.operation == MatrixOperation::load ? "ldmatrix" : "stmatrix",
                       instruction.matrices, instruction.transposed ? ".trans" : "");
  const MatrixForm& form = instruction.form;
  const std::string_view d = matrix_type_name(form.accumulator);
  const std::string layout =
      form.of_quads()
          ? fmt::format(".{}.{}", form.a_by_columns ? "col" : "row", form.b_by_rows ? "row" : "col")
          : "";
  return fmt::format("mma {}{} {}.{}.{}.{}{}{}", matrix_shape_name(form.shape), layout, d,
                     matrix_type_name(form.a), matrix_type_name(form.b), d,
                     form.saturates ? ".satfinite" : "",
                     form.a != MatrixType::b1 ? ""
                     : form.is_and            ? ".and"
                                              : ".xor");
}

std::optional<MatrixInstruction> instruction_from_ptx(std::string_view name) {
  const std::vector<std::string_view> parts = parts_of(name);
  if (parts[0] == "mma" || parts[0] == "wgmma") return multiply_from(parts);
  if (parts[0] == "wmma") return fragment_product_from(parts);
  if (parts[0] == "ldmatrix" || parts[0] == "stmatrix") return move_from(parts);
  return std::nullopt;
}

std::vector<MatrixInstruction> instructions_in(std::string_view text) {
  std::vector<MatrixInstruction> found;
  for (std::size_t at = next_opcode(text, 0); at != std::string_view::npos;
       at = next_opcode(text, at + 1)) {
    const auto instruction = instruction_from_ptx(opcode_at(text, at));
    if (instruction && std::find(found.begin(), found.end(), *instruction) == found.end())
      found.push_back(*instruction);
  }
  return found;
}

MatrixInstruction first_instruction(std::string_view text) {
  const auto written = instructions_in(text);
  return written.empty() ? known_instructions().front() : written.front();
}

std::vector<MatrixInstruction> known_instructions() {
  std::vector<MatrixInstruction> all;
  for (const MatrixForm& form : known_forms()) all.push_back({.form = form});
  for (const MatrixOperation operation : {MatrixOperation::load, MatrixOperation::store})
    for (const int matrices : {4, 2, 1})
      for (const bool transposed : {false, true})
        all.push_back(
            {.operation = operation, .form = {}, .matrices = matrices, .transposed = transposed});
  return all;
}

}  // namespace lanescope::app

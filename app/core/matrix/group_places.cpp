#include "core/matrix/group_places.h"

#include <map>

namespace lanescope::app {
namespace {

constexpr std::uint32_t kLine = ChunkLine::kBytes, kChunk = ChunkLine::kChunk;

std::uint32_t bytes_of(const GroupStep& step, MatrixRole role) {
  return static_cast<std::uint32_t>(matrix_type_bits(step.form.type(role))) / 8;
}

}  // namespace

GroupPlaces::GroupPlaces(const GroupStep& step, MatrixRole role, int first, int lines)
    : by_columns_(role == MatrixRole::a ? step.a_by_columns : step.b_by_columns),
      elements_(static_cast<int>(kChunk / bytes_of(step, role))),
      matrix_(role == MatrixRole::a ? step.a_descriptor : step.b_descriptor, by_columns_,
              bytes_of(step, role)) {
  const int along_k = by_columns_ ? 1 : elements_, along_lines = by_columns_ ? elements_ : 1;
  std::map<std::uint32_t, ChunkLine> found;
  for (int line = first; line < first + lines; line += along_lines)
    for (int k = 0; k < step.form.shape.k; k += along_k) {
      const std::uint32_t at =
          matrix_.offset(static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(k));
      ChunkLine& in = found[at / kLine];
      in.number = at / kLine;
      in.chunk[at % kLine / kChunk] = static_cast<int>(chunks_.size());
      chunks_.push_back({line, k, (by_columns_ ? line : k) / elements_});
    }
  for (const auto& [number, line] : found) lines_.push_back(line);
}

std::uint64_t group_element(const GroupStep& step, const MatrixOperands& held, MatrixRole role,
                            int line, int k) {
  const Fragment fragment(form_of_warp(step.form), role);
  const bool of_a = role == MatrixRole::a;
  const FragmentSlot at = fragment.slot(of_a ? MatrixElement{line, k} : MatrixElement{k, line % 8});
  const int reg = at.reg + (of_a ? 0 : line / 8 * fragment.registers());
  const int width = matrix_type_bits(step.form.type(role));
  const std::uint64_t whole =
      (of_a ? held.a : held.b)[static_cast<std::size_t>(reg)][static_cast<std::size_t>(at.lane)];
  return whole >> (width * at.part) & ((std::uint64_t{1} << width) - 1);
}

bool GroupPlaces::holds(const GroupChunk& chunk, int line) const {
  return line >= chunk.line && line < chunk.line + (by_columns_ ? elements_ : 1);
}

}  // namespace lanescope::app

// Which matrix instruction the Fragments view is about: read from its name in PTX, found in a text, or
// chosen. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lanescope/fragments.h"

namespace lanescope::app {

enum class MatrixOperation : std::uint8_t {
  /// mma.sync
  multiply,
  /// ldmatrix, stmatrix: 8×8 matrices of 16 bits
  load,
  store,
  /// wgmma.mma_async: of D the rows of one of the four warps
  group,
};

struct MatrixInstruction {
  MatrixOperation operation = MatrixOperation::multiply;
  /// Of `multiply` and `group`
  MatrixForm form;
  /// Of `load` and `store`: 1, 2 or 4
  int matrices = 4;
  bool transposed = false;
  /// Of `group`, as far as it is known: A lies in registers as D does, not in shared memory
  bool a_in_registers = false;
  bool operator==(const MatrixInstruction&) const = default;
};

/// "mma m16n8k16 f32.f16.f16.f32", "wgmma m64n256k16 f32.f16.f16", "ldmatrix.x4.trans".
std::string instruction_name(const MatrixInstruction& instruction);

/// Of "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "ldmatrix.sync.aligned.m8n8.x4.shared.b16"
/// and their kin, of "wmma.mma.…" the mma that it is made of; nullopt for anything else, and for a form that no GPU is known to execute.
std::optional<MatrixInstruction> instruction_from_ptx(std::string_view name);

/// The instructions that a text writes out, in its order, each once.
std::vector<MatrixInstruction> instructions_in(std::string_view text);
/// The first of them; of a text that writes none out, the first that there is.
MatrixInstruction first_instruction(std::string_view text);
/// All that there are, to choose from.
std::vector<MatrixInstruction> known_instructions();

}  // namespace lanescope::app

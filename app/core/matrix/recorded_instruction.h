// The matrix instruction that a warp executed at a step, with what its registers held. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/matrix/fragment_panel.h"
#include "core/picture/picture.h"
#include "lanescope/group_matrix.h"

namespace lanescope::app {

struct RecordedInstruction {
  MatrixInstruction instruction;
  FragmentValues values;
  /// Of wgmma: where its operands lie
  std::optional<GroupStep> group = std::nullopt;
  std::size_t step = 0;
};

/// nullopt where the step is no matrix instruction, or what it held was not recorded.
std::optional<RecordedInstruction> recorded_instruction(const Picture& picture, std::uint32_t warp,
                                                        std::size_t step);
/// The warp's step of a matrix instruction that is nearest to a step: it itself, else the last before,
/// else the first after it; nullopt if there is none.
std::optional<std::size_t> nearest_matrix_step(const Picture& picture, std::uint32_t warp,
                                               std::size_t step);

}  // namespace lanescope::app

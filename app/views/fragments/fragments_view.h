// Fragments: which lane, register and part of a register holds which element of a matrix instruction's
// operands; and how an element of D comes about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/matrix/recorded_instruction.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

/// What is lit: an element, a lane, or a register of all lanes.
struct FragmentSpot {
  enum class Kind { none, element, lane, reg };
  Kind kind = Kind::none;
  /// Index of the matrix; of a lane no meaning
  int panel = 0;
  FragmentSlot slot;
  bool operator==(const FragmentSpot&) const = default;
};

struct FragmentsState {
  /// Chosen by hand; nullopt: what the selection, else the text, says
  std::optional<MatrixInstruction> chosen;
  bool by_register = false;
  /// Values in the cells instead of places
  bool values = false;
  FragmentSpot pinned;
  /// Under the pointer in the frame before this one, and in this one
  FragmentSpot hovered, pointed;
  /// The view has the keys, and arrows move what is pinned
  bool takes_arrows = false;
  // What is drawn, made anew when the selection or the choice changes.
  struct Followed {
    std::uint64_t serial = 0;
    std::uint32_t warp = 0;
    std::size_t step = 0;
    int access = -1;
    /// Of the text
    std::size_t hash = 0;
    std::optional<MatrixInstruction> chosen;
    bool operator==(const Followed&) const = default;
  };
  Followed followed;
  /// Of the selected warp; nullopt: nothing was recorded of what is shown
  std::optional<std::size_t> step;
  MatrixInstruction shown;
  std::vector<FragmentPanel> panels;
  FragmentValues held;
  /// Of a recorded wgmma, where its operands lie, and which of the warpgroup's warps is looked at
  std::optional<GroupStep> group;
  int group_warp = 0;

  [[nodiscard]] const FragmentSpot& lit() const {
    return hovered.kind != FragmentSpot::Kind::none ? hovered : pinned;
  }
};
/// Shows the recorded instruction that is nearest to the selection, else one that the text writes out,
/// else one to study. Asks for HoverLane and SelectLane.
void draw_fragments(const ViewContext& ctx, FragmentsState& state, Actions& actions);

// The parts of the view.

/// How much a slot of a matrix has to do with what is lit.
enum class FragmentGlow {
  /// Nothing is lit
  plain,
  faint,
  /// What an element of D is made of, or goes into
  related,
  /// Another element of the lit lane
  same_lane,
  lit
};
FragmentGlow glow_of(const FragmentsState& state, int panel, FragmentSlot slot);
ImU32 fragment_color(const FragmentsState& state, int panel, FragmentSlot slot);
/// An element of D is lit whose sum is known.
bool shows_sum(const FragmentsState& state);
/// "a2", "a2·1": register and part
std::string slot_name(const FragmentPanel& panel, FragmentSlot slot);

/// The matrices, as large as they fit `size`. Gives the corners of the free place over A where they
/// stand as on a blackboard, else zeros.
ImVec4 draw_fragment_panels(const ViewContext& ctx, FragmentsState& state, ImVec2 size);
/// Of a wgmma: A and B as lines of 128 bytes of shared memory.
void draw_group_memory(const ViewContext& ctx, const FragmentsState& state, ImVec2 size);
/// The 32 lanes, and the registers that each of them has; `rows` of lanes.
void draw_fragment_lanes(const ViewContext& ctx, FragmentsState& state, int rows, Actions& actions);
/// What is lit, in words and numbers.
void draw_fragment_words(const ViewContext& ctx, const FragmentsState& state);

}  // namespace lanescope::app

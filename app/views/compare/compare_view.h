// Compare: two kernels or two settings, the same warp and access side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/text/text_diff.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

struct CompareState {
  /// What the other side's selection points at
  FocusCache other;
  /// Of the list of kernels
  std::string filter;
  bool all_lines = false;

  // Worked out anew only when what they are made of changes.
  struct Key {
    std::uint64_t serial = 0, other_serial = 0;
    std::uint32_t warp = 0, other_warp = 0;
    std::size_t step = 0, other_step = 0;
    int access = -1, other_access = -1;
    bool operator==(const Key&) const = default;
  };
  std::optional<Key> key;
  Differences numbers;
  std::vector<SettingDifference> settings;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> text_key;
  TextDiff text;
  /// Lines of front matter, which stay out
  std::size_t left_skipped = 0, right_skipped = 0;
};
/// Draws the picker, or both sides with what differs between them. Reads the picture and the
/// comparison; asks for what chooses, swaps, links and moves the other side.
void draw_compare(const ViewContext& ctx, CompareState& state, Actions& actions);

// Its parts, a file each.
void draw_compare_picker(const ViewContext& ctx, CompareState& state, Actions& actions);
void draw_compare_numbers(const ViewContext& ctx, const CompareState& state, Actions& actions);
void draw_compare_text(const ViewContext& ctx, CompareState& state);

}  // namespace lanescope::app

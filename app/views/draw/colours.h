// One set of colours with one meaning everywhere: bank ramp, heat, lanes, selection, errors.
// Safe for colour-blind viewers: single hues are Okabe and Ito's, the bank ramp grows in lightness
// (OKLab) so that it reads in grey too, and no pair of meanings differs by red against green alone.
#pragma once

#include "imgui.h"

namespace lanescope::app {

enum class ThemeId { dark, light, high_contrast };

struct Theme {
  /// Light words on a dark ground, as high contrast has them too
  bool dark = true;
  /// Every box has an edge
  bool outlined = false;
  /// Behind pictures
  ImU32 canvas = 0;
  /// Words; less important words
  ImU32 text = 0, dim = 0;
  /// Thin rules between cells
  ImU32 grid = 0;
  /// A cell that this block touches somewhere
  ImU32 cell = 0;
  /// A cell that it does not touch
  ImU32 empty = 0;
  /// Strokes over cells that nobody touches: padding
  ImU32 hatch = 0;
  /// A cell of one of the selected warp's lanes
  ImU32 lane = 0;
  /// The lit chain, the pinned lane, the current step
  ImU32 selection = 0;
  ImU32 good = 0, warning = 0, error = 0;
  /// Bytes asked for; bytes moved in vain
  ImU32 used = 0, wasted = 0;
  ImU32 barrier = 0;
};

const Theme& dark_theme();
const Theme& light_theme();
const Theme& high_contrast_theme();
const Theme& theme_of(ThemeId id);
/// Sets ImGui's own colours to match.
void apply_theme(const Theme& theme);

/// 32 steps from deep violet to yellow; `bank` in 0…31.
ImU32 bank_color(int bank);
/// Cost against ideal: 1 is the colour of "as good as it gets", 32 and more the hottest.
ImU32 heat_color(double ratio);
/// Contrast as the Web Content Accessibility Guidelines 2.1 define it, 1…21.
double contrast(ImU32 a, ImU32 b);
/// Black or white, whichever reads better on `background`.
ImU32 text_on(ImU32 background);
/// The same colour with its alpha multiplied.
ImU32 faded(ImU32 color, float alpha);
/// Between two colours, `t` in 0…1.
ImU32 mixed(ImU32 a, ImU32 b, float t);

}  // namespace lanescope::app

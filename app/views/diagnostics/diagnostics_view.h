// Diagnostics: what is wrong, each a click away from its line, its block, its thread and its step.
#pragma once

#include "views/draw/view_context.h"

namespace lanescope::app {

struct DiagnosticsState {
  /// Out: the line of the message that was clicked, else 0
  std::uint32_t go_to_line = 0;
};
/// What it says, and what to do about it, in the current language.
/// In the language of the window; the compiler's own words stay as they are: nvcc says them in
/// English too, and a search finds them.
std::string message_of(const Diagnostic& diagnostic);
std::string hint_of(const Diagnostic& diagnostic);
/// Draws a paragraph a diagnostic. Reads the diagnostics; asks for ShowMistake where a block and a
/// thread are named, and says in its state which line was clicked.
void draw_diagnostics(const ViewContext& ctx, DiagnosticsState& state, Actions& actions);

}  // namespace lanescope::app

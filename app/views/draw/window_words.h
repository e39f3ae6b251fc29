// What messages say in the window where the command line's words name its flags: the same sentence,
// about the window's own controls.
#pragma once

#include <span>
#include <string_view>

namespace lanescope::app {

struct WindowWords {
  /// The message's identity
  std::string_view id;
  /// With the same places for values
  const char* english;
};
std::span<const WindowWords> window_words();

}  // namespace lanescope::app

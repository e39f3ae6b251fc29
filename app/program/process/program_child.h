// The process that a whole program runs in. It is this program again, started with a hidden command, so
// that whatever the program's host code does cannot take the window or the command down.
#pragma once

#include <string>

namespace lanescope::app {

/// Exit status of a program that could not be compiled or begun.
inline constexpr int kCannotStart = 125;

/// The hidden command; the request comes on the first descriptor, events leave by the second, a line of
/// JSON each.
inline constexpr const char* kProgramCommand = "program-child";
inline constexpr int kRequestDescriptor = 3, kEventDescriptor = 4;

/// `lanescope program-child FOLDER`. Ends with the program's exit status; 125 when it could not be
/// started. `work_folder`: where its relative paths begin (work_folder.h); empty: where its parent's do.
int program_child_main(const std::string& work_folder);

}  // namespace lanescope::app

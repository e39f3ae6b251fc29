// Program: a whole program's run. Its launches by stream along the time that simulating them took, the
// same as a table, and what it wrote.
#pragma once

#include <cstdint>
#include <string>

#include "views/draw/view_context.h"

namespace lanescope::app {

struct ProgramState {
  /// The stretch of the timeline that is seen, milliseconds; no length: all of it, also while it grows
  double begin_ms = 0, span_ms = 0;
  /// The field for the standard input is open
  bool input_open = false;
  /// The output follows its end
  bool follows_end = true;
  /// Of the run that `kernel_of` and `stream_of` are of
  std::uint64_t seen_serial = 0;
  /// The program that this is about
  std::string file;
  /// The launch that the table has been scrolled to
  std::uint64_t listed = UINT64_MAX;
  /// Colours by kernel: how each is called, in the order of their first launches
  std::vector<std::string> kernels;
  /// For each launch of the run, its kernel's place in `kernels`
  std::vector<std::uint32_t> kernel_of;
  /// Streams in the order of their first launches, and each launch's place among them
  std::vector<std::uint64_t> streams;
  std::vector<std::uint32_t> stream_of;
  /// And each call's
  std::vector<std::uint32_t> stream_of_call;
  /// Those of the launch that runs
  std::uint32_t running_kernel = 0, running_stream = 0;
  /// Of all that the timeline has
  double first_ms = 0, last_ms = 0;
  /// Out: the call or the kernel of the launch that the pointer is on
  std::string pointed_at;
  /// Out: a line of the text that something was said about; 0: none
  std::uint32_t go_to_line = 0;
};
/// Draws the run of the open text's program. Asks for RunProgram, StopProgram, SetProgramInput and
/// ShowLaunch.
void draw_program(const ViewContext& ctx, ProgramState& state, Actions& actions);

// Its parts, a file each.

/// Bars along the time, a lane for the host's calls and one for each stream, in the space that is left.
void draw_program_timeline(const ViewContext& ctx, ProgramState& state, Actions& actions);
/// A row for each launch.
void draw_program_table(const ViewContext& ctx, ProgramState& state, Actions& actions);
/// What the program wrote, how it ended and what was found wrong with it.
void draw_program_output(const ViewContext& ctx, ProgramState& state);

// What they share.

/// Words of another size while there is one.
class FontSize {
 public:
  FontSize(const ViewContext& ctx, float factor) {
    ImGui::PushFont(ctx.fonts.text, ImGui::GetStyle().FontSizeBase * factor);
  }
  ~FontSize() { ImGui::PopFont(); }
  FontSize(const FontSize&) = delete;
  FontSize& operator=(const FontSize&) = delete;
};
/// Tells the kernels of a program apart; `index` is its place among them.
ImU32 kernel_color(std::uint32_t index);
/// The launch that the views show; UINT64_MAX: none of this program.
std::uint64_t shown_launch(const ViewContext& ctx);
/// "32×8", without what is 1 behind it.
std::string shape_text(Dim3 shape);
/// "main.cu:12": of the file its name alone.
std::string place_text(const HostPosition& at);
void launch_tooltip(const ViewContext& ctx, const LaunchRecord& launch);
/// "launch 3, saxpy: 12 of 96 blocks".
std::string progress_text(const LaunchProgress& progress);
/// How the run is going or has ended: "ended well, 67 launches".
std::string run_text(const ProgramStatus& program);

}  // namespace lanescope::app

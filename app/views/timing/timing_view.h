// Timing: kernels side by side on a GPU, beside a plain copy and cuBLAS; recorded where there is
// none.
#pragma once

#include <string>

#include "core/timing/timing.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

struct TimingState {
  /// What the user chose; empty fields follow the kernel
  TimingQuery query;
  /// The last that was asked for
  TimingQuery asked;
  /// Something was asked for
  bool any = false;
  /// The kernel whose row was last brought into sight
  std::string in_sight;
  /// Out: the export dialog is wanted
  bool export_csv = false;
};
/// Draws where the numbers come from, the choices, and a bar a row. Reads what was recorded and
/// measured; asks for ShowTiming, MeasureLaunches, CancelMeasuring and UseSettings.
void draw_timing(const ViewContext& ctx, TimingState& state, Actions& actions);

/// "16.8 M", "32 768": three figures from a hundred thousand on.
std::string compact(std::uint64_t count);
/// Where the numbers come from, for the banner: "Recorded on NVIDIA H200, 2026-11-21, driver 580".
std::string timing_source(const TimingNews& news);

// Its parts, a file each.

/// What is shown and what is to be measured, above the bars.
void draw_timing_choices(const ViewContext& ctx, const TimingNews& news, TimingState& state,
                         Actions& actions);
/// The bars and numbers, in the space that is left.
void draw_timing_table(const ViewContext& ctx, const TimingNews& news, TimingState& state,
                       Actions& actions);

}  // namespace lanescope::app

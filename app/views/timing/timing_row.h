// One row of the Timing view: its bar, its numbers, its tooltip.
#pragma once

#include <string>
#include <vector>

#include "core/timing/timing.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

/// Whether a row was measured here, so that recorded ones have to look different.
bool has_live(const TimingNews& news);

/// What bars are drawn against: a share of a copy where there is one, else work a second.
struct TimingScale {
  bool shares = true;
  /// GFLOP/s rather than GB/s
  bool products = false;
  /// At the right end
  double most = 1;

  [[nodiscard]] double value(const TimingRow& row, double milliseconds) const;
  /// cuBLAS in the same run; 0 for none.
  [[nodiscard]] double cublas(const TimingRow& row) const;
};
TimingScale timing_scale(const std::vector<TimingRow>& rows);

void draw_timing_bar(const ViewContext& ctx, const TimingRow& row, const TimingScale& scale,
                     bool hatched);
/// The ticks of the scale, over the bars.
void draw_timing_axis(const ViewContext& ctx, const TimingScale& scale);
/// "16.8 M ×32" on the colour of its cost.
void draw_cost(const ViewContext& ctx, std::uint64_t count, std::uint64_t ideal);
std::string timing_verdict(const TimingRow& row);
ImU32 verdict_color(const ViewContext& ctx, const TimingRow& row);
void timing_tooltip(const ViewContext& ctx, const TimingNews& news, const TimingRow& row);

}  // namespace lanescope::app

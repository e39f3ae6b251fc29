#include "core/picture/picture.h"

#include <algorithm>
#include <chrono>

#include "core/journey/journey.h"
#include "core/picture/trace_index.h"
#include "core/run/totals.h"

namespace lanescope::app {

namespace {

bool has_steps(const BlockTrace& trace) {
  return std::any_of(trace.warps.begin(), trace.warps.end(),
                     [](const WarpTrack& track) { return track.size() > 0; });
}

}  // namespace

Picture inspect_block(ReadyLaunch& ready, const std::stop_token& stop) {
  Picture picture;
  picture.prepared = ready.prepared;
  const auto start = std::chrono::steady_clock::now();
  picture.take(ready.inspect(
      {.blocks = {ready.prepared->settings.inspected_block}, .control = {.stop = stop}}));
  picture.run_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (picture.recorded) picture.tensors = placed_tensors(picture.kernel(), *picture.recorded);
  return picture;
}

bool complete_picture(Picture& picture, const std::stop_token& stop) {
  picture.lines = line_totals(picture.kernel(), picture.inspected);
  if (!picture.recorded || stop.stop_requested()) return false;
  picture.index = std::make_shared<const TraceIndex>(picture.kernel(), *picture.recorded);
  if (stop.stop_requested()) return false;
  picture.journey = std::make_shared<const Journey>(picture.kernel(), picture.recorded);
  return has_steps(*picture.recorded);
}

}  // namespace lanescope::app

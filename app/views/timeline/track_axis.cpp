#include "views/timeline/track_axis.h"

#include <algorithm>

namespace lanescope::app {

TrackAxis::TrackAxis(const KernelInfo& kernel, const BlockTrace& trace) {
  warps_.resize(trace.warps.size());
  std::size_t stretches = 0;
  for (std::size_t w = 0; w < trace.warps.size(); ++w) {
    warps_[w].push_back({0, 0});
    const WarpTrack& track = trace.warps[w];
    for (std::size_t i = 0; i < track.size(); ++i) {
      if (kernel.ops[track.op[i]].kind == StepKind::barrier && i + 1 < track.size())
        warps_[w].push_back({i + 1, 0});
    }
    steps_.push_back(track.size());
    stretches = std::max(stretches, warps_[w].size());
  }
  for (std::size_t s = 0; s < stretches; ++s) {
    std::size_t longest = 0;
    for (std::size_t w = 0; w < warps_.size(); ++w) {
      if (s >= warps_[w].size()) continue;
      const std::size_t end = s + 1 < warps_[w].size() ? warps_[w][s + 1].first_step : steps_[w];
      longest = std::max(longest, end - warps_[w][s].first_step);
      warps_[w][s].begin = width_;
    }
    width_ += longest;
  }
  // A barrier ends its stretch: shorter warps wait, so it is drawn at the stretch's right edge.
}

// The last that begins at `at` or before; both numbers of a stretch grow.
std::size_t TrackAxis::last_from(const std::vector<Stretch>& stretches,
                                 std::size_t Stretch::*number, std::size_t at) {
  const auto behind =
      std::partition_point(stretches.begin(), stretches.end(),
                           [&](const Stretch& stretch) { return stretch.*number <= at; });
  return behind == stretches.begin() ? 0 : static_cast<std::size_t>(behind - stretches.begin()) - 1;
}

std::size_t TrackAxis::position(std::uint32_t warp, std::size_t step) const {
  if (warp >= warps_.size()) return 0;
  const auto& stretches = warps_[warp];
  const std::size_t s = last_from(stretches, &Stretch::first_step, step);
  const bool closes = s + 1 < stretches.size() && step + 1 == stretches[s + 1].first_step;
  return closes ? stretches[s + 1].begin - 1
                : stretches[s].begin + (step - stretches[s].first_step);
}

std::vector<std::size_t> TrackAxis::positions(std::uint32_t warp) const {
  std::vector<std::size_t> all;
  if (warp >= warps_.size()) return all;
  all.reserve(steps_[warp]);
  const auto& stretches = warps_[warp];
  for (std::size_t s = 0; s < stretches.size(); ++s) {
    const bool last = s + 1 == stretches.size();
    const std::size_t end = last ? steps_[warp] : stretches[s + 1].first_step;
    while (all.size() < end)
      all.push_back(stretches[s].begin + (all.size() - stretches[s].first_step));
    if (!last) all.back() = stretches[s + 1].begin - 1;
  }
  return all;
}

std::size_t TrackAxis::step_at(std::uint32_t warp, std::size_t position) const {
  if (warp >= warps_.size() || steps_[warp] == 0) return 0;
  const auto& stretches = warps_[warp];
  const std::size_t s = last_from(stretches, &Stretch::begin, position);
  const std::size_t end = s + 1 < stretches.size() ? stretches[s + 1].first_step : steps_[warp];
  return std::min(stretches[s].first_step + (position - stretches[s].begin),
                  std::max<std::size_t>(end, 1) - 1);
}

}  // namespace lanescope::app

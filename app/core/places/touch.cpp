#include "core/places/touch.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace lanescope::app {
namespace {

// Accesses that were met before, by what their lanes touch.
class Met {
 public:
  explicit Met(const BlockTrace& trace) : trace_(trace) {}

  // False if there was one like it.
  bool add(int access, StepRef step) {
    const WarpTrack& track = trace_.warps[step.warp];
    const Touch touch{access, track.mask[step.step], trace_.rows[track.rows[step.step]]};
    const std::uint64_t hash = hash_of(touch);
    const auto [begin, end] = touches_.equal_range(hash);
    if (std::any_of(begin, end, [&](const auto& other) { return other.second == touch; }))
      return false;
    touches_.emplace(hash, touch);
    return true;
  }

 private:
  struct Touch {
    int access = -1;
    LaneMask mask = 0;
    LaneRow row;
    bool operator==(const Touch&) const = default;
  };

  // Four streams, so that the multiplications do not wait for each other.
  static std::uint64_t hash_of(const Touch& touch) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ull;
    std::uint64_t sums[4] = {touch.mask, static_cast<std::uint32_t>(touch.access), 3, 4};
    for (std::size_t lane = 0; lane < kLanes; lane += 4)
      for (std::size_t k = 0; k < 4; ++k) sums[k] = (sums[k] ^ touch.row[lane + k]) * kOdd;
    const std::uint64_t all =
        sums[0] ^ std::rotl(sums[1], 7) ^ std::rotl(sums[2], 13) ^ std::rotl(sums[3], 19);
    return all ^ all >> 32;
  }

  const BlockTrace& trace_;
  std::unordered_multimap<std::uint64_t, Touch> touches_;
};

}  // namespace

std::vector<StepRef> different_touches(const Picture& picture) {
  const BlockTrace& trace = *picture.trace();
  const KernelInfo& kernel = picture.kernel();
  std::vector<StepRef> steps;
  Met met(trace);
  for (std::uint32_t warp = 0; warp < trace.warps.size(); ++warp) {
    const WarpTrack& track = trace.warps[warp];
    for (std::size_t step = 0; step < track.size(); ++step) {
      const int access = kernel.ops[track.op[step]].access;
      if (access < 0 || track.rows[step] >= trace.rows.size()) continue;
      // What the copy engine moves stands in other rows too.
      const bool engine = is_of_engine(kernel.accesses[static_cast<std::size_t>(access)].op);
      if (engine || met.add(access, {warp, step})) steps.push_back({warp, step});
    }
  }
  return steps;
}

}  // namespace lanescope::app

#include "core/why/adviser.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

#include "core/picture/chain.h"
#include "core/picture/navigate.h"
#include "core/picture/picture.h"
#include "core/run/whole_grid.h"

namespace lanescope::app {

namespace {

// Warp instructions that may be executed to look at one suggestion's result: about half a second.
constexpr std::uint64_t kMostToCheck = 50'000'000;
constexpr std::size_t kMostKernels = 3;  // other kernels to suggest

struct Counted {
  std::unique_ptr<ReadyLaunch> ready;
  GridCost cost;
  std::uint64_t instructions = 0;
};

std::optional<Counted> count(const Settings& settings, const std::stop_token& stop) {
  PrepareResult prepared = prepare(settings, stop);
  if (!prepared.ready) return std::nullopt;
  const RunResult result = prepared.ready->count({.threads = 1, .control = {.stop = stop}});
  if (!result.ok() || !result.coverage.exact) return std::nullopt;
  return Counted{std::move(prepared.ready), grid_cost(result), result.warp_instructions};
}

bool same_memory(GlobalMemory& a, GlobalMemory& b) {
  a.complete();
  b.complete();
  for (const Buffer& mine : a.buffers()) {
    const Buffer* other = b.find(mine.spec.name);
    if (!other || other->bytes != mine.bytes || std::memcmp(mine.data, other->data, mine.bytes))
      return false;
  }
  return true;
}

// Lines that only one of two texts has: how far apart two kernels are.
std::size_t difference(const std::string& a, const std::string& b) {
  std::map<std::string, long> lines;
  const auto add = [&](const std::string& text, long sign) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      lines[text.substr(at, end - at)] += sign;
      at = end + 1;
    }
  };
  add(a, 1);
  add(b, -1);
  std::size_t count = 0;
  for (const auto& [line, times] : lines) count += static_cast<std::size_t>(std::labs(times));
  return count;
}

class Advising {
 public:
  Advising(const AdviceRequest& request, const Catalog& catalog, std::stop_token stop,
           const std::function<void(AdvicePtr)>& publish)
      : request_(request), catalog_(catalog), stop_(std::move(stop)), publish_(publish) {
    advice_.settings = request.picture->prepared->settings;
    advice_.access = request.selection.access;
  }

  AdvicePtr run() {
    advice_.goal = goal_of(*request_.picture, advice_.access);
    if (advice_.goal != AdviceGoal::none) try_everything();
    advice_.finished = !stop_.stop_requested();
    return std::make_shared<const Advice>(std::move(advice_));
  }

 private:
  void try_everything() {
    auto base = count(advice_.settings, stop_);
    if (!base) return;
    advice_.now = base->cost;
    base_ = std::move(base);
    if (advice_.goal == AdviceGoal::conflicts)
      advice_.swizzle = swizzle_advice(*request_.picture, advice_.access);
    const std::vector<Ladder> all =
        ladders(*request_.picture, advice_.access, advice_.goal, catalog_, advice_.swizzle);
    advice_.all = all.size();
    for (const Ladder& ladder : all) {
      publish();
      climb(ladder);
      if (stop_.stop_requested()) return;
      ++advice_.done;
    }
    drop_lesser_kernels();
    check_results();
  }

  void publish() {
    if (!stop_.stop_requested()) publish_(std::make_shared<const Advice>(advice_));
  }

  std::uint64_t figure(const GridCost& cost) const { return goal_figure(cost, advice_.goal); }

  bool as_good_as_it_gets(const GridCost& cost) const {
    return advice_.goal == AdviceGoal::conflicts ? cost.shared.conflicts == 0
                                                 : cost.global.sectors <= cost.global.ideal_sectors;
  }

  // What is saved in one memory must not be paid for in the other.
  bool helps(const GridCost& after) const {
    if (figure(after) >= figure(advice_.now)) return false;
    return advice_.goal == AdviceGoal::sectors ||
           (after.global.sectors <= advice_.now.global.sectors &&
            after.shared.wavefronts < advice_.now.shared.wavefronts);
  }

  void climb(const Ladder& ladder) {
    std::optional<Suggestion> best;
    std::optional<Counted> counted_best;
    for (const Change& change : ladder) {
      auto counted = count(change.settings, stop_);
      if (stop_.stop_requested()) return;
      if (!counted) continue;
      const bool better =
          !best || (helps(counted->cost) && !best->helps) ||
          (helps(counted->cost) == best->helps && figure(counted->cost) < figure(best->after));
      if (!better) continue;
      best = Suggestion{.change = change, .after = counted->cost, .helps = helps(counted->cost)};
      counted_best = std::move(counted);
      if (best->helps && as_good_as_it_gets(best->after)) break;
    }
    if (!best) return;
    if (!best->helps) {
      if (best->change.kind != ChangeKind::kernel) advice_.tried.push_back(std::move(*best));
      return;
    }
    if (best->change.kind != ChangeKind::kernel) look_at(*counted_best->ready, *best);
    advice_.suggestions.push_back(std::move(*best));
    sort();
  }

  // Changes of this kernel first, then other kernels; what leaves least above the ideal, then the
  // smaller change.
  void sort() {
    const auto rank = [&](const Suggestion& s) {
      const bool other = s.change.kind == ChangeKind::kernel;
      const std::uint64_t excess =
          s.after.shared.conflicts + (s.after.global.sectors - s.after.global.ideal_sectors);
      return std::make_tuple(other, excess, s.change.kind,
                             other ? difference(s.change.settings.text, advice_.settings.text) : 0);
    };
    std::stable_sort(advice_.suggestions.begin(), advice_.suggestions.end(),
                     [&](const Suggestion& a, const Suggestion& b) { return rank(a) < rank(b); });
  }

  void drop_lesser_kernels() {
    std::size_t kernels = 0;
    std::erase_if(advice_.suggestions, [&](const Suggestion& s) {
      return s.change.kind == ChangeKind::kernel && ++kernels > kMostKernels;
    });
  }

  // The same access of the same warp, in the changed kernel.
  void look_at(ReadyLaunch& ready, Suggestion& suggestion) const {
    ready.memory.refill();
    const Picture after = inspect_block(ready, stop_);
    if (!after.trace()) return;
    const Selection selection = relocate(*request_.picture, request_.selection, after);
    const auto step = shown_access_step(after, selection);
    if (!step) return;
    const WarpTrack& track = after.trace()->warps[selection.warp];
    const std::uint32_t row = track.rows[*step];
    if (row == WarpTrack::kNoRows) return;
    const AccessInfo& access = after.kernel().accesses[static_cast<std::size_t>(selection.access)];
    const LaneRow address = after.trace()->rows[row];
    const LaneMask mask = track.mask[*step];
    if (advice_.goal == AdviceGoal::conflicts) {
      suggestion.shared =
          explain_shared(address, mask, plan_banks(address, mask, access.bytes, access.service));
      suggestion.equation = bank_equation(after, access, address, mask);
    } else {
      suggestion.global = explain_global(address, mask, access.bytes,
                                         plan_sectors(address, mask, access.bytes, access.service));
    }
  }

  ResultState result_of(const Settings& settings) {
    auto counted = count(settings, stop_);
    if (!counted || counted->instructions > kMostToCheck) return ResultState::not_checked;
    WholeGridOptions options;
    options.control.stop = stop_;
    options.threads = 1;
    options.every_block = true;
    options.most_to_check = kMostToCheck;
    const WholeGrid whole = run_whole_grid(*counted->ready, options);
    if (stop_.stop_requested()) return ResultState::pending;
    if (!whole.run.ok()) return ResultState::wrong;
    if (whole.check.checked) return whole.check.correct ? ResultState::correct : ResultState::wrong;
    if (base_->instructions > kMostToCheck) return ResultState::not_checked;
    if (!std::exchange(base_executed_, true)) {
      base_ok_ = run_whole_grid(*base_->ready, options).run.ok();
    }
    if (!base_ok_) return ResultState::not_checked;
    return same_memory(base_->ready->memory, counted->ready->memory) ? ResultState::same
                                                                     : ResultState::wrong;
  }

  void check_results() {
    for (Suggestion& suggestion : advice_.suggestions) {
      publish();
      suggestion.result = result_of(suggestion.change.settings);
      if (stop_.stop_requested()) return;
    }
    // What breaks the result helps nobody.
    for (const Suggestion& suggestion : advice_.suggestions) {
      if (suggestion.result != ResultState::wrong) continue;
      advice_.tried.push_back(suggestion);
      advice_.tried.back().helps = false;
    }
    std::erase_if(advice_.suggestions,
                  [](const Suggestion& s) { return s.result == ResultState::wrong; });
  }

  const AdviceRequest& request_;
  const Catalog& catalog_;
  std::stop_token stop_;
  const std::function<void(AdvicePtr)>& publish_;
  Advice advice_;
  std::optional<Counted> base_;
  bool base_executed_ = false, base_ok_ = false;
};

}  // namespace

AdvicePtr advise(const AdviceRequest& request, const Catalog& catalog, const std::stop_token& stop,
                 const std::function<void(AdvicePtr)>& publish) {
  return Advising(request, catalog, stop, publish).run();
}

}  // namespace lanescope::app

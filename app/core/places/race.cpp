#include "core/places/race.h"

#include <algorithm>
#include <string>

#include "core/journey/journey.h"
#include "core/places/touch.h"

namespace lanescope::app {
namespace {

// Whether a message, or what it is made of, says just this.
bool names(const Message& message, const std::string& what) {
  if (message.id().empty() && message.english() == what) return true;
  return std::any_of(message.arguments().begin(), message.arguments().end(),
                     [&](const Message& argument) { return names(argument, what); });
}

// Its coordinates are three values in a row.
bool names_thread(const Message& message, Dim3 thread) {
  const auto& in = message.arguments();
  for (std::size_t i = 0; i + 2 < in.size(); ++i) {
    if (names(in[i], std::to_string(thread.x)) && names(in[i + 1], std::to_string(thread.y)) &&
        names(in[i + 2], std::to_string(thread.z)))
      return true;
  }
  return std::any_of(in.begin(), in.end(),
                     [&](const Message& argument) { return names_thread(argument, thread); });
}

bool overlap(const Cell& a, const Cell& b) {
  return a.address < b.address + b.bytes && b.address < a.address + a.bytes;
}

bool stores(const AccessInfo& access, std::uint64_t address) {
  return is_store(leg_of(access, address));
}

class Search {
 public:
  Search(const Picture& picture, const Diagnostic& mistake, const ChainLink& named)
      : picture_(picture), mistake_(mistake), named_(named),
        named_stores_(stores(access_of(named.access), named.cell.address)),
        phase_(phase_at(named.warp, named.step)) {}

  std::optional<ChainLink> other() {
    for_each_touch(picture_, [&](const ChainLink& link) {
      if (overlap(link.cell, named_.cell) && phase_at(link.warp, link.step) == phase_) judge(link);
    });
    return best_;
  }

 private:
  [[nodiscard]] const AccessInfo& access_of(int access) const {
    return picture_.kernel().accesses[static_cast<std::size_t>(access)];
  }

  // Barriers that a warp has passed.
  [[nodiscard]] std::uint32_t phase_at(std::uint32_t warp, std::size_t step) const {
    const WarpTrack& track = picture_.trace()->warps[warp];
    std::uint32_t phase = 0;
    for (std::size_t i = 0; i < std::min(step, track.size()); ++i)
      phase += picture_.kernel().ops[track.op[i]].kind == StepKind::barrier;
    return phase;
  }

  // Whom the message names; of several executions the one that it names by its line.
  void judge(const ChainLink& link) {
    if (link.warp == named_.warp && link.lane == named_.lane) return;
    if (!named_stores_ && !stores(access_of(link.access), link.cell.address)) return;
    const Dim3 thread = thread_of(picture_.prepared->launch.block, link.warp, link.lane);
    const std::string line = std::to_string(access_of(link.access).pos.line);
    const int score = 2 * names_thread(mistake_.message, thread) + names(mistake_.message, line);
    if (best_ && score <= score_) return;
    best_ = link;
    score_ = score;
  }

  const Picture& picture_;
  const Diagnostic& mistake_;
  const ChainLink named_;
  const bool named_stores_;
  const std::uint32_t phase_;
  std::optional<ChainLink> best_;
  int score_ = 0;
};

}  // namespace

std::optional<Race> race_of(const Picture& picture, const Diagnostic& mistake,
                            const ChainLink& named) {
  if (mistake.kind != DiagnosticKind::race || named.access < 0) return std::nullopt;
  const auto other = Search(picture, mistake, named).other();
  return other ? std::optional(Race{named, *other}) : std::nullopt;
}

}  // namespace lanescope::app

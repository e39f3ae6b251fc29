#include "core/places/race.h"

#include <algorithm>
#include <array>
#include <charconv>
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

constexpr std::string_view kApart = "thread_of_block_at_line";  // its id, see messages.def
constexpr std::size_t kThread = 0, kBlock = 3, kLine = 6, kNumbers = 7;

// A message's own part of that id.
const Message* part_named(const Message& message, std::string_view id) {
  if (message.id() == id) return &message;
  for (const Message& argument : message.arguments())
    if (const Message* found = part_named(argument, id)) return found;
  return nullptr;
}

struct Side {
  Dim3 block, thread;
  std::uint32_t line;
};

// The other side of a race between blocks, as its message names it.
std::optional<Side> rival_of(const Diagnostic& mistake) {
  if (mistake.kind != DiagnosticKind::race || !mistake.block || !mistake.thread || !mistake.address)
    return std::nullopt;
  const Message* other = part_named(mistake.message, kApart);
  if (!other || other->arguments().size() != kNumbers) return std::nullopt;
  std::array<std::uint32_t, kNumbers> n{};
  for (std::size_t i = 0; i < kNumbers; ++i) {
    const std::string& text = other->arguments()[i].english();
    if (std::from_chars(text.data(), text.data() + text.size(), n[i]).ec != std::errc())
      return std::nullopt;
  }
  const auto at = [&](std::size_t i) { return Dim3{n[i], n[i + 1], n[i + 2]}; };
  return Side{at(kBlock), at(kThread), n[kLine]};
}

bool is_side(const Picture& picture, const ChainLink& link, const Side& side) {
  const AccessInfo& access = picture.kernel().accesses[static_cast<std::size_t>(link.access)];
  return access.pos.line == side.line &&
         thread_of(picture.prepared->launch.block, link.warp, link.lane) == side.thread;
}

}  // namespace

std::optional<Race> race_of(const Picture& picture, const Diagnostic& mistake,
                            const ChainLink& named) {
  if (mistake.kind != DiagnosticKind::race || named.access < 0) return std::nullopt;
  const auto other = Search(picture, mistake, named).other();
  return other ? std::optional(Race{named, *other}) : std::nullopt;
}

std::optional<RaceApart> race_apart(const Picture& picture, const std::vector<ChainLink>& touching,
                                    const std::vector<Diagnostic>& mistakes) {
  const Dim3 here = picture.trace()->block;
  for (const Diagnostic& mistake : mistakes) {
    const std::optional<Side> rival = rival_of(mistake);
    if (!rival) continue;
    const Side named{*mistake.block, *mistake.thread, mistake.line};
    if ((named.block == here) == (rival->block == here)) continue;
    const Side& own = named.block == here ? named : *rival;
    const Side& other = named.block == here ? *rival : named;
    const auto link = std::find_if(touching.begin(), touching.end(), [&](const ChainLink& one) {
      return overlap(one.cell, {*mistake.address, 1}) && is_side(picture, one, own);
    });
    if (link != touching.end()) return RaceApart{*link, other.block, other.thread, other.line};
  }
  return std::nullopt;
}

Diagnostic other_side(const RaceApart& race) {
  Diagnostic mistake;
  mistake.kind = DiagnosticKind::race;
  mistake.line = race.line;
  mistake.block = race.block;
  mistake.thread = race.thread;
  mistake.address = race.here.cell.address;
  return mistake;
}

}  // namespace lanescope::app

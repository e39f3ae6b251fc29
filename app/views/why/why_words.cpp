#include "views/why/why_words.h"

#include <cstdlib>

#include "views/banks/bank_card.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"

namespace lanescope::app {
namespace {

using Kind = LanePattern::Kind;

// Definitions; translated where they are shown.
constexpr const char* kStride = "stride: how far apart the addresses of neighbouring lanes are";
constexpr const char* kGcd =
    "A stride of s comes back to its first bank after 32 / gcd(s, 32) lanes.";
constexpr const char* kBank = "bank: every 32nd word; it serves one 32-bit word in a wavefront";
constexpr const char* kBroadcast = "broadcast: one word read once for all lanes that want it";
constexpr const char* kGroups =
    "Wide accesses are served in parts, so that each part fits the 32 banks.";
constexpr const char* kMerge =
    "A wide load merges when every lane agrees with lane ^ 1, or with lane ^ 2.";
constexpr const char* kSwizzle =
    "swizzle: elements change places within a row, so that columns spread over the banks";
constexpr const char* kSector =
    "sector: 32 bytes, the least that is moved between the caches and memory";
constexpr const char* kLine = "line: 128 bytes of a cache, four sectors side by side";

std::string group_name(const SharedWhy& why) {
  return why.groups.size() > 2 ? tr("quarter-warp") : tr("half-warp");
}

void add_stride(std::vector<Sentence>& all, const SharedWhy& why) {
  if (why.stride_words == 0) return;
  const auto stride = why.stride_words;
  all.push_back({why.of_group == 0 ? tr("Neighbouring lanes are {0} words apart.", {stride})
                                   : tr("Lanes {0} are served together, and lie {1} words apart.",
                                        {lanes_text(why.of_group), stride}),
                 kStride});
  if (why.bytes > 4) {
    all.push_back({tr("A lane takes {0} banks, so a wavefront has room for {1} lanes.",
                      {why.bytes / 4, why.slots}),
                   kGroups});
    if (why.stride_slots == 0) return;
    all.push_back({tr("In units of {0} bytes the stride is {1}; gcd({1}, {2}) = {3}.",
                      {why.bytes, std::llabs(why.stride_slots), why.slots, why.divisor}),
                   kGcd});
  } else if (why.divisor == 1) {
    all.push_back({tr("gcd({0}, 32) = 1: lanes meet all 32 banks before one comes again.",
                      {std::llabs(why.stride_words)}),
                   kGcd});
  } else if (why.divisor > 1) {
    all.push_back({tr("gcd({0}, 32) = {1}: lanes use 32 / {1} = {2} of the 32 banks, {1} in each.",
                      {std::llabs(why.stride_words), why.divisor, 32 / why.divisor}),
                   kGcd});
  }
}

void add_rows(std::vector<Sentence>& all, const SharedWhy& why) {
  const auto rows = why.pattern.rows, run = why.pattern.run;
  if (why.pattern.stride == 0) {
    all.push_back({tr("{0} groups of {1} lanes on one word each, {2} words apart.",
                      {rows, run, why.pitch_words}),
                   kBroadcast});
    return;
  }
  all.push_back({tr("{0} rows of {1} lanes: {2} words apart in a row, {3} from row to row.",
                    {rows, run, why.stride_words, why.pitch_words}),
                 kStride});
  if (why.divisor > 1 && why.bytes <= 4 && why.cost.conflicts == 0) {
    all.push_back({tr("A row needs {0} banks, {1} apart; the rows lie between each other.",
                      {run, why.divisor}),
                   kBank});
  } else if (why.divisor > 1 && why.bytes <= 4) {
    all.push_back({tr("In a row gcd({0}, 32) = {1}: every {2} lanes come back to the same bank.",
                      {std::llabs(why.stride_words), why.divisor, 32 / why.divisor}),
                   kGcd});
  }
}

void add_groups(std::vector<Sentence>& all, const SharedWhy& why) {
  if (why.merged) {
    all.push_back({tr("Partner lanes ask for the same bytes: the wide load is merged."), kMerge});
  }
  if (why.groups.size() < 2) return;
  std::string lanes;
  for (const LaneMask group : why.groups) lanes += (lanes.empty() ? "" : "; ") + lanes_text(group);
  all.push_back({tr("{0} bytes a lane: served one {1} after the other: lanes {2}.",
                    {why.bytes, group_name(why), lanes}),
                 kGroups});
}

void add_pattern(std::vector<Sentence>& all, const GlobalWhy& why) {
  const LanePattern& pattern = why.pattern;
  const auto bytes = why.bytes;
  if (pattern.kind == Kind::stride && pattern.stride == bytes) {
    all.push_back({tr("Neighbouring lanes lie side by side: {0} bytes without a gap.",
                      {grouped(why.bytes_used)}),
                   kStride});
  } else if (pattern.kind == Kind::stride) {
    all.push_back({tr("Neighbouring lanes are {0} bytes apart, and ask for {1} each.",
                      {pattern.stride, bytes}),
                   kStride});
  } else if (pattern.kind == Kind::rows) {
    all.push_back({tr("{0} rows of {1} lanes: {2} bytes apart in a row, {3} from row to row.",
                      {pattern.rows, pattern.run, pattern.stride, pattern.pitch}),
                   kStride});
  } else if (pattern.kind == Kind::irregular) {
    all.push_back({tr("The lanes' addresses follow no simple rule."), nullptr});
  }
}

std::size_t instead(const GlobalWhy& why) {
  return (why.bytes_used + kSectorBytes - 1) / kSectorBytes;
}

}  // namespace

std::string why_headline(const SharedWhy& why) {
  const auto wavefronts = why.cost.wavefronts;
  const auto conflicts = why.cost.conflicts;
  switch (why.cause) {
  case SharedCause::nothing:
    return tr("No lane takes part.");
  case SharedCause::broadcast:
    return tr("No conflict: one word for all lanes, a broadcast");
  case SharedCause::multicast:
    return tr("No conflict: lanes share words, and each bank serves one word");
  case SharedCause::exclusive:
    return tr("No conflict: a swizzle gives every lane a bank of its own");
  case SharedCause::free:
    return why.groups.size() < 2
               ? std::string(tr("No conflict: each bank serves one word at most"))
               : tr("No conflict: {0} wavefronts, one for each {1}", {wavefronts, group_name(why)});
  default:
    return tr("{0} words wait for bank {1}: {2} wavefronts instead of {3}",
              {why.ways, why.worst_bank, wavefronts, wavefronts - conflicts});
  }
}

std::string why_headline(const GlobalWhy& why) {
  const auto sectors = why.cost.sectors;
  switch (why.cause) {
  case GlobalCause::nothing:
    return tr("No lane takes part.");
  case GlobalCause::uniform:
    return tr("All lanes ask for the same element: one sector serves them");
  case GlobalCause::coalesced:
    return tr("Coalesced: {0} sectors, as few as these bytes can lie in", {sectors});
  case GlobalCause::misaligned:
    return tr("Misaligned: {0} sectors where {1} would do", {sectors, instead(why)});
  case GlobalCause::strided:
    return tr("Strided: {0} sectors where {1} would do", {sectors, instead(why)});
  case GlobalCause::short_rows:
    return tr("Short rows: {0} sectors where {1} would do", {sectors, instead(why)});
  default:
    return tr("Scattered: {0} sectors where {1} would do", {sectors, instead(why)});
  }
}

std::vector<Sentence> why_sentences(const SharedWhy& why) {
  std::vector<Sentence> all;
  if (why.cause == SharedCause::nothing) return all;
  if (why.cause == SharedCause::exclusive) {
    all.push_back({tr("Lane l uses bank l XOR {0}: no two lanes can meet.", {why.flip}), kSwizzle});
  } else if (why.pattern.kind == Kind::stride) {
    add_stride(all, why);
  } else if (why.pattern.kind == Kind::rows) {
    add_rows(all, why);
  } else if (why.pattern.kind == Kind::irregular) {
    all.push_back({tr("The lanes' addresses follow no simple rule."), nullptr});
  }
  if (why.cost.conflicts > 0) {
    all.push_back({tr("Bank {0} serves lanes {1}: {2} different words, a wavefront each.",
                      {why.worst_bank, lanes_text(why.worst_lanes), why.ways}),
                   kBank});
  }
  if (why.shared_words > 0 && why.bytes >= 4 && !why.merged) {
    all.push_back({tr("Up to {0} lanes want the same word: served once for all, at no cost.",
                      {why.most_sharers}),
                   kBroadcast});
  }
  add_groups(all, why);
  return all;
}

std::vector<Sentence> why_sentences(const GlobalWhy& why, AccessOp op) {
  std::vector<Sentence> all;
  if (why.cause == GlobalCause::nothing) return all;
  add_pattern(all, why);
  if (why.cause == GlobalCause::misaligned) {
    all.push_back({tr("The first byte lies {0} bytes into its sector; aligned, {1} sectors do.",
                      {why.misalignment, why.aligned_sectors}),
                   kSector});
  } else if (why.cause == GlobalCause::strided || why.cause == GlobalCause::short_rows ||
             why.cause == GlobalCause::scattered) {
    all.push_back({why.lanes_per_sector == 1
                       ? std::string(tr("Every lane has a sector of its own."))
                       : tr("No sector serves more than {0} lanes.", {why.lanes_per_sector}),
                   kSector});
  }
  if (why.bytes_wasted() > 0) {
    const std::string moved = grouped(why.bytes_moved), wasted = grouped(why.bytes_wasted());
    const std::string share = decimal(100.0 * static_cast<double>(why.bytes_wasted()) /
                                      static_cast<double>(why.bytes_moved));
    all.push_back(
        {op == AccessOp::store
             ? tr("Of {0} bytes in these sectors, {1} ({2} %) are not written.",
                  {moved, wasted, share})
             : tr("Of {0} bytes fetched, {1} ({2} %) are never used.", {moved, wasted, share}),
         kSector});
  } else {
    all.push_back(
        {tr("Every byte of the {0} that are moved is used.", {grouped(why.bytes_moved)}), kSector});
  }
  all.push_back({tr("128-byte lines touched: {0}.", {why.lines}), kLine});
  return all;
}

std::string change_text(const Change& change) {
  switch (change.kind) {
  case ChangeKind::parameter:
    return change.name + " = " + change.value;
  case ChangeKind::block:
    return tr("block {0}", {change.value});
  case ChangeKind::padding:
    return tr("declare {0}", {change.value});
  case ChangeKind::swap:
    return tr("swap threadIdx.x and threadIdx.y");
  case ChangeKind::swizzle:
    return tr("{0} by {1}", {change.name, change.value});
  case ChangeKind::kernel:
    return tr("open {0}", {change.name});
  }
  return {};
}

std::string effect_text(const GridCost& before, const GridCost& after, AdviceGoal goal) {
  const std::string from = grouped(goal_figure(before, goal)),
                    to = grouped(goal_figure(after, goal));
  return goal == AdviceGoal::conflicts ? tr("{0} → {1} conflicts", {from, to})
                                       : tr("{0} → {1} sectors", {from, to});
}

std::string swizzle_text(const SwizzleAdvice& advice, const std::string& array) {
  const std::string text =
      tr("{0} for {1}: {2}", {advice.better.swizzle.name(), array, advice.formula});
  return advice.subscripts.empty() ? text : text + " · " + advice.subscripts;
}

std::string swizzle_effect(const SwizzleAdvice& advice) {
  const SharedCounts &now = advice.better.now, &after = advice.better.after;
  return tr("{0} → {1} wavefronts, {2} → {3} conflicts",
            {grouped(now.wavefronts), grouped(after.wavefronts), grouped(now.conflicts),
             grouped(after.conflicts)});
}

std::string result_text(ResultState result) {
  switch (result) {
  case ResultState::pending:
    return tr("result being checked …");
  case ResultState::correct:
    return tr("result correct");
  case ResultState::same:
    return tr("result unchanged");
  case ResultState::wrong:
    return tr("result wrong");
  case ResultState::not_checked:
    return tr("result not checked");
  }
  return {};
}

std::string after_text(const Suggestion& suggestion) {
  if (const auto& equation = suggestion.equation; equation && equation->pitch != 0)
    return pitch_text(bank_grid(*equation, equation->pitch));
  // In rows of lanes the divisor explains a row alone, not what all of them cost.
  const auto& why = suggestion.shared;
  if (why && why->stride_slots != 0 && why->pattern.kind == Kind::stride) {
    return tr("lane stride {0} words: gcd({1}, {2}) = {3}",
              {why->stride_words, std::llabs(why->stride_slots), why->slots, why->divisor});
  }
  if (const auto& global = suggestion.global; global && global->pattern.kind == Kind::stride)
    return tr("lane stride {0} bytes", {global->pattern.stride});
  return {};
}

}  // namespace lanescope::app

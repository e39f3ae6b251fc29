#include "core/journey/journey.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/journey/copies.h"
#include "core/journey/stored_value.h"
#include "lanescope/memory.h"

namespace lanescope::app {
namespace {

// Of a longer run the beginning is enough to be watched; so many moves are replayed within a frame.
constexpr std::size_t kMostMoves = 20'000;
// No multiprocessor has more shared memory; what lies beyond is a fault.
constexpr std::uint64_t kMostShared = 1 << 20;
constexpr float kTick = 0.4f;  // between two wavefronts, in ways of one lane

bool in_shared(std::uint64_t address) { return address - kSharedWindow < kWindowBytes; }
bool in_global(std::uint64_t address) {
  return address >= kGlobalWindow && address < kSharedWindow;
}

// What has been loaded so far, by warp and access: moves, the newest last.
class Loads {
 public:
  Loads(std::size_t warps, std::size_t accesses) : accesses_(accesses), moves_(warps * accesses) {}
  std::vector<std::uint32_t>& of(std::uint32_t warp, int access) {
    return moves_[warp * accesses_ + static_cast<std::size_t>(access)];
  }

 private:
  std::size_t accesses_;
  std::vector<std::vector<std::uint32_t>> moves_;
};

bool is_copy(const KernelInfo& kernel, int access) {
  return kernel.accesses[static_cast<std::size_t>(access)].op == AccessOp::async_copy;
}

template <class Visit>
void for_each_lane(LaneMask mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(std::countr_zero(mask));
}

}  // namespace

// What lies where while the moves are gone through.
struct Journey::Hands {
  Loads loads;
  /// By the cell's number
  std::vector<Token> stored;
};

Journey::Journey(const KernelInfo& kernel, std::shared_ptr<const BlockTrace> trace,
                 std::optional<WarpOrder> order)
    : trace_(std::move(trace)) {
  for (const AccessInfo& access : kernel.accesses) {
    bytes_.push_back(std::max(1u, access.bytes));
    sources_.push_back(access.sources);
  }
  collect(kernel);
  std::stable_sort(moves_.begin(), moves_.end(), [](const JourneyMove& a, const JourneyMove& b) {
    return std::tuple(a.interval, a.leg == Leg::barrier, a.warp, a.step) <
           std::tuple(b.interval, b.leg == Leg::barrier, b.warp, b.step);
  });
  order_ = order.value_or(warps_race() ? WarpOrder::one_by_one : WarpOrder::together);
  if (order_ == WarpOrder::together) stand_together();
  truncated_ = moves_.size() > kMostMoves;
  if (truncated_) moves_.resize(kMostMoves);
  list_by_warp();
  carry(kernel);
  part_into_stages();
}

void Journey::collect(const KernelInfo& kernel) {
  std::vector<JourneyMove> barriers;
  unit_ = 16;
  barriers_.resize(warps());
  for (std::uint32_t warp = 0; warp < warps(); ++warp) {
    const WarpTrack& track = trace_->warps[warp];
    std::uint32_t interval = 0;
    std::map<int, std::uint32_t> copied;  // by access: the step that reads for a copy
    for (std::uint32_t step = 0; step < track.size(); ++step) {
      if (kernel.ops[track.op[step]].kind == StepKind::barrier) {
        if (barriers.size() <= interval)
          barriers.push_back({.warp = warp, .step = step, .interval = interval});
        barriers_[warp].push_back(step);
        ++interval;
      } else if (std::optional<JourneyMove> move = move_of(kernel, warp, step)) {
        // Both sides of an asynchronous copy are one move: it passes no lane's register.
        if (is_copy(kernel, move->access)) {
          if (move->leg == Leg::load) {
            copied[move->access] = step;
            continue;
          }
          const auto& sources = sources_[static_cast<std::size_t>(move->access)];
          const auto from = sources.empty() ? copied.end() : copied.find(sources.front().access);
          if (from != copied.end()) move->copied_from = from->second;
        }
        move->interval = interval;
        unit_ = std::min(unit_, bytes_[static_cast<std::size_t>(move->access)]);
        moves_.push_back(*move);
      } else {
        add_bulk_copies(kernel, warp, step, interval);
      }
    }
  }
  moves_.insert(moves_.end(), barriers.begin(), barriers.end());
}

void Journey::add_bulk_copies(const KernelInfo& kernel, std::uint32_t warp, std::uint32_t step,
                              std::uint32_t interval) {
  const std::vector<BulkChunk> chunks = chunks_at(kernel, *trace_, warp, step);
  if (chunks.empty()) return;
  const int access = kernel.ops[trace_->warps[warp].op[step]].access;
  const AccessInfo& info = kernel.accesses[static_cast<std::size_t>(access)];
  // What is added to what lies there is no element that moves.
  if (info.service == Service::atomic) return;
  const bool loads = info.op == AccessOp::bulk_load;
  for (std::size_t first = 0; first < chunks.size() && moves_.size() <= kMostMoves;
       first += kLanes) {
    JourneyMove move{.leg = loads ? Leg::tile_store : Leg::store,
                     .warp = warp,
                     .step = step,
                     .access = access,
                     .interval = interval,
                     .part = static_cast<std::uint32_t>(first / kLanes),
                     .pieces = static_cast<std::uint32_t>(pieces_.size())};
    Pieces& pieces = pieces_.emplace_back();
    for (std::size_t i = 0; i < kLanes && first + i < chunks.size(); ++i) {
      const std::uint64_t shared = kSharedWindow + chunks[first + i].shared;
      const std::uint64_t global = chunks[first + i].global;
      pieces.to[i] = loads ? shared : global, pieces.from[i] = loads ? global : shared;
      if (loads || global != 0) move.mask |= LaneMask{1} << i;
    }
    if (move.mask != 0) moves_.push_back(move);
  }
  unit_ = std::min(unit_, ChunkLine::kChunk);
}

// What a step moves; nullopt for one that touches neither shared nor global memory.
std::optional<JourneyMove> Journey::move_of(const KernelInfo& kernel, std::uint32_t warp,
                                            std::uint32_t step) const {
  const WarpTrack& track = trace_->warps[warp];
  const OpInfo& op = kernel.ops[track.op[step]];
  if (op.kind != StepKind::access || op.access < 0 || track.mask[step] == 0 ||
      track.rows[step] == WarpTrack::kNoRows)
    return std::nullopt;
  const AccessInfo& access = kernel.accesses[static_cast<std::size_t>(op.access)];
  const LaneRow row = trace_->rows[track.rows[step]];
  const std::uint64_t first = row[static_cast<std::size_t>(std::countr_zero(track.mask[step]))];
  const bool shared = in_shared(first);
  if (!shared && !in_global(first)) return std::nullopt;
  JourneyMove move{.leg = leg_of(access, first),
                   .warp = warp,
                   .step = step,
                   .access = op.access,
                   .mask = track.mask[step]};
  if (shared) {
    const SharedCounts cost = shared_cost(row, move.mask, access.bytes, access.service);
    move.ticks = static_cast<std::uint16_t>(std::max<std::uint64_t>(1, cost.wavefronts));
  }
  return move;
}

// A warp reads what another one stores, and no barrier is between them. The moves stand in the order
// of intervals.
bool Journey::warps_race() const {
  struct Use {
    std::uint32_t interval = ~0u;
    std::uint64_t readers = 0, writers = 0;  // a bit a warp; a block has 32 at most
  };
  std::vector<Use> uses;
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    const JourneyMove& move = moves_[i];
    if (!in_tile(move.leg)) continue;
    const LaneRow row = addresses(i);
    bool race = false;
    for_each_lane(move.mask, [&](int lane) {
      const std::uint64_t at = (row[static_cast<std::size_t>(lane)] - kSharedWindow) / unit_;
      if (at >= kMostShared) return;
      if (at >= uses.size()) uses.resize(at + 1);
      Use& use = uses[at];
      if (use.interval != move.interval) use = {.interval = move.interval};
      (move.leg == Leg::tile_load ? use.readers : use.writers) |= std::uint64_t{1}
                                                                  << (move.warp % 64);
      race |= use.readers != 0 && use.writers != 0 && std::popcount(use.readers | use.writers) > 1;
    });
    if (race) return true;
  }
  return false;
}

// All warps' n-th execution of an access between two barriers stands together, at the earliest of
// their steps. Where warps take different ways through the text that would turn a warp's own order
// round: then they stand by their steps.
void Journey::stand_together() {
  using Group = std::tuple<std::uint32_t, int, std::uint32_t>;
  std::map<Group, std::uint32_t> earliest, count;
  std::vector<Group> group;
  for (const JourneyMove& move : moves_) {
    const std::uint32_t nth = count[{move.interval, move.access, move.warp}]++;
    group.emplace_back(move.interval, move.access, nth);
    const auto at = earliest.try_emplace(group.back(), move.step).first;
    at->second = std::min(at->second, move.step);
  }
  std::vector<std::uint32_t> key(moves_.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> last;
  bool in_order = true;
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    key[i] = earliest[group[i]];
    if (moves_[i].leg == Leg::barrier) continue;
    std::uint32_t& seen = last[{moves_[i].interval, moves_[i].warp}];
    in_order &= key[i] >= seen;
    seen = key[i];
  }
  std::vector<std::size_t> order(moves_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&](std::size_t i) {
    const JourneyMove& move = moves_[i];
    return std::tuple(move.interval, move.leg == Leg::barrier, in_order ? key[i] : move.step,
                      in_order ? move.access : 0, move.warp);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  std::vector<JourneyMove> sorted;
  sorted.reserve(moves_.size());
  for (const std::size_t i : order) sorted.push_back(moves_[i]);
  moves_ = std::move(sorted);
}

void Journey::list_by_warp() {
  of_warp_.resize(warps());
  for (std::uint32_t i = 0; i < moves_.size(); ++i) {
    if (moves_[i].leg != Leg::barrier) {
      of_warp_[moves_[i].warp].push_back(i);
      continue;
    }
    for (std::uint32_t warp = 0; warp < warps(); ++warp) {
      if (barrier_step(warp, moves_[i].interval)) of_warp_[warp].push_back(i);
    }
  }
}

// Goes through the moves once and notes what each lane carries.
void Journey::carry(const KernelInfo& kernel) {
  Hands hands{Loads(warps(), bytes_.size()), {}};
  first_token_.reserve(moves_.size());
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    first_token_.push_back(tokens_.size());
    if (moves_[i].leg == Leg::barrier) continue;
    tokens_.resize(tokens_.size() + bytes(i) / unit_ * kLanes, kNothing);
    if (is_store(moves_[i].leg))
      put_down(i, kernel, hands);
    else
      pick_up(i, hands);
  }
  cells_.resize(tokens_.size());
}

void Journey::pick_up(std::size_t index, Hands& hands) {
  JourneyMove& move = moves_[index];
  const LaneRow row = addresses(index);
  const std::size_t units = bytes(index) / unit_;
  for_each_lane(move.mask, [&](int lane) {
    const std::uint64_t address = row[static_cast<std::size_t>(lane)];
    Token* token = tokens_.data() + first_token_[index] + static_cast<std::size_t>(lane) * units;
    for (std::size_t k = 0; k < units; ++k) {
      const auto found = cell_ids_.find(address / unit_ + k);
      const bool known = found != cell_ids_.end();
      if (!known && move.leg == Leg::tile_load) move.empty |= 1u << lane;
      token[k] = known                   ? hands.stored[found->second]
                 : move.leg == Leg::load ? address + k * unit_
                                         : kGarbage;
      if (move.leg == Leg::load) loaded_by_.try_emplace(token[k], index);
    }
  });
  hands.loads.of(move.warp, move.access).push_back(static_cast<std::uint32_t>(index));
}

// The newest of a load's executions that brought what the lane stores, and which part of it that is.
std::pair<std::size_t, std::optional<std::uint32_t>>
Journey::brought_by(std::size_t store, int lane, const ValueSource& source,
                    const KernelInfo& kernel, Hands& hands) const {
  const JourneyMove& move = moves_[store];
  const std::vector<std::uint32_t>& loads = hands.loads.of(move.warp, source.access);
  int looks = kMostLoadsBefore;
  for (auto load = loads.rbegin(); load != loads.rend() && looks > 0; ++load) {
    if ((moves_[*load].mask >> lane & 1u) == 0) continue;
    --looks;
    const auto part =
        stored_part(kernel, *trace_, source, move.warp, moves_[*load].step, move.step, lane);
    if (part) return {*load, part};
  }
  return {0, std::nullopt};
}

// The tokens of what a lane stores: those that it has loaded, where it stores just that.
void Journey::hand_over(std::size_t index, int lane, std::size_t units, const KernelInfo& kernel,
                        Hands& hands) {
  constexpr Token kEither =
      ~Token{0};  // two loads brought the same value: nobody can tell of which it is
  const JourneyMove& move = moves_[index];
  Token* token = tokens_.data() + first_token_[index] + static_cast<std::size_t>(lane) * units;
  std::fill_n(token, units, kComputed);
  const std::size_t components = kernel.accesses[static_cast<std::size_t>(move.access)].components;
  for (const ValueSource& source : sources_[static_cast<std::size_t>(move.access)]) {
    const auto [from, part] = brought_by(index, lane, source, kernel, hands);
    if (!part) continue;
    const std::span<const Token> held = tokens(from, lane);
    const std::size_t of = kernel.accesses[static_cast<std::size_t>(source.access)].components;
    // A unit is a part of a component, or several that travel together.
    const std::size_t first = source.component * units / components,
                      last = std::max(first + 1, (source.component + 1) * units / components);
    for (std::size_t k = first; k < last && k < units; ++k) {
      const std::size_t at = *part * held.size() / of + (k - first);
      if (at >= held.size()) continue;
      token[k] = token[k] == kComputed || token[k] == held[at] ? held[at] : kEither;
    }
  }
  std::replace(token, token + units, kEither, kComputed);
}

void Journey::copy_over(std::size_t index, int lane, std::size_t units, const Hands& hands) {
  const std::uint64_t address = sources(index)[static_cast<std::size_t>(lane)];
  Token* token = tokens_.data() + first_token_[index] + static_cast<std::size_t>(lane) * units;
  for (std::size_t k = 0; k < units; ++k) {
    const auto stored = cell_ids_.find(address / unit_ + k);
    token[k] = address == 0                ? kComputed  // zeros
               : stored != cell_ids_.end() ? hands.stored[stored->second]
               : in_shared(address)        ? kGarbage
                                           : address + k * unit_;
    if (token[k] == kGarbage) moves_[index].empty |= 1u << lane;
    if (is_element(token[k])) loaded_by_.try_emplace(token[k], index);
  }
}

// Of lanes that store to one cell the last one's token remains, as in the run.
void Journey::put_down(std::size_t index, const KernelInfo& kernel, Hands& hands) {
  const JourneyMove& move = moves_[index];
  const LaneRow row = addresses(index);
  const std::size_t units = bytes(index) / unit_;
  cells_.resize(tokens_.size());
  in_store_order(move.mask, bytes(index), [&](int lane) {
    const std::uint64_t address = row[static_cast<std::size_t>(lane)];
    const std::size_t at = first_token_[index] + static_cast<std::size_t>(lane) * units;
    if (move.copies())
      copy_over(index, lane, units, hands);
    else
      hand_over(index, lane, units, kernel, hands);
    for (std::size_t k = 0; k < units; ++k) {
      const auto next = static_cast<std::uint32_t>(hands.stored.size());
      cells_[at + k] = cell_ids_.try_emplace(address / unit_ + k, next).first->second;
      if (cells_[at + k] == next) hands.stored.push_back(kNothing);
      hands.stored[cells_[at + k]] = tokens_[at + k];
      if (move.leg == Leg::tile_store && is_element(tokens_[at + k]))
        cell_of_.try_emplace(tokens_[at + k], address + k * unit_);
    }
  });
}

void Journey::part_into_stages() {
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    const JourneyMove& move = moves_[i];
    const bool same = !stages_.empty() && move.leg != Leg::barrier &&
                      stages_.back().leg == move.leg && stages_.back().access == move.access &&
                      stages_.back().copies == move.copies() &&
                      stages_.back().interval == move.interval;
    if (same) {
      ++stages_.back().count;
    } else {
      stages_.push_back({move.leg, move.access, move.interval, i, 1, move.copies()});
    }
  }
}

Leg leg_of(const AccessInfo& access, std::uint64_t address) {
  const bool shared = in_shared(address);
  if (access.op == AccessOp::bulk_load) return shared ? Leg::tile_store : Leg::load;
  if (access.op == AccessOp::bulk_store) return shared ? Leg::tile_load : Leg::store;
  if (access.op == AccessOp::load || (access.op == AccessOp::async_copy && !shared))
    return shared ? Leg::tile_load : Leg::load;
  return shared ? Leg::tile_store : Leg::store;
}

LaneRow Journey::addresses(std::size_t move) const {
  const JourneyMove& m = moves_[move];
  if (m.part) return pieces_[m.pieces].to;
  return trace_->rows[trace_->warps[m.warp].rows[m.step]];
}

LaneRow Journey::sources(std::size_t move) const {
  const JourneyMove& m = moves_[move];
  if (m.part) return pieces_[m.pieces].from;
  return trace_->rows[trace_->warps[m.warp].rows[m.copied_from.value_or(m.step)]];
}

std::uint32_t Journey::bytes(std::size_t move) const {
  if (moves_[move].part) return ChunkLine::kChunk;
  return moves_[move].access < 0 ? 0 : bytes_[static_cast<std::size_t>(moves_[move].access)];
}

std::span<const Token> Journey::tokens(std::size_t move, int lane) const {
  const std::size_t units = bytes(move) / unit_;
  return std::span(tokens_).subspan(first_token_[move] + static_cast<std::size_t>(lane) * units,
                                    units);
}

std::optional<std::size_t> Journey::loaded_by(Token element) const {
  const auto found = loaded_by_.find(element - element % unit_);
  return found == loaded_by_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint64_t> Journey::cell_of(Token element) const {
  const std::uint64_t inside = element % unit_;
  const auto found = cell_of_.find(element - inside);
  return found == cell_of_.end() ? std::nullopt : std::optional(found->second + inside);
}

std::size_t Journey::stage_of(std::size_t move) const {
  const auto after =
      std::partition_point(stages_.begin(), stages_.end(),
                           [&](const JourneyStage& stage) { return stage.first <= move; });
  return after == stages_.begin() ? 0 : static_cast<std::size_t>(after - stages_.begin()) - 1;
}

std::optional<std::size_t> Journey::move_at(std::uint32_t warp, std::size_t step) const {
  if (warp >= of_warp_.size()) return std::nullopt;
  std::optional<std::size_t> found;
  std::uint32_t barriers = 0;
  for (const std::uint32_t i : of_warp_[warp]) {
    const JourneyMove& move = moves_[i];
    if (move.leg != Leg::barrier && move.step > step) break;
    if (move.leg == Leg::barrier) {
      const auto own = barrier_step(warp, barriers++);
      if (!own || *own > step) break;
    }
    found = i;
  }
  return found;
}

std::optional<std::size_t> Journey::barrier_step(std::uint32_t warp, std::uint32_t nth) const {
  const auto& steps = barriers_[warp];
  return nth < steps.size() ? std::optional<std::size_t>(steps[nth]) : std::nullopt;
}

std::size_t Journey::step_after(std::uint32_t warp, std::size_t done) const {
  if (warp >= of_warp_.size()) return 0;
  const auto& list = of_warp_[warp];
  const auto end = std::lower_bound(list.begin(), list.end(), done);
  if (end == list.begin()) return 0;
  const JourneyMove& move = moves_[*(end - 1)];
  return move.leg == Leg::barrier ? barrier_step(warp, move.interval).value_or(move.step)
                                  : move.step;
}

std::array<std::uint16_t, kLanes> served_in(const Journey& journey, std::size_t move,
                                            bool is_load) {
  std::array<std::uint16_t, kLanes> served{};
  const JourneyMove& of = journey.moves()[move];
  if (!in_tile(of.leg) || of.part) return served;
  const BankPlan plan = plan_banks(journey.addresses(move), of.mask, journey.bytes(move), is_load);
  for (std::size_t w = 0; w < plan.wavefronts.size(); ++w) {
    for (const BankWord& word : plan.wavefronts[w].words)
      for_each_lane(word.lanes, [&](int lane) {
        served[static_cast<std::size_t>(lane)] = static_cast<std::uint16_t>(w);
      });
  }
  return served;
}

float move_length(std::uint16_t ticks) {
  return 1 + kTick * static_cast<float>(ticks > 0 ? ticks - 1 : 0);
}

float wavefront_at(std::uint16_t ticks, float fraction) {
  return fraction * move_length(ticks) / kTick;
}

float lane_progress(std::uint16_t ticks, std::uint16_t served, float fraction) {
  const float at = fraction * move_length(ticks) - kTick * static_cast<float>(served);
  return std::clamp(at, 0.0f, 1.0f);
}

}  // namespace lanescope::app

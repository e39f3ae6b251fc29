#include "core/compare/compare.h"

#include <algorithm>
#include <set>

#include "core/picture/chain.h"
#include "core/run/totals.h"
#include "lanescope/memory.h"

namespace lanescope::app {
namespace {

// What is compared has to be of the same kind: an access through a generic pointer counts as what
// it turned out to reach.
MemorySpace space_of(const Picture& picture, const AccessInfo& access) {
  if (access.space != MemorySpace::generic || access.id >= picture.inspected.accesses.size())
    return access.space;
  const AccessCounts& counts = picture.inspected.accesses[access.id];
  if (counts.shared.requests > 0) return MemorySpace::shared;
  return counts.global.requests > 0 ? MemorySpace::global : MemorySpace::generic;
}

bool loads_global(const Picture& picture, const AccessInfo& access) {
  return access.op == AccessOp::async_copy ||
         (access.op == AccessOp::load && space_of(picture, access) == MemorySpace::global);
}

// Accesses that the source orders, by place.
std::vector<const AccessInfo*> chosen(const Picture& picture, auto want) {
  std::vector<const AccessInfo*> result;
  for (const AccessInfo& access : picture.kernel().accesses) {
    if (want(access)) result.push_back(&access);
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const AccessInfo* a, const AccessInfo* b) { return a->pos < b->pos; });
  return result;
}

// The one at the same place, or the last where there are fewer.
int same_place(const std::vector<const AccessInfo*>& from, const AccessInfo& access,
               const std::vector<const AccessInfo*>& in) {
  const auto place = std::find(from.begin(), from.end(), &access) - from.begin();
  return in.empty()
             ? -1
             : static_cast<int>(in[std::min(static_cast<std::size_t>(place), in.size() - 1)]->id);
}

const WarpTrack* track_of(const Picture& picture, std::uint32_t warp) {
  const BlockTrace* trace = picture.trace();
  return trace && warp < trace->warps.size() ? &trace->warps[warp] : nullptr;
}

std::vector<std::size_t> executions(const Picture& picture, const WarpTrack& track, int access) {
  std::vector<std::size_t> steps;
  for (std::size_t step = 0; step < track.size(); ++step) {
    if (picture.kernel().ops[track.op[step]].access == access) steps.push_back(step);
  }
  return steps;
}

struct Cost {
  MemorySpace space = MemorySpace::generic;
  SharedCounts shared;
  GlobalCounts global;
};

std::optional<Cost> cost_of_shown(const Picture& picture, const Selection& selection) {
  const auto step = shown_access_step(picture, selection);
  const WarpTrack* track = track_of(picture, selection.warp);
  if (!step || !track || track->rows[*step] == WarpTrack::kNoRows || track->mask[*step] == 0)
    return std::nullopt;
  const AccessInfo& access = picture.kernel().accesses[static_cast<std::size_t>(selection.access)];
  const LaneRow row = picture.trace()->rows[track->rows[*step]];
  const LaneMask mask = track->mask[*step];
  const std::uint64_t first = row[static_cast<std::size_t>(std::countr_zero(mask))];
  Cost cost;
  if (first - kSharedWindow < kWindowBytes) {
    cost.space = MemorySpace::shared;
    cost.shared = shared_cost(row, mask, access.bytes, access.service);
  } else if (first >= kGlobalWindow) {
    cost.space = MemorySpace::global;
    cost.global = global_cost(row, mask, access.bytes, access.service);
  }
  return cost;
}

class Group {
 public:
  explicit Group(Scope scope) { group_.scope = scope; }
  explicit Group(DifferenceGroup start) : group_(std::move(start)) {}

  void add(Quantity quantity, std::optional<double> left, std::optional<double> right) {
    if (left.value_or(0) != 0 || right.value_or(0) != 0)
      group_.rows.push_back({quantity, left, right});
  }
  // Conflicts are told wherever there is shared memory: none at all is worth knowing.
  void always(Quantity quantity, std::optional<double> left, std::optional<double> right) {
    group_.rows.push_back({quantity, left, right});
  }

  void shared(const SharedCounts* left, const SharedCounts* right) {
    if ((!left || left->requests == 0) && (!right || right->requests == 0)) return;
    const auto of = [](const SharedCounts* counts, std::uint64_t SharedCounts::*what) {
      return counts ? std::optional(static_cast<double>(counts->*what)) : std::nullopt;
    };
    const auto row = [&](Quantity quantity, std::uint64_t SharedCounts::*what) {
      always(quantity, of(left, what), of(right, what));
    };
    row(Quantity::wavefronts, &SharedCounts::wavefronts);
    row(Quantity::ideal_wavefronts, &SharedCounts::ideal_wavefronts);
    row(Quantity::conflicts, &SharedCounts::conflicts);
    row(Quantity::requests, &SharedCounts::requests);
  }

  void global(const GlobalCounts* left, const GlobalCounts* right) {
    if ((!left || left->requests == 0) && (!right || right->requests == 0)) return;
    const auto of = [](const GlobalCounts* counts, std::uint64_t GlobalCounts::*what) {
      return counts ? std::optional(static_cast<double>(counts->*what)) : std::nullopt;
    };
    const auto row = [&](Quantity quantity, std::uint64_t GlobalCounts::*what) {
      always(quantity, of(left, what), of(right, what));
    };
    const auto percent = [](const GlobalCounts* counts) {
      return counts && counts->sectors ? std::optional(counts->efficiency() * 100) : std::nullopt;
    };
    row(Quantity::sectors, &GlobalCounts::sectors);
    row(Quantity::ideal_sectors, &GlobalCounts::ideal_sectors);
    always(Quantity::efficiency, percent(left), percent(right));
    row(Quantity::requests, &GlobalCounts::requests);
  }

  void into(std::vector<DifferenceGroup>& groups) {
    if (!group_.rows.empty()) groups.push_back(std::move(group_));
  }

 private:
  DifferenceGroup group_;
};

void add_execution(std::vector<DifferenceGroup>& groups, const Picture& left,
                   const Selection& left_selection, const Picture& right,
                   const Selection& right_selection) {
  const auto a = cost_of_shown(left, left_selection), b = cost_of_shown(right, right_selection);
  if (!a && !b) return;
  const MemorySpace space = a ? a->space : b->space;
  Group group({Scope::execution, left_selection.access, right_selection.access, space, {}});
  // A side that reaches another memory has nothing to set against these numbers.
  const bool has_a = a && a->space == space, has_b = b && b->space == space;
  group.shared(has_a ? &a->shared : nullptr, has_b ? &b->shared : nullptr);
  group.global(has_a ? &a->global : nullptr, has_b ? &b->global : nullptr);
  group.into(groups);
}

const AccessCounts* counts_of(const RunResult& run, int access) {
  return access >= 0 && static_cast<std::size_t>(access) < run.accesses.size()
             ? &run.accesses[static_cast<std::size_t>(access)]
             : nullptr;
}

void add_access(std::vector<DifferenceGroup>& groups, const RunResult& left, int left_access,
                const RunResult& right, int right_access) {
  const AccessCounts* a = counts_of(left, left_access);
  const AccessCounts* b = counts_of(right, right_access);
  Group shared({Scope::access, left_access, right_access, MemorySpace::shared, {}});
  shared.shared(a ? &a->shared : nullptr, b ? &b->shared : nullptr);
  shared.into(groups);
  Group global({Scope::access, left_access, right_access, MemorySpace::global, {}});
  global.global(a ? &a->global : nullptr, b ? &b->global : nullptr);
  global.into(groups);
}

void add_accesses(std::vector<DifferenceGroup>& groups, const Picture& left,
                  const RunResult& left_run, const Picture& right, const RunResult& right_run) {
  const auto any = [](const AccessInfo&) { return true; };
  std::set<int> used;
  for (const AccessInfo* access : chosen(left, any)) {
    const int other = matching_access(left, static_cast<int>(access->id), right);
    used.insert(other);
    add_access(groups, left_run, static_cast<int>(access->id), right_run, other);
  }
  for (const AccessInfo* access : chosen(right, any)) {
    const int id = static_cast<int>(access->id);
    if (used.count(id) == 0) add_access(groups, left_run, -1, right_run, id);
  }
}

void add_totals(std::vector<DifferenceGroup>& groups, const Totals& a, const Totals& b) {
  const auto shared = [&](Scope scope, SharedCounts Totals::*what) {
    Group group({scope, -1, -1, MemorySpace::shared, {}});
    group.shared(&(a.*what), &(b.*what));
    group.into(groups);
  };
  const auto global = [&](Scope scope, GlobalCounts Totals::*what) {
    Group group({scope, -1, -1, MemorySpace::global, {}});
    group.global(&(a.*what), &(b.*what));
    group.into(groups);
  };
  shared(Scope::shared_load, &Totals::shared_load);
  shared(Scope::shared_store, &Totals::shared_store);
  shared(Scope::shared_atomic, &Totals::shared_atomic);
  shared(Scope::shared_product, &Totals::shared_product);
  global(Scope::global_load, &Totals::global_load);
  global(Scope::global_store, &Totals::global_store);
  global(Scope::global_atomic, &Totals::global_atomic);
  global(Scope::global_bulk_load, &Totals::global_bulk_load);
  global(Scope::global_bulk_store, &Totals::global_bulk_store);
}

void add_launch(std::vector<DifferenceGroup>& groups, const Picture& left,
                const RunResult& left_run, const Picture& right, const RunResult& right_run) {
  const auto number = [](auto value) { return std::optional(static_cast<double>(value)); };
  Group group(Scope::launch);
  group.add(Quantity::shared_bytes, number(left.prepared->shared_bytes()),
            number(right.prepared->shared_bytes()));
  group.add(Quantity::threads, number(left.prepared->launch.block.count()),
            number(right.prepared->launch.block.count()));
  group.add(Quantity::blocks, number(left.prepared->launch.grid.count()),
            number(right.prepared->launch.grid.count()));
  group.add(Quantity::warp_instructions, number(left_run.warp_instructions),
            number(right_run.warp_instructions));
  group.into(groups);
}

}  // namespace

int matching_access(const Picture& picture, int access, const Picture& other) {
  const auto& accesses = picture.kernel().accesses;
  if (access < 0 || static_cast<std::size_t>(access) >= accesses.size()) return -1;
  const AccessInfo& wanted = accesses[static_cast<std::size_t>(access)];
  const MemorySpace space = space_of(picture, wanted);
  const auto alike = [&](const Picture& in) {
    return chosen(
        in, [&](const AccessInfo& a) { return a.op == wanted.op && space_of(in, a) == space; });
  };
  const auto ours = alike(picture), theirs = alike(other);
  for (const auto what : {&AccessInfo::text, &AccessInfo::root}) {
    const auto of_same = [&](std::vector<const AccessInfo*> from) {
      std::erase_if(from, [&](const AccessInfo* a) { return a->*what != wanted.*what; });
      return from;
    };
    const auto found = of_same(theirs);
    if (!(wanted.*what).empty() && !found.empty()) return same_place(of_same(ours), wanted, found);
  }
  if (!theirs.empty()) return same_place(ours, wanted, theirs);
  // An asynchronous copy does what a load from global memory does.
  if (!loads_global(picture, wanted)) return -1;
  const auto loads = [](const Picture& in) {
    return chosen(in, [&](const AccessInfo& a) { return loads_global(in, a); });
  };
  return same_place(loads(picture), wanted, loads(other));
}

Selection matching_selection(const Picture& picture, const Selection& selection,
                             const Picture& other) {
  Selection result;
  const BlockTrace* trace = other.trace();
  if (!trace || trace->warps.empty()) return result;
  result.warp = std::min(selection.warp, static_cast<std::uint32_t>(trace->warps.size() - 1));
  result.lane = selection.lane;
  result.hover_lane = selection.hover_lane;
  result.access = matching_access(picture, selection.access, other);
  const WarpTrack* own = track_of(picture, selection.warp);
  const auto shown = shown_access_step(picture, selection);
  const auto steps = executions(other, trace->warps[result.warp], result.access);
  if (!own || !shown || steps.empty()) return result;
  const auto before = executions(picture, *own, selection.access);
  const auto ordinal =
      static_cast<std::size_t>(std::find(before.begin(), before.end(), *shown) - before.begin());
  result.step = steps[std::min(ordinal, steps.size() - 1)];
  return result;
}

std::vector<SettingDifference> setting_differences(const Picture& left, const Picture& right) {
  std::vector<SettingDifference> result;
  const auto add = [&](const std::string& name, const std::string& a, const std::string& b) {
    if (a != b) result.push_back({name, a, b});
  };
  const auto merge = [&](const auto& a, const auto& b) {
    for (const auto& [name, value] : a)
      add(name, value, b.count(name) ? b.at(name) : std::string());
    for (const auto& [name, value] : b) {
      if (a.count(name) == 0) add(name, std::string(), value);
    }
  };
  merge(left.prepared->parameters, right.prepared->parameters);
  const auto scalars = [](const Picture& picture) {
    std::map<std::string, std::string> values;
    for (const Argument& argument : picture.prepared->launch.arguments) {
      if (argument.buffer.empty()) values[argument.name] = argument.scalar;
    }
    return values;
  };
  merge(scalars(left), scalars(right));
  return result;
}

Better better(Quantity quantity) {
  switch (quantity) {
  case Quantity::efficiency:
    return Better::more;
  case Quantity::wavefronts:
  case Quantity::conflicts:
  case Quantity::sectors:
  case Quantity::requests:
  case Quantity::shared_bytes:
  case Quantity::warp_instructions:
    return Better::less;
  default:
    return Better::neither;
  }
}

int Difference::verdict() const {
  const Better wanted = better(quantity);
  const auto by = change();
  if (!by || *by == 0 || wanted == Better::neither) return 0;
  return (*by < 0) == (wanted == Better::less) ? 1 : -1;
}

Differences differences(const Picture& left, const Selection& left_selection, const Picture& right,
                        const Selection& right_selection) {
  Differences result;
  result.whole = left.whole && right.whole;
  const RunResult& a = result.whole ? *left.whole : left.inspected;
  const RunResult& b = result.whole ? *right.whole : right.inspected;
  add_execution(result.groups, left, left_selection, right, right_selection);
  add_accesses(result.groups, left, a, right, b);
  add_totals(result.groups, totals_of(left.kernel(), a), totals_of(right.kernel(), b));
  add_launch(result.groups, left, a, right, b);
  return result;
}

}  // namespace lanescope::app

#include "core/course/scene_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "core/picture/blackboard.h"
#include "core/picture/chain.h"
#include "core/picture/execution.h"
#include "core/text/number.h"
#include "core/text/text.h"
#include "lanescope/trace.h"

namespace lanescope::app {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kOther = "other.";
constexpr const char* kGiven = "given";
constexpr std::array<const char*, 10> kFunctions = {
    "bank",          "address",     "element",     "sector",          "lanes_in_bank",
    "words_in_bank", "threadidx_x", "threadidx_y", "lanes_in_sector", "active"};

std::string plain(const std::string& name) {
  return name.starts_with(kOther) ? name.substr(kOther.size()) : name;
}

bool is_fact_condition(const std::string& name) { return is_condition(plain(name)); }

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const std::string prefix : {"", "other."})
    for (const char* name : kFunctions) names.push_back(prefix + name);
  return names;
}

int lane_of(double lane) {
  return lane >= 0 && lane < kLanes && lane == std::floor(lane) ? static_cast<int>(lane) : -1;
}

/// What the functions of a lane or a bank tell of one execution.
struct Lanes {
  explicit Lanes(const Execution& execution, const Picture& picture, const Selection& selection)
      : mask(execution.mask), shared(execution.space == MemorySpace::shared),
        banks(execution.banks) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const auto i = static_cast<std::size_t>(lane);
      const Dim3 thread = thread_of(picture.prepared->launch.block, selection.warp, lane);
      thread_x[i] = thread.x, thread_y[i] = thread.y;
      if (!execution.active(lane)) continue;
      address[i] = execution.address[i];
      const Place place = locate(picture, address[i]);
      offset[i] = place.offset, element[i] = place.element;
    }
  }

  template <class Of>
  [[nodiscard]] double active(double lane, Of of) const {
    const int i = lane_of(lane);
    return i < 0 || (mask >> i & 1u) == 0 ? kNone
                                          : static_cast<double>(of(static_cast<std::size_t>(i)));
  }

  [[nodiscard]] double lanes_in_bank(double bank) const {
    LaneMask found = 0;
    each_word(bank, [&](const BankWord& word) { found |= word.lanes; });
    return banks ? std::popcount(found) : kNone;
  }

  [[nodiscard]] double words_in_bank(double bank) const {
    std::set<std::uint64_t> words;
    each_word(bank, [&](const BankWord& word) { words.insert(word.word); });
    return banks ? static_cast<double>(words.size()) : kNone;
  }

  template <class Each>
  void each_word(double bank, Each each) const {
    if (!banks) return;
    for (const Wavefront& wavefront : banks->wavefronts)
      for (const BankWord& word : wavefront.words)
        if (word.bank == bank) each(word);
  }

  LaneMask mask = 0;
  bool shared = false;
  std::uint64_t bank_count = kBanks;
  std::optional<BankPlan> banks;
  std::array<std::uint64_t, kLanes> address{}, offset{}, element{};
  std::array<std::uint32_t, kLanes> thread_x{}, thread_y{};
};

void add_functions(Functions& functions, const std::shared_ptr<const Lanes>& lanes) {
  functions["bank"] = [lanes](double lane) {
    return lanes->shared
               ? lanes->active(lane,
                               [&](std::size_t i) {
                                 return lanes->address[i] / kBankBytes % lanes->bank_count;
                               })
               : kNone;
  };
  functions["address"] = [lanes](double lane) {
    return lanes->active(lane, [&](std::size_t i) { return lanes->offset[i]; });
  };
  functions["element"] = [lanes](double lane) {
    return lanes->active(lane, [&](std::size_t i) { return lanes->element[i]; });
  };
  functions["sector"] = [lanes](double lane) {
    return lanes->active(lane, [&](std::size_t i) { return lanes->offset[i] / kSectorBytes; });
  };
  functions["lanes_in_sector"] = [lanes](double sector) {
    double count = 0;
    for (int i = 0; i < kLanes; ++i)
      count += lanes->active(i, [&](std::size_t lane) {
        return lanes->offset[lane] / kSectorBytes;
      }) == sector;
    return count;
  };
  functions["active"] = [lanes](double lane) {
    const int i = lane_of(lane);
    return i < 0 ? kNone : static_cast<double>(lanes->mask >> i & 1u);
  };
  functions["lanes_in_bank"] = [lanes](double bank) { return lanes->lanes_in_bank(bank); };
  functions["words_in_bank"] = [lanes](double bank) { return lanes->words_in_bank(bank); };
  functions["threadidx_x"] = [lanes](double lane) {
    const int i = lane_of(lane);
    return i < 0 ? kNone : lanes->thread_x[static_cast<std::size_t>(i)];
  };
  functions["threadidx_y"] = [lanes](double lane) {
    const int i = lane_of(lane);
    return i < 0 ? kNone : lanes->thread_y[static_cast<std::size_t>(i)];
  };
}

void add_access(Facts& facts, const Execution& execution) {
  const auto set = [&](const char* name, auto value) {
    facts[std::string("access.") + name] = static_cast<double>(value);
  };
  set("lanes", std::popcount(execution.mask));
  set("bytes", execution.access->bytes);
  if (const auto& plan = execution.banks) {
    set("requests", plan->cost.requests);
    set("wavefronts", plan->cost.wavefronts);
    set("ideal_wavefronts", plan->cost.ideal_wavefronts);
    set("conflicts", plan->cost.conflicts);
    set("groups", plan->groups.size());
    set("ways", plan->ways);
    set("worst_bank", plan->worst_bank);
  }
  if (const auto& plan = execution.sectors) {
    set("requests", plan->cost.requests);
    set("sectors", plan->cost.sectors);
    set("ideal_sectors", plan->cost.ideal_sectors);
    set("efficiency", plan->cost.efficiency());
    set("lines", plan->lines.size());
    set("bytes_used", plan->bytes_used);
    set("bytes_moved", plan->bytes_moved);
  }
}

void add_numbers(Facts& facts, const PreparedLaunch& prepared) {
  const auto add = [&](const std::string& name, const std::string& text) {
    if (const auto number = parse_real(text)) facts[name] = *number;
  };
  for (const auto& [name, text] : prepared.parameters) add(name, text);
  for (const Argument& argument : prepared.launch.arguments)
    if (argument.buffer.empty()) add(argument.name, argument.scalar);
  const Dim3 block = prepared.launch.block, grid = prepared.launch.grid;
  facts["block_x"] = block.x, facts["block_y"] = block.y;
  facts["grid_x"] = grid.x, facts["grid_y"] = grid.y;
  facts["warps"] = warps_per_block(block);
}

}  // namespace

Vocabulary any_scene() {
  return {.knows = [](const std::string&) { return true; },
          .is_condition = is_fact_condition,
          .functions = function_names()};
}

Vocabulary SceneValues::vocabulary() const {
  Vocabulary vocabulary{
      .knows = [this](const std::string& name) { return name == kGiven || facts.contains(name); },
      .is_condition = is_fact_condition};
  for (const auto& [name, function] : functions) vocabulary.functions.push_back(name);
  for (const auto& [name, value] : facts) vocabulary.names.push_back(name);
  return vocabulary;
}

std::optional<double> SceneValues::value(const std::string& expression) const {
  const Expectation::Parsed parsed = Expectation::parse(expression, vocabulary());
  if (!parsed.expectation) return std::nullopt;
  const double value = parsed.expectation->value(facts, functions);
  if (std::isnan(value)) return std::nullopt;
  return value;
}

bool SceneValues::accepts(const std::string& condition, double given) const {
  const Expectation::Parsed parsed = Expectation::parse(condition, vocabulary());
  if (!parsed.expectation) return false;
  Facts with = facts;
  with[kGiven] = given;
  return parsed.expectation->holds(with, functions);
}

std::string SceneValues::text(const std::string& expression) const {
  const std::optional<double> number = value(expression);
  if (!number) return "–";
  if (*number != std::floor(*number)) return fmt::format("{:.4g}", *number);
  // Digits stand in groups where they could not be read otherwise.
  return *number >= 10000 && *number < 1e15 ? grouped(static_cast<std::uint64_t>(*number), "\u202f")
                                            : fixed(*number, 0);
}

SceneValues scene_values(const Picture& picture, const Selection& selection,
                         const std::vector<Diagnostic>& diagnostics, bool blackboard) {
  SceneValues values;
  const RunResult& run = picture.counted();
  values.facts = facts_of(picture.prepared.get(), run, picture.check, diagnostics);
  add_numbers(values.facts, *picture.prepared);
  const std::optional<std::size_t> step = shown_access_step(picture, selection);
  const BlockTrace* trace = picture.trace();
  if (!step || !trace || selection.warp >= trace->warps.size()) return values;
  auto execution = execution_at(picture, trace->warps[selection.warp], *step);
  if (!execution) return values;
  if (blackboard)
    execution = on_blackboard(std::move(*execution), std::max(0, selection.lane) / kToyLanes);
  add_access(values.facts, *execution);
  auto lanes = std::make_shared<Lanes>(*execution, picture, selection);
  if (blackboard) lanes->bank_count = kToyBanks;
  add_functions(values.functions, lanes);
  return values;
}

void add_other(SceneValues& values, const SceneValues& other) {
  for (const auto& [name, value] : other.facts) values.facts[std::string(kOther) + name] = value;
  for (const auto& [name, function] : other.functions)
    values.functions[std::string(kOther) + name] = function;
}

}  // namespace lanescope::app

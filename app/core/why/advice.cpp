#include "core/why/advice.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/run/prepare.h"
#include "core/why/text_changes.h"

namespace lanescope::app {

namespace {

constexpr std::array kPaddings = {1, 2, 4, 8, 16};  // elements; of texts without a parameter
constexpr std::array<std::array<std::uint32_t, 2>, 10> kShapes = {{{32, 8},
                                                                   {32, 4},
                                                                   {32, 16},
                                                                   {32, 32},
                                                                   {16, 16},
                                                                   {64, 4},
                                                                   {64, 8},
                                                                   {16, 32},
                                                                   {8, 32},
                                                                   {128, 2}}};

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool names(const TunableParameter& parameter, std::initializer_list<const char*> words) {
  const std::string text = lower(parameter.name + " " + parameter.title);
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return text.find(word) != std::string::npos; });
}

std::vector<std::string> values_of(const TunableParameter& parameter) {
  if (!parameter.choices.empty()) return parameter.choices;
  std::vector<std::string> values;
  const long long last = std::min(parameter.max, parameter.min + 63);
  for (long long value = parameter.min; value <= last; ++value)
    values.push_back(std::to_string(value));
  return values;
}

std::string current(const Picture& picture, const std::string& parameter) {
  const auto found = picture.prepared->parameters.find(parameter);
  return found == picture.prepared->parameters.end() ? "" : found->second;
}

Ladder parameter_ladder(const Picture& picture, const TunableParameter& parameter) {
  Ladder ladder;
  for (const std::string& value : values_of(parameter)) {
    if (value == current(picture, parameter.name)) continue;
    Change change{ChangeKind::parameter, parameter.name, value, picture.prepared->settings};
    change.settings.parameters[parameter.name] = value;
    ladder.push_back(std::move(change));
  }
  return ladder;
}

const TunableParameter* find(const FrontMatter& matter, const std::string& name) {
  for (const TunableParameter& parameter : matter.parameters)
    if (parameter.name == name && parameter.choices.empty()) return &parameter;
  return nullptr;
}

// Only blocks of two extents that are parameters of their own can be tried without guessing.
Ladder block_ladder(const Picture& picture) {
  const std::vector<std::string> bound = block_parameters(picture.prepared->front_matter);
  if (bound.size() != 2 || bound[0] == bound[1]) return {};
  const TunableParameter* x = find(picture.prepared->front_matter, bound[0]);
  const TunableParameter* y = find(picture.prepared->front_matter, bound[1]);
  if (!x || !y) return {};
  Ladder ladder;
  for (const auto& shape : kShapes) {
    const auto fits = [](const TunableParameter& p, std::uint32_t value) {
      return value >= p.min && value <= p.max;
    };
    const Dim3 now = picture.prepared->launch.block;
    if (!fits(*x, shape[0]) || !fits(*y, shape[1]) || (now.x == shape[0] && now.y == shape[1]))
      continue;
    Change change{ChangeKind::block, "", fmt::format("{} x {}", shape[0], shape[1]),
                  picture.prepared->settings};
    change.settings.parameters[x->name] = std::to_string(shape[0]);
    change.settings.parameters[y->name] = std::to_string(shape[1]);
    change.settings.block.reset();
    ladder.push_back(std::move(change));
  }
  return ladder;
}

Ladder padding_ladder(const Picture& picture, const std::string& array) {
  Ladder ladder;
  for (const int padding : kPaddings) {
    auto padded = pad_declaration(picture.prepared->settings.text, array, padding);
    if (!padded) break;
    Change change{ChangeKind::padding, array, std::move(padded->declarator),
                  picture.prepared->settings};
    change.settings.text = std::move(padded->text);
    ladder.push_back(std::move(change));
  }
  return ladder;
}

// The block is square, so the threads only trade places: every element still has its thread.
Ladder swap_ladder(const Picture& picture) {
  const Dim3 block = picture.prepared->launch.block;
  if (block.x != block.y || block.z != 1 || block.x == 1) return {};
  auto swapped = swap_threads(picture.prepared->settings.text);
  if (!swapped) return {};
  Change change{ChangeKind::swap, "", "", picture.prepared->settings};
  change.settings.text = std::move(*swapped);
  return {std::move(change)};
}

Ladder swizzle_ladder(const Picture& picture, const SwizzleAdvice& advice) {
  const SharedArray& array = picture.kernel().shared_arrays[static_cast<std::size_t>(advice.array)];
  if (!advice.rows) return {};
  auto text = swizzle_subscripts(picture.prepared->settings.text, array.name, array.dims.size(),
                                 *advice.rows);
  if (!text) return {};
  Change change{ChangeKind::swizzle, array.name, advice.better.swizzle.name(),
                picture.prepared->settings};
  change.settings.text = std::move(*text);
  return {std::move(change)};
}

bool same_arguments(const FrontMatter& a, const FrontMatter& b) {
  return std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(),
                    [](const ArgumentSpec& one, const ArgumentSpec& other) {
                      return one.name == other.name && one.shape == other.shape;
                    });
}

// Another kernel of the catalogue that does the same, at the same size and with the same values of
// the parameters that both have, as far as it takes them; block and tile stay its own.
std::vector<Ladder> sibling_ladders(const Picture& picture, const Catalog& catalog) {
  std::vector<Ladder> all;
  const FrontMatter& mine = picture.prepared->front_matter;
  if (mine.reference.kind == "none") return all;
  const CatalogEntry* self = catalog.find(picture.prepared->settings.name);
  for (const CatalogEntry& entry : catalog.entries) {
    const FrontMatter& matter = entry.front_matter;
    const bool related = self ? entry.family == self->family : entry.family != "broken";
    if (!related || entry.name == picture.prepared->settings.name ||
        matter.reference.kind != mine.reference.kind || !same_arguments(matter, mine))
      continue;
    OpenResult opened = open_kernel(catalog, entry.name);
    if (!opened.settings) continue;
    Settings& settings = *opened.settings;
    settings.arguments = picture.prepared->settings.arguments;
    for (const TunableParameter& parameter : matter.parameters) {
      const std::string value = current(picture, parameter.name);
      const auto& choices = parameter.choices;
      if (std::find(choices.begin(), choices.end(), value) != choices.end() &&
          parameter.default_text() != value)
        settings.parameters[parameter.name] = value;
    }
    all.push_back({Change{ChangeKind::kernel, entry.name, matter.title, std::move(settings)}});
  }
  return all;
}

std::uint64_t excess(const AccessCounts& counts) {
  return counts.shared.conflicts + (counts.global.sectors - counts.global.ideal_sectors);
}

}  // namespace

GridCost grid_cost(const RunResult& run) {
  GridCost cost;
  for (const AccessCounts& counts : run.accesses) {
    cost.shared += counts.shared;
    cost.global += counts.global;
  }
  return cost;
}

std::uint64_t goal_figure(const GridCost& cost, AdviceGoal goal) {
  if (goal == AdviceGoal::none) return 0;
  return goal == AdviceGoal::conflicts ? cost.shared.conflicts : cost.global.sectors;
}

AdviceGoal goal_of(const Picture& picture, int access) {
  const RunResult& run = picture.counted();
  if (access < 0 || access >= static_cast<int>(run.accesses.size())) return AdviceGoal::none;
  const AccessCounts& counts = run.accesses[static_cast<std::size_t>(access)];
  if (counts.shared.conflicts > 0) return AdviceGoal::conflicts;
  return counts.global.sectors > counts.global.ideal_sectors ? AdviceGoal::sectors
                                                             : AdviceGoal::none;
}

int worst_access(const Picture& picture) {
  int worst = -1;
  std::uint64_t most = 0;
  const RunResult& run = picture.counted();
  for (std::size_t i = 0; i < run.accesses.size(); ++i) {
    if (excess(run.accesses[i]) <= most) continue;
    most = excess(run.accesses[i]);
    worst = static_cast<int>(i);
  }
  return worst;
}

std::optional<SwizzleAdvice> swizzle_advice(const Picture& picture, int access) {
  const auto traffic = tile_traffic(picture, access);
  if (!traffic) return std::nullopt;
  const KernelInfo& kernel = picture.kernel();
  const SharedArray& array = kernel.shared_arrays[static_cast<std::size_t>(traffic->array)];
  SwizzleAdvice advice{.array = traffic->array, .accesses = traffic->accesses.size()};
  advice.pitch = pitch_of(picture, array);
  auto better = better_swizzle(*traffic, advice.pitch);
  if (!better) return std::nullopt;
  advice.better = *better;
  advice.rows = by_rows(better->swizzle, advice.pitch);
  advice.formula = formula_of(better->swizzle, advice.pitch, traffic->element_bytes);
  const AccessInfo& shown = kernel.accesses[static_cast<std::size_t>(access)];
  const std::size_t dims = array.dims.size();
  if (advice.rows && dims > 1 && shown.root == array.name && shown.indices.size() == dims) {
    advice.subscripts = array.name;
    for (std::size_t i = 0; i + 1 < dims; ++i) advice.subscripts += "[" + shown.indices[i] + "]";
    advice.subscripts +=
        "[" + swizzled_subscript(*advice.rows, shown.indices[dims - 2], shown.indices[dims - 1]) +
        "]";
  }
  return advice;
}

std::vector<Ladder> ladders(const Picture& picture, int access, AdviceGoal goal,
                            const Catalog& catalog, const std::optional<SwizzleAdvice>& swizzle) {
  std::vector<Ladder> all;
  const auto add = [&](Ladder ladder) {
    if (!ladder.empty()) all.push_back(std::move(ladder));
  };
  if (goal == AdviceGoal::none || access < 0 ||
      access >= static_cast<int>(picture.kernel().accesses.size()))
    return all;
  bool has_padding = false;
  for (const TunableParameter& parameter : picture.prepared->front_matter.parameters) {
    const bool pads = names(parameter, {"pad"});
    has_padding |= pads;
    const bool fits = goal == AdviceGoal::conflicts ? pads || names(parameter, {"swizzle", "xor"})
                                                    : names(parameter, {"swizzle", "order"});
    if (fits) add(parameter_ladder(picture, parameter));
  }
  if (goal == AdviceGoal::conflicts && !has_padding)
    add(padding_ladder(picture, picture.kernel().accesses[static_cast<std::size_t>(access)].root));
  if (swizzle) add(swizzle_ladder(picture, *swizzle));
  if (goal == AdviceGoal::sectors) add(swap_ladder(picture));
  add(block_ladder(picture));
  for (Ladder& ladder : sibling_ladders(picture, catalog)) add(std::move(ladder));
  return all;
}

}  // namespace lanescope::app

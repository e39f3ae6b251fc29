#include "core/why/advice.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "core/run/prepare.h"
#include "core/text/text.h"

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
    Change change{ChangeKind::block, "",
                  std::to_string(shape[0]) + " x " + std::to_string(shape[1]),
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

// Comments and literals blanked out, so that what is found is code. Same length.
std::string code_only(const std::string& text) {
  std::string code = text;
  std::size_t i = 0;
  const auto blank = [&](std::size_t end) {
    for (; i < std::min(end, code.size()); ++i)
      if (code[i] != '\n') code[i] = ' ';
  };
  while (i < code.size()) {
    if (text.compare(i, 2, "//") == 0) {
      blank(text.find('\n', i));
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t close = text.find("*/", i + 2);
      blank(close == std::string::npos ? close : close + 2);
    } else if (text[i] == '"') {
      std::size_t close = i + 1;
      while (close < text.size() && text[close] != '"') close += text[close] == '\\' ? 2 : 1;
      blank(close + 1);
    } else {
      ++i;
    }
  }
  return code;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t find_word(const std::string& code, std::string_view word, std::size_t from) {
  for (std::size_t at = code.find(word, from); at != std::string::npos;
       at = code.find(word, at + 1)) {
    const bool starts = at == 0 || !is_word(code[at - 1]);
    const std::size_t end = at + word.size();
    if (starts && (end == code.size() || !is_word(code[end]))) return at;
  }
  return std::string::npos;
}

// The block is square, so the threads only trade places: every element still has its thread.
Ladder swap_ladder(const Picture& picture) {
  const Dim3 block = picture.prepared->launch.block;
  if (block.x != block.y || block.z != 1 || block.x == 1) return {};
  const std::string& text = picture.prepared->settings.text;
  const std::string code = code_only(text);
  std::string swapped = text;
  bool x = false, y = false;
  for (std::size_t at = find_word(code, "threadIdx", 0); at != std::string::npos;
       at = find_word(code, "threadIdx", at + 1)) {
    const std::size_t axis =
        code.find_first_not_of(" \n.", at + std::string_view("threadIdx").size());
    if (axis == std::string::npos) break;
    if (code[axis] == 'x') swapped[axis] = 'y', x = true;
    if (code[axis] == 'y') swapped[axis] = 'x', y = true;
  }
  if (!x || !y) return {};
  Change change{ChangeKind::swap, "", "", picture.prepared->settings};
  change.settings.text = std::move(swapped);
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

const RunResult& known_run(const Picture& picture) {
  return picture.whole ? *picture.whole : picture.inspected;
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
  const RunResult& run = known_run(picture);
  if (access < 0 || access >= static_cast<int>(run.accesses.size())) return AdviceGoal::none;
  const AccessCounts& counts = run.accesses[static_cast<std::size_t>(access)];
  if (counts.shared.conflicts > 0) return AdviceGoal::conflicts;
  return counts.global.sectors > counts.global.ideal_sectors ? AdviceGoal::sectors
                                                             : AdviceGoal::none;
}

int worst_access(const Picture& picture) {
  int worst = -1;
  std::uint64_t most = 0;
  const RunResult& run = known_run(picture);
  for (std::size_t i = 0; i < run.accesses.size(); ++i) {
    if (excess(run.accesses[i]) <= most) continue;
    most = excess(run.accesses[i]);
    worst = static_cast<int>(i);
  }
  return worst;
}

std::optional<PaddedText> pad_declaration(const std::string& text, const std::string& array,
                                          int padding) {
  const std::string code = code_only(text);
  if (array.empty()) return std::nullopt;
  for (std::size_t at = find_word(code, "__shared__", 0); at != std::string::npos;
       at = find_word(code, "__shared__", at + 1)) {
    const std::size_t end = std::min(code.find_first_of(";{", at), code.size());
    const std::size_t name = find_word(code, array, at);
    if (name >= end) continue;
    // The extents that follow the name: the last "[…]" of at least two.
    int extents = 0;
    std::size_t open = 0, close = 0, next = name + array.size();
    while (next < end) {
      next = code.find_first_not_of(" \n", next);
      if (next >= end || code[next] != '[') break;
      open = next;
      close = code.find(']', open);
      if (close == std::string::npos) return std::nullopt;
      ++extents;
      next = close + 1;
    }
    if (extents < 2) return std::nullopt;
    std::string extent(trim(text.substr(open + 1, close - open - 1)));
    const bool plain = extent.find_first_of("?<>&|^=,") == std::string::npos;
    if (!plain) extent = "(" + extent + ")";
    PaddedText result;
    result.text =
        text.substr(0, open + 1) + extent + " + " + std::to_string(padding) + text.substr(close);
    const std::size_t grown = result.text.size() - text.size();
    result.declarator = result.text.substr(name, close + 1 + grown - name);
    return result;
  }
  return std::nullopt;
}

std::vector<Ladder> ladders(const Picture& picture, int access, AdviceGoal goal,
                            const Catalog& catalog) {
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
  if (goal == AdviceGoal::sectors) add(swap_ladder(picture));
  add(block_ladder(picture));
  for (Ladder& ladder : sibling_ladders(picture, catalog)) add(std::move(ladder));
  return all;
}

}  // namespace lanescope::app

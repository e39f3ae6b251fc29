#include "core/sweep/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/run/prepare.h"
#include "core/text/messages.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

constexpr std::size_t kMostValues = 256;
constexpr const char* kBlock = "block";
constexpr auto& kForm = say::vary_for_example;

const TunableParameter* find_parameter(const FrontMatter& matter, const std::string& name) {
  const auto found = std::find_if(matter.parameters.begin(), matter.parameters.end(),
                                  [&](const TunableParameter& p) { return p.name == name; });
  return found == matter.parameters.end() ? nullptr : &*found;
}

const ArgumentSpec* find_scalar(const FrontMatter& matter, const std::string& name) {
  const auto found =
      std::find_if(matter.arguments.begin(), matter.arguments.end(),
                   [&](const ArgumentSpec& a) { return a.name == name && a.shape.empty(); });
  return found == matter.arguments.end() ? nullptr : &*found;
}

bool is_padding(const TunableParameter& parameter) {
  return parameter.name.find("PAD") != std::string::npos ||
         parameter.title.find("padding") != std::string::npos;
}

std::optional<Dim3> parse_block(std::string text) {
  std::replace(text.begin(), text.end(), 'x', ',');
  const auto block = parse_dim3(text);
  return block && block->count() > 0 ? block : std::nullopt;
}

std::string block_text(Dim3 block) {
  std::string text = std::to_string(block.x);
  if (block.y > 1 || block.z > 1) text += fmt::format("x{}", block.y);
  if (block.z > 1) text += fmt::format("x{}", block.z);
  return text;
}

// --- values as people type them ---

// "A..B", "A..B..STEP" or "A..B*FACTOR", appended to `values`; false with `error` set.
bool add_range(const std::string& text, SweepValues& result) {
  const std::size_t dots = text.find("..");
  std::string last = text.substr(dots + 2);
  const std::size_t step_at = last.find(".."), factor_at = last.find('*');
  const bool geometric = factor_at != std::string::npos;
  std::optional<long long> step = 1;
  if (geometric) {
    step = parse_integer(last.substr(factor_at + 1));
    last.erase(factor_at);
  } else if (step_at != std::string::npos) {
    step = parse_integer(last.substr(step_at + 2));
    last.erase(step_at);
  }
  const auto low = parse_integer(text.substr(0, dots)), high = parse_integer(last);
  const auto fail = [&](Message why) {
    result.error = std::move(why);
    return false;
  };
  if (!low || !high || !step) return fail(say::no_range(text));
  if (*high < *low) return fail(say::runs_downwards(text));
  if (geometric && (*step < 2 || *low < 1)) return fail(say::multiplies(text));
  if (*step < 1) return fail(say::step_below_one(text));
  for (long long value = *low; value <= *high;) {
    if (result.values.size() >= kMostValues) return fail(say::range_too_long(text, kMostValues));
    result.values.push_back(std::to_string(value));
    if (value > (geometric ? *high / *step : *high - *step)) break;
    value = geometric ? value * *step : value + *step;
  }
  return true;
}

// --- suggestions ---

void insert_sorted(std::vector<std::string>& values, const std::string& value) {
  if (std::find(values.begin(), values.end(), value) != values.end()) return;
  const auto number = parse_integer(value);
  const auto at = std::find_if(values.begin(), values.end(), [&](const std::string& other) {
    const auto n = parse_integer(other);
    return number && n && *n > *number;
  });
  values.insert(at, value);
}

std::vector<std::string> powers_of_two(long long from, long long to) {
  std::vector<std::string> values;
  for (long long value = 1; value <= to && value > 0; value *= 2)
    if (value >= from) values.push_back(std::to_string(value));
  return values;
}

std::vector<std::string> whole_range(long long from, long long to) {
  std::vector<std::string> values;
  for (long long value = from; value <= to; ++value) values.push_back(std::to_string(value));
  return values;
}

// Extents of a block worth trying: with several axes of it, no more than 64 each.
std::vector<std::string> extents(const TunableParameter& parameter,
                                 const std::vector<std::string>& bound) {
  const auto named = std::count(bound.begin(), bound.end(), parameter.name);
  const bool alone = bound.size() == 1;
  const bool first = !bound.empty() && bound.front() == parameter.name;
  const long long from = alone ? 32 : first && named == 1 ? 8 : 4;
  const long long to = alone ? 1024 : named > 1 ? 32 : first ? 64 : 32;
  return powers_of_two(std::max(from, parameter.min), std::min(to, parameter.max));
}

std::vector<std::string> values_of(const TunableParameter& parameter,
                                   const std::vector<std::string>& bound) {
  if (!parameter.choices.empty()) return parameter.choices;
  if (std::find(bound.begin(), bound.end(), parameter.name) != bound.end())
    return extents(parameter, bound);
  if (is_padding(parameter))
    return whole_range(parameter.min, std::min(parameter.max, parameter.min + 4));
  if (parameter.max - parameter.min < 9) return whole_range(parameter.min, parameter.max);
  std::vector<std::string> values = powers_of_two(std::max(1ll, parameter.min), parameter.max);
  if (parameter.min <= 0) values.insert(values.begin(), std::to_string(parameter.min));
  // The eight about the default, when there are many.
  const auto at = static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(),
                    [&](const std::string& v) { return *parse_integer(v) < parameter.value; }));
  if (values.size() > 8) {
    const std::size_t from = std::min(at > 4 ? at - 4 : 0, values.size() - 8);
    values = {values.begin() + static_cast<std::ptrdiff_t>(from),
              values.begin() + static_cast<std::ptrdiff_t>(from + 8)};
  }
  return values;
}

std::string current_value(const Settings& settings, const TunableParameter& parameter) {
  const auto set = settings.parameters.find(parameter.name);
  return set == settings.parameters.end() ? parameter.default_text()
                                          : std::string(trim(set->second));
}

std::string current_argument(const Settings& settings, const ArgumentSpec& argument) {
  const auto set = settings.arguments.find(argument.name);
  return std::string(trim(set == settings.arguments.end() ? argument.value : set->second));
}

std::vector<std::string> block_values(const Settings& settings) {
  std::vector<std::string> values;
  const Dim3 block = settings.block.value_or(Dim3{256, 1, 1});
  if (block.y == 1 && block.z == 1)
    values = powers_of_two(32, 1024);
  else
    values = {"8x8", "16x8", "16x16", "32x4", "32x8", "32x16", "32x32", "64x4", "64x8"};
  if (settings.block) insert_sorted(values, block_text(block));
  return values;
}

// --- a plan, step by step ---

class Planning {
 public:
  Planning(const Settings& base, const Catalog& catalog) {
    plan_.base = base;
    plan_.base.inspected_block = {0, 0, 0};
    const CatalogEntry* entry = catalog.find(base.name);
    plan_.bundled = entry && entry->text == base.text;
  }

  SweepPlanResult run(const std::vector<std::string>& vary) {
    FrontMatterResult found = parse_front_matter(plan_.base.file, plan_.base.text);
    if (has_errors(found.diagnostics)) return {std::nullopt, std::move(found.diagnostics)};
    has_matter_ = found.front_matter.has_value();
    if (found.front_matter) matter_ = std::move(*found.front_matter);
    release_block();
    for (const TunableParameter& p : matter_.parameters)
      plan_.default_parameters[p.name] = p.default_text();
    for (const ArgumentSpec& a : matter_.arguments)
      if (a.shape.empty()) plan_.default_arguments[a.name] = a.value;
    const std::vector<std::string> texts =
        vary.empty() ? suggested_axes(plan_.base, matter_) : vary;
    if (texts.empty()) fail(say::nothing_to_vary, say::name_what_to_vary);
    if (texts.size() > kMostSweepAxes)
      fail(say::too_many_axes(texts.size(), kMostSweepAxes), say::fix_with_set);
    for (const std::string& text : texts)
      if (diagnostics_.empty()) add_axis(text);
    if (diagnostics_.empty() && plan_.size() > kMostSweepCells)
      fail(say::too_many_settings(plan_.size(), kMostSweepCells), say::fewer_values);
    if (!diagnostics_.empty()) return {std::nullopt, std::move(diagnostics_)};
    return {std::move(plan_), {}};
  }

 private:
  void fail(Message message, Message hint) {
    diagnostics_.push_back(launch_error(std::move(message), std::move(hint)));
  }

  // A block given by hand is its parameters' values.
  void release_block() {
    const std::vector<std::string> bound = block_parameters(matter_);
    if (!plan_.base.block || std::count(bound.begin(), bound.end(), "") != 0 || bound.empty())
      return;
    const std::uint32_t given[] = {plan_.base.block->x, plan_.base.block->y, plan_.base.block->z};
    for (std::size_t axis = 0; axis < bound.size(); ++axis)
      plan_.base.parameters.emplace(bound[axis], std::to_string(given[axis]));
    plan_.base.block.reset();
  }

  void add_axis(const std::string& text) {
    const std::size_t equals = text.find('=');
    SweepAxis axis;
    axis.name = std::string(trim(text.substr(0, equals)));
    if (equals == std::string::npos || axis.name.empty())
      return fail(say::vary_wrong(text, say::not_name_and_values), kForm);
    SweepValues parsed = parse_sweep_values(text.substr(equals + 1));
    if (!parsed.error.empty()) return fail(say::vary_wrong(text, parsed.error), kForm);
    axis.values = std::move(parsed.values);
    for (const SweepAxis& other : plan_.axes)
      if (other.name == axis.name) return fail(say::varied_twice(axis.name), kForm);
    if (!choose_kind(axis)) return;
    for (const std::string& value : axis.values) {
      const Message wrong = check(axis, value);
      if (!wrong.empty()) return fail(say::vary_wrong(axis.name, wrong), describe(axis));
    }
    plan_.axes.push_back(std::move(axis));
  }

  bool choose_kind(SweepAxis& axis) {
    if (find_parameter(matter_, axis.name)) return true;
    const auto argument = plan_.base.arguments.find(axis.name);
    const bool given =
        argument != plan_.base.arguments.end() && parse_real(argument->second).has_value();
    axis.kind = SweepAxis::Kind::argument;
    if (find_scalar(matter_, axis.name) || given) return true;
    axis.kind = SweepAxis::Kind::block;
    if (axis.name == kBlock) return check_block_axis();
    axis.kind = SweepAxis::Kind::parameter;
    if (!has_matter_) {
      if (is_identifier(axis.name)) return true;
      fail(say::vary_wrong(axis.name, say::not_a_macro_name), kForm);
      return false;
    }
    fail(say::vary_wrong(axis.name, say::no_such_parameter), describe(axis));
    return false;
  }

  bool check_block_axis() {
    std::vector<std::string> bound = block_parameters(matter_);
    std::erase(bound, "");
    if (!bound.empty()) {
      fail(say::vary_wrong(kBlock, say::block_of_parameters),
           say::vary_instead(say::listed(bound)));
      return false;
    }
    if (plan_.base.grid && !plan_.base.block) {
      fail(say::vary_block_needs_block, say::grid_is_fitted);
      return false;
    }
    return true;
  }

  Message check(const SweepAxis& axis, const std::string& value) const {
    if (axis.kind == SweepAxis::Kind::block)
      return parse_block(value) ? Message() : say::not_a_block(value);
    if (axis.kind == SweepAxis::Kind::argument)
      return parse_real(value) ? Message() : say::not_a_number(value);
    const TunableParameter* parameter = find_parameter(matter_, axis.name);
    if (!parameter) return {};
    if (!parameter->choices.empty()) {
      const auto& all = parameter->choices;
      return std::find(all.begin(), all.end(), value) != all.end()
                 ? Message()
                 : say::none_of(value, say::listed(all));
    }
    const auto number = parse_integer(value);
    if (!number) return say::not_an_integer(value);
    if (*number >= parameter->min && *number <= parameter->max) return {};
    return say::value_outside(value, parameter->min, parameter->max);
  }

  Message describe(const SweepAxis& axis) const {
    if (axis.kind == SweepAxis::Kind::parameter && !has_matter_) return kForm;
    Message known = describe_parameters(matter_);
    std::vector<std::string> scalars;
    for (const ArgumentSpec& a : matter_.arguments)
      if (a.shape.empty()) scalars.push_back(a.name);
    return scalars.empty() ? known : say::with_arguments(known, say::listed(scalars));
  }

  SweepPlan plan_;
  FrontMatter matter_;
  bool has_matter_ = false;
  std::vector<Diagnostic> diagnostics_;
};

// Without what equals its default, and without what the axes say.
Settings stripped(const SweepPlan& plan, Settings settings) {
  settings.inspected_block = {0, 0, 0};
  const auto strip = [](std::map<std::string, std::string>& values,
                        const std::map<std::string, std::string>& defaults) {
    std::erase_if(values, [&](const auto& item) {
      const auto found = defaults.find(item.first);
      return found != defaults.end() && trim(item.second) == trim(found->second);
    });
  };
  strip(settings.parameters, plan.default_parameters);
  strip(settings.arguments, plan.default_arguments);
  for (const SweepAxis& axis : plan.axes) {
    if (axis.kind == SweepAxis::Kind::parameter) settings.parameters.erase(axis.name);
    if (axis.kind == SweepAxis::Kind::argument) settings.arguments.erase(axis.name);
    if (axis.kind == SweepAxis::Kind::block) settings.block.reset(), settings.grid.reset();
  }
  return settings;
}

std::uint32_t fitted(std::uint32_t grid, std::uint32_t from, std::uint32_t to) {
  const std::uint64_t threads = std::uint64_t{grid} * from;
  const std::uint64_t blocks = (threads + to - 1) / std::max(1u, to);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, 0xffffffffu));
}

std::map<std::string, std::string> with(std::map<std::string, std::string> defaults,
                                        const std::map<std::string, std::string>& given) {
  for (const auto& [name, value] : given) defaults[name] = std::string(trim(value));
  return defaults;
}

}  // namespace

std::size_t SweepPlan::size() const {
  std::size_t result = 1;
  for (const SweepAxis& axis : axes) result *= axis.values.size();
  return axes.empty() ? 0 : result;
}

std::vector<std::size_t> SweepPlan::coordinates(std::size_t cell) const {
  std::vector<std::size_t> result(axes.size());
  for (std::size_t i = axes.size(); i-- > 0; cell /= axes[i].values.size())
    result[i] = cell % axes[i].values.size();
  return result;
}

std::size_t SweepPlan::index(const std::vector<std::size_t>& at) const {
  std::size_t result = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) result = result * axes[i].values.size() + at[i];
  return result;
}

Settings SweepPlan::settings(std::size_t cell) const {
  Settings result = base;
  const std::vector<std::size_t> at = coordinates(cell);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::string& value = axes[i].values[at[i]];
    if (axes[i].kind == SweepAxis::Kind::parameter) result.parameters[axes[i].name] = value;
    if (axes[i].kind == SweepAxis::Kind::argument) result.arguments[axes[i].name] = value;
    if (axes[i].kind != SweepAxis::Kind::block) continue;
    const Dim3 block = *parse_block(value);
    if (base.grid && base.block)
      result.grid = Dim3{fitted(base.grid->x, base.block->x, block.x),
                         fitted(base.grid->y, base.block->y, block.y),
                         fitted(base.grid->z, base.block->z, block.z)};
    result.block = block;
  }
  return result;
}

std::string SweepPlan::label(std::size_t cell) const {
  std::string result;
  const std::vector<std::size_t> at = coordinates(cell);
  for (std::size_t i = 0; i < axes.size(); ++i)
    result += fmt::format("{}{}={}", i > 0 ? " " : "", axes[i].name, axes[i].values[at[i]]);
  return result;
}

std::map<std::string, std::string> SweepPlan::parameters(std::size_t cell) const {
  return with(default_parameters, settings(cell).parameters);
}

std::map<std::string, std::string> SweepPlan::arguments(std::size_t cell) const {
  return with(default_arguments, settings(cell).arguments);
}

std::optional<std::size_t> SweepPlan::find(const Settings& wanted) const {
  if (stripped(*this, wanted) != stripped(*this, base)) return std::nullopt;
  const auto parameters = with(default_parameters, wanted.parameters);
  const auto arguments = with(default_arguments, wanted.arguments);
  std::vector<std::size_t> at;
  for (const SweepAxis& axis : axes) {
    std::string value;
    if (axis.kind == SweepAxis::Kind::block) {
      if (!wanted.block) return std::nullopt;
      value = block_text(*wanted.block);
    } else {
      const auto& values = axis.kind == SweepAxis::Kind::parameter ? parameters : arguments;
      const auto found = values.find(axis.name);
      if (found == values.end()) return std::nullopt;
      value = found->second;
    }
    const auto found =
        std::find_if(axis.values.begin(), axis.values.end(), [&](const std::string& candidate) {
          return candidate == value ||
                 (axis.kind == SweepAxis::Kind::block && parse_block(candidate) == wanted.block);
        });
    if (found == axis.values.end()) return std::nullopt;
    at.push_back(static_cast<std::size_t>(found - axis.values.begin()));
  }
  return index(at);
}

bool SweepPlan::same(const SweepPlan& other) const {
  return axes == other.axes && stripped(*this, base) == stripped(*this, other.base);
}

SweepPlanResult plan_sweep(const Settings& base, const Catalog& catalog,
                           const std::vector<std::string>& vary) {
  return Planning(base, catalog).run(vary);
}

SweepValues parse_sweep_values(const std::string& text) {
  SweepValues result;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item(trim(std::string_view(text).substr(begin, end - begin)));
    begin = end + 1;
    if (item.empty()) return {{}, say::value_missing};
    if (item.find("..") == std::string::npos) {
      result.values.push_back(item);
    } else if (!add_range(item, result)) {
      return {{}, result.error};
    }
  }
  if (result.values.size() > kMostValues) return {{}, say::too_many_values(kMostValues)};
  const std::set<std::string> different(result.values.begin(), result.values.end());
  if (different.size() != result.values.size()) return {{}, say::value_given_twice};
  return result;
}

std::string sweep_values_text(const std::vector<std::string>& values) {
  std::string list = fmt::format("{}", fmt::join(values, ","));
  if (values.size() < 3) return list;
  for (const char* form : {"", "*2"}) {
    const std::string range = values.front() + ".." + values.back() + form;
    if (parse_sweep_values(range).values == values) return range;
  }
  return list;
}

std::vector<std::string> sweep_names(const Settings& settings, const FrontMatter& matter) {
  std::vector<std::string> names;
  for (const TunableParameter& p : matter.parameters) names.push_back(p.name);
  for (const auto& [name, value] : settings.parameters)
    if (!find_parameter(matter, name)) names.push_back(name);
  for (const ArgumentSpec& a : matter.arguments)
    if (a.shape.empty()) names.push_back(a.name);
  for (const auto& [name, value] : settings.arguments)
    if (!find_scalar(matter, name) && parse_real(value)) names.push_back(name);
  std::vector<std::string> bound = block_parameters(matter);
  std::erase(bound, "");
  if (bound.empty() && (matter.block.empty() || settings.block)) names.push_back(kBlock);
  return names;
}

std::string suggested_values(const Settings& settings, const FrontMatter& matter,
                             const std::string& name) {
  if (name == kBlock) return sweep_values_text(block_values(settings));
  std::vector<std::string> values;
  if (const TunableParameter* parameter = find_parameter(matter, name)) {
    values = values_of(*parameter, block_parameters(matter));
    insert_sorted(values, current_value(settings, *parameter));
  } else if (const ArgumentSpec* argument = find_scalar(matter, name)) {
    values = powers_of_two(std::max(512ll, argument->min), std::min(8192ll, argument->max));
    insert_sorted(values, current_argument(settings, *argument));
  } else if (const auto macro = settings.parameters.find(name);
             macro != settings.parameters.end()) {
    values = {macro->second};
  } else if (const auto given = settings.arguments.find(name); given != settings.arguments.end()) {
    values = {given->second};
  }
  return sweep_values_text(values);
}

std::vector<std::string> suggested_axes(const Settings& settings, const FrontMatter& matter) {
  std::vector<std::string> names, shape = block_parameters(matter);
  std::erase(shape, "");
  std::string padding;
  for (const TunableParameter& p : matter.parameters)
    if (is_padding(p) && padding.empty()) padding = p.name;
  for (const std::string& name : shape)
    if (std::find(names.begin(), names.end(), name) == names.end() && names.size() < kMostSweepAxes)
      names.push_back(name);
  if (names.empty()) {
    const std::size_t most = padding.empty() ? 2 : 1;
    for (const bool choices : {false, true}) {
      for (const TunableParameter& p : matter.parameters)
        if (p.choices.empty() != choices && names.size() < most && p.name != padding)
          names.push_back(p.name);
    }
  }
  // Rows and columns: shape against padding; what is left of the shape makes tables.
  if (!padding.empty())
    names.insert(names.begin() +
                     std::min<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(names.size())),
                 padding);
  names.resize(std::min(names.size(), kMostSweepAxes));
  if (names.empty()) {
    for (const std::string& name : sweep_names(settings, matter))
      if (find_scalar(matter, name) && names.size() < 2) names.push_back(name);
  }
  if (names.empty() && settings.block) names.push_back(kBlock);
  std::vector<std::string> result;
  for (const std::string& name : names) {
    const std::string values = suggested_values(settings, matter, name);
    if (!values.empty()) result.push_back(name + "=" + values);
  }
  return result;
}

}  // namespace lanescope::app

#include "cli/timing/bench_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/kernel/settings_flags.h"
#include "core/kernel/kernel_size.h"
#include "core/text/text.h"

namespace lanescope::cli {

namespace {

constexpr long long kMostValues = 4096;
const std::vector<app::TunableParameter> kNoParameters;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

// Names as given; a family stands for its kernels.
std::vector<std::string> kernel_names(const app::Catalog& catalog, const GpuFlags& flags,
                                      const std::vector<std::string>& families) {
  std::vector<std::string> names;
  const std::vector<std::string>& wanted = flags.kernels.empty() ? families : flags.kernels;
  for (const std::string& want : wanted) {
    const std::size_t before = names.size();
    for (const app::CatalogEntry& entry : catalog.entries)
      if (entry.family == want) names.push_back(entry.name);
    if (names.size() == before && !flags.kernels.empty()) names.push_back(want);
  }
  return names;
}

std::optional<app::FrontMatter> matter_of(const app::Settings& settings) {
  return app::parse_front_matter(settings.file, settings.text).front_matter;
}

// Every combination of the varied parameters.
std::vector<std::vector<std::string>> combinations(const GpuFlags& flags,
                                                   std::vector<Diagnostic>& diagnostics) {
  std::vector<std::vector<std::string>> result = {flags.sets};
  for (const std::string& text : flags.vary) {
    const std::size_t equals = text.find('=');
    const auto values =
        equals == std::string::npos ? std::nullopt : parse_values(text.substr(equals + 1));
    if (!values) {
      diagnostics.push_back(
          flag_error(fmt::format("--vary {}: not NAME=A,B,C or NAME=A..B", text)));
      return {};
    }
    std::vector<std::vector<std::string>> longer;
    for (const auto& sets : result) {
      for (const std::string& value : *values) {
        longer.push_back(sets);
        longer.back().push_back(text.substr(0, equals) + "=" + value);
      }
    }
    result = std::move(longer);
  }
  return result;
}

class Chooser {
 public:
  Chooser(const app::Catalog& catalog, const GpuFlags& flags, bool several)
      : catalog_(catalog), flags_(flags), several_(several) {}

  Choice choice;

  void add(const std::string& name, const std::vector<std::string>& sets, const std::string& size) {
    LaunchFlags launch;
    launch.kernel = name, launch.function = flags_.function, launch.sets = sets;
    launch.arguments = flags_.arguments;
    launch.block = flags_.block, launch.grid = flags_.grid, launch.shared = flags_.shared;
    SettingsResult wanted = settings_from(catalog_, launch);
    for (Diagnostic& d : wanted.diagnostics) choice.diagnostics.push_back(std::move(d));
    if (!wanted.settings) return;
    const auto matter = matter_of(*wanted.settings);
    if (matter && !fits(*matter, name, sets, *wanted.settings)) return;
    if (matter && flags_.function.empty()) {
      const auto named = wanted.settings->arguments;
      const std::string why =
          app::apply_size(*matter, *app::parse_size(size), *wanted.settings).english();
      if (!why.empty()) return left_out(name + " at " + size, why);
      // What is given by name stays as it is given.
      for (const std::string& text : flags_.arguments)
        if (const auto given = named.find(text.substr(0, text.find('='))); given != named.end())
          wanted.settings->arguments[given->first] = given->second;
    }
    const app::Settings& settings = *wanted.settings;
    if (std::find(choice.launches.begin(), choice.launches.end(), settings) ==
        choice.launches.end())
      choice.launches.push_back(settings);
  }

 private:
  // Of several kernels, those without a parameter are left out; of one, `prepare` explains.
  bool fits(const app::FrontMatter& matter, const std::string& name,
            const std::vector<std::string>& sets, const app::Settings& settings) {
    if (!several_) return true;
    for (const std::string& set : sets) {
      const std::string key = set.substr(0, set.find('='));
      const auto parameter =
          std::find_if(matter.parameters.begin(), matter.parameters.end(),
                       [&](const app::TunableParameter& p) { return p.name == key; });
      if (parameter == matter.parameters.end()) return left_out(name, "it has no " + key), false;
      const std::string value = settings.parameters.at(key);
      if (!parameter->choices.empty() && !contains(parameter->choices, value))
        return left_out(name, key + " cannot be " + value), false;
    }
    return true;
  }

  void left_out(const std::string& what, const std::string& why) {
    const std::string message = fmt::format("{} is left out: {}", what, why);
    if (!told_.insert(message).second) return;
    Diagnostic note = flag_error(message);
    note.severity = Severity::note;
    choice.diagnostics.push_back(std::move(note));
  }

  const app::Catalog& catalog_;
  const GpuFlags& flags_;
  bool several_;
  std::set<std::string> told_;
};

}  // namespace

std::optional<std::vector<std::string>> parse_values(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) {
    std::vector<std::string> values = split(text, ',');
    if (contains(values, "")) return std::nullopt;
    return values;
  }
  const auto first = app::parse_integer(text.substr(0, dots)),
             last = app::parse_integer(text.substr(dots + 2));
  if (!first || !last || *last < *first || *last - *first >= kMostValues) return std::nullopt;
  std::vector<std::string> values;
  for (long long i = *first; i <= *last; ++i) values.push_back(std::to_string(i));
  return values;
}

Choice choose_launches(const app::Catalog& catalog, const GpuFlags& flags,
                       const std::vector<std::string>& families, const std::string& default_size) {
  const std::vector<std::string> names = kernel_names(catalog, flags, families);
  Chooser chooser(catalog, flags, names.size() > 1);
  std::vector<std::string> sizes;
  for (const std::string& list : flags.sizes)
    for (std::string& size : split(list, ',')) sizes.push_back(std::move(size));
  if (sizes.empty()) sizes.push_back(default_size);
  for (const std::string& size : sizes) {
    if (app::parse_size(size)) continue;
    chooser.choice.diagnostics.push_back(flag_error(
        fmt::format("--size {}: not N or ROWSxCOLUMNS", size), "for example --size 4096"));
    return std::move(chooser.choice);
  }
  const auto variants = combinations(flags, chooser.choice.diagnostics);
  for (const std::string& size : sizes)
    for (const std::string& name : names)
      for (const auto& sets : variants) chooser.add(name, sets, size);
  return std::move(chooser.choice);
}

std::vector<app::Recording> recordings_of(const std::vector<app::Settings>& launches) {
  // Parameters that are not set were compiled with their defaults.
  std::map<std::string, std::vector<const app::Settings*>> by_kernel;
  for (const app::Settings& settings : launches) by_kernel[settings.name].push_back(&settings);
  const auto wanted = [&](const app::Measurement& m) {
    const auto found = by_kernel.find(m.kernel);
    if (found == by_kernel.end()) return false;
    return std::any_of(found->second.begin(), found->second.end(), [&](const app::Settings* s) {
      const auto matter = matter_of(*s);
      std::map<std::string, std::string> parameters;
      for (const app::TunableParameter& p : matter ? matter->parameters : kNoParameters)
        parameters[p.name] = p.default_text();
      for (const auto& [name, value] : s->parameters) parameters[name] = value;
      if (parameters != m.parameters || (s->block && *s->block != m.block)) return false;
      return std::all_of(s->arguments.begin(), s->arguments.end(), [&](const auto& argument) {
        const auto same = m.arguments.find(argument.first);
        return same != m.arguments.end() && same->second == argument.second;
      });
    });
  };
  std::vector<app::Recording> result;
  app::RecordingsResult loaded = app::load_recordings(app::default_measurement_folder());
  const auto there = [&](const app::Measurement& m) {
    return std::any_of(result.begin(), result.end(), [&](const app::Recording& earlier) {
      return std::any_of(earlier.measurements.begin(), earlier.measurements.end(),
                         [&](const app::Measurement& other) {
                           return other.same_launch(m) &&
                                  other.time.has_value() == m.time.has_value();
                         });
    });
  };
  for (app::Recording& recording : loaded.recordings) {
    std::erase_if(recording.measurements,
                  [&](const app::Measurement& m) { return !wanted(m) || there(m); });
    if (!recording.measurements.empty()) result.push_back(std::move(recording));
  }
  return result;
}

}  // namespace lanescope::cli

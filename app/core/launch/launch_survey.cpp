#include "core/launch/launch_survey.h"

#include <algorithm>
#include <utility>

#include "core/kernel/compile_request.h"
#include "core/launch/host_launches.h"
#include "core/launch/proposal.h"
#include "core/text/messages.h"

namespace lanescope::app {

namespace {

constexpr const char* kFront = "/*---";

std::string bare(const std::string& kernel) { return kernel.substr(0, kernel.find('<')); }

bool is_kernel(const KernelEntry& entry, const std::string& name) {
  return entry.name == name || entry.name.ends_with("::" + name) || "::" + entry.name == name;
}

// "class T" → "float", "int BX" → "32", "int BLOCK_SIZE" → "256".
std::string likely_argument(const std::string& parameter) {
  if (parameter.starts_with("class") || parameter.starts_with("typename")) return "float";
  if (parameter.starts_with("bool")) return "true";
  std::string name = parameter;
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool is_block =
      name.find("block") != std::string::npos || name.find("thread") != std::string::npos;
  return is_block ? "256" : name.find("tile") != std::string::npos ? "32" : "32";
}

std::string likely_instance(const KernelEntry& kernel) {
  std::string arguments;
  for (std::size_t i = 0; i < kernel.template_parameters.size(); ++i) {
    // What follows has a default too, or is deduced from nothing.
    if (i < kernel.template_defaults.size() && !kernel.template_defaults[i].empty()) break;
    if (kernel.template_parameters[i].find("...") != std::string::npos) break;
    arguments += (arguments.empty() ? "" : ", ") + likely_argument(kernel.template_parameters[i]);
  }
  return kernel.name + "<" + arguments + ">";
}

// An instance that might be meant, and where it comes from.
struct Choice {
  std::string name;
  Message why;
};

// Of one kernel, the likeliest first.
std::vector<Choice> choices_of(const LaunchSurvey& survey, const KernelEntry& kernel) {
  std::vector<Choice> found;
  const auto add = [&](const std::string& name, Message why) {
    if (std::none_of(found.begin(), found.end(),
                     [&](const Choice& c) { return same_kernel(c.name, name); }))
      found.push_back({name, std::move(why)});
  };
  if (!kernel.is_template) {
    const LaunchSite* site = site_of(survey.sites, kernel.name);
    return {{kernel.name, site == nullptr ? Message() : say::why_launched(site->pos.line)}};
  }
  for (const LaunchSite& site : survey.sites)
    if (is_kernel(kernel, bare(site.kernel)) && site.kernel.find('<') != std::string::npos)
      add(site.kernel, say::why_launched(site.pos.line));
  for (const NamedInstance& instance : find_instances(survey.asked.text, {kernel.name}))
    add(instance.name, say::why_named(instance.pos.line));
  const std::string likely = likely_instance(kernel);
  add(likely, likely.ends_with("<>") ? say::why_default_arguments : say::why_usual_instance);
  return found;
}

// To choose from: guesses only where the text says nothing.
std::vector<Choice> offered(const LaunchSurvey& survey, const KernelEntry& kernel) {
  std::vector<Choice> choices = choices_of(survey, kernel);
  if (choices.size() > 1) choices.pop_back();
  return choices;
}

CompileRequest request_of(const LaunchSurvey& survey) {
  std::map<std::string, std::string> parameters;
  for (const TunableParameter& parameter : survey.front_matter.parameters)
    parameters[parameter.name] = parameter.default_text();
  for (const auto& [name, value] : survey.asked.parameters) parameters[name] = value;
  return compile_request(survey.asked, survey.front_matter, parameters);
}

/// Whether this instance can be made; its parameters if it can.
bool take_instance(LaunchSurvey& survey, const Choice& choice) {
  CompileRequest request = request_of(survey);
  request.kernel = choice.name;
  const CompileResult compiled = compile(request);
  if (!compiled.program) return false;
  const KernelInfo& info = compiled.program->info();
  survey.kernel = choice.name;
  survey.why_kernel = choice.why;
  survey.arguments = info.arguments;
  survey.shared_arrays = info.shared_arrays;
  survey.most_threads = info.most_threads;
  return true;
}

/// The kernel that is asked for, or the first that the text launches, or the first.
const KernelEntry* chosen_entry(const LaunchSurvey& survey) {
  const auto of_name = [&](const std::string& name) -> const KernelEntry* {
    for (const KernelEntry& kernel : survey.kernels)
      if (is_kernel(kernel, bare(name))) return &kernel;
    return nullptr;
  };
  if (!survey.asked.kernel.empty()) return of_name(survey.asked.kernel);
  for (const LaunchSite& site : survey.sites)
    if (const KernelEntry* kernel = of_name(site.kernel)) return kernel;
  return survey.kernels.empty() ? nullptr : &survey.kernels.front();
}

bool take_any(LaunchSurvey& survey, const std::vector<Choice>& choices) {
  return std::any_of(choices.begin(), choices.end(),
                     [&](const Choice& choice) { return take_instance(survey, choice); });
}

/// Of several kernels that nothing launches, the last that compiles: texts go from the simple to what they
/// are about. False where nothing was to be chosen.
bool choose_last(LaunchSurvey& survey) {
  if (!survey.asked.kernel.empty() || !survey.front_matter.kernel.empty() ||
      survey.kernels.size() < 2)
    return false;
  const auto is_launched = [&](const KernelEntry& kernel) {
    return std::any_of(survey.sites.begin(), survey.sites.end(), [&](const LaunchSite& site) {
      return is_kernel(kernel, bare(site.kernel));
    });
  };
  if (std::any_of(survey.kernels.begin(), survey.kernels.end(), is_launched)) return false;
  for (auto kernel = survey.kernels.rbegin(); kernel != survey.kernels.rend(); ++kernel) {
    if (!take_any(survey, choices_of(survey, *kernel))) continue;
    survey.why_kernel =
        survey.why_kernel.empty() ? say::why_last : say::also(say::why_last, survey.why_kernel);
    survey.guessed = true;
    return true;
  }
  return false;
}

void choose_kernel(LaunchSurvey& survey) {
  if (choose_last(survey)) return;
  const std::string& named =
      survey.asked.kernel.empty() ? survey.front_matter.kernel : survey.asked.kernel;
  const KernelEntry* entry = chosen_entry(survey);
  const bool is_instance = named.find('<') != std::string::npos;
  if (!named.empty() && (is_instance || entry == nullptr || !entry->is_template)) {
    survey.kernel = named;
    if (!take_instance(survey, {named, {}}) && entry != nullptr)
      survey.arguments = entry->arguments;
    return;
  }
  if (entry == nullptr) return;
  const std::vector<Choice> choices = choices_of(survey, *entry);
  if (take_any(survey, choices)) return;
  survey.kernel = choices.front().name;
  survey.why_kernel = choices.front().why;
  survey.arguments = entry->arguments;
}

}  // namespace

namespace {

/// Host code is looked at where there may be a launch in it, also as some editors format it.
bool may_launch(const std::string& text) {
  return text.find("<<<") != std::string::npos || text.find("<< <") != std::string::npos ||
         text.find("cudaLaunch") != std::string::npos;
}

}  // namespace

bool needs_launch(const Settings& settings) {
  return !settings.text.empty() && !settings.text.starts_with(kFront);
}

bool same_survey(const Settings& a, const Settings& b) {
  return a.text == b.text && a.file == b.file && a.kernel == b.kernel &&
         a.parameters == b.parameters && a.compile == b.compile;
}

LaunchSurvey survey_launch(const Settings& settings) {
  LaunchSurvey survey;
  survey.asked = settings;
  if (auto found = parse_front_matter(settings.file, settings.text).front_matter)
    survey.front_matter = std::move(*found);
  survey.kernels = list_kernels(request_of(survey)).kernels;
  if (may_launch(settings.text)) survey.sites = find_launches(request_of(survey));
  for (const KernelEntry& kernel : survey.kernels)
    for (const Choice& choice : offered(survey, kernel)) survey.choices.push_back(choice.name);
  choose_kernel(survey);
  Proposal proposal = propose(survey);
  survey.proposal = std::move(proposal.settings);
  survey.said = std::move(proposal.said);
  return survey;
}

Settings launched_as(const LaunchSurvey& survey, const LaunchSite& site) {
  LaunchSurvey other = survey;
  Settings& settings = other.asked;
  settings.kernel = site.kernel;
  settings.block.reset();
  settings.grid.reset();
  settings.shared_bytes.reset();
  settings.arguments.clear();
  if (!same_kernel(site.kernel, survey.kernel))
    return settings;  // its parameters are not known yet
  other.sites = {site};
  return propose(other).settings;
}

}  // namespace lanescope::app

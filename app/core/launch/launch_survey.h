// How a kernel whose text does not say it might be launched: its kernels and their parameters, the
// launches that the program makes itself, and a proposal that runs at once where that is possible.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/kernel/front_matter.h"
#include "core/kernel/settings.h"
#include "lanescope/compile.h"

namespace lanescope::app {

struct Proposal {
  Settings settings;
  /// A sentence for each thing that was filled in: what it is, and why
  std::vector<Message> said;
};

struct LaunchSurvey {
  /// What the survey is about
  Settings asked;
  /// Of the text
  std::vector<KernelEntry> kernels;
  /// Name expressions to choose from: plain kernels, and the instances of templates that the
  /// program launches; for a template that it does not launch, one with likely arguments.
  std::vector<std::string> choices;
  std::vector<LaunchSite> sites;
  /// The one that `parameters` are of; empty: none yet
  std::string kernel;
  /// Why it is this one
  Message why_kernel;
  /// It is one of several, and nothing says which
  bool guessed = false;
  /// Empty fields when the text has none
  FrontMatter front_matter;
  /// Of `kernel`
  std::vector<ArgumentInfo> arguments;
  /// Of `kernel`, from __launch_bounds__; 0 if it has none
  std::uint32_t most_threads = 0;
  /// Of `kernel`
  std::vector<SharedArray> shared_arrays;
  /// `asked` with what it leaves open filled in; its kernel, block, grid and arguments are set.
  Settings proposal;
  /// What was filled in, and why
  std::vector<Message> said;
};
using LaunchSurveyPtr = std::shared_ptr<const LaunchSurvey>;

/// Whether the launch has to come from the user: the text has no front matter.
bool needs_launch(const Settings& settings);
/// Their surveys differ at most in what they propose for the launch.
bool same_survey(const Settings& a, const Settings& b);
LaunchSurvey survey_launch(const Settings& settings);
/// The kernel named by a launch, with its shape and the arguments that are numbers there.
Settings launched_as(const LaunchSurvey& survey, const LaunchSite& site);

}  // namespace lanescope::app

// How a kernel without front matter might be launched: its kernels and their parameters, the
// launches that the program makes itself, and a proposal that runs at once where that is possible.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/kernel/settings.h"
#include "lanescope/compile.h"

namespace lanescope::app {

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
  /// Of `kernel`
  std::vector<ArgumentInfo> arguments;
  /// Of `kernel`
  std::vector<SharedArray> shared_arrays;
  /// `asked` with what it leaves open filled in; its kernel, block, grid and arguments are set.
  Settings proposal;
};
using LaunchSurveyPtr = std::shared_ptr<const LaunchSurvey>;

/// Whether the launch has to come from the user: the text has no front matter.
bool needs_launch(const Settings& settings);
LaunchSurvey survey_launch(const Settings& settings);
/// The kernel named by a launch, with its shape and the arguments that are numbers there.
Settings launched_as(const LaunchSurvey& survey, const LaunchSite& site);

/// Surveys on a thread of its own; the newest question wins.
class LaunchSurveyor {
 public:
  explicit LaunchSurveyor(std::function<void()> wake);
  ~LaunchSurveyor();
  LaunchSurveyor(const LaunchSurveyor&) = delete;
  LaunchSurveyor& operator=(const LaunchSurveyor&) = delete;

  /// Does nothing if the answer would be the same
  void submit(const Settings& settings);
  /// Since the last call; null for nothing new
  LaunchSurveyPtr take();
  void wait();

 private:
  void loop();

  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Settings> next_, last_;
  LaunchSurveyPtr news_;
  bool busy_ = false, quit_ = false;
  /// Last, so that everything it uses outlives it
  std::jthread thread_;
};

}  // namespace lanescope::app

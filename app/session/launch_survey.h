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

#include "lanescope/compile.h"
#include "session/settings.h"

namespace lanescope::app {

struct LaunchSurvey {
  Settings asked;                    ///< what the survey is about
  std::vector<KernelEntry> kernels;  ///< of the text
  /// Name expressions to choose from: plain kernels, and the instances of templates that the
  /// program launches; for a template that it does not launch, one with likely arguments.
  std::vector<std::string> choices;
  std::vector<LaunchSite> sites;
  std::string kernel;                      ///< the one that `parameters` are of; empty: none yet
  std::vector<ParameterInfo> parameters;   ///< of `kernel`
  std::vector<SharedArray> shared_arrays;  ///< of `kernel`
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

  void submit(const Settings& settings);  ///< does nothing if the answer would be the same
  LaunchSurveyPtr take();                 ///< since the last call; null for nothing new
  void wait();

 private:
  void loop();

  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Settings> next_, last_;
  LaunchSurveyPtr news_;
  bool busy_ = false, quit_ = false;
  std::jthread thread_;  ///< last, so that everything it uses outlives it
};

}  // namespace lanescope::app

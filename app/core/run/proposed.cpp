#include "core/run/proposed.h"

#include <algorithm>

#include "core/launch/launch_survey.h"

namespace lanescope::app {
namespace {

bool fails_to_compile(const PrepareResult& result) {
  return std::any_of(result.diagnostics.begin(), result.diagnostics.end(), [](const Diagnostic& d) {
    // That the text has no such name may be put right by an instance of a template.
    return d.severity == Severity::error && d.kind != DiagnosticKind::usage && d.file != "<kernel>";
  });
}

}  // namespace

ProposedLaunch prepare_as_proposed(const Settings& settings, const MeasureBounds& bounds,
                                   std::stop_token stop) {
  const DevicePreset& device = device_presets().front();
  ProposedLaunch launch{settings, {}, prepare(settings, stop, device, bounds)};
  const PrepareResult& first = launch.result;
  if (first.ready || settings.captured || first.kernels.empty() || fails_to_compile(first))
    return launch;
  LaunchSurvey survey = survey_launch(settings);
  if (survey.said.empty()) return launch;
  // What the kernel does not take is a mistake to be told, not to be left out.
  survey.proposal.arguments.insert(settings.arguments.begin(), settings.arguments.end());
  PrepareResult second = prepare(survey.proposal, stop, device, bounds);
  // A guess that does not even compile helps nobody.
  if (!second.ready && second.diagnostics.front().kind != DiagnosticKind::usage) return launch;
  return {std::move(survey.proposal), std::move(survey.said), std::move(second)};
}

}  // namespace lanescope::app

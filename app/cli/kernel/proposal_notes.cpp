#include "cli/kernel/proposal_notes.h"

#include "cli/kernel/settings_flags.h"
#include "core/run/proposed.h"
#include "core/text/messages.h"

namespace lanescope::cli {

void print_proposed(const std::vector<Message>& said, const Fronts& fronts) {
  for (const Message& message : said) {
    Diagnostic note = flag_error(app::say::proposed(message).english());
    note.severity = Severity::note;
    print_diagnostics({note}, fronts);
  }
}

void take_proposal(app::Settings& settings, std::uint64_t steps, const Fronts& fronts) {
  app::ProposedLaunch launch = app::prepare_as_proposed(settings, {.step_budget = steps});
  print_proposed(launch.said, fronts);
  settings = std::move(launch.settings);
}

}  // namespace lanescope::cli

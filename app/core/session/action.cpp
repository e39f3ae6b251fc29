#include "core/session/action.h"

#include "core/sweep/sweep_plan.h"

namespace lanescope::app {

Action::Action(const Action& other) = default;
Action::Action(Action&& other) noexcept = default;
Action& Action::operator=(const Action& other) = default;
Action& Action::operator=(Action&& other) noexcept = default;
Action::~Action() = default;

}  // namespace lanescope::app

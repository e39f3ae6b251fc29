// The kernel, chosen from the catalogue: transposes first, what is broken apart.
#pragma once

#include "views/kernel/parameters_view.h"

namespace lanescope::app {

void kernel_chooser(const ViewContext& ctx, ParametersState& state, Actions& actions);

/// The kernel has a mistake that is to be found: its title and its idea would tell.
bool is_exercise(const ViewContext& ctx);

/// The catalogue in the order in which it is offered: the family that is taught first, what is broken
/// last.
std::vector<const CatalogEntry*> offered_kernels(const Catalog& catalog);

}  // namespace lanescope::app

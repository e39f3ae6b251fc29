// What the tests of this folder share.
#pragma once

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cli/cli.h"

namespace lanescope::cli::testing_calls {

inline const char* const kTile = "transpose/04_shared_tile_padded";

// One call of the program, its window and pictures replaced by what was asked of them.
struct Call {
  int status = -1;
  std::string out, err;
  std::optional<app::GuiOptions> gui;
  std::optional<app::RenderRequest> render;
};

inline Call call(std::vector<const char*> arguments) {
  Call result;
  std::ostringstream out, err;
  const Fronts fronts{[&](const app::GuiOptions& options) { return result.gui = options, 0; },
                      [&](const app::RenderRequest& request) { return result.render = request, 0; },
                      out, err};
  arguments.insert(arguments.begin(), "lanescope");
  result.status = run(static_cast<int>(arguments.size()), arguments.data(), fronts);
  result.out = out.str();
  result.err = err.str();
  return result;
}

}  // namespace lanescope::cli::testing_calls

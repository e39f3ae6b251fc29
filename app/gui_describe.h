// What the window shows, as JSON in a file that is kept up to date: for scripts that drive the
// window and for tests. `lanescope --describe FILE`.
#pragma once

#include <string>

#include "core/session/session.h"
#include "views/window/workspace.h"

namespace lanescope::app {

class Describer {
 public:
  /// Does nothing for an empty file name.
  explicit Describer(std::string file);
  /// After each frame. The file is replaced as a whole, and only when something differs.
  void update(const Session& session, Workspace& workspace);

 private:
  std::string file_, written_;
};

}  // namespace lanescope::app

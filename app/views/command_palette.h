// The palette (Ctrl+P): type a few letters of a command, a kernel, a parameter, an access or a view
// and press Enter. "PAD = 4" sets a parameter, ":12" goes to a line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "views/commands.h"

namespace lanescope::app {

/// Something that the palette offers.
struct PaletteEntry {
  std::string title;
  std::string kind;                       ///< what sort of thing it is, in words
  std::string keys;                       ///< shown at the right
  std::vector<std::string> also;          ///< other texts that find it: English, names, ids
  std::function<void(CommandCall&)> run;  ///< none: it cannot be done, and the title says why
  std::string fill = "";                  ///< instead of running: what the query becomes
  int score = 0;
};

struct CommandPaletteState {
  bool ask = false;   ///< in: open it
  bool open = false;  ///< out
  std::string query, built_for;
  bool built = false;
  bool move_cursor = false;  ///< to the end of a query that was filled in
  int chosen = 0;
  std::vector<PaletteEntry> found;
  std::vector<std::string> recent;  ///< titles, newest last: they come first in an empty query
};

/// What the query finds, best first.
std::vector<PaletteEntry> palette_entries(const CommandCall& call, const std::string& query,
                                          const std::vector<std::string>& recent);
void draw_command_palette(const ViewContext& ctx, Workspace& workspace, Actions& actions);

}  // namespace lanescope::app

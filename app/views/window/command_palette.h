// The palette (Ctrl+P): type a few letters of a command, a kernel, a parameter, an access or a view
// and press Enter. "PAD = 4" sets a parameter, ":12" goes to a line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "views/command/commands.h"

namespace lanescope::app {

/// Something that the palette offers.
struct PaletteEntry {
  std::string title;
  /// What sort of thing it is, in words
  std::string kind;
  /// Shown at the right
  std::string keys;
  /// Other texts that find it: English, names, ids
  std::vector<std::string> also;
  /// None: it cannot be done, and the title says why
  std::function<void(CommandCall&)> run;
  /// Instead of running: what the query becomes
  std::string fill = "";
  int score = 0;
};

struct CommandPaletteState {
  /// In: open it
  bool ask = false;
  /// In: what it is opened with
  std::string begin;
  /// Out
  bool open = false;
  std::string query, built_for;
  bool built = false;
  /// To the end of a query that was filled in
  bool move_cursor = false;
  int chosen = 0;
  std::vector<PaletteEntry> found;
  /// Titles, newest last: they come first in an empty query
  std::vector<std::string> recent;
};

/// What the query finds, best first.
std::vector<PaletteEntry> palette_entries(const CommandCall& call, const std::string& query,
                                          const std::vector<std::string>& recent);
void draw_command_palette(const ViewContext& ctx, Workspace& workspace, Actions& actions);

}  // namespace lanescope::app

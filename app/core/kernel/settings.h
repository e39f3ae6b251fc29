// What the user chose. A value: undo, sessions on disk and the command line are made of these.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lanescope/types.h"

namespace lanescope::app {

struct CapturedLaunch;

/// How a text is compiled, beside the parameters that one may tune.
struct CompileFlags {
  /// -I
  std::vector<std::string> include_folders;
  /// -D: any macro, by name
  std::map<std::string, std::string> macros;
  /// --std; empty: the usual one
  std::string standard;
  bool operator==(const CompileFlags&) const = default;
};

struct Settings {
  /// Catalog name ("transpose/05_shared_padded") or a path
  std::string name;
  /// Path shown in messages
  std::string file;
  /// The kernel text, as edited
  std::string text;
  /// Name expression; empty: the front matter's, or the only one
  std::string kernel;
  /// Macro → value; missing ones take their default
  std::map<std::string, std::string> parameters;
  /// --arg: scalar text or "TYPE[COUNT]:fill"; missing: front matter's
  std::map<std::string, std::string> arguments;
  /// On top of the front matter's
  CompileFlags compile;
  /// Override the front matter's
  std::optional<Dim3> block, grid;
  std::optional<std::uint32_t> shared_bytes;
  /// Coordinate of the block that is recorded for the views
  Dim3 inspected_block{0, 0, 0};
  /// A launch of a whole program, taken as it was made: of what is above, the text, macros, a
  /// block and a grid that cover the same threads, and the inspected block still say something
  std::shared_ptr<const CapturedLaunch> captured;
  /// Of its buffers, by name: the columns to be shown with, 1 for none; missing: as the kernel's index
  /// arithmetic says
  std::map<std::string, std::uint64_t> columns;
  /// Of the lab, by name: what the text is an answer to; empty: nothing
  std::string exercise;

  bool operator==(const Settings&) const = default;
};

}  // namespace lanescope::app

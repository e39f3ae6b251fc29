// What the user chose. A value: undo, sessions on disk and the command line are made of these.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lanescope/types.h"

namespace lanescope::app {

struct Settings {
  std::string name;    ///< catalog name ("transpose/05_shared_padded") or a path
  std::string file;    ///< path shown in messages
  std::string text;    ///< the kernel text, as edited
  std::string kernel;  ///< name expression; empty: the front matter's, or the only one
  std::map<std::string, std::string>
      parameters;  ///< macro → value; missing ones take their default
  std::map<std::string, std::string>
      arguments;  ///< --arg: scalar text or "TYPE[COUNT]:fill"; missing: front matter's
  std::optional<Dim3> block, grid;  ///< override the front matter's
  std::optional<std::uint32_t> shared_bytes;
  Dim3 inspected_block{0, 0, 0};  ///< coordinate of the block that is recorded for the views

  bool operator==(const Settings&) const = default;
};

}  // namespace lanescope::app

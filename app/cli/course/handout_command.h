// `handout`: a lesson as a page to be printed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/text/fronts.h"
#include "core/kernel/catalog.h"

namespace lanescope::cli {

struct HandoutFlags {
  std::string lesson;
  std::string language = "en";
  /// Empty: LESSON.html
  std::string out;
  std::vector<std::string> courses;
};
void add_handout_command(CLI::App& app, HandoutFlags& flags);
int handout_command(const app::Catalog& catalog, const HandoutFlags& flags, const Fronts& fronts);

}  // namespace lanescope::cli

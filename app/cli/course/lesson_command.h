// `lesson`: for authors, whether lessons open and say what the tool computes.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/text/fronts.h"
#include "core/kernel/catalog.h"

namespace lanescope::cli {

struct LessonFlags {
  /// Of a lesson, or of a course; none: the course that comes along
  std::vector<std::string> check;
  bool list = false;
  /// Print each question's answer
  bool answers = false;
};
void add_lesson_command(CLI::App& app, LessonFlags& flags);
int lesson_command(const app::Catalog& catalog, const LessonFlags& flags, const Fronts& fronts);

}  // namespace lanescope::cli

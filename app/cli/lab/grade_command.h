// `lanescope grade`: submissions against an exercise's goals, and exercises against themselves.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/text/fronts.h"
#include "core/lab/lab.h"

namespace lanescope::cli {

struct GradeFlags {
  std::string folder, exercise, csv, html;
  std::vector<std::string> courses;
  unsigned jobs = 2;
  unsigned seconds = 20;
  bool check = false;
};
/// Whether each is solved by its solution and failed by its starting text, and has all of its words; prints
/// which is and what is amiss.
bool check_exercises(const app::Lab& lab, const Fronts& fronts);
/// What several commands know the lab by: --course.
void add_course_flag(CLI::App& app, std::vector<std::string>& courses);
void add_grade_command(CLI::App& app, GradeFlags& flags);
int grade_command(const GradeFlags& flags, const Fronts& fronts);

}  // namespace lanescope::cli

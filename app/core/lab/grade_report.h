// Marks as tables: CSV for a spreadsheet, one HTML page for people.
#pragma once

#include <string>
#include <vector>

#include "core/lab/exercise.h"
#include "core/lab/grade.h"

namespace lanescope::app {

/// "pass  ann  5 of 5", or what is missing and the first mistake; without an end of line.
std::string mark_line(const Mark& mark, const Exercise& exercise);
/// A row for each mark: student, solved, passed, of, each goal at each shape (true, false), what was
/// counted, first mistake, remark. Fields that a spreadsheet would take for a formula begin with an
/// apostrophe.
std::string grade_csv(const std::vector<Mark>& marks, const Exercise& exercise);
/// A page that needs no other file and no script, and prints.
std::string grade_html(const std::vector<Mark>& marks, const Exercise& exercise);

}  // namespace lanescope::app

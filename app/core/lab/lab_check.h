// Whether exercises are fit to be given to students.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/lab/lab.h"
#include "core/lab/verdict.h"

namespace lanescope::app {

/// What is amiss with one: its solution must reach every goal at every shape, its starting text must not
/// reach all of them. Runs both.
std::vector<Diagnostic> check_exercise(const Exercise& exercise, const JudgeOptions& options = {});

/// What was found while a folder's exercises were read, with what counts as a warning to a reader (words
/// of one language missing, an exercise in no list) as the error that it is to the author.
std::vector<Diagnostic> author_errors(const Lab& lab);

}  // namespace lanescope::app

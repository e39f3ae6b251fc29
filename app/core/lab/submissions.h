// What students have handed in: one text each, found in a folder.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lanescope/diagnostic.h"

namespace lanescope::app {

struct Submission {
  /// The file's name without ".cu", or the folder's
  std::string student;
  /// Of the text; "" where there is none
  std::string file;
  /// Its folder holds this one student's files, which the text may include
  bool own_folder = false;
  /// Why there is nothing to be judged; says nothing where there is
  Message problem;
};

struct Submissions {
  /// By student's name
  std::vector<Submission> all;
  /// Why there are none: no such folder, nothing in it
  std::vector<Diagnostic> diagnostics;
};

inline constexpr std::size_t kMostSubmissions = 2000;

/// Files NAME.cu in the folder, and folders NAME with one .cu file in it, or with one that is called
/// `preferred` among several. Hidden ones are left out, links that lead out of the folder are not followed.
Submissions find_submissions(const std::string& folder, const std::string& preferred);

}  // namespace lanescope::app

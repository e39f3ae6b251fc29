// Submissions judged, each in a process of its own, so that none can spoil another's mark.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/lab/submissions.h"
#include "core/lab/verdict.h"
#include "core/tasks/bounded_process.h"

namespace lanescope::app {

struct Mark {
  Submission submission;
  /// Empty where nothing could be judged
  Verdict verdict;
  /// Why it could not be judged, or not to the end; says nothing where it was
  Message problem;

  /// The problem, or the first error with its line; says nothing where there is none.
  [[nodiscard]] Message first_mistake() const;
  [[nodiscard]] bool solved() const { return problem.empty() && verdict.solved(); }
};

struct GradeOptions {
  /// What is started for each submission: a program and its arguments, which reads to_text(JudgeRequest)
  /// and writes to_json(Verdict)
  std::vector<std::string> judge;
  /// Processes beside each other
  unsigned jobs = 2;
  ProcessBounds bounds;
  /// Of processor time, which the judge keeps to by itself; for messages
  double most_cpu_seconds = 0;
  std::stop_token stop = {};
  /// Called from any thread, one at a time, with each mark that is known and its place. May be empty.
  std::function<void(std::size_t, const Mark&)> marked = {};
};

/// What the process that judges is told.
struct JudgeRequest {
  /// Folder of the exercise
  std::string exercise;
  /// What messages call the text; beside it lies what it may include
  std::string file;
  std::string text;
};
std::string to_text(const JudgeRequest& request);
/// Nullopt of anything else.
std::optional<JudgeRequest> judge_request_from(const std::string& text);

/// A mark for each submission, in their order.
std::vector<Mark> grade(const std::vector<Submission>& submissions, const Exercise& exercise,
                        const GradeOptions& options);

}  // namespace lanescope::app

#include "core/lab/grade.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/lab/lab_messages.h"
#include "core/program/memory_size.h"
#include "core/tasks/scratch.h"
#include "core/text/text_file.h"

namespace lanescope::app {

namespace {

using End = BoundedRun::End;

constexpr int kSignalStatus = 128;

Message why_ended(const BoundedRun& run, const GradeOptions& options) {
  const ProcessBounds& bounds = options.bounds;
  switch (run.end) {
  case End::itself:
    if (run.status == kSignalStatus + SIGXCPU)
      return say::took_too_long(fmt::format("{:g}", options.most_cpu_seconds));
    return run.status > kSignalStatus ? say::judge_ended(::strsignal(run.status - kSignalStatus))
                                      : say::judge_ended(say::exit_status(run.status));
  case End::not_started:
    return say::judge_ended(say::no_new_process(std::strerror(errno)));
  case End::stopped:
    return say::judge_ended("stopped");
  case End::too_long:
    return say::took_too_long(fmt::format("{:g}", bounds.most_seconds));
  case End::too_much_memory:
    return say::took_too_much_memory(size_text(bounds.most_memory));
  case End::too_much_output:
    return say::wrote_too_much(size_text(bounds.most_output));
  }
  return {};
}

// A text that lies among those of others is given a folder in which there is nothing to include.
Mark mark_of(const Submission& submission, const Exercise& exercise, const std::string& nowhere,
             const GradeOptions& options) {
  Mark mark{submission, {}, submission.problem};
  if (!mark.problem.empty()) return mark;
  TextFile read = read_text_file(submission.file);
  if (!read.diagnostics.empty()) {
    mark.problem = read.diagnostics.front().message;
    return mark;
  }
  JudgeRequest request{exercise.folder, submission.file, std::move(read.text)};
  if (!submission.own_folder) request.file = nowhere + "/" + submission.student + ".cu";
  const BoundedRun run = run_bounded(options.judge, to_text(request), options.bounds, options.stop);
  auto verdict = verdict_from_json(Json::parse(run.output, nullptr, false));
  if (run.end == End::itself && run.status == 0 && verdict) {
    mark.verdict = std::move(*verdict);
  } else {
    mark.problem = why_ended(run, options);
  }
  return mark;
}

}  // namespace

Message Mark::first_mistake() const {
  if (!problem.empty()) return problem;
  const Diagnostic* mistake = verdict.first_mistake();
  if (!mistake) return {};
  return mistake->line > 0 ? say::at_line(mistake->line, mistake->message) : mistake->message;
}

std::string to_text(const JudgeRequest& request) {
  return Json{{"exercise", request.exercise}, {"file", request.file}, {"text", request.text}}
      .dump();
}

std::optional<JudgeRequest> judge_request_from(const std::string& text) try {
  const Json json = Json::parse(text);
  return JudgeRequest{json.at("exercise"), json.at("file"), json.at("text")};
} catch (const Json::exception&) {
  return std::nullopt;
}

std::vector<Mark> grade(const std::vector<Submission>& submissions, const Exercise& exercise,
                        const GradeOptions& options) {
  std::vector<Mark> marks(submissions.size());
  std::atomic<std::size_t> next = 0;
  std::mutex telling;
  const Scratch scratch;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < submissions.size();) {
      marks[i] = mark_of(submissions[i], exercise, scratch.path(), options);
      const std::lock_guard lock(telling);
      if (options.marked) options.marked(i, marks[i]);
    }
  };
  std::vector<std::jthread> workers;
  const std::size_t count = std::min<std::size_t>(std::max(1u, options.jobs), submissions.size());
  for (std::size_t i = 0; i < count; ++i) workers.emplace_back(work);
  workers.clear();
  return marks;
}

}  // namespace lanescope::app

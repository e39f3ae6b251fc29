#include "cli/lab/judge_child.h"

#include <sys/resource.h>

#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/text/fronts.h"
#include "core/lab/grade.h"
#include "core/text/text.h"
#include "program/process/sandbox.h"

namespace lanescope::cli {

namespace {

constexpr std::uint64_t kStepBudget =
    20'000'000;  // warp instructions a block; no exercise needs a tenth

// A second more until it is ended by force.
void bound(__rlimit_resource what, rlim_t most) {
  const rlimit limit{most, most + 1};
  setrlimit(what, &limit);
}

}  // namespace

int judge_child_main(const char* seconds) {
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  const auto request = app::judge_request_from(text);
  if (!request) return kUsage;
  const auto read = app::read_exercise(request->exercise);
  if (!read.exercise) return kUsage;
  bound(RLIMIT_CORE, 0);
  bound(RLIMIT_CPU, app::parse_unsigned(seconds).value_or(0));
  app::enter_sandbox({});
  app::JudgeOptions options;
  options.threads = 1;
  options.step_budget = kStepBudget;
  const app::Verdict verdict = app::judge(*read.exercise, request->file, request->text, options);
  std::cout << app::to_json(verdict).dump(-1, ' ', false, app::Json::error_handler_t::replace)
            << std::flush;
  return std::cout ? kFine : kInternal;
}

}  // namespace lanescope::cli

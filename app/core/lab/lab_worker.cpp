#include "core/lab/lab_worker.h"

#include <utility>

namespace lanescope::app {

LabWorker::LabWorker(std::function<void()> wake)
    : judge_(
          [](const Request& request, const auto& turn) -> std::optional<VerdictPtr> {
            JudgeOptions options;
            options.stop = turn.stop();
            options.judged = [&](const Verdict& part) {
              turn.publish(std::make_shared<const Verdict>(part));
            };
            return std::make_shared<const Verdict>(
                judge(*request.exercise, request.file, request.text, options));
          },
          std::move(wake)) {}

void LabWorker::use(LabPtr lab, const Settings& settings) {
  status_.lab = std::move(lab);
  follow(settings);
}

void LabWorker::follow(const Settings& settings) {
  const bool answers = status_.lab && !settings.exercise.empty();
  const Exercise* exercise = answers ? status_.lab->find(settings.exercise) : nullptr;
  if (exercise != status_.exercise) status_.verdict.reset();
  status_.exercise = exercise;
  Request request;
  if (exercise) request = {status_.lab, exercise, settings.file, settings.text};
  if (request == asked_) return;
  asked_ = request;
  status_.judging = exercise != nullptr;
  exercise ? judge_.submit(std::move(request)) : judge_.cancel();
}

bool LabWorker::poll() {
  const bool busy = judge_.busy();
  std::optional<VerdictPtr> news = judge_.take();
  const bool changed = news.has_value() || busy != status_.judging;
  if (news) status_.verdict = std::move(*news);
  status_.judging = busy;
  return changed;
}

void LabWorker::wait() { judge_.wait(); }

}  // namespace lanescope::app

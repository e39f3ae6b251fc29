#include "core/session/background.h"

#include <optional>
#include <utility>

namespace lanescope::app {

namespace {

template <class Result>
bool take(auto& latest, Result& into) {
  std::optional<Result> news = latest.take();
  if (news) into = std::move(*news);
  return news.has_value();
}

}  // namespace

Background::Background(const Catalog& catalog, const std::function<void()>& wake,
                       std::shared_ptr<GpuService> gpu,
                       std::shared_ptr<ProgramService> program_service)
    : adviser(
          [&catalog](const AdviceRequest& request, const auto& turn) {
            return advise(request, catalog, turn.stop(),
                          [&](AdvicePtr step) { turn.publish(std::move(step)); });
          },
          wake),
      comparer(wake), sweeps(
                          [this](const SweepRequest& request, const auto& turn) {
                            return sweeper.sweep(request, turn.stop(), [&](SweepPtr part) {
                              turn.publish(std::move(part));
                            });
                          },
                          wake),
      timing_worker(catalog, {std::move(gpu), default_measurement_folder(), wake}),
      programs(std::move(program_service), wake), lab(wake),
      surveyor_(
          [](const Settings& settings, const auto&) {
            return std::make_shared<const LaunchSurvey>(survey_launch(settings));
          },
          wake) {}

void Background::survey_launch_of(const Settings& settings) {
  if (!settings.captured && needs_launch(settings) && !same_survey(surveyed_, settings))
    surveyor_.submit(surveyed_ = settings);
}

bool Background::poll(const Settings& settings) {
  bool changed = take(surveyor_, survey);
  changed |= take(adviser, advice);
  changed |= take(sweeps, sweep);
  changed |= comparer.poll();
  changed |= programs.poll(settings);
  changed |= lab.poll();
  if (TimingPtr news = timing_worker.take()) {
    timing = std::move(news);
    changed = true;
  }
  return changed;
}

void Background::wait(bool whole) {
  comparer.wait(whole);
  if (!whole) return;
  adviser.wait();
  surveyor_.wait();
  sweeps.wait();
  timing_worker.wait();
  programs.wait();
  lab.wait();
}

}  // namespace lanescope::app

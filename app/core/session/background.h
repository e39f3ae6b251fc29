// What a session has done for it beside its picture, and the newest of what came of it. Each part works on
// threads of its own, which start when they are first needed.
#pragma once

#include <functional>
#include <memory>

#include "core/compare/comparer.h"
#include "core/kernel/catalog.h"
#include "core/lab/lab_worker.h"
#include "core/launch/launch_survey.h"
#include "core/program/program_runner.h"
#include "core/sweep/sweeper.h"
#include "core/tasks/latest.h"
#include "core/timing/timing_worker.h"
#include "core/why/adviser.h"

namespace lanescope::app {

struct Background {
  /// `catalog` must outlive it; `wake` is called whenever there is something to poll.
  Background(const Catalog& catalog, const std::function<void()>& wake,
             std::shared_ptr<GpuService> gpu, std::shared_ptr<ProgramService> programs);

  /// How they might be launched, unless they say so themselves or that was asked last.
  void survey_launch_of(const Settings& settings);
  /// Takes over what is finished. True if something changed.
  bool poll(const Settings& settings);
  void wait(bool whole);

  AdvicePtr advice;
  LaunchSurveyPtr survey;
  SweepPtr sweep;
  TimingPtr timing;

  Latest<AdviceRequest, AdvicePtr> adviser;
  Comparer comparer;
  Sweeper sweeper;
  Latest<SweepRequest, SweepPtr> sweeps;
  TimingWorker timing_worker;
  ProgramRunner programs;
  LabWorker lab;

 private:
  /// What the newest survey is about
  Settings surveyed_;
  Latest<Settings, LaunchSurveyPtr> surveyor_;
};

}  // namespace lanescope::app

#include "core/program/program_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <utility>

#include "core/launch/launch_survey.h"
#include "core/text/text_file.h"

namespace lanescope::app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kTypingPause = std::chrono::milliseconds(400);
constexpr std::size_t kMostOutput = 1u << 20;
/// Between what is published of a run, and how many times what publishing takes that must be: copies
/// of long lists must not keep the run from going on.
constexpr auto kBetween = std::chrono::milliseconds(50);
constexpr int kShare = 20;

bool belongs(const ProgramRequest& request, const std::string& file) {
  const auto& files = request.compile.files;
  return std::find(files.begin(), files.end(), file) != files.end();
}

// False if it was stopped meanwhile.
bool pause(Clock::duration time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  return !stopped.wait_for(lock, stop, time, [&] { return stop.stop_requested(); });
}

/// A run while it goes on: gathers what comes, and publishes it now and then.
class Gathering {
 public:
  using Publish = std::function<void(ProgramRunPtr)>;
  Gathering(const ProgramRequest& request, Publish publish) : publish_(std::move(publish)) {
    run_.request = request;
  }

  void add_output(std::string_view text) {
    run_.output += text;
    if (run_.output.size() > kMostOutput + kMostOutput / 4) cut_output();
    publish_now_and_then();
  }
  void add_launch(const LaunchRecord& launch) {
    run_.launches.push_back(std::make_shared<const LaunchRecord>(launch));
    run_.progress.reset();
    publish_now_and_then();
  }
  void add_call(const CallRecord& call) {
    run_.calls.push_back(std::make_shared<const CallRecord>(call));
    publish_now_and_then();
  }
  void add_progress(const LaunchProgress& progress) {
    run_.progress = progress;
    publish_now_and_then();
  }

  void publish_what_is_left() {
    if (!std::exchange(unpublished_, false)) return;
    publish_(snapshot());
  }

  ProgramRunPtr finish(ProgramResult result, const ProgramRunPtr& before) {
    run_.running = false;
    if (run_.output.size() > kMostOutput) cut_output();
    if (run_.launches.size() != result.launches.size()) {
      run_.launches.clear();
      for (LaunchRecord& launch : result.launches)
        run_.launches.push_back(std::make_shared<const LaunchRecord>(std::move(launch)));
    }
    result.launches.clear();
    if (run_.calls.size() != result.calls.size()) {
      run_.calls.clear();
      for (CallRecord& call : result.calls)
        run_.calls.push_back(std::make_shared<const CallRecord>(std::move(call)));
    }
    result.calls.clear();
    run_.calls_left_out = result.calls_left_out;
    run_.progress = result.unfinished;
    if (!result.started && before && !has_nothing(*before)) {
      run_.older = true;
      run_.launches = before->launches;
      run_.calls = before->calls;
      run_.calls_left_out = before->calls_left_out;
      run_.output = before->output;
      run_.output_cut = before->output_cut;
    }
    run_.result = std::move(result);
    return snapshot();
  }

 private:
  static bool has_nothing(const ProgramRun& run) {
    return run.launches.empty() && run.output.empty();
  }

  // At the beginning of a line.
  void cut_output() {
    const std::size_t line = run_.output.find('\n', run_.output.size() - kMostOutput);
    run_.output.erase(0, line == std::string::npos ? run_.output.size() - kMostOutput : line + 1);
    run_.output_cut = true;
  }

  ProgramRunPtr snapshot() {
    static std::atomic<std::uint64_t> serial{0};
    run_.serial = ++serial;
    return std::make_shared<const ProgramRun>(run_);
  }

  void publish_now_and_then() {
    const auto now = Clock::now();
    unpublished_ = now < next_;
    if (unpublished_) return;
    publish_(snapshot());
    const auto end = Clock::now();
    next_ = end + std::max<Clock::duration>(kBetween, (end - now) * kShare);
  }

  ProgramRun run_;
  Publish publish_;
  Clock::time_point next_{};
  /// Something has come since
  bool unpublished_ = false;
};

bool same_memory(const CapturedLaunch& a, const CapturedLaunch& b) {
  const auto same = [](const CapturedBuffer& x, const CapturedBuffer& y) {
    return x.name == y.name && x.element == y.element && x.address == y.address &&
           x.space == y.space && *x.contents == *y.contents;
  };
  return std::equal(a.buffers.begin(), a.buffers.end(), b.buffers.begin(), b.buffers.end(), same);
}

bool same_arguments(const Launch& a, const Launch& b) {
  const auto same = [](const Argument& x, const Argument& y) {
    return x.name == y.name && x.bytes == y.bytes;
  };
  return a.grid == b.grid && a.block == b.block &&
         a.dynamic_shared_bytes == b.dynamic_shared_bytes &&
         std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(),
                    same);
}

bool same_macros(const WholeProgramRequest& a, const WholeProgramRequest& b) {
  const auto same = [](const MacroDefinition& x, const MacroDefinition& y) {
    return x.name == y.name && x.value == y.value;
  };
  return a.standard == b.standard &&
         std::equal(a.macros.begin(), a.macros.end(), b.macros.begin(), b.macros.end(), same);
}

/// Its memory, its arguments and its kernel: a picture of one is a picture of the other.
bool same_launch(const CapturedLaunch& a, const CapturedLaunch& b) {
  return a.number == b.number && a.symbol == b.symbol && same_arguments(a.launch, b.launch) &&
         same_macros(a.compile, b.compile) && same_memory(a, b);
}

std::string title_of(const std::string& file, std::uint64_t number, const std::string& kernel) {
  return fmt::format("{} #{} {}", std::filesystem::path(file).filename().string(), number, kernel);
}

}  // namespace

ProgramRunner::ProgramRunner(std::shared_ptr<ProgramService> service, std::function<void()> wake)
    : service_(std::move(service)),
      runs_([this](const RunTask& task, const auto& turn) { return run_task(task, turn); }, wake),
      captures_(
          [this](CaptureTask task, const auto& turn) {
            const ProgramEvents events{.stop = turn.stop(), .input = task.input};
            CaptureResult result = service_->capture(task.request, task.number, events);
            return std::make_shared<const Captured>(Captured{std::move(task), std::move(result)});
          },
          std::move(wake)) {}

ProgramRunPtr ProgramRunner::run_task(const RunTask& task, const Runs::Turn& turn) const {
  if (task.after_pause && !pause(kTypingPause, turn.stop())) return task.before;
  Gathering gathering(task.request, [&](ProgramRunPtr part) { turn.publish(std::move(part)); });
  const ProgramEvents events{
      .stop = turn.stop(),
      .input = task.input,
      .wrote = [&](std::string_view text) { gathering.add_output(text); },
      .launched = [&](const LaunchRecord& launch) { gathering.add_launch(launch); },
      .called = [&](const CallRecord& call) { gathering.add_call(call); },
      .progressed = [&](const LaunchProgress& progress) { gathering.add_progress(progress); },
      .idle = [&] { gathering.publish_what_is_left(); }};
  ProgramResult result = service_->run(task.request, events);
  return gathering.finish(std::move(result), task.before);
}

// --- what is worked on ---

bool ProgramRunner::is_of_program(const Settings& settings) const {
  return asked_ && belongs(*asked_, settings.file);
}

std::string ProgramRunner::program_of(const Settings& settings) const {
  if (!service_) return {};
  if (is_of_program(settings)) return asked_->compile.files.front();
  return has_main(settings.text) ? settings.file : std::string();
}

void ProgramRunner::follow(const Settings& settings) {
  const std::string file = program_of(settings);
  if (file != status_.file) {
    status_.file = file;
    status_.input = inputs_[file];
    status_.problem = {};
    status_.trouble.clear();
    shown_.reset();
  }
  const bool given = settings.captured || settings.block || settings.grid ||
                     !settings.arguments.empty() || !settings.kernel.empty();
  status_.waits = !file.empty() && !given && needs_launch(settings);
  const bool ours = is_of_program(settings);
  status_.run = ours ? run_ : nullptr;
  status_.running = ours && runs_.busy();
  if (!ours) return;
  // A further file's text is the disk's until it is seen to change.
  const auto known = asked_->compile.texts.emplace(settings.file, settings.text).first;
  if (known->second == settings.text) return;
  known->second = settings.text;
  start(*asked_, true);
}

bool ProgramRunner::set_input(const Settings&, const ProgramInput& input) {
  if (status_.file.empty() || status_.input == input) return false;
  inputs_[status_.file] = status_.input = input;
  status_.problem = {};
  return true;
}

bool ProgramRunner::run(const Settings& settings, std::uint64_t launch) {
  if (status_.file.empty()) return false;
  wanted_ = launch;
  const bool is_main = settings.file == status_.file;
  const std::string text = is_main ? settings.text : asked_->compile.texts[status_.file];
  ProgramRequestResult made = make_program_request(status_.file, text, status_.input);
  status_.problem = made.problem;
  if (!made.problem.empty()) return true;
  for (const std::string& file : made.request.compile.files)
    if (file == settings.file) made.request.compile.texts[file] = settings.text;
  asked_input_ = status_.input.standard_input;
  start(std::move(made.request), false);
  return true;
}

void ProgramRunner::start(ProgramRequest request, bool after_pause) {
  asked_ = std::move(request);
  status_.running = true;
  status_.trouble.clear();
  runs_.submit({*asked_, asked_input_, after_pause, after_pause ? run_ : nullptr});
}

bool ProgramRunner::stop() {
  if (!busy()) return false;
  runs_.cut_short();
  captures_.cancel();
  status_.capturing.reset();
  return true;
}

bool ProgramRunner::show(const Settings& settings, std::uint64_t number) {
  if (!is_of_program(settings) || !run_) return false;
  capture(settings, number, false);
  return true;
}

void ProgramRunner::capture(const Settings& settings, std::uint64_t number, bool again) {
  CaptureTask task{*asked_, asked_input_, number, again};
  task.request.compile.texts[settings.file] = settings.text;
  status_.capturing = number;
  captures_.submit(std::move(task));
}

// --- what came of it ---

bool ProgramRunner::poll(const Settings& settings) {
  bool changed = false;
  if (auto news = runs_.take(); news && *news) {
    take_run(std::move(*news), settings);
    changed = true;
  }
  if (auto news = captures_.take()) {
    take_capture(**news, settings);
    changed = true;
  }
  status_.run = is_of_program(settings) ? run_ : nullptr;
  status_.running = is_of_program(settings) && runs_.busy();
  return changed;
}

void ProgramRunner::take_run(ProgramRunPtr run, const Settings& settings) {
  run_ = std::move(run);
  if (!is_of_program(settings) || status_.capturing || run_->older) return;
  // What is looked at is of the newest run; where nothing is yet, it is what was asked for.
  const bool ended = !run_->running && run_->result.started && run_->result.end.crash != kStopped;
  if (settings.captured && ended)
    capture(settings, settings.captured->number, true);
  else if (status_.waits && run_->launches.size() > wanted_ && status_.trouble.empty())
    capture(settings, wanted_, false);
}

void ProgramRunner::take_capture(const Captured& captured, const Settings& settings) {
  if (!captures_.busy()) status_.capturing.reset();
  status_.trouble = captured.result.diagnostics;
  if (!captured.result.launch) return;
  status_.trouble.clear();
  if (!is_of_program(settings)) return;
  Shown shown;
  shown.again = captured.task.again;
  Settings& next = shown.settings;
  next.file = captured.result.file;
  next.kernel = captured.result.launch->program->info().name;
  next.name = title_of(next.file, captured.task.number, next.kernel);
  next.captured = captured.result.launch;
  const auto& texts = captured.task.request.compile.texts;
  const auto text = texts.find(next.file);
  next.text = text != texts.end() ? text->second : read_text_file(next.file).text;
  shown_ = std::move(shown);
}

std::optional<ProgramRunner::Shown> ProgramRunner::take_launch(const Settings& settings) {
  std::optional<Shown> shown = std::exchange(shown_, std::nullopt);
  if (!shown) return std::nullopt;
  Settings& next = shown->settings;
  // What has been typed meanwhile stays.
  if (next.file == settings.file) next.text = settings.text;
  const bool from_session = status_.waits;  // or there is nothing to be kept
  if (from_session || (settings.captured && settings.kernel == next.kernel))
    next.columns = settings.columns;
  if (from_session) next.inspected_block = settings.inspected_block;
  if (shown->again) {
    if (!settings.captured || settings.captured->number != next.captured->number ||
        same_launch(*settings.captured, *next.captured))
      return std::nullopt;
    next.inspected_block = settings.inspected_block;
  }
  return shown;
}

void ProgramRunner::wait() {
  runs_.wait();
  captures_.wait();
}

}  // namespace lanescope::app

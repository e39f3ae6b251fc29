#include "core/picture/worker.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/picture/trace_index.h"
#include "core/run/totals.h"

namespace lanescope::app {

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

bool same(const Diagnostic& a, const Diagnostic& b) {
  return a.kind == b.kind && a.line == b.line && a.column == b.column && a.message == b.message;
}

void add_new(std::vector<Diagnostic>& all, const std::vector<Diagnostic>& found) {
  for (const Diagnostic& diagnostic : found) {
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const Diagnostic& d) { return same(d, diagnostic); });
    if (!known) all.push_back(diagnostic);
  }
}

Dim3 inside(Dim3 block, Dim3 grid) {
  return {std::min(block.x, grid.x - 1), std::min(block.y, grid.y - 1),
          std::min(block.z, grid.z - 1)};
}

bool has_steps(const BlockTrace* trace) {
  return trace && std::any_of(trace->warps.begin(), trace->warps.end(),
                              [](const WarpTrack& track) { return track.size() > 0; });
}

}  // namespace

Worker::Worker(std::function<void()> wake)
    : wake_(std::move(wake)), inspect_thread_([this] { inspect_loop(); }),
      grid_thread_([this] { grid_loop(); }) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
    stop_.request_stop();
    whole_stop_.request_stop();
  }
  changed_.notify_all();
}

void Worker::submit(Settings settings) {
  {
    const std::lock_guard lock(mutex_);
    stop_.request_stop();
    whole_stop_.request_stop();
    stop_ = {};
    whole_stop_ = {};
    next_ = std::move(settings);
    grid_next_.reset();
    news_.reset();
    stage_ = Stage::waiting;
    blocks_done_ = blocks_ = 0;
  }
  changed_.notify_all();
}

void Worker::cancel() {
  const std::lock_guard lock(mutex_);
  whole_stop_.request_stop();
}

std::optional<WorkerNews> Worker::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, std::nullopt);
}

void Worker::wait(bool whole) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [&] { return stage_ == Stage::done || (!whole && stage_ == Stage::whole_grid); });
}

bool Worker::busy() const {
  const std::lock_guard lock(mutex_);
  return stage_ == Stage::waiting || stage_ == Stage::inspecting;
}

bool Worker::whole_grid_running() const {
  const std::lock_guard lock(mutex_);
  return stage_ == Stage::whole_grid;
}

void Worker::inspect_loop() {
  while (true) {
    Settings settings;
    std::stop_token stop, whole_stop;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return quit_ || next_; });
      if (quit_) return;
      settings = std::move(*next_);
      next_.reset();
      stop = stop_.get_token();
      whole_stop = whole_stop_.get_token();
      stage_ = Stage::inspecting;
    }
    work(settings, stop, whole_stop);
  }
}

void Worker::work(const Settings& settings, const std::stop_token& stop,
                  const std::stop_token& whole_stop) {
  JobResult prepared = prepare(settings, stop);
  std::vector<Diagnostic> diagnostics = std::move(prepared.diagnostics);
  if (!prepared.job || stop.stop_requested())
    return publish(nullptr, diagnostics, Stage::done, stop);

  Job& job = *prepared.job;
  auto inspected = std::make_shared<Picture>();
  if (!inspect(job, *inspected, diagnostics, stop) || stop.stop_requested())
    return publish(nullptr, diagnostics, Stage::done, stop);
  const bool failed = !inspected->inspected.ok();
  publish(inspected, diagnostics, failed ? Stage::done : Stage::whole_grid, stop);
  if (failed) return;
  {
    const std::lock_guard lock(mutex_);
    if (stop.stop_requested()) return;
    grid_next_ = GridTask{std::move(prepared.job), std::move(inspected), std::move(diagnostics),
                          stop, whole_stop};
  }
  changed_.notify_all();
}

void Worker::grid_loop() {
  while (true) {
    GridTask task;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return quit_ || grid_next_; });
      if (quit_) return;
      task = std::move(*grid_next_);
      grid_next_.reset();
    }
    run_grid(std::move(task));
  }
}

void Worker::run_grid(GridTask task) {
  Job& job = *task.job;
  const auto with_run = [&](const RunResult& run) {
    auto complete = std::make_shared<Picture>(*task.inspected);
    complete->lines = line_totals(job.program->info(), run);
    complete->whole = std::make_shared<const RunResult>(run);
    return complete;
  };
  WholeGridOptions options = whole_options(task.whole_stop);
  options.counted = [&](const RunResult& run) {
    publish(with_run(run), task.diagnostics, Stage::whole_grid, task.stop);
  };
  WholeGrid whole = run_whole_grid(job, options);
  if (task.whole_stop.stop_requested())
    return publish(nullptr, task.diagnostics, Stage::done, task.stop);
  add_source_lines(job.settings, whole.diagnostics);
  add_new(task.diagnostics, whole.diagnostics);
  // After a fault the inspected block's totals stay; what is wrong is told.
  auto complete = whole.run.coverage.exact || whole.run.ok()
                      ? with_run(whole.run)
                      : std::make_shared<Picture>(*task.inspected);
  complete->check = whole.check;
  publish(std::move(complete), task.diagnostics, Stage::done, task.stop);
}

bool Worker::inspect(Job& job, Picture& picture, std::vector<Diagnostic>& diagnostics,
                     const std::stop_token& stop) {
  job.settings.inspected_block = inside(job.settings.inspected_block, job.launch.grid);
  RunOptions options;
  options.all_blocks = false;
  options.blocks = options.record = {job.settings.inspected_block};
  options.threads = 1;
  options.stop = stop;
  const Clock::time_point start = Clock::now();
  picture.take(run(*job.program, job.launch, job.memory, options));
  picture.run_ms = ms_since(start);
  add_source_lines(job.settings, picture.inspected.diagnostics);
  picture.settings = job.settings;
  picture.front_matter = job.front_matter;
  picture.kernels = job.kernels;
  picture.parameters = job.parameters;
  picture.program = job.program;
  picture.launch = job.launch;
  picture.buffers = job.buffers;
  picture.layouts = job.layouts;
  picture.compile_ms = job.compile_ms;
  picture.lines = line_totals(job.program->info(), picture.inspected);
  add_new(diagnostics, picture.inspected.diagnostics);
  if (stop.stop_requested()) return false;  // an index of it would keep what is newer waiting
  if (const BlockTrace* trace = picture.trace())
    picture.index = std::make_shared<const TraceIndex>(job.program->info(), *trace);
  return has_steps(picture.trace());
}

WholeGridOptions Worker::whole_options(const std::stop_token& stop) {
  WholeGridOptions options;
  options.stop = stop;
  options.most_to_check = 3'000'000'000;  // in the background, and it can be cancelled
  options.threads =
      std::max(2u, std::thread::hardware_concurrency()) - 1;  // one core stays with the window
  options.progress = [this, stop, last = std::make_shared<std::atomic<Clock::rep>>(0)](
                         std::uint64_t done, std::uint64_t all) {
    if (stop.stop_requested()) return;
    blocks_done_ = done;
    blocks_ = all;
    const Clock::rep now = Clock::now().time_since_epoch().count();
    const Clock::duration pause = Clock::duration(now - last->load());
    if (pause < std::chrono::milliseconds(50) || !wake_) return;
    *last = now;
    wake_();
  };
  return options;
}

void Worker::publish(std::shared_ptr<Picture> picture, const std::vector<Diagnostic>& diagnostics,
                     Stage stage, const std::stop_token& stop) {
  {
    const std::lock_guard lock(mutex_);
    if (stop.stop_requested()) return;  // something newer is under way
    if (picture) picture->serial = ++serial_;
    // A whole-grid run that was cancelled leaves the inspected block's picture as it is.
    if (picture || stage_ != Stage::whole_grid) news_ = WorkerNews{std::move(picture), diagnostics};
    stage_ = stage;
  }
  changed_.notify_all();
  if (wake_) wake_();
}

}  // namespace lanescope::app

#include "core/picture/picture_worker.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/picture/picture.h"
#include "core/run/totals.h"

namespace lanescope::app {

namespace {

using Clock = std::chrono::steady_clock;

// False if there is nothing to look at.
bool run_inspected(ReadyLaunch& ready, Picture& picture, std::vector<Diagnostic>& diagnostics,
                   const std::stop_token& stop) {
  picture = inspect_block(ready, stop);
  add_source_lines(ready.prepared->settings, picture.inspected.diagnostics);
  add_new(diagnostics, picture.inspected.diagnostics);
  return complete_picture(picture, stop);
}

// An access that faults ends the run of one block, which is not checked; the grid's checks may have seen
// what led to it. What ran too long or cannot be executed would only do so again.
bool tells_more_as_grid(const RunResult& inspected) {
  return std::all_of(
      inspected.diagnostics.begin(), inspected.diagnostics.end(), [](const Diagnostic& d) {
        return d.severity != Severity::error || d.kind == DiagnosticKind::out_of_bounds ||
               d.kind == DiagnosticKind::misaligned || d.kind == DiagnosticKind::null_pointer;
      });
}

}  // namespace

PictureWorker::PictureWorker(std::function<void()> wake)
    : wake_(std::move(wake)),
      grid_runner_([this](GridTask task,
                          const GridRunner::Turn& turn) { return run_grid(std::move(task), turn); },
                   wake_),
      inspector_([this](const Inspection& asked,
                        const Inspector::Turn& turn) { return inspect(asked, turn.stop()); },
                 wake_) {}

PictureWorker::~PictureWorker() { whole_stop_.request_stop(); }

// In this order: what an older inspection hands over after its grid was cancelled finds its stop
// requested, and gives no result.
void PictureWorker::submit(Settings settings) {
  whole_stop_.request_stop();
  grid_runner_.cancel();
  whole_stop_ = {};
  blocks_done_ = blocks_ = 0;
  inspector_.submit({std::move(settings), whole_stop_.get_token()});
}

void PictureWorker::abandon() {
  whole_stop_.request_stop();
  grid_runner_.cancel();
  inspector_.cancel();
  blocks_done_ = blocks_ = 0;
}

void PictureWorker::cancel() { whole_stop_.request_stop(); }

std::optional<PictureNews> PictureWorker::take() {
  if (inspector_.busy()) return std::nullopt;  // the whole grid's comes after it
  std::optional<PictureNews> inspected = inspector_.take();
  std::optional<PictureNews> whole = grid_runner_.take();
  return whole ? std::move(whole) : std::move(inspected);
}

void PictureWorker::let_go(PicturePtr picture) {
  if (!picture) return;
  disposer_.add({std::move(picture)}, [](std::vector<PicturePtr>& waiting, auto&& more) {
    waiting.push_back(std::move(more.front()));
  });
}

void PictureWorker::wait(bool whole) {
  inspector_.wait();
  if (whole) grid_runner_.wait();
}

PictureNews PictureWorker::news(const std::shared_ptr<Picture>& picture,
                                const std::vector<Diagnostic>& diagnostics) {
  if (picture) picture->serial = ++serial_;
  return {picture, diagnostics};
}

PictureNews PictureWorker::inspect(const Inspection& asked, const std::stop_token& stop) {
  PrepareResult prepared = prepare(asked.settings, stop);
  std::vector<Diagnostic> diagnostics = std::move(prepared.diagnostics);
  if (!prepared.ready || stop.stop_requested()) return news(nullptr, diagnostics);

  auto inspected = std::make_shared<Picture>();
  if (!run_inspected(*prepared.ready, *inspected, diagnostics, stop) || stop.stop_requested())
    return news(nullptr, diagnostics);
  PictureNews result = news(inspected, diagnostics);
  if (tells_more_as_grid(inspected->inspected)) {
    grid_runner_.submit({std::move(prepared.ready), std::move(inspected), std::move(diagnostics),
                         asked.whole_stop});
  }
  return result;
}

std::optional<PictureNews> PictureWorker::run_grid(GridTask task, const GridRunner::Turn& turn) {
  const auto with_run = [&](const RunResult& run) {
    auto complete = std::make_shared<Picture>(*task.inspected);
    complete->lines = line_totals(complete->kernel(), run);
    complete->whole = std::make_shared<const RunResult>(run);
    return complete;
  };
  WholeGridOptions options = whole_options(task.stop);
  options.counted = [&](const RunResult& run) {
    if (!task.stop.stop_requested()) turn.publish(news(with_run(run), task.diagnostics));
  };
  WholeGrid whole = run_whole_grid(*task.ready, options);
  if (task.stop.stop_requested()) return std::nullopt;  // the inspected block's picture stays
  add_source_lines(task.inspected->prepared->settings, whole.diagnostics);
  add_new(task.diagnostics, whole.diagnostics);
  // After a fault the inspected block's totals stay; what is wrong is told.
  auto complete = whole.run.coverage.exact || whole.run.ok()
                      ? with_run(whole.run)
                      : std::make_shared<Picture>(*task.inspected);
  complete->check = whole.check;
  return news(complete, task.diagnostics);
}

WholeGridOptions PictureWorker::whole_options(const std::stop_token& stop) {
  WholeGridOptions options;
  options.control.stop = stop;
  options.most_to_check = 3'000'000'000;  // in the background, and it can be cancelled
  options.threads =
      std::max(2u, std::thread::hardware_concurrency()) - 1;  // one core stays with the window
  options.control.progress = [this, stop, last = std::make_shared<std::atomic<Clock::rep>>(0)](
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

}  // namespace lanescope::app

#include "core/timing/timing_worker.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/run/prepare.h"
#include "core/text/messages.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

bool cancelled(const Measurement& m) {
  return std::any_of(m.diagnostics.begin(), m.diagnostics.end(),
                     [](const Diagnostic& d) { return d.kind == DiagnosticKind::cancelled; });
}

}  // namespace

TimingWorker::TimingWorker(const Catalog& catalog, Parts parts)
    : catalog_(catalog), parts_(std::move(parts)),
      counter_([this](std::monostate, const auto& turn) {
        count(turn.stop());
        return std::nullopt;
      }),
      launcher_([this](Launches launches, const auto& turn) {
        ask_gpu();
        measure_all(std::move(launches), turn.stop());
        return std::nullopt;
      }) {
  sources_.catalog = &catalog_;
}

void TimingWorker::begin() {
  if (std::exchange(begun_, true)) return;
  queue({});
  counter_.add({});
}

void TimingWorker::queue(Launches launches) {
  launcher_.add(std::move(launches), [](Launches& waiting, Launches&& more) {
    waiting.insert(waiting.end(), std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
  });
}

void TimingWorker::show(const TimingQuery& query) {
  {
    const std::lock_guard lock(mutex_);
    if (begun_ && query_ == query) return;
    query_ = query;
    stale_ = true;
  }
  begin();
  counter_.submit({});  // in place of a row that is perhaps not shown any more
}

void TimingWorker::measure(std::vector<Settings> launches) {
  {
    const std::lock_guard lock(mutex_);
    if (now_.done == now_.all) {
      now_.done = now_.all = 0;
      now_.diagnostics = load_diagnostics_;
    }
    now_.all += launches.size();
    publish();
  }
  begin();
  queue(std::move(launches));
  tell();
}

void TimingWorker::cancel() {
  launcher_.cut_short();  // first: nothing begins any more once the lock is there
  {
    const std::lock_guard lock(mutex_);
    now_.all = now_.done + (launching_ ? 1 : 0);
    publish();
  }
  tell();
}

TimingPtr TimingWorker::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, nullptr);
}

void TimingWorker::wait() {
  if (begun_) gpu_asked_.wait();
  counter_.wait();
}

void TimingWorker::wait_measured() { launcher_.wait(); }

bool TimingWorker::measuring() const {
  const std::lock_guard lock(mutex_);
  return now_.done < now_.all;
}

void TimingWorker::rebuild_table() {
  stale_ = false;
  now_.table = std::make_shared<TimingTable>(timing_table(sources_, query_));
}

void TimingWorker::publish() {
  now_.measuring = now_.done < now_.all;
  now_.to_predict =
      static_cast<std::size_t>(std::count_if(now_.table->rows.begin(), now_.table->rows.end(),
                                             [](const TimingRow& row) { return !row.predicted; }));
  ++now_.serial;
  news_ = std::make_shared<const TimingNews>(now_);
}

void TimingWorker::tell() const {
  if (parts_.wake) parts_.wake();
}

// --- recordings and counts, on the one thread ---

void TimingWorker::count(const std::stop_token& stop) {
  if (!now_.loaded) {  // set once, by this thread
    load();
    tell();
  }
  show_newest_query();
  while (!stop.stop_requested()) {
    const std::optional<Settings> row = row_to_count();
    if (!row) return;
    count_row(*row, stop);
    tell();
  }
}

void TimingWorker::show_newest_query() {
  {
    const std::lock_guard lock(mutex_);
    if (!stale_) return;
    rebuild_table();
    publish();
  }
  tell();
}

std::optional<Settings> TimingWorker::row_to_count() const {
  const std::lock_guard lock(mutex_);
  for (const TimingRow& row : now_.table->rows)
    if (!row.predicted) return row.settings;
  return std::nullopt;
}

void TimingWorker::load() {
  RecordingsResult read =
      parts_.recordings.empty() ? RecordingsResult{} : load_recordings(parts_.recordings);
  std::vector<Measured> launches = recorded_launches(read.recordings, catalog_);
  const std::lock_guard lock(mutex_);
  now_.loaded = true;
  sources_.recordings = std::move(read.recordings);
  sources_.recorded = std::move(launches);
  load_diagnostics_ = std::move(read.diagnostics);
  now_.diagnostics.insert(now_.diagnostics.end(), load_diagnostics_.begin(),
                          load_diagnostics_.end());
  for (const Recording& recording : sources_.recordings) {
    now_.recordings.push_back(
        {recording.file, recording.device, recording.date, recording.method, {}});
  }
  rebuild_table();
  publish();
}

void TimingWorker::count_row(const Settings& settings, const std::stop_token& stop) {
  Prediction prediction = predict(settings, parts_.predict_limit_s, stop);
  const std::lock_guard lock(mutex_);
  if (stop.stop_requested() && !prediction.known()) return;  // it was not given its time
  sources_.predictions[launch_key(settings)] = std::move(prediction);
  rebuild_table();
  publish();
}

// --- the GPU, on the other ---

void TimingWorker::ask_gpu() {
  if (now_.gpu) return;  // set once, by this thread
  GpuStatus status;
  if (parts_.gpu)
    status = parts_.gpu->status();
  else
    status.problem = say::no_gpu_used;
  {
    const std::lock_guard lock(mutex_);
    now_.gpu = std::move(status);
    publish();
  }
  gpu_asked_.count_down();
  tell();
}

void TimingWorker::measure_all(Launches launches, const std::stop_token& stop) {
  for (Settings& settings : launches) {
    if (!begin_launch(settings, stop)) return;
    end_launch(measured(std::move(settings), stop), stop);
    counter_.add({});
    tell();
  }
}

// The stop is looked at under the lock: who cancels knows what is being measured.
bool TimingWorker::begin_launch(const Settings& settings, const std::stop_token& stop) {
  const std::lock_guard lock(mutex_);
  if (stop.stop_requested()) return false;
  launching_ = true;
  now_.kernel = settings.name;
  now_.progress = {};
  publish();
  return true;
}

Measured TimingWorker::measured(Settings settings, const std::stop_token& stop) {
  Measured result{{}, std::move(settings), -1, today()};
  result.measurement.kernel = result.settings.name;
  PrepareResult prepared = prepare(result.settings);
  if (!prepared.ready) {
    result.measurement.diagnostics = std::move(prepared.diagnostics);
  } else if (!now_.gpu->device) {  // set once, by this thread
    Diagnostic missing;
    missing.kind = DiagnosticKind::unsupported;
    missing.file = result.settings.file;
    missing.message = say::nothing_can_be_measured(now_.gpu->problem);
    missing.hint = now_.gpu->hint;
    result.measurement.diagnostics.push_back(std::move(missing));
  } else if (!stop.stop_requested()) {
    const auto progress = [&](const MeasureProgress& p) {
      {
        const std::lock_guard lock(mutex_);
        now_.progress = p;
        publish();
      }
      tell();
    };
    result.measurement = parts_.gpu->measure(*prepared.ready, {}, progress, stop);
    // The macros that were not set are part of the launch.
    result.settings.parameters = prepared.ready->prepared->parameters;
  }
  return result;
}

void TimingWorker::end_launch(Measured result, const std::stop_token& stop) {
  const std::lock_guard lock(mutex_);
  launching_ = false;
  ++now_.done;
  const Measurement& m = result.measurement;
  for (const Diagnostic& d : m.diagnostics)
    if (d.kind != DiagnosticKind::cancelled) now_.diagnostics.push_back(d);
  if (!stop.stop_requested() && !cancelled(m) && (m.time || m.check.checked)) {
    std::erase_if(sources_.live,
                  [&](const Measured& old) { return old.measurement.same_launch(m); });
    sources_.live.push_back(std::move(result));
    rebuild_table();
  }
  publish();
}

}  // namespace lanescope::app

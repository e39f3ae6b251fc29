#include "core/timing/bencher.h"

#include <algorithm>
#include <utility>

#include "core/run/job.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

bool cancelled(const Measurement& m) {
  return std::any_of(m.diagnostics.begin(), m.diagnostics.end(),
                     [](const Diagnostic& d) { return d.kind == DiagnosticKind::cancelled; });
}

}  // namespace

Bencher::Bencher(const Catalog& catalog, Parts parts)
    : catalog_(catalog), parts_(std::move(parts)), count_thread_([this] { count_loop(); }),
      gpu_thread_([this] { gpu_loop(); }) {
  const std::lock_guard lock(mutex_);
  sources_.catalog = &catalog_;
}

Bencher::~Bencher() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
    stop_measuring_.request_stop();
    stop_counting_.request_stop();
  }
  changed_.notify_all();
}

void Bencher::show(const TimingQuery& query) {
  {
    const std::lock_guard lock(mutex_);
    if (asked_ && query_ == query) return;
    asked_ = true;
    query_ = query;
    stale_ = true;
    stop_counting_.request_stop();  // of a row that is perhaps not shown any more
    stop_counting_ = {};
  }
  changed_.notify_all();
}

void Bencher::measure(std::vector<Settings> launches) {
  {
    const std::lock_guard lock(mutex_);
    if (!measuring_ && queue_.empty()) {
      now_.done = now_.all = 0;
      now_.diagnostics = load_diagnostics_;
      stop_measuring_ = {};
    }
    asked_ = true;
    now_.all += launches.size();
    for (Settings& settings : launches) queue_.push_back(std::move(settings));
    publish();
  }
  tell();
}

void Bencher::cancel() {
  {
    const std::lock_guard lock(mutex_);
    queue_.clear();
    stop_measuring_.request_stop();
    now_.all = now_.done + (measuring_ ? 1 : 0);
    publish();
  }
  tell();
}

TimingPtr Bencher::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, nullptr);
}

void Bencher::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return !asked_ || (loaded_ && now_.gpu && !stale_ && !counting_ && !to_count());
  });
}

void Bencher::wait_measured() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.empty() && !measuring_; });
}

bool Bencher::measuring() const {
  const std::lock_guard lock(mutex_);
  return measuring_ || !queue_.empty();
}

void Bencher::rebuild() {
  stale_ = false;
  now_.table = std::make_shared<TimingTable>(timing_table(sources_, query_));
}

void Bencher::publish() {
  now_.loaded = loaded_;
  now_.measuring = measuring_ || !queue_.empty();
  now_.to_predict =
      static_cast<std::size_t>(std::count_if(now_.table->rows.begin(), now_.table->rows.end(),
                                             [](const TimingRow& row) { return !row.predicted; }));
  ++now_.serial;
  news_ = std::make_shared<const TimingNews>(now_);
}

void Bencher::tell() {
  changed_.notify_all();
  if (parts_.wake) parts_.wake();
}

const Settings* Bencher::to_count() const {
  for (const TimingRow& row : now_.table->rows)
    if (!row.predicted) return &row.settings;
  return nullptr;
}

// --- recordings and counts ---

void Bencher::count_loop() {
  while (true) {
    std::optional<Settings> next;
    std::stop_token stop;
    bool must_load = false;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return quit_ || (asked_ && (!loaded_ || stale_ || to_count())); });
      if (quit_) return;
      must_load = !loaded_;
      if (!must_load && stale_) {
        rebuild();
        publish();
      }
      if (const Settings* row = must_load ? nullptr : to_count()) next = *row, counting_ = true;
      stop = stop_counting_.get_token();
    }
    if (must_load)
      load();
    else if (next)
      count_next(*next, stop);
    tell();
  }
}

void Bencher::load() {
  RecordingsResult read =
      parts_.recordings.empty() ? RecordingsResult{} : load_recordings(parts_.recordings);
  std::vector<Measured> launches = recorded_launches(read.recordings, catalog_);
  const std::lock_guard lock(mutex_);
  loaded_ = true;
  sources_.recordings = std::move(read.recordings);
  sources_.recorded = std::move(launches);
  load_diagnostics_ = std::move(read.diagnostics);
  now_.diagnostics.insert(now_.diagnostics.end(), load_diagnostics_.begin(),
                          load_diagnostics_.end());
  for (const Recording& recording : sources_.recordings) {
    now_.recordings.push_back(
        {recording.file, recording.device, recording.date, recording.method, {}});
  }
  rebuild();
  publish();
}

void Bencher::count_next(const Settings& settings, const std::stop_token& stop) {
  Prediction prediction = predict(settings, parts_.predict_limit_s, stop);
  const std::lock_guard lock(mutex_);
  counting_ = false;
  if (stop.stop_requested() && !prediction.known()) return;  // it was not given its time
  sources_.predictions[launch_key(settings)] = std::move(prediction);
  rebuild();
  publish();
}

// --- the GPU ---

void Bencher::gpu_loop() {
  while (true) {
    std::optional<Settings> next;
    std::stop_token stop;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return quit_ || (asked_ && !now_.gpu) || !queue_.empty(); });
      if (quit_) return;
      if (now_.gpu) {
        next = std::move(queue_.front());
        queue_.pop_front();
        measuring_ = true;
        now_.kernel = next->name;
        now_.progress = {};
        stop = stop_measuring_.get_token();
        publish();
      }
    }
    if (next)
      measure_next(std::move(*next), stop);
    else
      ask();
    tell();
  }
}

void Bencher::ask() {
  GpuStatus status;
  if (parts_.gpu)
    status = parts_.gpu->status();
  else
    status.problem = "no GPU is used here";
  const std::lock_guard lock(mutex_);
  now_.gpu = std::move(status);
  publish();
}

void Bencher::measure_next(Settings settings, const std::stop_token& stop) {
  Measured result{{}, std::move(settings), -1, today()};
  result.measurement.kernel = result.settings.name;
  JobResult prepared = prepare(result.settings);
  if (!prepared.job) {
    result.measurement.diagnostics = std::move(prepared.diagnostics);
  } else if (!now_.gpu->device) {  // set once, by this thread
    Diagnostic missing;
    missing.kind = DiagnosticKind::unsupported;
    missing.file = result.settings.file;
    missing.message = "nothing can be measured here: " + now_.gpu->problem;
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
    result.measurement = parts_.gpu->measure(*prepared.job, {}, progress, stop);
    // The macros that were not set are part of the launch.
    result.settings.parameters = prepared.job->parameters;
  }
  const std::lock_guard lock(mutex_);
  measuring_ = false;
  ++now_.done;
  const Measurement& m = result.measurement;
  for (const Diagnostic& d : m.diagnostics)
    if (d.kind != DiagnosticKind::cancelled) now_.diagnostics.push_back(d);
  if (!stop.stop_requested() && !cancelled(m) && (m.time || m.check.checked)) {
    std::erase_if(sources_.live,
                  [&](const Measured& old) { return old.measurement.same_launch(m); });
    sources_.live.push_back(std::move(result));
    rebuild();
  }
  publish();
}

}  // namespace lanescope::app

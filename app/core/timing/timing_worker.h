// Two threads behind the Timing view: one that waits for the GPU, one that reads recordings and
// counts what is shown. Nothing starts before somebody asks.
#pragma once

#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/tasks/latest.h"
#include "core/timing/timing.h"

namespace lanescope::app {

/// Used from one thread, the session's; only `wake` is called from others.
class TimingWorker {
 public:
  struct Parts {
    /// Null: nothing can be measured
    std::shared_ptr<GpuService> gpu;
    /// Folder; empty for none
    std::string recordings;
    /// Called whenever there is something to take
    std::function<void()> wake;
    /// For the counts of one launch
    double predict_limit_s = 10;
  };
  /// `catalog` must outlive it.
  TimingWorker(const Catalog& catalog, Parts parts);

  void show(const TimingQuery& query);
  void measure(std::vector<Settings> launches);
  /// The launch that is measured and those that wait; results stay
  void cancel();

  /// Since the last call; null for nothing new
  TimingPtr take();
  /// Until all that is shown is read, asked and counted
  void wait();
  /// Until the queue is empty
  void wait_measured();
  [[nodiscard]] bool measuring() const;

 private:
  using Launches = std::vector<Settings>;

  /// The first time that anything is asked for, the GPU is asked and recordings are read.
  void begin();
  void queue(Launches launches);

  void count(const std::stop_token& stop);
  void load();
  void show_newest_query();
  /// The next row without counts
  [[nodiscard]] std::optional<Settings> row_to_count() const;
  void count_row(const Settings& settings, const std::stop_token& stop);

  void ask_gpu();
  void measure_all(Launches launches, const std::stop_token& stop);
  bool begin_launch(const Settings& settings, const std::stop_token& stop);
  Measured measured(Settings settings, const std::stop_token& stop);
  void end_launch(Measured result, const std::stop_token& stop);

  /// Needs the lock
  void rebuild_table();
  /// Needs the lock
  void publish();
  /// Without the lock
  void tell() const;

  const Catalog& catalog_;
  Parts parts_;
  /// Of the owner's thread
  bool begun_ = false;
  std::latch gpu_asked_{1};

  /// What both threads find, put together for the view; all of it needs the lock.
  mutable std::mutex mutex_;
  TimingQuery query_;
  TimingSources sources_;
  TimingNews now_;
  std::vector<Diagnostic> load_diagnostics_;
  TimingPtr news_;
  bool stale_ = false, launching_ = false;

  /// Last, so that everything they use outlives them; the second gives the first more to count.
  Latest<std::monostate> counter_;
  Latest<Launches> launcher_;
};

}  // namespace lanescope::app

// Two threads behind the Timing view: one that waits for the GPU, one that reads recordings and
// counts what is shown. Nothing starts before somebody asks.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "core/timing/timing.h"

namespace lanescope::app {

class Bencher {
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
  Bencher(const Catalog& catalog, Parts parts);
  ~Bencher();
  Bencher(const Bencher&) = delete;
  Bencher& operator=(const Bencher&) = delete;

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
  void count_loop();
  void gpu_loop();
  void load();
  void ask();
  void measure_next(Settings settings, const std::stop_token& stop);
  void count_next(const Settings& settings, const std::stop_token& stop);
  /// The next row without counts
  [[nodiscard]] const Settings* to_count() const;
  /// The table; needs the lock
  void rebuild();
  /// Needs the lock
  void publish();
  /// Without the lock
  void tell();

  const Catalog& catalog_;
  Parts parts_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool asked_ = false, loaded_ = false, counting_ = false, stale_ = false, quit_ = false;
  TimingQuery query_;
  TimingSources sources_;
  TimingNews now_;
  std::vector<Diagnostic> load_diagnostics_;
  TimingPtr news_;
  std::deque<Settings> queue_;
  bool measuring_ = false;
  std::stop_source stop_measuring_, stop_counting_;
  /// Last, so that everything they use outlives them
  std::jthread count_thread_, gpu_thread_;
};

}  // namespace lanescope::app

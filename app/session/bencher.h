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

#include "session/timing.h"

namespace lanescope::app {

class Bencher {
 public:
  struct Parts {
    std::shared_ptr<GpuService> gpu;  ///< null: nothing can be measured
    std::string recordings;           ///< folder; empty for none
    std::function<void()> wake;       ///< called whenever there is something to take
    double predict_limit_s = 10;      ///< for the counts of one launch
  };
  /// `catalog` must outlive it.
  Bencher(const Catalog& catalog, Parts parts);
  ~Bencher();
  Bencher(const Bencher&) = delete;
  Bencher& operator=(const Bencher&) = delete;

  void show(const TimingQuery& query);
  void measure(std::vector<Settings> launches);
  void cancel();  ///< the launch that is measured and those that wait; results stay

  TimingPtr take();      ///< since the last call; null for nothing new
  void wait();           ///< until all that is shown is read, asked and counted
  void wait_measured();  ///< until the queue is empty
  [[nodiscard]] bool measuring() const;

 private:
  void count_loop();
  void gpu_loop();
  void load();
  void ask();
  void measure_next(Settings settings, const std::stop_token& stop);
  void count_next(const Settings& settings, const std::stop_token& stop);
  [[nodiscard]] const Settings* to_count() const;  ///< the next row without counts
  void rebuild();                                  ///< the table; needs the lock
  void publish();                                  ///< needs the lock
  void tell();                                     ///< without the lock

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
  std::jthread count_thread_, gpu_thread_;  ///< last, so that everything they use outlives them
};

}  // namespace lanescope::app

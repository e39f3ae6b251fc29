// The thread that sweeps: cells are published as they come, known ones are not counted again.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/sweep/sweep.h"

namespace lanescope::app {

struct SweepRequest {
  std::shared_ptr<const SweepPlan> plan;
  /// The current setting's cell
  std::size_t first = 0;
};

class Sweeper {
 public:
  /// `wake` is called whenever there is something to take.
  explicit Sweeper(std::function<void()> wake);
  ~Sweeper();
  Sweeper(const Sweeper&) = delete;
  Sweeper& operator=(const Sweeper&) = delete;

  /// The newest wins
  void submit(SweepRequest request);
  /// What is counted stays
  void cancel();
  /// Since the last call; null for nothing new
  SweepPtr take();
  /// Until the newest request is worked off or cancelled
  void wait();
  [[nodiscard]] bool busy() const;

 private:
  void loop();
  void work(const SweepRequest& request, const std::stop_token& stop);
  void publish(Sweep sweep);

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<SweepRequest> next_;
  std::stop_source stop_;
  SweepPtr news_;
  bool busy_ = false, quit_ = false;
  // Of the worker thread alone: what was counted before, by what a cell is.
  std::vector<std::string> texts_;
  std::map<std::string, SweepCell> known_;
  /// Last, so that everything it uses outlives it
  std::jthread thread_;
};

}  // namespace lanescope::app

// The threads that compile and run: one for the inspected block, one behind it for the whole grid,
// so that a grid being given up never delays the next picture. The newest settings win: what is
// older is cancelled and dropped.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "core/picture/picture.h"
#include "core/run/job.h"
#include "core/run/whole_grid.h"

namespace lanescope::app {

/// What came of the newest settings so far.
struct WorkerNews {
  /// Null: these settings failed, or nothing is done yet
  PicturePtr picture;
  std::vector<Diagnostic> diagnostics;
};

class Worker {
 public:
  explicit Worker(std::function<void()> wake);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void submit(Settings settings);
  /// The whole-grid run only
  void cancel();
  /// Since the last call
  std::optional<WorkerNews> take();
  void wait(bool whole);

  /// The inspected block of the newest settings is not done
  [[nodiscard]] bool busy() const;
  [[nodiscard]] bool whole_grid_running() const;
  [[nodiscard]] std::uint64_t blocks_done() const { return blocks_done_; }
  [[nodiscard]] std::uint64_t blocks() const { return blocks_; }

 private:
  enum class Stage { waiting, inspecting, whole_grid, done };

  /// An inspected job whose whole grid is still to be run.
  struct GridTask {
    std::unique_ptr<Job> job;
    std::shared_ptr<Picture> inspected;
    std::vector<Diagnostic> diagnostics;
    std::stop_token stop, whole_stop;
  };

  void inspect_loop();
  void grid_loop();
  void work(const Settings& settings, const std::stop_token& stop,
            const std::stop_token& whole_stop);
  void run_grid(GridTask task);
  bool inspect(Job& job, Picture& picture, std::vector<Diagnostic>& diagnostics,
               const std::stop_token& stop);
  WholeGridOptions whole_options(const std::stop_token& stop);
  void publish(std::shared_ptr<Picture> picture, const std::vector<Diagnostic>& diagnostics,
               Stage stage, const std::stop_token& stop);

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Settings> next_;
  std::optional<GridTask> grid_next_;
  std::stop_source stop_, whole_stop_;
  /// Of the newest settings
  Stage stage_ = Stage::done;
  std::optional<WorkerNews> news_;
  std::uint64_t serial_ = 0;
  bool quit_ = false;
  std::atomic<std::uint64_t> blocks_done_{0}, blocks_{0};
  /// Last, so that everything they use outlives them
  std::jthread inspect_thread_, grid_thread_;
};

}  // namespace lanescope::app

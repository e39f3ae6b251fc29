// What compiles and runs in the background: one thread for the inspected block, one behind it for the
// whole grid, so that a grid being given up never delays the next picture.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/picture/picture.h"
#include "core/run/prepare.h"
#include "core/run/whole_grid.h"
#include "core/tasks/latest.h"

namespace lanescope::app {

/// What came of the newest settings so far.
struct PictureNews {
  /// Null: these settings failed, or nothing is done yet
  PicturePtr picture;
  std::vector<Diagnostic> diagnostics;
};

/// Used from one thread, the session's; only `wake` is called from others.
class PictureWorker {
 public:
  explicit PictureWorker(std::function<void()> wake);
  ~PictureWorker();
  PictureWorker(const PictureWorker&) = delete;
  PictureWorker& operator=(const PictureWorker&) = delete;

  void submit(Settings settings);
  /// The whole-grid run only
  void cancel();
  /// Everything: there is nothing to take any more.
  void abandon();
  /// Since the last call
  std::optional<PictureNews> take();
  /// Frees what is no longer shown, on a thread of its own: a large block's journey takes milliseconds.
  void let_go(PicturePtr picture);
  void wait(bool whole);

  /// The inspected block of the newest settings is not done
  [[nodiscard]] bool busy() const { return inspector_.busy(); }
  [[nodiscard]] bool whole_grid_running() const { return !busy() && grid_runner_.busy(); }
  [[nodiscard]] std::uint64_t blocks_done() const { return blocks_done_; }
  [[nodiscard]] std::uint64_t blocks() const { return blocks_; }

 private:
  struct Inspection {
    Settings settings;
    /// Of the whole-grid run that follows
    std::stop_token whole_stop;
  };
  /// An inspected launch whose whole grid is still to be run.
  struct GridTask {
    std::unique_ptr<ReadyLaunch> ready;
    std::shared_ptr<Picture> inspected;
    std::vector<Diagnostic> diagnostics;
    std::stop_token stop;
  };
  using Inspector = Latest<Inspection, PictureNews>;
  using GridRunner = Latest<GridTask, PictureNews>;
  using Disposer = Latest<std::vector<PicturePtr>>;

  PictureNews inspect(const Inspection& asked, const std::stop_token& stop);
  std::optional<PictureNews> run_grid(GridTask task, const GridRunner::Turn& turn);
  WholeGridOptions whole_options(const std::stop_token& stop);
  PictureNews news(const std::shared_ptr<Picture>& picture,
                   const std::vector<Diagnostic>& diagnostics);

  std::function<void()> wake_;
  /// Of the newest settings
  std::stop_source whole_stop_;
  std::atomic<std::uint64_t> serial_{0}, blocks_done_{0}, blocks_{0};
  Disposer disposer_{
      [](const std::vector<PicturePtr>&, const Disposer::Turn&) { return std::nullopt; }};
  /// Last, so that everything they use outlives them; the first hands over to the second.
  GridRunner grid_runner_;
  Inspector inspector_;
};

}  // namespace lanescope::app

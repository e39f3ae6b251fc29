// What a person works on, the UI-free core of the program: settings with undo, the last good picture,
// the selection, and what is found out in the background. The GUI, the tests and `render` drive it
// alike. A session file (core/files/session_file.h) keeps one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/compare/compare.h"
#include "core/kernel/catalog.h"
#include "core/lab/lab_worker.h"
#include "core/launch/launch_survey.h"
#include "core/picture/picture.h"
#include "core/picture/selection.h"
#include "core/program/program_runner.h"
#include "core/session/action.h"
#include "core/session/history.h"
#include "core/sweep/sweep.h"
#include "core/timing/timing.h"
#include "core/why/advice.h"

namespace lanescope::app {

struct Background;
struct PictureNews;
class PictureWorker;

/// What is being compiled and run; for the status bar.
struct SessionStatus {
  /// Compiling or running the inspected block
  bool busy = false;
  bool whole_grid_running = false;
  /// Of the whole-grid run
  std::uint64_t blocks_done = 0, blocks = 0;
  /// The newest settings failed: the picture is the last good one, draw it dimmed
  bool stale = false;
};

class Session {
 public:
  /// `wake` is called from other threads whenever something new can be polled; may be empty.
  /// `gpu`: what times kernels; null where there is nothing to time with. `programs`: what runs whole
  /// programs; null where they are not run.
  explicit Session(Catalog catalog, std::function<void()> wake = {},
                   std::shared_ptr<GpuService> gpu = nullptr,
                   std::shared_ptr<ProgramService> programs = nullptr);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] const Catalog& catalog() const { return catalog_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] const Selection& selection() const { return selection_; }
  /// Last good one; null before the first
  [[nodiscard]] PicturePtr picture() const { return picture_; }
  /// Of the newest settings
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  [[nodiscard]] SessionStatus status() const;
  /// The newest that RequestAdvice led to, perhaps unfinished, perhaps of older settings; or null.
  [[nodiscard]] AdvicePtr advice() const;
  /// How a text without front matter might be launched, or null; perhaps of an older text.
  [[nodiscard]] LaunchSurveyPtr survey() const;

  /// The other side of a comparison; null when there is none.
  [[nodiscard]] const Comparison* comparison() const;
  /// The settings before the last change that shows in the numbers; null when there are none.
  [[nodiscard]] const Settings* previous() const { return history_.previous(settings_); }
  /// What ShowTiming led to; null before the first.
  [[nodiscard]] TimingPtr timing() const;

  /// The newest that StartSweep led to, perhaps unfinished; or null.
  [[nodiscard]] SweepPtr sweep() const;

  /// The program that the text belongs to, and what its runs have shown.
  [[nodiscard]] const ProgramStatus& program() const;

  /// The lab's exercises; without them, there are none.
  void use_lab(LabPtr lab);
  /// The exercises, and how far the text is an answer to one of them.
  [[nodiscard]] const LabStatus& lab() const;

  /// Replaces the settings (undoable) and starts the work off-thread; older work still running is
  /// cancelled.
  void apply(Settings settings);
  /// Applies one action of a view. Returns false if it changed nothing.
  bool apply(const Action& action);
  /// The settings, and the selection as soon as their picture is there.
  void restore(Settings settings, const Selection& selection);
  /// The text is a file of another name from now on; what can be undone belongs to it too.
  void rename(const std::string& name, const std::string& file);
  [[nodiscard]] bool can_undo() const { return history_.can_undo(); }
  [[nodiscard]] bool can_redo() const { return history_.can_redo(); }

  /// Takes over finished work; call once a frame from the owning thread. True if something changed.
  bool poll();
  /// Blocks until nothing is left to do for the newest settings, then polls. `whole` waits for the
  /// whole-grid runs, for advice and for the rows of Timing as well, not for measuring.
  void wait(bool whole = false);
  /// Clears the per-frame hover; call at the start of a frame, before views are drawn.
  void begin_frame();
  /// Stops the whole-grid run; the inspected block's picture stays.
  void cancel();

 private:
  struct Act;

  bool change(Settings next, const std::string& of, bool held = false);
  bool open(const std::string& name);
  void start(Settings next);
  void follow();
  void take_news(PictureNews news);
  void take_picture(PicturePtr news);
  bool show_launch();
  void wait_for_run();
  void gather_diagnostics();
  void select_restored();
  bool show_mistake(const Diagnostic& mistake);
  bool go_to(const Cell& cell);
  bool look_in_next_block(bool held);
  void follow_sought();
  bool compare_with(Settings other);

  Catalog catalog_;
  Settings settings_;
  Selection selection_;
  PicturePtr picture_;
  std::vector<Diagnostic> diagnostics_;
  /// Those of them that the picture's launch has
  std::vector<Diagnostic> picture_diagnostics_;
  bool stale_ = false;
  /// For the picture of these settings
  std::optional<std::pair<Settings, Selection>> restored_;
  /// To be gone to in the picture of these settings
  std::optional<std::pair<Settings, Diagnostic>> mistake_;
  /// An element that is gone to, and the blocks that have not been asked yet whether they touch it
  struct Sought {
    /// Of the picture that is waited for
    Settings settings;
    Cell cell;
    std::vector<Dim3> blocks;
  };
  std::optional<Sought> sought_;
  History history_;
  /// What it works on
  std::unique_ptr<PictureWorker> worker_;
  /// And what goes on beside it
  std::unique_ptr<Background> background_;
};

}  // namespace lanescope::app

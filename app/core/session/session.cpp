#include "core/session/session.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/compare/comparer.h"
#include "core/kernel/front_matter.h"
#include "core/picture/navigate.h"
#include "core/picture/worker.h"
#include "core/run/job.h"
#include "core/sweep/sweeper.h"
#include "core/timing/bencher.h"
#include "core/why/adviser.h"

namespace lanescope::app {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kOneGesture =
    std::chrono::milliseconds(500);  // changes of one thing closer than this undo together
constexpr std::size_t kUndoDepth = 200;

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

// What an edit of the text has done away with must not linger as an override that nobody can see.
void drop_unknown(Settings& settings) {
  const FrontMatterResult parsed = parse_front_matter(settings.file, settings.text);
  if (!parsed.front_matter) return;
  const FrontMatter& matter = *parsed.front_matter;
  std::erase_if(settings.parameters, [&](const auto& item) {
    return std::none_of(matter.parameters.begin(), matter.parameters.end(),
                        [&](const TunableParameter& p) { return p.name == item.first; });
  });
  std::erase_if(settings.arguments, [&](const auto& item) {
    return std::none_of(matter.arguments.begin(), matter.arguments.end(),
                        [&](const ArgumentSpec& a) { return a.name == item.first; });
  });
}

// A block given by hand holds its parameters fast; who moves one of them lets go of it.
void set_parameter(Settings& settings, const std::string& name, const std::string& value) {
  settings.parameters[name] = value;
  if (!settings.block) return;
  const FrontMatterResult parsed = parse_front_matter(settings.file, settings.text);
  if (!parsed.front_matter) return;
  const std::vector<std::string> bound = block_parameters(*parsed.front_matter);
  if (std::find(bound.begin(), bound.end(), name) == bound.end()) return;
  const std::uint32_t extents[] = {settings.block->x, settings.block->y, settings.block->z};
  for (std::size_t axis = 0; axis < bound.size(); ++axis) {
    if (!bound[axis].empty() && bound[axis] != name)
      settings.parameters[bound[axis]] = std::to_string(extents[axis]);
  }
  settings.block.reset();
}

}  // namespace

struct Session::Impl {
  Impl(Catalog all, const std::function<void()>& wake, std::shared_ptr<GpuService> gpu)
      : catalog(std::move(all)), worker(wake), adviser(catalog, wake), surveyor(wake),
        comparer(wake), sweeper(wake),
        bencher(catalog, {std::move(gpu), default_measurement_folder(), wake}) {}

  Catalog catalog;
  Settings settings;
  Selection selection;
  PicturePtr picture;
  std::vector<Diagnostic> diagnostics;
  bool stale = false;

  /// For the picture of these settings
  std::optional<std::pair<Settings, Selection>> restored;

  std::vector<Settings> undo, redo;
  /// What the last change was of: "parameter PAD"
  std::string gesture;
  Clock::time_point gesture_time{};
  AdvicePtr advice;
  LaunchSurveyPtr survey;
  Worker worker;
  Adviser adviser;
  LaunchSurveyor surveyor;
  Comparer comparer;
  SweepPtr sweep;
  Sweeper sweeper;
  TimingPtr timing;
  Bencher bencher;

  void start(Settings next) {
    settings = std::move(next);
    adviser.cancel();
    surveyor.submit(settings);
    worker.submit(settings);
    comparer.look_at_block(settings.inspected_block);
  }

  bool change(Settings next, const std::string& of) {
    if (next == settings) return false;
    const Clock::time_point now = Clock::now();
    const bool same_gesture =
        !of.empty() && of == gesture && now - gesture_time < kOneGesture && !undo.empty();
    if (!same_gesture && !settings.text.empty()) {
      undo.push_back(settings);
      if (undo.size() > kUndoDepth) undo.erase(undo.begin());
    }
    redo.clear();
    gesture = of;
    gesture_time = now;
    start(std::move(next));
    return true;
  }

  bool travel(std::vector<Settings>& from, std::vector<Settings>& to) {
    if (from.empty()) return false;
    to.push_back(settings);
    Settings next = std::move(from.back());
    from.pop_back();
    gesture.clear();
    start(std::move(next));
    return true;
  }

  void rename(const std::string& name, const std::string& file) {
    const std::string old = settings.file;
    const auto entitle = [&](Settings& s) {
      s.name = name;
      s.file = file;
    };
    for (auto it = undo.rbegin(); it != undo.rend() && it->file == old; ++it) entitle(*it);
    for (auto it = redo.rbegin(); it != redo.rend() && it->file == old; ++it) entitle(*it);
    Settings next = settings;
    entitle(next);
    if (next != settings) start(std::move(next));
  }

  bool open(const std::string& name) {
    OpenResult opened = open_kernel(catalog, name);
    if (opened.settings) return change(std::move(*opened.settings), "");
    diagnostics = std::move(opened.diagnostics);
    return true;
  }

  template <class Edit>
  bool edit(const std::string& of, Edit what) {
    Settings next = settings;
    what(next);
    return change(std::move(next), of);
  }

  bool hover(int lane, std::optional<Cell> cell) {
    const bool changed = selection.hover_lane != lane || selection.hover_cell != cell;
    selection.hover_lane = lane;
    selection.hover_cell = cell;
    return changed;
  }

  // A pinned lane and a pinned cell would contradict each other: the newer one stays.
  bool pin(int lane, std::optional<Cell> cell) {
    if (lane < -1 || lane >= kLanes || (selection.lane == lane && selection.cell == cell))
      return false;
    selection.lane = lane;
    selection.cell = cell;
    return true;
  }

  bool ask() {
    if (!picture || stale || selection.access < 0) return false;
    adviser.submit({picture, selection});
    return true;
  }

  bool time(const TimingAction& action) {
    std::visit(Overloaded{[&](const ShowTiming& a) { bencher.show(a.query); },
                          [&](const MeasureLaunches& a) { bencher.measure(a.launches); },
                          [&](const CancelMeasuring&) { bencher.cancel(); }},
               action);
    return true;
  }

  void select_restored() {
    if (!restored || !picture || picture->settings != restored->first) return;
    selection = restored_selection(*picture, restored->second);
    restored.reset();
  }

  const Settings* previous() const {
    const auto found = std::find_if(undo.rbegin(), undo.rend(), [&](Settings before) {
      before.inspected_block = settings.inspected_block;
      return before != settings;
    });
    return found == undo.rend() ? nullptr : &*found;
  }

  bool compare_with(Settings other) {
    if (other.text.empty()) return false;
    other.inspected_block = settings.inspected_block;
    comparer.start(std::move(other));
    return true;
  }

  bool compare_with_kernel(const std::string& name) {
    OpenResult opened = open_kernel(catalog, name);
    if (opened.settings) return compare_with(std::move(*opened.settings));
    diagnostics = std::move(opened.diagnostics);
    return true;
  }

  bool swap_comparison() {
    const Comparison* comparison = comparer.comparison();
    if (!comparison) return false;
    Settings other = comparison->settings;
    comparer.start(settings);
    return change(std::move(other), "");
  }

  void take(WorkerNews news) {
    diagnostics = std::move(news.diagnostics);
    stale = !news.picture && picture;
    if (!news.picture) return;
    // The whole grid's results come with the same trace: nothing moves then.
    const bool same_run = picture && picture->program == news.picture->program &&
                          picture->settings == news.picture->settings;
    if (!picture) {
      selection = default_selection(*news.picture);
    } else if (!same_run) {
      selection = relocate(*picture, selection, *news.picture);
    }
    picture = std::move(news.picture);
    select_restored();
  }

  bool apply(const Action& action) {
    const bool changed = act(action);
    if (changed) comparer.follow(picture.get(), selection);
    return changed;
  }

  bool act(const Action& action) {
    const auto with = [&](auto what) { return picture && what(*picture); };
    return std::visit(
        Overloaded{
            [&](const SelectKernel& a) { return open(a.name); },
            [&](const SetParameter& a) {
              return edit("parameter " + a.name,
                          [&](Settings& s) { set_parameter(s, a.name, a.value); });
            },
            [&](const SetArgument& a) {
              return edit("argument " + a.name,
                          [&](Settings& s) { s.arguments[a.name] = a.value; });
            },
            [&](const SetInspectedBlock& a) {
              return edit("block", [&](Settings& s) { s.inspected_block = a.block; });
            },
            [&](const SetText& a) {
              return edit("text", [&](Settings& s) {
                s.text = a.text;
                drop_unknown(s);
              });
            },
            [&](const SelectWarp& a) {
              return with([&](const Picture& p) { return select_warp(p, selection, a.warp); });
            },
            [&](const SelectStep& a) {
              return with([&](const Picture& p) { return select_step(p, selection, a.step); });
            },
            [&](const SelectAccess& a) {
              return with([&](const Picture& p) { return select_access(p, selection, a.access); });
            },
            [&](const SelectLane& a) { return pin(a.lane, std::nullopt); },
            [&](const SelectCell& a) { return pin(-1, a.cell); },
            [&](const HoverLane& a) {
              return a.lane >= 0 && a.lane < kLanes && hover(a.lane, std::nullopt);
            },
            [&](const HoverCell& a) { return hover(-1, a.cell); },
            [&](const MoveStep& a) {
              return with([&](const Picture& p) { return move_step(p, selection, a.move); });
            },
            [&](const UseSettings& a) { return change(a.settings, ""); },
            [&](const RequestAdvice&) { return ask(); },
            [&](const SetComparison& a) { return compare_with(a.settings); },
            [&](const CompareWithKernel& a) { return compare_with_kernel(a.name); },
            [&](const CompareWithParameter& a) {
              Settings other = settings;
              set_parameter(other, a.name, a.value);
              return compare_with(std::move(other));
            },
            [&](const CompareWithPrevious&) {
              const Settings* before = previous();
              return before && compare_with(*before);
            },
            [&](const PinForComparison&) { return compare_with(settings); },
            [&](const SwapComparison&) { return swap_comparison(); },
            [&](const ClearComparison&) { return comparer.clear(); },
            [&](const LinkComparison& a) {
              const bool changed = comparer.link(a.linked);
              comparer.look_at_block(settings.inspected_block);
              return changed;
            },
            [&](const MoveComparison& a) { return comparer.move(a.move); },
            [&](const StartSweep& a) {
              if (a.plan) sweeper.submit({a.plan, a.plan->find(settings).value_or(0)});
              return a.plan != nullptr;
            },
            [&](const CancelSweep&) { return sweeper.cancel(), true; },
            [&](const Undo&) { return travel(undo, redo); },
            [&](const Redo&) { return travel(redo, undo); },
            [&](const ResetLayout&) { return false; },  // the window's own business
            [&](const FileAction&) { return false; },   // done by Files
            [&](const TimingAction& a) { return time(a); },
        },
        action);
  }
};

Session::Session(Catalog catalog, std::function<void()> wake, std::shared_ptr<GpuService> gpu)
    : impl_(std::make_unique<Impl>(std::move(catalog), wake, std::move(gpu))) {}
Session::~Session() = default;

const Catalog& Session::catalog() const { return impl_->catalog; }
const Settings& Session::settings() const { return impl_->settings; }
const Selection& Session::selection() const { return impl_->selection; }
PicturePtr Session::picture() const { return impl_->picture; }
const std::vector<Diagnostic>& Session::diagnostics() const { return impl_->diagnostics; }

SessionStatus Session::status() const {
  SessionStatus status;
  status.busy = impl_->worker.busy();
  status.whole_grid_running = impl_->worker.whole_grid_running();
  status.blocks_done = impl_->worker.blocks_done();
  status.blocks = impl_->worker.blocks();
  status.stale = impl_->stale;
  return status;
}

AdvicePtr Session::advice() const { return impl_->advice; }
LaunchSurveyPtr Session::survey() const { return impl_->survey; }
SweepPtr Session::sweep() const { return impl_->sweep; }
const Comparison* Session::comparison() const { return impl_->comparer.comparison(); }
const Settings* Session::previous() const { return impl_->previous(); }
TimingPtr Session::timing() const { return impl_->timing; }

void Session::apply(Settings settings) { impl_->change(std::move(settings), ""); }
bool Session::apply(const Action& action) { return impl_->apply(action); }
void Session::restore(Settings settings, const Selection& selection) {
  impl_->restored = {settings, selection};
  if (!impl_->change(std::move(settings), "")) impl_->select_restored();
}
void Session::rename(const std::string& name, const std::string& file) {
  impl_->rename(name, file);
}
bool Session::can_undo() const { return !impl_->undo.empty(); }
bool Session::can_redo() const { return !impl_->redo.empty(); }

bool Session::poll() {
  LaunchSurveyPtr survey = impl_->surveyor.take();
  if (survey) impl_->survey = survey;
  AdvicePtr advice = impl_->adviser.take();
  if (advice) impl_->advice = advice;
  auto news = impl_->worker.take();
  if (news) impl_->take(std::move(*news));
  SweepPtr sweep = impl_->sweeper.take();
  if (sweep) impl_->sweep = sweep;
  const bool compared = impl_->comparer.poll();
  impl_->comparer.follow(impl_->picture.get(), impl_->selection);
  TimingPtr timing = impl_->bencher.take();
  if (timing) impl_->timing = timing;
  return news || compared || advice || survey || sweep || timing;
}

void Session::wait(bool whole) {
  impl_->worker.wait(whole);
  impl_->comparer.wait(whole);
  if (whole) impl_->adviser.wait();
  if (whole) impl_->surveyor.wait();
  if (whole) impl_->sweeper.wait();
  if (whole) impl_->bencher.wait();
  poll();
}

void Session::begin_frame() {
  impl_->selection.hover_lane = -1;
  impl_->selection.hover_cell.reset();
  impl_->comparer.follow(impl_->picture.get(), impl_->selection);
}

void Session::cancel() { impl_->worker.cancel(); }

}  // namespace lanescope::app

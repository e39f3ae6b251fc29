#include "core/session/session.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/kernel/front_matter.h"
#include "core/picture/navigate.h"
#include "core/picture/picture_worker.h"
#include "core/places/owner_block.h"
#include "core/places/places.h"
#include "core/run/prepare.h"
#include "core/session/background.h"

namespace lanescope::app {

namespace {

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

Session::Session(Catalog catalog, std::function<void()> wake, std::shared_ptr<GpuService> gpu,
                 std::shared_ptr<ProgramService> programs)
    : catalog_(std::move(catalog)), worker_(std::make_unique<PictureWorker>(wake)),
      background_(
          std::make_unique<Background>(catalog_, wake, std::move(gpu), std::move(programs))) {}
Session::~Session() = default;

// --- what is asked for ---

// Does one action; false if it changes nothing. One function for each, by what they are about.
struct Session::Act {
  Session& session;
  Background& background;

  // Settings: each change can be undone, and runs anew.
  bool operator()(const SelectKernel& a) const { return session.open(a.name); }
  bool operator()(const UseSettings& a) const { return session.change(a.settings, ""); }
  bool operator()(const SetParameter& a) const {
    return edit(
        "parameter " + a.name, [&](Settings& s) { set_parameter(s, a.name, a.value); }, a.held);
  }
  bool operator()(const SetArgument& a) const {
    return edit("argument " + a.name, [&](Settings& s) { s.arguments[a.name] = a.value; });
  }
  bool operator()(const SetInspectedBlock& a) const {
    return edit(
        "block", [&](Settings& s) { s.inspected_block = a.block; }, a.held);
  }
  bool operator()(const SetText& a) const {
    return edit("text", [&](Settings& s) {
      s.text = a.text;
      drop_unknown(s);
    });
  }
  bool operator()(const Undo&) const { return travel(session.history_.undo(session.settings_)); }
  bool operator()(const Redo&) const { return travel(session.history_.redo(session.settings_)); }

  // The selection: what is looked at of the picture.
  bool operator()(const SelectWarp& a) const { return select(select_warp, a.warp); }
  bool operator()(const SelectStep& a) const { return select(select_step, a.step); }
  bool operator()(const SelectAccess& a) const { return select(select_access, a.access); }
  bool operator()(const MoveStep& a) const {
    // A pinned element is followed: its next access may be another warp's.
    const bool forward = a.move == StepMove::next_access;
    if (session.picture_ && session.selection_.cell &&
        (forward || a.move == StepMove::previous_access))
      return move_link(*session.picture_, session.selection_, forward);
    return select(move_step, a.move);
  }
  bool operator()(const SelectLane& a) const { return pin(a.lane, std::nullopt); }
  bool operator()(const SelectCell& a) const { return pin(-1, a.cell); }
  bool operator()(const GoToCell& a) const { return session.picture_ && session.go_to(a.cell); }
  bool operator()(const ShowMistake& a) const { return session.show_mistake(a.diagnostic); }
  bool operator()(const HoverLane& a) const {
    return a.lane >= 0 && a.lane < kLanes && hover(a.lane, std::nullopt);
  }
  bool operator()(const HoverCell& a) const { return hover(-1, a.cell); }

  // Another kernel or setting beside it.
  bool operator()(const SetComparison& a) const { return session.compare_with(a.settings); }
  bool operator()(const CompareWithKernel& a) const {
    OpenResult opened = open_kernel(session.catalog_, a.name);
    if (opened.settings) return session.compare_with(std::move(*opened.settings));
    session.diagnostics_ = std::move(opened.diagnostics);
    return true;
  }
  bool operator()(const CompareWithParameter& a) const {
    Settings other = session.settings_;
    set_parameter(other, a.name, a.value);
    return session.compare_with(std::move(other));
  }
  bool operator()(const CompareWithPrevious&) const {
    const Settings* before = session.previous();
    return before && session.compare_with(*before);
  }
  bool operator()(const PinForComparison&) const { return session.compare_with(session.settings_); }
  bool operator()(const SwapComparison&) const {
    const Comparison* comparison = background.comparer.comparison();
    if (!comparison) return false;
    Settings other = comparison->settings;
    background.comparer.start(session.settings_);
    return session.change(std::move(other), "");
  }
  bool operator()(const ClearComparison&) const { return background.comparer.clear(); }
  bool operator()(const LinkComparison& a) const {
    const bool changed = background.comparer.link(a.linked);
    background.comparer.look_at_block(session.settings_.inspected_block);
    return changed;
  }
  bool operator()(const MoveComparison& a) const { return background.comparer.move(a.move); }

  // What takes longer: advice, a sweep, times.
  bool operator()(const RequestAdvice&) const {
    if (!session.picture_ || session.stale_ || session.selection_.access < 0) return false;
    background.adviser.submit({session.picture_, session.selection_});
    return true;
  }
  bool operator()(const StartSweep& a) const {
    if (a.plan) background.sweeps.submit({a.plan, a.plan->find(session.settings_).value_or(0)});
    return a.plan != nullptr;
  }
  bool operator()(const CancelSweep&) const { return background.sweeps.cut_short(), true; }
  bool operator()(const TimingAction& action) const { return std::visit(*this, action); }
  bool operator()(const ShowTiming& a) const {
    return background.timing_worker.show(a.query), true;
  }
  bool operator()(const MeasureLaunches& a) const {
    return background.timing_worker.measure(a.launches), true;
  }
  bool operator()(const CancelMeasuring&) const { return background.timing_worker.cancel(), true; }

  // Whole programs.
  bool operator()(const ProgramAction& action) const { return std::visit(*this, action); }
  bool operator()(const RunProgram& a) const {
    return background.programs.run(session.settings_, a.launch);
  }
  bool operator()(const StopProgram&) const { return background.programs.stop(); }
  bool operator()(const ShowLaunch& a) const {
    return background.programs.show(session.settings_, a.number);
  }
  bool operator()(const SetProgramInput& a) const {
    return background.programs.set_input(session.settings_, a.input);
  }

  // Not the session's.
  bool operator()(const ResetLayout&) const { return false; }   // the window's own business
  bool operator()(const FileAction&) const { return false; }    // done by Files
  bool operator()(const LessonAction&) const { return false; }  // done by Classroom

 private:
  template <class Edit>
  bool edit(const std::string& of, Edit what, bool held = false) const {
    Settings next = session.settings_;
    what(next);
    return session.change(std::move(next), of, held);
  }

  bool travel(std::optional<Settings> next) const {
    if (next) session.start(std::move(*next));
    return next.has_value();
  }

  template <class To>
  bool select(bool (*move)(const Picture&, Selection&, To), To to) const {
    return session.picture_ && move(*session.picture_, session.selection_, to);
  }

  bool hover(int lane, std::optional<Cell> cell) const {
    Selection& selection = session.selection_;
    const bool changed = selection.hover_lane != lane || selection.hover_cell != cell;
    selection.hover_lane = lane;
    selection.hover_cell = cell;
    return changed;
  }

  // A pinned lane and a pinned cell would contradict each other: the newer one stays.
  bool pin(int lane, std::optional<Cell> cell) const {
    Selection& selection = session.selection_;
    if (lane < -1 || lane >= kLanes || (selection.lane == lane && selection.cell == cell))
      return false;
    session.sought_.reset();
    selection.lane = lane;
    selection.cell = cell;
    selection.race.reset();
    return true;
  }
};

bool Session::apply(const Action& action) {
  const bool changed = std::visit(Act{*this, *background_}, action);
  if (changed) follow();
  return changed;
}

void Session::apply(Settings settings) { change(std::move(settings), ""); }

void Session::restore(Settings settings, const Selection& selection) {
  restored_ = {settings, selection};
  if (!change(std::move(settings), "")) select_restored();
}

void Session::rename(const std::string& name, const std::string& file) {
  history_.rename(settings_.file, name, file);
  Settings next = settings_;
  next.name = name;
  next.file = file;
  if (next != settings_) start(std::move(next));
}

bool Session::change(Settings next, const std::string& of, bool held) {
  if (next == settings_) return false;
  history_.remember(settings_, of, History::Clock::now(), held);
  start(std::move(next));
  return true;
}

bool Session::open(const std::string& name) {
  OpenResult opened = open_kernel(catalog_, name);
  if (opened.settings) return change(std::move(*opened.settings), "");
  diagnostics_ = std::move(opened.diagnostics);
  return true;
}

void Session::start(Settings next) {
  settings_ = std::move(next);
  if (sought_ && sought_->settings != settings_) sought_.reset();
  background_->adviser.cancel();  // its advice was about the older ones
  background_->survey_launch_of(settings_);
  background_->programs.follow(settings_);
  background_->lab.follow(settings_);
  if (program().waits)
    wait_for_run();
  else
    worker_->submit(settings_);
  background_->comparer.look_at_block(settings_.inspected_block);
}

// There is nothing to see of a program, not even what is wrong with a launch that nobody asked for.
void Session::wait_for_run() {
  worker_->abandon();
  take_news({});
}

bool Session::compare_with(Settings other) {
  if (other.text.empty()) return false;
  other.inspected_block = settings_.inspected_block;
  background_->comparer.start(std::move(other));
  return true;
}

void Session::begin_frame() {
  selection_.hover_lane = -1;
  selection_.hover_cell.reset();
  follow();
}

void Session::follow() { background_->comparer.follow(picture_.get(), selection_); }

void Session::cancel() { worker_->cancel(); }

// --- what came of it ---

bool Session::poll() {
  auto news = worker_->take();
  const bool any = news.has_value();
  if (news) take_news(std::move(*news));
  bool changed = background_->poll(settings_);
  if (changed) gather_diagnostics();
  changed |= show_launch();
  follow();
  return any || changed;
}

void Session::take_news(PictureNews news) {
  picture_diagnostics_ = std::move(news.diagnostics);
  gather_diagnostics();
  // Another file's picture must not pass for this one's.
  if (!news.picture && picture_ && picture_->prepared->settings.file != settings_.file) {
    worker_->let_go(std::move(picture_));
    selection_ = {};
  }
  stale_ = !news.picture && picture_;
  if (news.picture) take_picture(std::move(news.picture));
}

// What keeps the program from running is wrong with its text, whatever is looked at.
void Session::gather_diagnostics() {
  diagnostics_ = picture_diagnostics_;
  const ProgramRunPtr run = program().run;
  if (!run || run->running || run->result.started) return;
  for (const Diagnostic& d : run->result.diagnostics) {
    const bool known =
        std::any_of(diagnostics_.begin(), diagnostics_.end(), [&](const Diagnostic& other) {
          return other.line == d.line && other.column == d.column &&
                 other.message.english() == d.message.english();
        });
    if (!known && (d.file == settings_.file || d.line == 0)) diagnostics_.push_back(d);
  }
}

// A newer run's is the same to the user: it is nothing that he could want to undo.
bool Session::show_launch() {
  auto shown = background_->programs.take_launch(settings_);
  if (!shown) return false;
  // A selection that waits for the picture of the program waits for this one.
  if (restored_ && restored_->first == settings_) restored_->first = shown->settings;
  if (!shown->again) return change(std::move(shown->settings), "");
  start(std::move(shown->settings));
  return true;
}

void Session::take_picture(PicturePtr news) {
  // The whole grid's results come with the same trace: nothing moves then.
  const bool same_run = picture_ && picture_->prepared->program == news->prepared->program &&
                        picture_->prepared->settings == news->prepared->settings;
  if (!picture_) {
    selection_ = default_selection(*news);
  } else if (!same_run) {
    selection_ = relocate(*picture_, selection_, *news);
  }
  worker_->let_go(std::exchange(picture_, std::move(news)));
  select_restored();
  follow_sought();
  if (!mistake_ || picture_->prepared->settings != mistake_->first) return;
  go_to_mistake(*picture_, selection_, mistake_->second);
  mistake_.reset();
}

void Session::select_restored() {
  if (!restored_ || !picture_ || picture_->prepared->settings != restored_->first) return;
  selection_ = restored_selection(*picture_, restored_->second);
  restored_.reset();
}

bool Session::show_mistake(const Diagnostic& mistake) {
  if (!picture_) return false;
  const bool elsewhere = mistake.block && *mistake.block != settings_.inspected_block;
  if (!elsewhere) return go_to_mistake(*picture_, selection_, mistake);
  Settings next = settings_;
  next.inspected_block = *mistake.block;
  mistake_ = {next, mistake};
  return change(std::move(next), "block");
}

// Here, or in the block that touches it: one after the other is looked at, the likeliest first.
bool Session::go_to(const Cell& cell) {
  sought_.reset();
  const std::vector<Dim3> blocks =
      touches(*picture_, cell) ? std::vector<Dim3>{} : blocks_that_may_touch(*picture_, cell);
  if (blocks.empty()) return go_to_cell(*picture_, selection_, cell);
  sought_ = {settings_, cell, blocks};
  // Where none of them does, one is back where one was.
  sought_->blocks.push_back(settings_.inspected_block);
  return look_in_next_block(false);
}

bool Session::look_in_next_block(bool held) {
  Settings next = settings_;
  next.inspected_block = sought_->blocks.front();
  sought_->blocks.erase(sought_->blocks.begin());
  sought_->settings = next;
  return change(std::move(next), fmt::format("element {}", sought_->cell.address), held);
}

void Session::follow_sought() {
  if (!sought_ || picture_->prepared->settings != sought_->settings) return;
  const Cell cell = sought_->cell;
  const bool here = touches(*picture_, cell);
  if (!here && !sought_->blocks.empty()) {
    look_in_next_block(true);
    return;
  }
  sought_.reset();
  go_to_cell(*picture_, selection_, cell);
}

void Session::wait(bool whole) {
  // A run may lead to a launch that is shown, and that to a picture.
  do {
    worker_->wait(whole);
    background_->wait(whole);
  } while (poll() && whole);
}

SessionStatus Session::status() const {
  return {worker_->busy(), worker_->whole_grid_running(), worker_->blocks_done(), worker_->blocks(),
          stale_};
}

AdvicePtr Session::advice() const { return background_->advice; }
LaunchSurveyPtr Session::survey() const { return background_->survey; }
SweepPtr Session::sweep() const { return background_->sweep; }
TimingPtr Session::timing() const { return background_->timing; }
const ProgramStatus& Session::program() const { return background_->programs.status(); }
void Session::use_lab(LabPtr lab) { background_->lab.use(std::move(lab), settings_); }
const LabStatus& Session::lab() const { return background_->lab.status(); }
const Comparison* Session::comparison() const { return background_->comparer.comparison(); }

}  // namespace lanescope::app

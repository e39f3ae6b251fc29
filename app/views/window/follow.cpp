#include "views/window/follow.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "imgui.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/exercise/exercise_view.h"
#include "views/program/program_view.h"
#include "views/source/source_view.h"
#include "views/timing/timing_view.h"
#include "views/window/layout.h"
#include "views/window/workspace.h"

namespace lanescope::app {
namespace {

constexpr double kPause = 0.35;  // seconds without a key until errors are told
// Frames after the views were arranged: tabs exist, they have been brought forward, texts are laid
// out.
constexpr int kTabs = 2, kArranged = 3, kLaidOut = 5;

void show_cued(Cue cue) {
  for (const View& view : views()) {
    if (view.cue == cue) show_tab(view.id);
  }
}

bool cued_in_front(Cue cue) {
  return std::any_of(views().begin(), views().end(),
                     [cue](const View& view) { return view.cue == cue && tab_in_front(view.id); });
}

void follow_arrangement(Workspace& workspace) {
  if (workspace.frames == kTabs) show_front_tabs(workspace.layouts.current);
  if (workspace.frames != kLaidOut) return;
  for (const View& view : views()) {
    if (view.settle) view.settle(workspace.states);
  }
}

// Where an access stands in which kernel: a parameter that is changed leaves it where it was.
std::string place_of(const ViewContext& ctx) {
  if (!ctx.picture || !ctx.focus.access) return {};
  const AccessInfo& access = *ctx.focus.access;
  return fmt::format("{}:{}:{}:{}", ctx.picture->prepared->settings.name, access.pos.line,
                     access.pos.column, static_cast<int>(access.op));
}

void follow_access(Workspace& workspace, const ViewContext& ctx) {
  const std::string place = place_of(ctx);
  const bool changed = place != workspace.followed_access;
  if (workspace.frames < kArranged || (!changed && workspace.frames != kArranged)) return;
  const MemorySpace space = ctx.focus.shown ? ctx.focus.shown->space : MemorySpace::generic;
  if (space == MemorySpace::shared && cued_in_front(Cue::global_access))
    show_cued(Cue::shared_access);
  if (space == MemorySpace::global && cued_in_front(Cue::shared_access))
    show_cued(Cue::global_access);
  workspace.followed_access = place;
}

void follow_errors(Workspace& workspace, const ViewContext& ctx) {
  std::size_t errors = 0;
  for (const Diagnostic& d : ctx.diagnostics) errors += d.severity == Severity::error;
  // A program that does not compile says so in its own view.
  if (errors > 0 && !ctx.program.waits &&
      (workspace.known_errors == 0 || workspace.frames == kArranged))
    show_cued(Cue::errors);
  if (errors == 0 && workspace.known_errors > 0 && cued_in_front(Cue::errors))
    show_cued(Cue::no_errors);
  workspace.known_errors = errors;
}

// A program that was opened is offered to be run.
void follow_program(Workspace& workspace, const ViewContext& ctx) {
  if (workspace.frames < kArranged || workspace.followed_program == ctx.program.file) return;
  workspace.followed_program = ctx.program.file;
  if (ctx.program.file.empty()) return;
  for (const View& view : views())
    if (view.cue == Cue::program) workspace.set_open(view.id, true);
  show_cued(Cue::program);
}

// So is what an exercise that was opened asks for.
void follow_exercise(Workspace& workspace, const ViewContext& ctx) {
  note_progress(ctx, state_of<ExerciseState>(workspace));
  const std::string name = ctx.lab.exercise ? ctx.lab.exercise->name : "";
  if (workspace.frames < kArranged || workspace.followed_exercise == name) return;
  workspace.followed_exercise = name;
  Layouts& layouts = workspace.layouts;
  if (name.empty()) {
    if (layouts.current == Preset::exercise) layouts.wanted = workspace.before_exercise;
    return;
  }
  state_of<ExerciseState>(workspace).listing = false;
  if (layouts.current != Preset::exercise) workspace.before_exercise = layouts.current;
  layouts.wanted = Preset::exercise;
  for (const View& view : views())
    if (view.cue == Cue::exercise) workspace.set_open(view.id, true);
  show_cued(Cue::exercise);
}

// What one view asks of another, or of the window.
void follow_wishes(Workspace& workspace) {
  if (std::exchange(state_of<TimingState>(workspace).export_csv, false)) {
    workspace.files.ask = FileDialog::export_view;
    workspace.files.export_view = "timing", workspace.files.export_format = ".csv";
  }
  if (!workspace.show_in_front.empty() && workspace.frames > kTabs) {
    const bool there = workspace.is_open(workspace.show_in_front);
    workspace.set_open(workspace.show_in_front, true);
    // Its tab is there a frame later.
    if (there) show_view(std::exchange(workspace.show_in_front, "").c_str());
  }
  if (workspace.status_bar.show_diagnostics) show_cued(Cue::errors);
  if (const std::uint32_t line = state_of<ProgramState>(workspace).go_to_line)
    state_of<SourceState>(workspace).go_to_line = line;
  if (const std::uint32_t line = state_of<ExerciseState>(workspace).go_to_line)
    state_of<SourceState>(workspace).go_to_line = line;
  if (const std::uint32_t line = state_of<DiagnosticsState>(workspace).go_to_line)
    state_of<SourceState>(workspace).go_to_line = line;
}

}  // namespace

void follow(Workspace& workspace, const ViewContext& ctx) {
  follow_arrangement(workspace);
  follow_access(workspace, ctx);
  follow_errors(workspace, ctx);
  follow_program(workspace, ctx);
  follow_exercise(workspace, ctx);
  follow_wishes(workspace);
}

void hand_over_text(const ViewContext& ctx, Workspace& workspace, Actions& actions) {
  const bool matters = std::any_of(actions.begin(), actions.end(), [](const Action& action) {
    return std::holds_alternative<SelectKernel>(action) ||
           std::holds_alternative<FileAction>(action) ||
           std::holds_alternative<ProgramAction>(action) || std::holds_alternative<Undo>(action);
  });
  if (!matters) return;
  hand_over(ctx, state_of<SourceState>(workspace), actions);
  std::stable_partition(actions.begin(), actions.end(), [](const Action& action) {
    return std::holds_alternative<SetText>(action);
  });
}

bool hold_back_errors(Workspace& workspace, SessionStatus& status) {
  const bool typing = ImGui::GetTime() - state_of<SourceState>(workspace).typed_at < kPause;
  if (!status.stale || !typing) {
    workspace.was_stale = status.stale;
    return false;
  }
  if (workspace.was_stale) return false;
  status.stale = false;
  return true;
}

}  // namespace lanescope::app

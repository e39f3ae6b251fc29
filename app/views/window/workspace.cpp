#include "views/window/workspace.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "core/classroom/classroom.h"
#include "imgui_internal.h"
#include "views/draw/imgui_words.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lesson/lesson_cover.h"
#include "views/lesson/lesson_view.h"
#include "views/lesson/presenter_view.h"
#include "views/window/follow.h"
#include "views/window/keyboard.h"
#include "views/window/layout.h"
#include "views/window/lesson_layout.h"
#include "views/window/menu.h"

namespace lanescope::app {
namespace {

constexpr float kTextSize = 15;       // pixels at scale 1
constexpr int kArranged = 6;          // frames until the views are where they stay
constexpr float kStaleAlpha = 0.42f;  // of pictures that are not of the newest settings

void apply_style(Workspace& workspace) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  apply_theme(workspace.theme());
  style.WindowPadding = {8, 6};
  style.FramePadding = {6, 3};
  style.ItemSpacing = {7, 5};
  style.FrameRounding = 4;
  style.GrabRounding = 3;
  style.TabRounding = 4;
  style.WindowBorderSize = 0;
  style.ScrollbarSize = 12;
  style.SeparatorTextBorderSize = 1;
  style.FrameBorderSize = 1;       // an empty check box must be seen on a projector
  style.TabMinWidthShrink = 1000;  // rather scrolled than cut short
  style.SeparatorTextPadding = {0, 3};
  style.DockingSeparatorSize = 3;
  if (workspace.theme().outlined) style.PopupBorderSize = 1;
  style.ScaleAllSizes(workspace.content_scale * workspace.zoom);
  style.FontSizeBase = kTextSize;
  style.FontScaleDpi = workspace.content_scale;
  style.FontScaleMain = workspace.zoom;
  set_language(workspace.language, workspace.translations);
  translate_imgui();
  for (const View& view : views()) {
    if (view.restyle) view.restyle(workspace.states);
  }
  workspace.styled = true;
}

// Docked windows cover the whole surface, which is cleared in their colour already. Filling it once
// more for the dock space and for each of them is what software OpenGL spends most of a frame on.
struct NoGround {
  explicit NoGround(bool wanted = true) : on(wanted) {
    if (on) ImGui::PushStyleColor(ImGuiCol_WindowBg, IM_COL32(0, 0, 0, 0));
  }
  ~NoGround() {
    if (on) ImGui::PopStyleColor();
  }
  NoGround(const NoGround&) = delete;
  NoGround& operator=(const NoGround&) = delete;
  bool on;
};

bool is_docked(const char* id) {
  const ImGuiWindow* window = ImGui::FindWindowByName((std::string("###") + id).c_str());
  return window && window->DockIsActive && window->DockNode && !window->DockNode->IsFloatingNode();
}

bool begin_view(const View& view, bool& open) {
  const NoGround ground(is_docked(view.id));
  return ImGui::Begin(window_title(view.title, view.id).c_str(), &open,
                      ImGuiWindowFlags_NoCollapse);
}

// What would answer the question that waits stays covered until it is answered.
bool is_covered(const View& view, const ViewContext& ctx) {
  if (!ctx.predicting) return false;
  const std::vector<std::string>& covered = ctx.lessons->shown()->covered;
  return view.tells || std::find(covered.begin(), covered.end(), view.id) != covered.end();
}

void draw_view(const View& view, const ViewContext& ctx, ViewStates& states, Actions& actions) {
  if (is_covered(view, ctx))
    draw_cover(ctx);
  else
    view.draw(ctx, states, actions);
}

void draw_views(Workspace& workspace, const ViewContext& ctx, Actions& actions) {
  for (const View& view : views()) {
    if (!workspace.is_open(view.id)) continue;
    bool open = true;
    if (begin_view(view, open)) draw_view(view, ctx, workspace.states, actions);
    ImGui::End();
    if (!open) workspace.set_open(view.id, false);
    if (ctx.status.stale && view.picture) fade_window(view.id, kStaleAlpha);
  }
}

void draw_only(Workspace& workspace, const ViewContext& ctx, Actions& actions) {
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport.WorkPos);
  ImGui::SetNextWindowSize(viewport.WorkSize);
  const ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoDocking |
                                 ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                 ImGuiWindowFlags_NoBackground;
  ImGui::Begin("###only", nullptr, flags);
  if (const View* view = find_view(workspace.only))
    draw_view(*view, ctx, workspace.states, actions);
  ImGui::End();
}

void draw_status(Workspace& workspace, const ViewContext& ctx, Actions& actions) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(8 * ctx.scale, 3 * ctx.scale));
  const float height = ImGui::GetTextLineHeight() + 8 * ctx.scale;
  const ImGuiWindowFlags flags = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoSavedSettings;
  if (ImGui::BeginViewportSideBar("###status", nullptr, ImGuiDir_Down, height, flags)) {
    draw_status_bar(ctx, workspace.status_bar, actions);
  }
  ImGui::End();
  ImGui::PopStyleVar();
}

void draw_dockspace(Workspace& workspace, const ViewContext& ctx) {
  // Counted up when a view is added, so that it is not left floating beside a remembered layout.
  const ImGuiID dockspace = ImHashStr("lanescope dockspace 2");
  const Preset preset = workspace.layouts.current;
  if (workspace.reset_layout || !ImGui::DockBuilderGetNode(dockspace)) {
    const bool lesson = preset == Preset::lesson;
    for (const View& view : views())
      workspace.set_open(view.id, lesson ? opens_in_lesson(workspace, view.id)
                                         : start_of(view, preset) != kClosed);
    const ImVec2 size = ImGui::GetMainViewport()->WorkSize;
    const ImVec2 units{size.x / ctx.scale, size.y / ctx.scale};
    lesson ? build_lesson_layout(workspace, dockspace, size, units)
           : build_layout(preset, dockspace, size, units);
    workspace.reset_layout = false;
    workspace.frames = 0;
  }
  const NoGround none;
  ImGui::DockSpaceOverViewport(
      dockspace, nullptr,
      static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_NoWindowMenuButton) |
          static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_NoCloseButton));
}

const std::vector<Diagnostic>& no_diagnostics() {
  static const std::vector<Diagnostic> none;
  return none;
}

// What the session has at this moment, kept while the views read it.
struct Known {
  explicit Known(const Session& session)
      : picture(session.picture()), status(session.status()), advice(session.advice()),
        survey(session.survey()), sweep(session.sweep()), timing(session.timing()) {
    const bool of_this_text = survey && survey->asked.text == session.settings().text &&
                              survey->asked.file == session.settings().file;
    if (!of_this_text) survey.reset();
  }

  PicturePtr picture;
  SessionStatus status;
  AdvicePtr advice;
  LaunchSurveyPtr survey;
  SweepPtr sweep;
  TimingPtr timing;
};

ViewContext context_of(Workspace& workspace, const Session& session, const Fonts& fonts,
                       const Known& known, const std::vector<Diagnostic>& diagnostics) {
  return {.catalog = session.catalog(),
          .settings = session.settings(),
          .picture = known.picture.get(),
          .selection = session.selection(),
          .status = known.status,
          .diagnostics = diagnostics,
          .advice = known.advice.get(),
          .comparison = session.comparison(),
          .sweep = known.sweep.get(),
          .previous = session.previous(),
          .timing = known.timing.get(),
          .program = session.program(),
          .lab = session.lab(),
          .can_undo = session.can_undo(),
          .can_redo = session.can_redo(),
          .survey = known.survey.get(),
          .lessons = workspace.lessons,
          .predicting = workspace.lessons && workspace.lessons->predicting(),
          .still = workspace.still,
          .files = workspace.files.status,
          .focus = workspace.focus.update(known.picture.get(), session.selection()),
          .theme = workspace.theme(),
          .fonts = fonts,
          .scale = workspace.content_scale * workspace.zoom,
          .lit = workspace.lit,
          .animating = workspace.animating};
}

void draw_window(Workspace& workspace, const ViewContext& ctx, Actions& actions) {
  handle_keys(ctx, workspace, actions);
  draw_menu(ctx, workspace, actions);
  draw_status(workspace, ctx, actions);
  draw_dockspace(workspace, ctx);
  draw_views(workspace, ctx, actions);
  draw_files(ctx, workspace.files, actions);
  draw_cheat_sheet(ctx, workspace.cheat_sheet);
  draw_command_palette(ctx, workspace, actions);
  draw_tour(ctx, workspace, actions);
  draw_blackout(ctx, state_of<LessonState>(workspace));
  hand_over_text(ctx, workspace, actions);
  follow(workspace, ctx);
}

}  // namespace

bool Workspace::arranged(std::string_view exercise) const {
  const bool follows =
      followed_exercise == exercise && (!lessons || lessons->opened == followed_scene);
  return frames >= kArranged && follows && !layouts.wanted && !reset_layout;
}

void Workspace::set_open(std::string_view view, bool open) {
  if (open == is_open(view)) return;
  if (open) {
    closed.erase(closed.find(view));
  } else {
    closed.emplace(view);
  }
}

Actions draw_presenter_window(Workspace& workspace, const Session& session, const Fonts& fonts) {
  const Known known(session);
  const ViewContext ctx = context_of(workspace, session, fonts, known, session.diagnostics());
  Actions actions;
  draw_presenter_window(ctx, state_of<PresenterState>(workspace), actions);
  return actions;
}

Actions draw_workspace(Workspace& workspace, const Session& session, const Fonts& fonts) {
  follow_lesson(workspace);
  switch_preset(workspace);
  if (!workspace.styled) apply_style(workspace);
  // Arrow keys step through the trace, so they cannot walk from widget to widget.
  ImGui::GetIO().ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
  workspace.lit.clear();
  workspace.animating = false;
  Known known(session);
  const bool in_a_word = hold_back_errors(workspace, known.status);
  const ViewContext ctx = context_of(workspace, session, fonts, known,
                                     in_a_word ? no_diagnostics() : session.diagnostics());
  Actions actions;
  if (!workspace.only.empty()) {
    draw_only(workspace, ctx, actions);
    return actions;
  }
  draw_window(workspace, ctx, actions);
  if (workspace.frames < kArranged || in_a_word) workspace.animating = true;
  ++workspace.frames;
  return actions;
}

}  // namespace lanescope::app

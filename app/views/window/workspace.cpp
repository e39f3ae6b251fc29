#include "views/window/workspace.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "imgui_internal.h"
#include "views/draw/imgui_words.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/window/keyboard.h"
#include "views/window/layout.h"
#include "views/window/menu.h"

namespace lanescope::app {
namespace {

constexpr float kTextSize = 15;       // pixels at scale 1
constexpr double kPause = 0.35;       // seconds without a key until errors are told
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
  // What views have drawn into textures is of the old colours.
  workspace.timeline.serial = workspace.index_map.serial = workspace.source.marked_serial = 0;
  workspace.styled = true;
}

void draw_view(Workspace& workspace, const ViewContext& ctx, std::string_view id,
               Actions& actions) {
  if (id == "source") draw_source(ctx, workspace.source, actions);
  if (id == "index_map") draw_index_map(ctx, workspace.index_map, actions);
  if (id == "banks") draw_banks(ctx, workspace.banks, actions);
  if (id == "sectors") draw_sectors(ctx, workspace.sectors, actions);
  if (id == "lanes") draw_lanes(ctx, workspace.lanes, actions);
  if (id == "parameters") draw_parameters(ctx, workspace.parameters, actions);
  if (id == "timeline") draw_timeline(ctx, workspace.timeline, actions);
  if (id == "diagnostics") draw_diagnostics(ctx, workspace.diagnostics, actions);
  if (id == "sweep") draw_sweep(ctx, workspace.sweep, actions);
  if (id == "timing") draw_timing(ctx, workspace.timing, actions);
  if (id == "compare") draw_compare(ctx, workspace.compare, actions);
  if (id == "why") draw_why(ctx, workspace.why, actions);
}

bool is_picture(std::string_view id) {
  for (const char* other : {"source", "parameters", "diagnostics", "sweep", "timing"})
    if (id == other) return false;
  return true;
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

bool begin_view(const ViewName& view, bool& open) {
  const NoGround ground(is_docked(view.id));
  return ImGui::Begin(window_title(view.title, view.id).c_str(), &open,
                      ImGuiWindowFlags_NoCollapse);
}

void draw_views(Workspace& workspace, const ViewContext& ctx, Actions& actions) {
  for (std::size_t i = 0; i < kViews.size(); ++i) {
    if (!workspace.open[i]) continue;
    const ViewName& view = kViews[i];
    if (begin_view(view, workspace.open[i])) {
      draw_view(workspace, ctx, view.id, actions);
    }
    ImGui::End();
    if (ctx.status.stale && is_picture(view.id)) fade_window(view.id, kStaleAlpha);
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
  draw_view(workspace, ctx, workspace.only, actions);
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
    for (std::size_t i = 0; i < kViews.size(); ++i)
      workspace.open[i] = !starts_closed(preset, kViews[i].id);
    const ImVec2 size = ImGui::GetMainViewport()->WorkSize;
    build_layout(preset, dockspace, size, {size.x / ctx.scale, size.y / ctx.scale});
    workspace.reset_layout = false;
    workspace.frames = 0;
  }
  const NoGround none;
  ImGui::DockSpaceOverViewport(
      dockspace, nullptr,
      static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_NoWindowMenuButton) |
          static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_NoCloseButton));
}

// Brings forward what the user has just made interesting.
void follow(Workspace& workspace, const ViewContext& ctx) {
  const std::uint64_t serial = ctx.picture ? ctx.picture->serial : 0;
  const bool access_changed =
      ctx.selection.access != workspace.followed_access || serial != workspace.followed_serial;
  if (workspace.frames == 2) {
    const std::vector<const char*>& front = front_tabs(workspace.layouts.current);
    for (const char* id : front) show_tab(id);
    ImGui::SetWindowFocus((std::string("###") + front.back()).c_str());
  }
  // By now the text is laid out: the current line is brought into sight again.
  if (workspace.frames == 5) workspace.source.marked_line = 0;
  if ((access_changed || workspace.frames == 3) && workspace.frames >= 3) {
    const MemorySpace space = ctx.focus.shown ? ctx.focus.shown->space : MemorySpace::generic;
    if (space == MemorySpace::shared && tab_in_front("sectors")) show_tab("banks");
    if (space == MemorySpace::global && tab_in_front("banks")) show_tab("sectors");
    workspace.followed_access = ctx.selection.access;
    workspace.followed_serial = serial;
  }
  std::size_t errors = 0;
  for (const Diagnostic& d : ctx.diagnostics) errors += d.severity == Severity::error;
  if (errors > 0 && (workspace.known_errors == 0 || workspace.frames == 3)) show_tab("diagnostics");
  if (errors == 0 && workspace.known_errors > 0) show_tab("timeline");
  workspace.known_errors = errors;
  if (std::exchange(workspace.timing.export_csv, false)) {
    workspace.files.ask = FileDialog::export_view;
    workspace.files.export_view = "timing", workspace.files.export_format = ".csv";
  }
  if (workspace.status_bar.show_diagnostics) show_tab("diagnostics");
  if (workspace.diagnostics.go_to_line)
    workspace.source.go_to_line = workspace.diagnostics.go_to_line;
}

// A text that is still being typed must not be lost to what is asked for in the same moment.
void hand_over_text(const ViewContext& ctx, SourceState& source, Actions& actions) {
  const bool matters = std::any_of(actions.begin(), actions.end(), [](const Action& action) {
    return std::holds_alternative<SelectKernel>(action) ||
           std::holds_alternative<FileAction>(action) || std::holds_alternative<Undo>(action);
  });
  if (!matters) return;
  hand_over(ctx, source, actions);
  std::stable_partition(actions.begin(), actions.end(), [](const Action& action) {
    return std::holds_alternative<SetText>(action);
  });
}

const std::vector<Diagnostic>& no_diagnostics() {
  static const std::vector<Diagnostic> none;
  return none;
}

// Between two keys nearly every text is wrong: that is said when one pauses. What is right shows at
// once.
bool hold_back_errors(Workspace& workspace, SessionStatus& status) {
  const bool typing = ImGui::GetTime() - workspace.source.typed_at < kPause;
  if (!status.stale || !typing) {
    workspace.was_stale = status.stale;
    return false;
  }
  if (workspace.was_stale) return false;
  status.stale = false;
  return true;
}

}  // namespace

Actions draw_workspace(Workspace& workspace, const Session& session, const Fonts& fonts) {
  switch_preset(workspace);
  if (!workspace.styled) apply_style(workspace);
  // Arrow keys step through the trace, so they cannot walk from widget to widget.
  ImGui::GetIO().ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
  Actions actions;
  workspace.lit.clear();
  workspace.animating = false;
  const PicturePtr picture = session.picture();
  SessionStatus status = session.status();
  const bool in_a_word = hold_back_errors(workspace, status);
  const AdvicePtr advice = session.advice();
  const LaunchSurveyPtr survey = session.survey();
  const bool surveyed = survey && survey->asked.text == session.settings().text &&
                        survey->asked.file == session.settings().file;
  const SweepPtr sweep = session.sweep();
  const TimingPtr timing = session.timing();
  const ViewContext ctx{.catalog = session.catalog(),
                        .settings = session.settings(),
                        .picture = picture.get(),
                        .selection = session.selection(),
                        .status = status,
                        .diagnostics = in_a_word ? no_diagnostics() : session.diagnostics(),
                        .advice = advice.get(),
                        .comparison = session.comparison(),
                        .sweep = sweep.get(),
                        .previous = session.previous(),
                        .timing = timing.get(),
                        .can_undo = session.can_undo(),
                        .can_redo = session.can_redo(),
                        .survey = surveyed ? survey.get() : nullptr,
                        .files = workspace.files.status,
                        .focus = workspace.focus.update(picture.get(), session.selection()),
                        .theme = workspace.theme(),
                        .fonts = fonts,
                        .scale = workspace.content_scale * workspace.zoom,
                        .lit = workspace.lit,
                        .animating = workspace.animating};
  if (!workspace.only.empty()) {
    draw_only(workspace, ctx, actions);
    return actions;
  }
  handle_keys(ctx, workspace, actions);
  draw_menu(ctx, workspace, actions);
  draw_status(workspace, ctx, actions);
  draw_dockspace(workspace, ctx);
  draw_views(workspace, ctx, actions);
  draw_files(ctx, workspace.files, actions);
  draw_cheat_sheet(ctx, workspace.cheat_sheet);
  draw_command_palette(ctx, workspace, actions);
  draw_tour(ctx, workspace, actions);
  hand_over_text(ctx, workspace.source, actions);
  follow(workspace, ctx);
  if (workspace.frames < 6 || in_a_word) workspace.animating = true;
  ++workspace.frames;
  return actions;
}

}  // namespace lanescope::app

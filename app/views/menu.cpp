#include "views/menu.h"

#include "imgui.h"
#include "views/tr.h"
#include "views/widgets.h"
#include "views/workspace.h"

namespace lanescope::app {
namespace {

void kernel_menu(const ViewContext& ctx, Actions& actions) {
  std::string family;
  bool open = false;
  for (const CatalogEntry& entry : ctx.catalog.entries) {
    if (entry.family != family) {
      if (open) ImGui::EndMenu();
      family = entry.family;
      open = ImGui::BeginMenu(family.c_str());
    }
    if (!open) continue;
    const std::string& title =
        entry.front_matter.title.empty() ? entry.name : entry.front_matter.title;
    if (ImGui::MenuItem((title + "##" + entry.name).c_str(), nullptr,
                        entry.name == ctx.settings.name)) {
      actions.push_back(SelectKernel{entry.name});
    }
  }
  if (open) ImGui::EndMenu();
  ImGui::Separator();
  if (ImGui::MenuItem(tr("Undo"), "Ctrl+Z", false, ctx.can_undo)) actions.push_back(Undo{});
  if (ImGui::MenuItem(tr("Redo"), "Ctrl+Y", false, ctx.can_redo)) actions.push_back(Redo{});
}

void view_menu(Workspace& workspace) {
  for (std::size_t i = 0; i < kViews.size(); ++i) {
    ImGui::MenuItem(window_title(kViews[i].title, kViews[i].id).c_str(), nullptr,
                    &workspace.open[i]);
  }
  ImGui::Separator();
  ImGui::MenuItem(window_title("Every lane's path", "paths").c_str(), nullptr,
                  &workspace.index_map.paths);
  ImGui::Separator();
  if (ImGui::MenuItem(tr("Dark"), nullptr, workspace.dark))
    workspace.dark = true, workspace.styled = false;
  if (ImGui::MenuItem(tr("Light"), nullptr, !workspace.dark))
    workspace.dark = false, workspace.styled = false;
  if (ImGui::BeginMenu(tr("Size"))) {
    for (int percent : {80, 100, 125, 150, 200}) {
      const float zoom = static_cast<float>(percent) / 100;
      const bool chosen = workspace.zoom > zoom - 0.01f && workspace.zoom < zoom + 0.01f;
      if (ImGui::MenuItem((std::to_string(percent) + " %").c_str(), nullptr, chosen)) {
        workspace.zoom = zoom;
        workspace.styled = false;
      }
    }
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu(window_title("Language", "language").c_str())) {
    for (const auto& [id, name] : {std::pair{"en", "English"}, std::pair{"zh", "中文"}}) {
      if (ImGui::MenuItem(name, nullptr, workspace.language == id))
        workspace.language = id, workspace.styled = false;
    }
    ImGui::EndMenu();
  }
  ImGui::Separator();
  if (ImGui::MenuItem(window_title("Reset layout", "reset").c_str())) workspace.reset_layout = true;
}

void go_menu(Actions& actions) {
  struct Entry {
    const char* title;
    const char* keys;
    StepMove move;
  };
  const Entry entries[] = {{"Step forward", "Right", StepMove::forward},
                           {"Step back", "Left", StepMove::back},
                           {"Next access", "Down", StepMove::next_access},
                           {"Previous access", "Up", StepMove::previous_access},
                           {"Next line", "N", StepMove::next_line},
                           {"Previous line", "P", StepMove::previous_line},
                           {"Next barrier", "B", StepMove::next_barrier},
                           {"Previous barrier", "Shift+B", StepMove::previous_barrier},
                           {"First step", "Home", StepMove::first},
                           {"Last step", "End", StepMove::last}};
  for (const Entry& entry : entries) {
    if (ImGui::MenuItem(tr(entry.title), entry.keys)) actions.push_back(MoveStep{entry.move});
  }
}

void draw_help(const ViewContext& ctx, Workspace& workspace) {
  if (!workspace.help) return;
  ImGui::SetNextWindowSize({440 * ctx.scale, 0}, ImGuiCond_Appearing);
  if (ImGui::Begin(window_title("Keys and colours", "help").c_str(), &workspace.help,
                   ImGuiWindowFlags_NoDocking)) {
    const std::pair<const char*, const char*> keys[] = {
        {"← →", tr("step back, step forward")},
        {"↑ ↓", tr("previous, next access")},
        {"N P", tr("next, previous line")},
        {"B", tr("next barrier")},
        {"Home End", tr("first, last step")},
        {"Space", tr("play")},
        {"[ ]", tr("previous, next warp")},
        {"Ctrl+Z Ctrl+Y", tr("undo, redo")},
        {"Esc", tr("leave the text; let go of the lane")}};
    for (const auto& [key, meaning] : keys) {
      ImGui::TextUnformatted(key);
      ImGui::SameLine(130 * ctx.scale);
      ImGui::TextUnformatted(meaning);
    }
    ImGui::SeparatorText(tr("Colours"));
    legend(ctx, {{ctx.theme.lane, tr("a lane's cell")},
                 {ctx.theme.selection, tr("selected")},
                 {bank_color(0), tr("bank 0")},
                 {bank_color(31), tr("bank 31")},
                 {ctx.theme.empty, tr("never touched"), true},
                 {heat_color(1), tr("ideal")},
                 {heat_color(2), "×2"},
                 {heat_color(8), "×8"},
                 {heat_color(32), "×32"}});
  }
  ImGui::End();
}

// The reason, in the free space of the menu bar: a line of its own would make everything jump.
void draw_banner(const ViewContext& ctx) {
  if (!ctx.status.stale) return;
  std::string why;
  for (const Diagnostic& d : ctx.diagnostics) {
    if (d.severity != Severity::error) continue;
    why = (d.line ? tr("line {0}", {std::to_string(d.line)}) + ": " : "") + d.message;
    break;
  }
  const std::string text = std::string(tr("last good picture")) + " · " + why;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 20 * ctx.scale);
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::GetWindowDrawList()->AddRectFilled({min.x - 8 * ctx.scale, min.y},
                                            {min.x + width, min.y + ImGui::GetFrameHeight()},
                                            ctx.theme.error);
  ImGui::PushStyleColor(ImGuiCol_Text, text_on(ctx.theme.error));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
  ImGui::SetItemTooltip("%s", text.c_str());
}

}  // namespace

void draw_menu(const ViewContext& ctx, Workspace& workspace, Actions& actions) {
  if (ImGui::BeginMainMenuBar()) {
    if (ImGui::BeginMenu(window_title("File", "file menu").c_str())) {
      file_menu(ctx, workspace.files, actions);
      ImGui::EndMenu();
    }
    if (ImGui::BeginMenu(window_title("Kernel", "kernel menu").c_str())) {
      kernel_menu(ctx, actions);
      ImGui::EndMenu();
    }
    if (ImGui::BeginMenu(window_title("View", "view menu").c_str())) {
      view_menu(workspace);
      ImGui::EndMenu();
    }
    if (ImGui::BeginMenu(window_title("Go", "go menu").c_str())) {
      go_menu(actions);
      ImGui::EndMenu();
    }
    if (ImGui::BeginMenu(window_title("Help", "help menu").c_str())) {
      ImGui::MenuItem(tr("Keys and colours"), nullptr, &workspace.help);
      ImGui::EndMenu();
    }
    draw_banner(ctx);
    ImGui::EndMainMenuBar();
  }
  draw_help(ctx, workspace);
}

}  // namespace lanescope::app

#include "views/window/menu.h"

#include "imgui.h"
#include "views/command/commands.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/draw/kernel_names.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/window/workspace.h"

namespace lanescope::app {
namespace {

void kernel_menu(const ViewContext& ctx, Actions& actions) {
  std::string family;
  bool open = false;
  for (const CatalogEntry& entry : ctx.catalog.entries) {
    if (entry.family != family) {
      if (open) ImGui::EndMenu();
      family = entry.family;
      open = ImGui::BeginMenu(window_title(family.c_str(), family.c_str()).c_str());
    }
    if (!open) continue;
    if (ImGui::MenuItem((kernel_title(entry) + "###" + entry.name).c_str(), nullptr,
                        entry.name == ctx.settings.name)) {
      actions.push_back(SelectKernel{entry.name});
    }
  }
  if (open) ImGui::EndMenu();
}

// The reason, in the free space of the menu bar: a line of its own would make everything jump.
void draw_banner(const ViewContext& ctx) {
  if (!ctx.status.stale) return;
  std::string why;
  for (const Diagnostic& d : ctx.diagnostics) {
    if (d.severity != Severity::error) continue;
    why = (d.line ? tr("line {0}", {d.line}) + ": " : "") + message_of(d);
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
  item_tooltip(text);
}

}  // namespace

void draw_menu(const ViewContext& ctx, Workspace& workspace, Actions& actions) {
  if (ImGui::BeginMainMenuBar()) {
    CommandCall call{ctx, workspace, actions};
    if (ImGui::BeginMenu(window_title("File", "file menu").c_str())) {
      templates_menu(workspace.files, actions);
      menu_items(call, Menu::file, 0, 0);
      recent_menu(workspace.files, actions);
      ImGui::Separator();
      menu_items(call, Menu::file, 1);
      ImGui::EndMenu();
    }
    if (ImGui::BeginMenu(window_title("Kernel", "kernel menu").c_str())) {
      kernel_menu(ctx, actions);
      ImGui::Separator();
      menu_items(call, Menu::kernel);
      ImGui::EndMenu();
    }
    if (ImGui::BeginMenu(window_title("View", "view menu").c_str())) {
      menu_items(call, Menu::view);
      ImGui::EndMenu();
    }
    if (ImGui::BeginMenu(window_title("Go", "go menu").c_str())) {
      menu_items(call, Menu::go);
      ImGui::EndMenu();
    }
    if (ImGui::BeginMenu(window_title("Help", "help menu").c_str())) {
      menu_items(call, Menu::help);
      ImGui::EndMenu();
    }
    draw_banner(ctx);
    ImGui::EndMainMenuBar();
  }
}

}  // namespace lanescope::app

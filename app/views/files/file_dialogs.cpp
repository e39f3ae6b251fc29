#include "views/files/file_dialogs.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "imgui.h"
#include "views/draw/tr.h"
#include "views/files/dialog.h"

namespace lanescope::app {
namespace {

// "1_elementwise" is called "elementwise".
std::string template_title(const std::string& name) {
  if (name == "1_elementwise") return tr("One element a thread");
  if (name == "2_tile_transpose") return tr("Transpose through a shared tile");
  if (name == "3_whole_program") return tr("Whole program with main()");
  return name;
}

}  // namespace

void ask(Actions& actions, FileAction action) { actions.push_back(std::move(action)); }

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : slash == 0 ? "/" : path.substr(0, slash);
}

void begin_dialog(const ViewContext& ctx, float width) {
  const ImVec2 center = ImGui::GetMainViewport()->GetCenter();
  ImGui::SetNextWindowPos(center, ImGuiCond_Always, {0.5f, 0.5f});
  const float most = ImGui::GetMainViewport()->WorkSize.x * 0.94f;
  ImGui::SetNextWindowSize({std::min(width * ctx.scale, most), 0});
}

void templates_menu(const FilesState& state, Actions& actions) {
  if (!state.status || !ImGui::BeginMenu(tr("New"))) return;
  for (const std::string& name : state.status->templates) {
    if (ImGui::MenuItem((template_title(name) + "###" + name).c_str()))
      ask(actions, NewFromTemplate{name});
  }
  ImGui::EndMenu();
}

void recent_menu(const FilesState& state, Actions& actions) {
  if (!state.status) return;
  if (!ImGui::BeginMenu(tr("Open recent"), !state.status->recent.empty())) return;
  for (const std::string& path : state.status->recent) {
    const std::string name = std::filesystem::path(path).filename().string();
    if (ImGui::MenuItem((name + "###" + path).c_str(), folder_of(path).c_str()))
      ask(actions, OpenFile{path});
  }
  ImGui::EndMenu();
}

void draw_files(const ViewContext& ctx, FilesState& state, Actions& actions) {
  if (!state.status) return;
  draw_questions(ctx, state, actions);
  draw_file_dialog(ctx, state, actions);
  draw_failure(ctx, state);
}

std::string document_title(const ViewContext& ctx) {
  // The path of a kernel that comes along is its name; of a lesson's own text it is only long.
  const std::filesystem::path path = ctx.settings.name;
  const std::string name = path.is_absolute() ? path.filename().string() : ctx.settings.name;
  if (!ctx.files) return name;
  const DocumentStatus& document = ctx.files->document;
  std::string title = document.bundled ? name : document.name;
  if (document.bundled && document.edited) title += std::string(" (") + tr("edited copy") + ")";
  if (ctx.settings.captured) title += fmt::format(" #{}", ctx.settings.captured->number);
  if (document.unsaved) title += " ●";
  return title;
}

std::string notice_text(const FileNotice& notice) {
  const std::string name = std::filesystem::path(notice.detail.english()).filename().string();
  switch (notice.kind) {
  case FileNotice::Kind::saved:
    return tr("saved {0}", {name});
  case FileNotice::Kind::exported:
    return tr("wrote {0}", {name});
  case FileNotice::Kind::recovered:
    return tr("taken up again: {0}", {name});
  case FileNotice::Kind::reloaded:
    return tr("loaded again: {0}", {name});
  default:
    return "";
  }
}

}  // namespace lanescope::app

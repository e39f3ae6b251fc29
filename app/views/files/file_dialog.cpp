// The dialog that asks which file: to open, to save as, to export to.
#include "views/files/dialog.h"

#include <algorithm>
#include <utility>

#include "imgui_stdlib.h"
#include "views/draw/tr.h"
#include "views/draw/view.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

constexpr float kDialogWidth = 560, kListHeight = 260;                 // units
constexpr const char* kFormats[] = {".png", ".svg", ".csv", ".html"};  // that can be exported to

std::string joined(const std::string& folder, const std::string& name) {
  return (folder == "/" ? folder : folder + "/") + name;
}

std::vector<std::string> starting_with(const std::vector<std::string>& names,
                                       const std::string& start) {
  std::vector<std::string> result;
  for (const std::string& name : names)
    if (name.starts_with(start)) result.push_back(name);
  return result;
}

// Tab: as much of the name as all that start so have in common.
int complete(ImGuiInputTextCallbackData* data) {
  const auto& listing = *static_cast<const FolderListing*>(data->UserData);
  const std::string text(data->Buf, static_cast<std::size_t>(data->BufTextLen));
  const std::string start = text.substr(text.rfind('/') + 1);
  auto matches = starting_with(listing.folders, start);
  for (std::string& folder : matches) folder += "/";
  for (std::string& file : starting_with(listing.files, start)) matches.push_back(std::move(file));
  if (matches.empty()) return 0;
  std::string common = matches.front();
  for (const std::string& match : matches) {
    const auto differ = std::mismatch(common.begin(), common.end(), match.begin(), match.end());
    common.erase(differ.first, common.end());
  }
  if (common.size() > start.size())
    data->InsertChars(data->BufTextLen, common.c_str() + start.size());
  return 0;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string suggested_name(const FilesState& state) {
  const std::string& name = state.status->suggestion;
  if (state.dialog == FileDialog::save_as) return name;
  if (state.dialog != FileDialog::export_view) return "";
  return name.substr(0, name.rfind(".cu")) + "-" + state.export_view + state.export_format;
}

void view_choice(const ViewContext& ctx, std::string& view) {
  const char* shown = tr("The whole window");
  if (const View* chosen = find_view(view)) shown = tr(chosen->title);
  ImGui::SetNextItemWidth(220 * ctx.scale);
  if (ImGui::BeginCombo("##view", shown)) {
    if (ImGui::Selectable(tr("The whole window"), view == "window")) view = "window";
    for (const View& one : views())
      if (ImGui::Selectable(window_title(one.title, one.id).c_str(), view == one.id)) view = one.id;
    ImGui::EndCombo();
  }
}

void format_choice(std::string& format) {
  const std::pair<const char*, const char*> formats[] = {
      {".png", tr("PNG: a picture, twice the size")},
      {".svg", tr("SVG: a drawing, sharp at any size")},
      {".csv", tr("CSV: the view's numbers as a table")},
      {".html", tr("HTML: a report of the whole analysis, one page")}};
  for (const auto& [suffix, meaning] : formats) {
    if (ImGui::RadioButton((std::string(meaning) + "###" + suffix).c_str(), format == suffix))
      format = suffix;
  }
}

// Which view, as what; the name of the file follows.
void export_choice(const ViewContext& ctx, FilesState& state) {
  std::string view = state.export_view, format = state.export_format;
  view_choice(ctx, view);
  format_choice(format);
  ImGui::BeginDisabled(format == ".csv" || format == ".html");
  ImGui::Checkbox(tr("light background, for slides"), &state.slide);
  ImGui::EndDisabled();
  if (view == state.export_view && format == state.export_format) return;
  state.export_view = view;
  state.export_format = format;
  const std::string folder = folder_of(state.path);
  if (!folder.empty()) state.path = joined(folder, suggested_name(state));
}

void list_when_another_folder(FilesState& state, Actions& actions) {
  const FolderListing& listing = state.status->listing;
  if (state.fresh) {
    if (listing.serial == state.listed) return;
    state.fresh = false;
    state.path =
        joined(listing.folder, state.dialog == FileDialog::save_as ? state.status->suggestion : "");
  }
  const std::string folder = folder_of(state.path);
  if (folder.empty() || folder == listing.folder || listing.serial != state.listed) {
    state.listed = listing.serial;
    return;
  }
  ask(actions, ListFolder{folder});
}

// The folder's content; true when a file was double-clicked.
bool file_list(const ViewContext& ctx, FilesState& state) {
  const FolderListing& listing = state.status->listing;
  bool chosen = false;
  const float share = state.dialog == FileDialog::export_view ? 0.22f : 0.5f;  // of the window
  const float room = ImGui::GetMainViewport()->WorkSize.y * share;
  if (ImGui::BeginChild("files", {0, std::min(kListHeight * ctx.scale, room)},
                        ImGuiChildFlags_Borders)) {
    const std::string start = state.path.substr(state.path.rfind('/') + 1);
    const bool narrow = !has(listing.files, start) && state.dialog == FileDialog::open;
    if (!listing.error.empty()) wrapped_text(listing.folder + ": " + listing.error);
    if (ImGui::Selectable("..") && listing.folder != "/")
      state.path = joined(folder_of(listing.folder), "");
    for (const std::string& folder : listing.folders) {
      if (narrow && !folder.starts_with(start)) continue;
      if (ImGui::Selectable((folder + "/").c_str()))
        state.path = joined(listing.folder, folder) + "/";
    }
    for (const std::string& file : listing.files) {
      if (narrow && !file.starts_with(start)) continue;
      if (ImGui::Selectable(file.c_str(), file == start, ImGuiSelectableFlags_AllowDoubleClick)) {
        state.path = joined(listing.folder, file);
        chosen |= ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
      }
    }
    if (listing.folders.empty() && listing.files.empty() && listing.error.empty())
      ImGui::TextDisabled("%s", tr("No kernel texts (*.cu) and no sessions here."));
  }
  ImGui::EndChild();
  return chosen;
}

void close_dialog(FilesState& state) {
  state.dialog = FileDialog::none;
  ImGui::CloseCurrentPopup();
}

void accept(FilesState& state, Actions& actions) {
  const FolderListing& listing = state.status->listing;
  const std::string name = state.path.substr(state.path.rfind('/') + 1);
  if (name.empty()) return;
  if (has(listing.folders, name)) {
    state.path += "/";
    return;
  }
  if (state.dialog == FileDialog::open) ask(actions, OpenFile{state.path});
  if (state.dialog == FileDialog::save_as) ask(actions, SaveFileAs{state.path, false});
  if (state.dialog == FileDialog::export_view) {
    // A name that says what it is outranks the choice above it.
    const bool named = std::any_of(std::begin(kFormats), std::end(kFormats),
                                   [&](const char* f) { return state.path.ends_with(f); });
    ask(actions, ExportView{state.export_view, state.path + (named ? "" : state.export_format),
                            state.slide, 2, false});
  }
  close_dialog(state);
}

// Opens the dialog that was asked for, on the folder that was looked at last.
void open_dialog(FilesState& state, Actions& actions) {
  state.dialog = state.ask;
  state.ask = FileDialog::none;
  state.fresh = true;
  state.path.clear();
  state.listed = state.status->listing.serial;
  ask(actions, ListFolder{});
  ImGui::OpenPopup("###file dialog");
}

}  // namespace

void draw_file_dialog(const ViewContext& ctx, FilesState& state, Actions& actions) {
  if (state.ask != FileDialog::none) open_dialog(state, actions);
  if (state.dialog == FileDialog::none) return;
  begin_dialog(ctx, kDialogWidth);
  const bool opens = state.dialog == FileDialog::open;
  const bool exports = state.dialog == FileDialog::export_view;
  const std::string title = std::string(opens     ? tr("Open")
                                        : exports ? tr("Export")
                                                  : tr("Save as")) +
                            "###file dialog";
  if (!ImGui::BeginPopupModal(title.c_str(), nullptr, kDialogFlags)) return;
  list_when_another_folder(state, actions);
  if (exports) export_choice(ctx, state);
  ImGui::SetNextItemWidth(-1);
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  auto* listing = const_cast<FolderListing*>(&state.status->listing);
  const bool enter = ImGui::InputText("##path", &state.path,
                                      ImGuiInputTextFlags_EnterReturnsTrue |
                                          ImGuiInputTextFlags_CallbackCompletion,
                                      complete, listing);
  const bool chosen = file_list(ctx, state);
  if (!exports)
    hint(ctx, opens ? tr("Tab completes a name. A dropped file opens too.")
                    : tr("A name ending in .lanescope saves the whole session."));
  const bool pressed = ImGui::Button(opens ? tr("Open") : exports ? tr("Export") : tr("Save"));
  ImGui::SameLine();
  if (ImGui::Button(tr("Cancel")) || ImGui::IsKeyPressed(ImGuiKey_Escape, false)) {
    ask(actions, AnswerUnsaved{Unsaved::cancel});
    close_dialog(state);
  } else if (enter || chosen || pressed) {
    accept(state, actions);
  }
  ImGui::EndPopup();
}

}  // namespace lanescope::app

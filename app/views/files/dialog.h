// What the dialogs have in common, and each of them; a file each. Draws inside the main window.
#pragma once

#include <string>

#include "imgui.h"
#include "views/files/file_dialogs.h"

namespace lanescope::app {

inline constexpr ImGuiWindowFlags kDialogFlags =
    ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoCollapse;

void ask(Actions& actions, FileAction action);
/// "/a/b" of "/a/b/c"; "" of a bare name.
std::string folder_of(const std::string& path);
/// Before BeginPopupModal: in the middle of the window, `width` units if there is room.
void begin_dialog(const ViewContext& ctx, float width);

/// Which file: opens when FilesState::ask says so.
void draw_file_dialog(const ViewContext& ctx, FilesState& state, Actions& actions);
/// What the files want to know: unsaved changes, overwriting, a text found again.
void draw_questions(const ViewContext& ctx, FilesState& state, Actions& actions);
/// What went wrong stays in sight until it has been read.
void draw_failure(const ViewContext& ctx, FilesState& state);

}  // namespace lanescope::app

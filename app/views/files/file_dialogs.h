// Files in the window: the File menu, the dialogs that ask which file and what becomes of an
// unsaved text, and what the status bar says of the document.
#pragma once

#include <string>

#include "core/files/files.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

enum class FileDialog { none, open, save_as, export_view };

struct FilesState {
  /// In: null where there are no files (render)
  const FilesStatus* status = nullptr;
  /// In: a dialog to be opened
  FileDialog ask = FileDialog::none;
  /// The one that is open
  FileDialog dialog = FileDialog::none;
  /// Typed there
  std::string path;
  /// The listing that `path` was made from
  std::uint64_t listed = 0;
  /// Waits for the first listing
  bool fresh = false;
  /// What the export dialog draws
  std::string export_view = "window";
  std::string export_format = ".png";
  /// Light, for slides
  bool slide = true;
  /// Notices up to this one are not shown
  std::uint64_t dismissed = 0;
};

/// The menus inside the File menu; its commands are in lists/file_commands.cpp.
void templates_menu(const FilesState& state, Actions& actions);
void recent_menu(const FilesState& state, Actions& actions);
/// The dialogs; after the views, whose actions come first.
void draw_files(const ViewContext& ctx, FilesState& state, Actions& actions);
/// "03_shared_tile (edited copy) ●"
std::string document_title(const ViewContext& ctx);
/// What happened to a file last, for the status bar; "" for nothing.
std::string notice_text(const FileNotice& notice);

}  // namespace lanescope::app

// Files in the window: the File menu, the dialogs that ask which file and what becomes of an
// unsaved text, and what the status bar says of the document.
#pragma once

#include <string>

#include "session/files.h"
#include "views/view_context.h"

namespace lanescope::app {

enum class FileDialog { none, open, save_as, export_view };

struct FilesState {
  const FilesStatus* status = nullptr;   ///< in: null where there are no files (render)
  FileDialog ask = FileDialog::none;     ///< in: a dialog to be opened
  FileDialog dialog = FileDialog::none;  ///< the one that is open
  std::string path;                      ///< typed there
  std::uint64_t listed = 0;              ///< the listing that `path` was made from
  bool fresh = false;                    ///< waits for the first listing
  std::string export_view = "window";    ///< what the export dialog draws
  std::string export_format = ".png";
  bool slide = true;            ///< light, for slides
  std::uint64_t dismissed = 0;  ///< notices up to this one are not shown
};

/// The menus inside the File menu; its commands are in command_list.cpp.
void templates_menu(const FilesState& state, Actions& actions);
void recent_menu(const FilesState& state, Actions& actions);
/// The dialogs; after the views, whose actions come first.
void draw_files(const ViewContext& ctx, FilesState& state, Actions& actions);
/// "03_shared_tile (edited copy) ●"
std::string document_title(const ViewContext& ctx);
/// What happened to a file last, for the status bar; "" for nothing.
std::string notice_text(const FileNotice& notice);

}  // namespace lanescope::app

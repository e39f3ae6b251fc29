// What a view may ask for about files. The session changes nothing for these: `Files` does them.
#pragma once

#include <string>
#include <variant>

namespace lanescope::app {

struct NewFromTemplate {
  std::string name;
};
/// A kernel text, or a session (.lanescope).
struct OpenFile {
  std::string path;
};
/// Where it came from; asks where to if it came from nowhere.
struct SaveFile {};
/// A kernel text, or the whole session (.lanescope).
struct SaveFileAs {
  std::string path;
  bool overwrite = false;  ///< an older file of this name may go
};
struct ReloadFile {};  ///< as it is on disk; what was typed goes
struct KeepText {};    ///< and forget that the file has changed on disk
/// Lists a folder for the file dialog.
struct ListFolder {
  std::string path;
};
enum class Unsaved { save, discard, cancel };
struct AnswerUnsaved {
  Unsaved answer;
};
/// Takes the text of a run that ended badly, or throws it away.
struct AnswerRecovery {
  bool take;
};
struct Quit {};
struct ExportView {
  std::string view;    ///< a view's id, or "window"
  std::string path;    ///< ends in .png, .svg, .csv or .html
  bool slide = false;  ///< light, whatever the window is
  float scale = 2;     ///< of a PNG
  bool overwrite = false;
};

using FileAction =
    std::variant<NewFromTemplate, OpenFile, SaveFile, SaveFileAs, ReloadFile, KeepText, ListFolder,
                 AnswerUnsaved, AnswerRecovery, Quit, ExportView>;

}  // namespace lanescope::app

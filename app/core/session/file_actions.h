// What a view may ask for about files. The session changes nothing for these: `Files` does them.
#pragma once

#include <string>
#include <variant>

namespace lanescope::app {

struct NewFromTemplate {
  std::string name;
};
/// An exercise of the lab: its starting text, as a text of one's own.
struct StartExercise {
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
  /// An older file of this name may go
  bool overwrite = false;
};
/// As it is on disk; what was typed goes
struct ReloadFile {};
/// And forget that the file has changed on disk
struct KeepText {};
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
  /// A view's id, or "window"
  std::string view;
  /// Ends in .png, .svg, .csv or .html
  std::string path;
  /// Light, whatever the window is
  bool slide = false;
  /// Of a PNG
  float scale = 2;
  bool overwrite = false;
};

using FileAction =
    std::variant<NewFromTemplate, StartExercise, OpenFile, SaveFile, SaveFileAs, ReloadFile,
                 KeepText, ListFolder, AnswerUnsaved, AnswerRecovery, Quit, ExportView>;

}  // namespace lanescope::app

// What is done about files: open, save, templates, recovery, and never losing a text unasked. Views
// ask through actions and draw the status; this does it. No window is needed.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/files/documents.h"
#include "core/files/session_file.h"
#include "core/session/file_actions.h"
#include "core/session/session.h"

namespace lanescope::app {

/// What happened last; the status bar says it.
struct FileNotice {
  enum class Kind { none, saved, opened, exported, recovered, reloaded, failed };
  Kind kind = Kind::none;
  /// The file, or what went wrong
  Message detail;
  /// Grows with every notice
  std::uint64_t serial = 0;
};

/// A folder as the file dialog lists it.
struct FolderListing {
  /// Absolute
  std::string folder;
  std::vector<std::string> folders, files;
  /// As the system says it
  std::string error;
  /// Grows with every listing
  std::uint64_t serial = 0;
};

struct FilesStatus {
  enum class Question {
    none,
    /// AnswerUnsaved
    unsaved,
    /// SaveFileAs, or AnswerUnsaved{cancel}
    where,
    /// SaveFileAs{…, true} or ExportView{…, true}, or AnswerUnsaved{cancel}
    overwrite,
    /// On disk: ReloadFile or KeepText
    changed,
    /// AnswerRecovery
    recovery,
  };
  DocumentStatus document;
  std::vector<std::string> recent, templates;
  Question question = Question::none;
  /// The file or kernel that the question is about
  std::string about;
  /// Overwrite: what to ask for once more, with `overwrite` set
  std::optional<FileAction> again;
  FileNotice notice;
  FolderListing listing;
  /// Where a text without a file might be saved
  std::string suggestion;
};

/// Restores what a session file keeps, but for the look. A program that had run runs again.
void restore_session(Session& session, const SessionFile& file);

class Files {
 public:
  struct Places {
    UserFolders user;
    /// Folder of the templates
    std::string templates;
  };
  /// How the window looks, for sessions.
  struct Look {
    std::function<std::string()> get;
    std::function<void(const std::string&)> set;
    /// Lesson and scene that are open, "" for none
    std::function<std::string()> lesson;
    /// Opens them again
    std::function<void(const std::string&)> open_lesson;
  };
  Files(Session& session, Places places, Look look = {});

  /// Does a FileAction or a SelectKernel, and keeps an OpenLesson that must not happen before a text is saved.
  /// False: the action is for somebody else.
  bool perform(const Action& action);
  /// Once a frame, and from time to time without one. True if the status changed.
  bool tick();
  [[nodiscard]] const FilesStatus& status();

  /// Opens a session that was read elsewhere.
  void open_session(const SessionFile& session);
  /// All that a session file keeps of this one.
  [[nodiscard]] SessionFile as_session() const;
  /// Settings that came from the command line.
  void adopt(const Settings& settings);
  /// The text was read from a session file: leaving it loses nothing.
  void kept(const std::string& text) { documents_.kept(text); }
  /// Looks for what an earlier run could not save.
  void look_for_recovery();

  [[nodiscard]] bool quit() const { return quit_; }
  /// An action for somebody else that waited for an answer about the text.
  std::optional<Action> take_released() { return std::exchange(released_, std::nullopt); }
  /// A view to be drawn into a file, asked for since the last call.
  std::optional<ExportView> take_export();
  void tell(FileNotice::Kind kind, const std::string& file);
  void tell(FileNotice::Kind kind, Message detail);

 private:
  using Clock = std::chrono::steady_clock;

  void perform_file(const FileAction& action);
  /// True: asked first
  bool guarded(const Action& action);
  /// What the guard held up
  void go_on(const Action& action);
  void open(const std::string& name_or_path);
  void open_session_file(const std::string& path);
  void start_new(const std::string& name);
  void start_exercise(const std::string& name);
  bool save(const std::string& path);
  void save_as(const SaveFileAs& request);
  void answer(Unsaved answer);
  void answer_recovery(bool take);
  void export_view(const ExportView& request);
  bool ask_overwrite(const std::string& path, FileAction again);
  void list(const std::string& folder);
  void fail(const std::vector<Diagnostic>& diagnostics);
  void autosave();
  bool watch_disk();
  void await_launch(const Settings& settings);
  void propose_launch();
  void remember_launch();
  [[nodiscard]] std::string recovery_file() const;

  Session& session_;
  Places places_;
  Look look_;
  Documents documents_;
  FilesStatus status_;
  /// Until the guard has its answer
  std::optional<Action> held_;
  /// For somebody else, after the answer
  std::optional<Action> released_;
  std::optional<ExportView> export_;
  /// A file that waits for the proposal of a launch
  std::string to_launch_;
  /// Whose launch was looked at last
  Settings remembered_;
  /// That a file was chosen in
  std::string last_folder_;
  /// A recovery file of an earlier run
  std::string found_;
  /// Text in this run's recovery file
  std::string kept_;
  /// The text that is waited for to settle
  std::string watched_;
  Clock::time_point changed_at_{}, looked_at_{};
  std::filesystem::file_time_type disk_time_{};
  std::string disk_file_;
  bool quit_ = false;
};

}  // namespace lanescope::app

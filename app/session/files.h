// What is done about files: open, save, templates, recovery, and never losing a text unasked. Views
// ask through actions and draw the status; this does it. No window is needed.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "session/documents.h"
#include "session/file_actions.h"
#include "session/session.h"
#include "session/session_file.h"

namespace lanescope::app {

/// What happened last; the status bar says it.
struct FileNotice {
  enum class Kind { none, saved, opened, exported, recovered, reloaded, failed };
  Kind kind = Kind::none;
  std::string detail;        ///< the file, or what went wrong
  std::uint64_t serial = 0;  ///< grows with every notice
};

/// A folder as the file dialog lists it.
struct FolderListing {
  std::string folder;  ///< absolute
  std::vector<std::string> folders, files;
  std::string error;
  std::uint64_t serial = 0;  ///< grows with every listing
};

struct FilesStatus {
  enum class Question {
    none,
    unsaved,    ///< AnswerUnsaved
    where,      ///< SaveFileAs, or AnswerUnsaved{cancel}
    overwrite,  ///< SaveFileAs{…, true} or ExportView{…, true}, or AnswerUnsaved{cancel}
    changed,    ///< on disk: ReloadFile or KeepText
    recovery,   ///< AnswerRecovery
  };
  DocumentStatus document;
  std::vector<std::string> recent, templates;
  Question question = Question::none;
  std::string about;                ///< the file or kernel that the question is about
  std::optional<FileAction> again;  ///< overwrite: what to ask for once more, with `overwrite` set
  FileNotice notice;
  FolderListing listing;
  std::string suggestion;  ///< where a text without a file might be saved
};

class Files {
 public:
  struct Places {
    UserFolders user;
    std::string templates;  ///< folder of the templates
  };
  /// How the window looks, for sessions.
  struct Look {
    std::function<std::string()> get;
    std::function<void(const std::string&)> set;
  };
  Files(Session& session, Places places, Look look = {});

  /// Does what is about files, or must not happen before a text is saved. False: the action is for
  /// the session.
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
  /// A view to be drawn into a file, asked for since the last call.
  std::optional<ExportView> take_export();
  void tell(FileNotice::Kind kind, std::string detail);

 private:
  using Clock = std::chrono::steady_clock;

  void perform_file(const FileAction& action);
  bool guarded(const Action& action);  ///< true: asked first
  void go_on(const Action& action);    ///< what the guard held up
  void open(const std::string& name_or_path);
  void open_session_file(const std::string& path);
  void start_new(const std::string& name);
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
  std::optional<Action> held_;  ///< until the guard has its answer
  std::optional<ExportView> export_;
  std::string to_launch_;    ///< a file that waits for the proposal of a launch
  Settings remembered_;      ///< whose launch was looked at last
  std::string last_folder_;  ///< that a file was chosen in
  std::string found_;        ///< a recovery file of an earlier run
  std::string kept_;         ///< text in this run's recovery file
  std::string watched_;      ///< the text that is waited for to settle
  Clock::time_point changed_at_{}, looked_at_{};
  std::filesystem::file_time_type disk_time_{};
  std::string disk_file_;
  bool quit_ = false;
};

}  // namespace lanescope::app

#include "core/files/files.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "core/lab/lab_messages.h"
#include "core/run/captured_launch.h"
#include "core/text/messages.h"
#include "core/text/text.h"
#include "core/text/text_file.h"

namespace lanescope::app {

namespace fs = std::filesystem;

namespace {

constexpr auto kAutosaveDelay = std::chrono::milliseconds(800);  // after the last change
constexpr auto kDiskDelay = std::chrono::seconds(1);             // between looks at the file
constexpr std::size_t kMostListed = 4000;
constexpr const char* kRecovery = "recovery-";

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

Message first_error(const std::vector<Diagnostic>& diagnostics) {
  if (diagnostics.empty()) return {};
  const Diagnostic& d = diagnostics.front();
  return say::about(d.line == 0 ? d.file : fmt::format("{}:{}:{}", d.file, d.line, d.column),
                    d.message);
}

std::vector<std::string> templates_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".cu") names.push_back(it->path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

bool listable(const fs::path& file) {
  const std::string suffix = file.extension().string();
  return suffix == ".cu" || suffix == ".cuh" || suffix == ".lanescope";
}

bool is_running(const std::string& process) {
  const auto id = parse_integer(process);
  return id && *id > 0 && (::kill(static_cast<pid_t>(*id), 0) == 0 || errno == EPERM);
}

// A launch of a program is made by the program's run: without it, the settings wait for one.
Settings uncaptured(Settings settings) {
  if (!settings.captured) return settings;
  settings.name = settings.file;
  settings.kernel.clear();
  settings.captured.reset();
  return settings;
}

Settings plain_settings(const Session& session) {
  Settings settings = session.settings();
  const ProgramStatus& program = session.program();
  if (settings.captured && program.run && settings.file != program.file) {
    settings.file = program.file;
    settings.text = program.run->request.compile.texts.at(program.file);
  }
  return uncaptured(std::move(settings));
}

}  // namespace

void restore_session(Session& session, const SessionFile& file) {
  session.restore(file.settings, file.selection);
  if (file.comparison) session.apply(Action(SetComparison{*file.comparison}));
  if (!file.program) return;
  session.apply(Action(ProgramAction(SetProgramInput{file.program->input})));
  if (file.program->has_run) session.apply(Action(ProgramAction(RunProgram{file.program->launch})));
}

Files::Files(Session& session, Places places, Look look)
    : session_(session), places_(std::move(places)), look_(std::move(look)),
      documents_(session.catalog(), places_.user) {
  status_.templates = templates_in(places_.templates);
}

const FilesStatus& Files::status() {
  status_.document = documents_.status(session_.settings());
  status_.recent = documents_.recent();
  return status_;
}

bool Files::perform(const Action& action) {
  if (const auto* file = std::get_if<FileAction>(&action)) {
    perform_file(*file);
    return true;
  }
  if (!std::holds_alternative<SelectKernel>(action)) return false;
  if (!guarded(action)) go_on(action);
  return true;
}

bool Files::guarded(const Action& action) {
  const DocumentStatus document = documents_.status(session_.settings());
  if (!document.unsaved) return false;
  held_ = action;
  status_.question = FilesStatus::Question::unsaved;
  status_.about = document.name;
  return true;
}

void Files::go_on(const Action& action) {
  if (const auto* kernel = std::get_if<SelectKernel>(&action)) return open(kernel->name);
  const auto* file = std::get_if<FileAction>(&action);
  if (!file) return;
  std::visit(Overloaded{[&](const OpenFile& a) {
                          is_session_file(a.path) ? open_session_file(a.path) : open(a.path);
                        },
                        [&](const NewFromTemplate& a) { start_new(a.name); },
                        [&](const StartExercise& a) { start_exercise(a.name); },
                        [&](const Quit&) { quit_ = true; }, [](const auto&) {}},
             *file);
}

void Files::perform_file(const FileAction& action) {
  const auto first_ask = [&](const auto& a) {
    if (!guarded(Action(FileAction(a)))) go_on(Action(FileAction(a)));
  };
  std::visit(Overloaded{[&](const NewFromTemplate& a) { first_ask(a); },
                        [&](const StartExercise& a) { first_ask(a); },
                        [&](const OpenFile& a) { first_ask(a); },
                        [&](const Quit& a) { first_ask(a); },
                        [&](const SaveFile&) {
                          const DocumentStatus document = documents_.status(session_.settings());
                          if (!document.untitled) save(document.path);
                          if (document.untitled) status_.question = FilesStatus::Question::where;
                        },
                        [&](const SaveFileAs& a) { save_as(a); },
                        [&](const ReloadFile&) {
                          status_.question = FilesStatus::Question::none;
                          const auto text = documents_.changed_on_disk(session_.settings());
                          if (!text) return;
                          documents_.accept_disk(session_.settings().file, *text);
                          session_.apply(Action(SetText{*text}));
                          tell(FileNotice::Kind::reloaded, session_.settings().file);
                        },
                        [&](const KeepText&) { status_.question = FilesStatus::Question::none; },
                        [&](const ListFolder& a) { list(a.path); },
                        [&](const AnswerUnsaved& a) { answer(a.answer); },
                        [&](const AnswerRecovery& a) { answer_recovery(a.take); },
                        [&](const ExportView& a) { export_view(a); }},
             action);
}

void Files::open(const std::string& name_or_path) {
  OpenResult opened = documents_.open(name_or_path);
  if (!opened.settings) return fail(opened.diagnostics);
  const bool bundled = session_.catalog().find(opened.settings->name) != nullptr;
  if (!bundled) tell(FileNotice::Kind::opened, opened.settings->file);
  await_launch(*opened.settings);
  session_.apply(std::move(*opened.settings));
}

void Files::adopt(const Settings& settings) {
  documents_.adopt(settings);
  await_launch(settings);
  if (!to_launch_.empty() && documents_.has_launch(settings)) open(settings.file);
}

// A file that says nothing of its launch gets a proposal, once it is known what there is to launch.
void Files::await_launch(const Settings& settings) {
  const bool given = settings.captured || settings.block || !settings.arguments.empty() ||
                     !settings.kernel.empty();
  to_launch_ = needs_launch(settings) && !given ? settings.file : "";
}

void Files::propose_launch() {
  if (to_launch_.empty()) return;
  const LaunchSurveyPtr survey = session_.survey();
  const Settings& settings = session_.settings();
  if (settings.file != to_launch_) return to_launch_.clear();
  if (!survey || survey->asked != settings) return;
  to_launch_.clear();
  if (session_.program().waits) return;  // its own launches are better than a guess
  if (!survey->kernel.empty()) session_.apply(survey->proposal);
}

// The launch that led to a picture is the one to come back to.
void Files::remember_launch() {
  const Settings& settings = session_.settings();
  if (session_.status().busy || session_.status().stale || !needs_launch(settings)) return;
  if (settings.captured) return;  // its program makes it
  const PicturePtr picture = session_.picture();
  if (!picture || picture->prepared->settings != settings || settings == remembered_) return;
  remembered_ = settings;
  documents_.remember_launch(settings);
}

void Files::open_session_file(const std::string& path) {
  const SessionFileResult read = read_session(path);
  if (!read.session) return fail(read.diagnostics);
  open_session(*read.session);
  documents_.kept(read.session->settings.text);
  tell(FileNotice::Kind::opened, path);
}

void Files::open_session(const SessionFile& session) {
  documents_.adopt(session.settings);
  restore_session(session_, session);
  if (look_.set && !session.look.empty()) look_.set(session.look);
}

SessionFile Files::as_session() const {
  const Comparison* comparison = session_.comparison();
  SessionFile file{plain_settings(session_), session_.selection(),
                   comparison ? std::optional(comparison->settings) : std::nullopt,
                   look_.get ? look_.get() : ""};
  const ProgramStatus& program = session_.program();
  const CapturedLaunchPtr launch = session_.settings().captured;
  if (!program.file.empty())
    file.program = {program.input, program.run != nullptr, launch ? launch->number : 0};
  return file;
}

void Files::start_new(const std::string& name) {
  const TextFile file = read_text_file(places_.templates + "/" + name + ".cu");
  if (!file.diagnostics.empty()) return fail(file.diagnostics);
  session_.apply(documents_.untitled(file.text));
}

void Files::start_exercise(const std::string& name) {
  const Exercise* exercise = session_.lab().lab ? session_.lab().lab->find(name) : nullptr;
  if (!exercise) return tell(FileNotice::Kind::failed, say::no_such_exercise(name));
  Settings settings = exercise->settings();
  settings.name = settings.file = documents_.untitled(exercise->start, exercise->name).file;
  session_.apply(std::move(settings));
}

bool Files::save(const std::string& path) {
  Settings settings = session_.settings();
  const Message wrong = documents_.save(settings, path);
  if (!wrong.empty()) {
    tell(FileNotice::Kind::failed, wrong);
    return false;
  }
  disk_file_.clear();
  session_.rename(settings.name, settings.file);
  if (!settings.captured) documents_.remember_launch(session_.settings());
  tell(FileNotice::Kind::saved, path);
  return true;
}

void Files::save_as(const SaveFileAs& request) {
  std::string path = absolute_path(request.path);
  if (fs::path(path).extension().empty()) path += ".cu";
  if (!request.overwrite && path != documents_.status(session_.settings()).path &&
      ask_overwrite(path, SaveFileAs{path, true}))
    return;
  status_.question = FilesStatus::Question::none;
  status_.again.reset();
  if (is_session_file(path)) {
    const Message wrong = write_text_file(path, session_text(as_session()));
    if (!wrong.empty()) {
      tell(FileNotice::Kind::failed, wrong);
      return held_.reset();
    }
    tell(FileNotice::Kind::saved, path);
    documents_.kept(session_.settings().text);
    if (held_) go_on(*std::exchange(held_, std::nullopt));
    return;
  }
  if (!save(path)) return held_.reset();  // nothing goes on that would lose the text
  if (held_) go_on(*std::exchange(held_, std::nullopt));
}

bool Files::ask_overwrite(const std::string& path, FileAction again) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return false;
  status_.question = FilesStatus::Question::overwrite;
  status_.about = path;
  status_.again = std::move(again);
  return true;
}

void Files::answer(Unsaved answer) {
  status_.question = FilesStatus::Question::none;
  status_.again.reset();
  if (answer == Unsaved::cancel) return held_.reset();
  if (answer == Unsaved::save) {
    const DocumentStatus document = documents_.status(session_.settings());
    if (document.untitled) {
      status_.question = FilesStatus::Question::where;
      return;
    }
    if (!save(document.path)) return held_.reset();
  }
  if (held_) go_on(*std::exchange(held_, std::nullopt));
}

void Files::export_view(const ExportView& request) {
  ExportView wanted = request;
  wanted.path = absolute_path(request.path);
  ExportView again = wanted;
  again.overwrite = true;
  if (!request.overwrite && ask_overwrite(wanted.path, again)) return;
  status_.question = FilesStatus::Question::none;
  status_.again.reset();
  export_ = std::move(wanted);
}

std::optional<ExportView> Files::take_export() { return std::exchange(export_, std::nullopt); }

void Files::list(const std::string& folder) {
  FolderListing listing;
  const DocumentStatus document = documents_.status(session_.settings());
  const std::string usual = !last_folder_.empty() ? last_folder_
                            : document.path.empty()
                                ? "."
                                : fs::path(document.path).parent_path().string();
  listing.folder = absolute_path(folder.empty() ? usual : folder);
  listing.serial = status_.listing.serial + 1;
  while (listing.folder.size() > 1 && listing.folder.ends_with('/')) listing.folder.pop_back();
  std::error_code error;
  std::size_t count = 0;
  for (fs::directory_iterator it(listing.folder, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code none;
    const std::string name = it->path().filename().string();
    if (name.starts_with(".") || ++count > kMostListed) continue;
    if (it->is_directory(none)) listing.folders.push_back(name);
    if (it->is_regular_file(none) && listable(it->path())) listing.files.push_back(name);
  }
  if (error) listing.error = error.message();
  std::sort(listing.folders.begin(), listing.folders.end());
  std::sort(listing.files.begin(), listing.files.end());
  status_.suggestion = document.name.substr(0, document.name.rfind(".cu")) + ".cu";
  status_.listing = std::move(listing);
}

void Files::fail(const std::vector<Diagnostic>& diagnostics) {
  tell(FileNotice::Kind::failed, first_error(diagnostics));
}

void Files::tell(FileNotice::Kind kind, const std::string& file) {
  if (kind == FileNotice::Kind::opened || kind == FileNotice::Kind::saved ||
      kind == FileNotice::Kind::exported)
    last_folder_ = fs::path(file).parent_path().string();
  tell(kind, Message::verbatim(file));
}

void Files::tell(FileNotice::Kind kind, Message detail) {
  status_.notice = {kind, std::move(detail), status_.notice.serial + 1};
}

std::string Files::recovery_file() const {
  if (places_.user.state.empty()) return "";
  return fmt::format("{}/{}{}{}", places_.user.state, kRecovery, ::getpid(), kSessionSuffix);
}

// What a crash would lose is in a file of its own a moment after it was typed.
void Files::autosave() {
  const std::string file = recovery_file();
  if (file.empty()) return;
  const Settings& settings = session_.settings();
  if (!documents_.status(settings).unsaved || quit_) {
    if (!kept_.empty()) ::unlink(file.c_str());
    kept_.clear();
    return;
  }
  if (settings.text == kept_) return;
  if (settings.text != watched_) {
    watched_ = settings.text;
    changed_at_ = Clock::now();
  }
  if (Clock::now() - changed_at_ < kAutosaveDelay) return;
  std::error_code none;
  fs::create_directories(places_.user.state, none);
  const SessionFile session{uncaptured(settings), session_.selection(), std::nullopt, ""};
  const Message wrong = write_text_file(file, session_text(session), false);
  if (!wrong.empty() && kept_.empty()) tell(FileNotice::Kind::failed, say::no_recovery_copy(wrong));
  kept_ = settings.text;
}

bool Files::watch_disk() {
  if (Clock::now() - looked_at_ < kDiskDelay) return false;
  looked_at_ = Clock::now();
  const Settings& settings = session_.settings();
  std::error_code error;
  const auto time = fs::last_write_time(settings.file, error);
  if (error || (disk_file_ == settings.file && time == disk_time_)) return false;
  disk_file_ = settings.file;
  disk_time_ = time;
  if (status_.question != FilesStatus::Question::none ||
      !documents_.changed_on_disk(settings).has_value())
    return false;
  if (!documents_.status(settings).edited) {
    perform_file(ReloadFile{});
  } else {
    status_.question = FilesStatus::Question::changed;
    status_.about = settings.file;
  }
  return true;
}

bool Files::tick() {
  const std::uint64_t before = status_.notice.serial;
  // A further file of a program, come to through one of its launches.
  if (const Settings& now = session_.settings(); now.captured && !documents_.knows(now.file))
    documents_.adopt(now);
  autosave();
  propose_launch();
  remember_launch();
  const bool asked = watch_disk();
  if (const Message warning = documents_.take_warning(); !warning.empty())
    tell(FileNotice::Kind::failed, say::recent_not_remembered(warning));
  return asked || status_.notice.serial != before;
}

void Files::look_for_recovery() {
  std::error_code error;
  for (fs::directory_iterator it(places_.user.state, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(kRecovery) || !is_session_file(name)) continue;
    const std::size_t begin = std::string(kRecovery).size();
    if (is_running(name.substr(begin, name.rfind('.') - begin))) continue;
    const SessionFileResult read = read_session(it->path().string());
    if (!read.session) continue;
    found_ = it->path().string();
    status_.question = FilesStatus::Question::recovery;
    status_.about = documents_.status(read.session->settings).name;
  }
}

void Files::answer_recovery(bool take) {
  status_.question = FilesStatus::Question::none;
  if (take) {
    const SessionFileResult read = read_session(found_);
    if (!read.session) return fail(read.diagnostics);
    open_session(*read.session);
    tell(FileNotice::Kind::recovered, status_.about);
    changed_at_ = {};
    watched_ = session_.settings().text;
    autosave();  // before the only copy goes
  }
  if (!take || kept_ == session_.settings().text) ::unlink(found_.c_str());
  found_.clear();
}

}  // namespace lanescope::app

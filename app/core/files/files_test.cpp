// Nothing is lost: open, save, the guard, recovery, disks that refuse.
#include "core/files/files.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "core/kernel/kernel_testing.h"
#include "core/run/prepare.h"
#include "core/text/text_file.h"

namespace lanescope::app {
namespace {

namespace fs = std::filesystem;
using Question = FilesStatus::Question;
using testing::EndsWith;
using testing::HasSubstr;

const std::string kTemplates = std::string(LANESCOPE_SOURCE_DIR) + "/assets/templates";
const std::string kTile = "transpose/03_shared_tile";

std::string content(const std::string& path) { return read_text_file(path).text; }

class FilesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder = testing::TempDir() + "lanescope_files_" + std::to_string(::getpid());
    fs::remove_all(folder);
    fs::create_directories(folder);
    start();
  }
  void TearDown() override {
    files.reset();
    fs::permissions(folder, fs::perms::owner_all);
    fs::remove_all(folder);
  }

  void start() {
    files.reset();
    session =
        std::make_unique<Session>(load_catalog(std::string(LANESCOPE_SOURCE_DIR) + "/kernels"));
    files = std::make_unique<Files>(
        *session, Files::Places{{folder + "/settings", folder + "/state"}, kTemplates},
        Files::Look{[this] { return look; }, [this](const std::string& l) { look = l; }});
  }
  void ask(FileAction action) { files->perform(Action(std::move(action))); }
  void select(const std::string& kernel) { files->perform(Action(SelectKernel{kernel})); }
  void type(const std::string& more) {
    session->apply(Action(SetText{session->settings().text + more}));
  }
  std::string path(const std::string& name) const { return folder + "/" + name; }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  [[nodiscard]] const FilesStatus& status() { return files->status(); }

  std::string folder, look = "the look";
  std::unique_ptr<Session> session;
  std::unique_ptr<Files> files;
};

TEST_F(FilesTest, ABundledKernelIsCopiedOnTheFirstEdit) {
  select(kTile);
  EXPECT_TRUE(status().document.bundled);
  EXPECT_FALSE(status().document.edited);
  const std::string file = session->settings().file, before = content(file);
  type("// mine\n");
  EXPECT_TRUE(status().document.edited);
  EXPECT_TRUE(status().document.unsaved);
  EXPECT_TRUE(status().document.untitled);
  ask(SaveFile{});
  EXPECT_EQ(status().question, Question::where);
  ask(SaveFileAs{file});  // not even when it is asked for
  if (status().question == Question::overwrite) ask(*status().again);
  EXPECT_EQ(status().notice.kind, FileNotice::Kind::failed);
  EXPECT_THAT(status().notice.detail.english(), HasSubstr("choose another place"));
  EXPECT_EQ(content(file), before);
  EXPECT_TRUE(status().document.unsaved);

  ask(SaveFileAs{path("mine.cu")});
  EXPECT_EQ(content(path("mine.cu")), before + "// mine\n");
  EXPECT_FALSE(status().document.unsaved);
  EXPECT_FALSE(status().document.bundled);
  EXPECT_EQ(status().document.name, "mine.cu");
  // What is undone is still the text of the new file.
  session->apply(Action(Undo{}));
  EXPECT_EQ(status().document.name, "mine.cu");
  EXPECT_TRUE(status().document.unsaved);
  EXPECT_EQ(content(file), before);
}

TEST_F(FilesTest, TheGuardHoldsAndLetsGo) {
  select(kTile);
  type("// mine\n");
  const std::string typed = session->settings().text;
  select("copy/01_copy");
  EXPECT_EQ(status().question, Question::unsaved);
  EXPECT_EQ(session->settings().text, typed);
  ask(AnswerUnsaved{Unsaved::cancel});
  EXPECT_EQ(status().question, Question::none);
  EXPECT_EQ(session->settings().text, typed);

  ask(Quit{});
  EXPECT_EQ(status().question, Question::unsaved);
  EXPECT_FALSE(files->quit());
  ask(AnswerUnsaved{Unsaved::save});
  EXPECT_EQ(status().question, Question::where);
  ask(SaveFileAs{path("no such folder/mine.cu")});
  EXPECT_EQ(status().notice.kind, FileNotice::Kind::failed);
  EXPECT_FALSE(files->quit()) << "the text would be lost";
  EXPECT_EQ(session->settings().text, typed);

  ask(Quit{});
  ask(AnswerUnsaved{Unsaved::save});
  ask(SaveFileAs{path("mine")});
  EXPECT_TRUE(files->quit());
  EXPECT_EQ(content(path("mine.cu")), typed);
}

TEST_F(FilesTest, DiscardOpensTheOther) {
  select(kTile);
  type("// mine\n");
  select("copy/01_copy");
  ask(AnswerUnsaved{Unsaved::discard});
  EXPECT_EQ(session->settings().name, "copy/01_copy");
}

TEST_F(FilesTest, OpenEditSave) {
  const std::string file = write("k.cu", testing_texts::kTranspose);
  ask(OpenFile{file});
  EXPECT_EQ(session->settings().file, file);
  EXPECT_FALSE(status().document.unsaved);
  EXPECT_THAT(status().recent, testing::ElementsAre(file));
  type("// more\n");
  EXPECT_TRUE(status().document.unsaved);
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write | fs::perms::owner_exec);
  ask(SaveFile{});
  EXPECT_FALSE(status().document.unsaved);
  EXPECT_EQ(content(file), testing_texts::kTranspose + "// more\n");
  EXPECT_NE(fs::status(file).permissions() & fs::perms::owner_exec, fs::perms::none);
  for (const auto& entry : fs::directory_iterator(folder))
    EXPECT_THAT(entry.path().string(), testing::Not(HasSubstr("saving"))) << "left behind";
  start();
  EXPECT_THAT(status().recent, testing::ElementsAre(file)) << "remembered";
  session->wait();
}

TEST_F(FilesTest, WhatCannotBeOpenedChangesNothing) {
  select(kTile);
  const Settings before = session->settings();
  const std::string binary = write("b.cu", std::string("a\0b", 3)), empty = write("e.cu", " \n");
  for (const std::string& bad : {path("none.cu"), folder, binary, empty, path("none.lanescope")}) {
    const std::uint64_t serial = status().notice.serial;
    ask(OpenFile{bad});
    EXPECT_EQ(status().notice.kind, FileNotice::Kind::failed) << bad;
    EXPECT_GT(status().notice.serial, serial);
    EXPECT_THAT(status().notice.detail.english(), HasSubstr(bad));
    EXPECT_EQ(session->settings(), before);
  }
}

TEST_F(FilesTest, OverwritingAsksFirst) {
  const std::string other = write("other.cu", "// precious\n");
  select(kTile);
  ask(SaveFileAs{other});
  EXPECT_EQ(status().question, Question::overwrite);
  EXPECT_EQ(content(other), "// precious\n");
  ask(AnswerUnsaved{Unsaved::cancel});
  EXPECT_EQ(content(other), "// precious\n");
  ask(SaveFileAs{other});
  ask(*status().again);
  EXPECT_EQ(content(other), session->settings().text);
}

TEST_F(FilesTest, TemplatesRunClean) {
  ASSERT_GE(status().templates.size(), 3u);
  for (const std::string& name : status().templates) {
    ask(NewFromTemplate{name});
    EXPECT_FALSE(status().document.unsaved);
    EXPECT_TRUE(status().document.untitled);
    session->wait(true);
    ASSERT_NE(session->picture(), nullptr) << name;
    EXPECT_EQ(session->picture()->prepared->settings.text, session->settings().text) << name;
    EXPECT_EQ(testing_texts::messages(session->diagnostics()), "") << name;
    type("// mine\n");
    EXPECT_TRUE(status().document.unsaved);
    ask(NewFromTemplate{name});
    EXPECT_EQ(status().question, Question::unsaved);
    ask(AnswerUnsaved{Unsaved::discard});
  }
}

TEST_F(FilesTest, AFullDiskIsSaidAndLosesNothing) {
  EXPECT_THAT(write_text_file(path("none/x.cu"), "text").english(),
              HasSubstr("there is no folder"));
  // A limit on the size of files stands in for the disk: the old file must survive.
  const std::string file = write("k.cu", "// old\n");
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const Message wrong = write_text_file(file, std::string(100'000, 'x'));
    ::_exit(wrong.empty() ? 1 : 0);
  }
  int result = 1;
  ::waitpid(child, &result, 0);
  EXPECT_EQ(result, 0) << "a write that failed must be said";
  EXPECT_EQ(content(file), "// old\n");
}

TEST_F(FilesTest, AReadOnlyFolderIsSaid) {
  const std::string file = write("k.cu", testing_texts::kTranspose);
  ask(OpenFile{file});
  type("// more\n");
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_exec);
  const pid_t child = ::fork();
  if (child == 0) {  // root may write everywhere; nobody may not
    if (::geteuid() == 0 && ::seteuid(65534) != 0) ::_exit(2);
    ask(SaveFile{});
    const bool said = status().notice.kind == FileNotice::Kind::failed &&
                      status().notice.detail.english().find("another folder") != std::string::npos;
    ::_exit(said && status().document.unsaved ? 0 : 1);
  }
  int result = 1;
  ::waitpid(child, &result, 0);
  EXPECT_EQ(result, 0);
  EXPECT_EQ(content(file), testing_texts::kTranspose);
}

TEST_F(FilesTest, ACrashLosesNothing) {
  select(kTile);
  type("// precious\n");
  const std::string typed = session->settings().text;
  const auto kept = [&] {
    files->tick();
    return fs::exists(path("state/recovery-" + std::to_string(::getpid()) + ".lanescope"));
  };
  for (int i = 0; i < 2400 && !kept(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ASSERT_TRUE(kept());
  // As if another process, long gone, had left it.
  fs::rename(path("state/recovery-" + std::to_string(::getpid()) + ".lanescope"),
             path("state/recovery-999999999.lanescope"));
  start();
  files->look_for_recovery();
  EXPECT_EQ(status().question, Question::recovery);
  ask(AnswerRecovery{true});
  EXPECT_EQ(session->settings().text, typed);
  EXPECT_TRUE(status().document.unsaved);
  // Saved or given up, the copy goes.
  ask(Quit{});
  ask(AnswerUnsaved{Unsaved::discard});
  files->tick();
  EXPECT_TRUE(fs::is_empty(path("state")));
}

TEST_F(FilesTest, AnotherProgramsEditIsNoticed) {
  const std::string file = write("k.cu", testing_texts::kTranspose);
  ask(OpenFile{file});
  files->tick();
  const auto touch = [&](const std::string& text, int seconds) {
    std::ofstream(file) << text;
    fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(seconds));
    std::this_thread::sleep_for(std::chrono::milliseconds(1050));
    files->tick();
  };
  touch(testing_texts::kTranspose + "// theirs\n", 5);
  EXPECT_THAT(session->settings().text, EndsWith("// theirs\n")) << "nothing was typed: taken over";
  EXPECT_FALSE(status().document.unsaved);
  type("// mine\n");
  touch(testing_texts::kTranspose + "// theirs again\n", 10);
  EXPECT_EQ(status().question, Question::changed);
  EXPECT_THAT(session->settings().text, EndsWith("// mine\n"));
  ask(ReloadFile{});
  EXPECT_THAT(session->settings().text, EndsWith("// theirs again\n"));
}

TEST_F(FilesTest, ASessionOpensTheSame) {
  select("transpose/04_shared_tile_padded");
  session->apply(Action(SetParameter{"PAD", "3"}));
  session->apply(Action(SetInspectedBlock{{2, 1, 0}}));
  type("// mine\n");
  session->wait();
  session->apply(Action(SelectWarp{3}));
  session->apply(Action(SelectStep{7}));
  session->apply(Action(SelectLane{5}));
  const Settings settings = session->settings();
  const Selection selection = session->selection();
  ask(SaveFileAs{path("s.lanescope")});
  EXPECT_EQ(status().notice.kind, FileNotice::Kind::saved);
  look.clear();
  start();
  select("copy/01_copy");
  session->wait();
  ask(OpenFile{path("s.lanescope")});
  session->wait();
  EXPECT_EQ(session->settings(), settings);
  EXPECT_EQ(session->selection().warp, selection.warp);
  EXPECT_EQ(session->selection().step, selection.step);
  EXPECT_EQ(session->selection().access, selection.access);
  EXPECT_EQ(session->selection().lane, selection.lane);
  EXPECT_EQ(look, "the look");
  EXPECT_TRUE(status().document.edited);
}

TEST_F(FilesTest, AForeignFileRunsAtOnceAndItsLaunchIsRemembered) {
  const std::string file =
      write("f.cu", "__global__ void k(float* a, int n) {\n  int i = threadIdx.x;\n"
                    "  if (i < n) a[i] = i;\n}\n");
  ask(OpenFile{file});
  const auto settle = [&] {
    for (int i = 0; i < 3; ++i) {
      session->wait(true);
      files->tick();
    }
  };
  settle();
  ASSERT_NE(session->picture(), nullptr);
  EXPECT_FALSE(session->status().stale);
  EXPECT_EQ(session->picture()->prepared->launch.block, (Dim3{256, 1, 1}));
  Settings changed = session->settings();
  changed.block = Dim3{96, 1, 1};
  changed.arguments["n"] = "77";
  session->apply(changed);
  settle();
  start();
  ask(OpenFile{file});
  EXPECT_EQ(session->settings().block, (Dim3{96, 1, 1}));
  EXPECT_EQ(session->settings().arguments.at("n"), "77");
  session->wait();
  EXPECT_EQ(session->picture()->prepared->launch.block, (Dim3{96, 1, 1}));
  // So does a file named on the command line.
  start();
  const Settings named = *open_kernel(session->catalog(), file).settings;
  session->apply(named);
  files->adopt(named);
  EXPECT_EQ(session->settings().block, (Dim3{96, 1, 1}));
}

TEST_F(FilesTest, ListsAFolder) {
  write("b.cu", "x");
  write("a.cu", "x");
  write("notes.txt", "x");
  fs::create_directories(path("sub"));
  ask(ListFolder{folder + "/"});
  EXPECT_EQ(status().listing.folder, folder);
  EXPECT_THAT(status().listing.files, testing::ElementsAre("a.cu", "b.cu"));
  EXPECT_THAT(status().listing.folders, testing::Contains("sub"));
  ask(ListFolder{path("nowhere")});
  EXPECT_NE(status().listing.error, "");
}

}  // namespace
}  // namespace lanescope::app

#include "views/exercise/exercise_view.h"

#include "core/files/files.h"
#include "views/frame/comfort_test.h"
#include "views/window/layout.h"

namespace lanescope::app {
namespace {

/// The window with the lab's exercises, and files to open them with.
class ExerciseTest : public ComfortTest {
 protected:
  void open(const std::string& name) {
    start();
    if (!gui->error().empty()) return;
    session->use_lab(std::make_shared<const Lab>(load_lab({kSource + "/assets/course"})));
    files = std::make_unique<Files>(*session, Files::Places{});
    frame->files = files.get();
    if (!name.empty()) ask(FileAction(StartExercise{name}));
  }
  void ask(Action action) {
    frame->pending.push_back(std::move(action));
    settle();
  }
  void settle() {
    gui->frames(4);
    session->wait(true);
    gui->frames(8);
  }
  ExerciseState& state() { return state_of<ExerciseState>(*workspace); }
  void click(const char* id) {
    gui->run([&](ImGuiTestContext& test) {
      test.SetRef("//###exercise");
      test.ItemClick(id);
    });
    workspace->styled = false;
    settle();
  }
  void confirm(const char* id) {
    gui->run([&](ImGuiTestContext& test) {
      test.SetRef("//###exercise");
      test.ItemClick(id);
      test.Yield(2);
      test.ItemClick("//$FOCUSED/###yes");
    });
    workspace->styled = false;
    settle();
  }
  void TearDown() override {
    if (frame) frame->files = nullptr;
    files.reset();
    ComfortTest::TearDown();
  }
  std::unique_ptr<Files> files;
};

TEST_F(ExerciseTest, OpensAsATextOfOnesOwnAndIsShown) {
  open("09_pad_the_square");
  if (IsSkipped()) return;
  EXPECT_EQ(session->settings().exercise, "09_pad_the_square");
  EXPECT_EQ(session->settings().text, session->lab().exercise->start);
  EXPECT_TRUE(files->status().document.untitled);
  EXPECT_FALSE(files->status().document.unsaved);
  EXPECT_TRUE(is_shown("exercise"));
  ASSERT_NE(session->lab().verdict, nullptr);
  EXPECT_FALSE(session->lab().verdict->solved());
  EXPECT_GT(session->lab().verdict->passed(), 0u);
}

// Task, text and picture beside each other, none of them narrow; whoever leaves gets back what was there.
TEST_F(ExerciseTest, HasALayoutOfItsOwn) {
  open("09_pad_the_square");
  if (IsSkipped()) return;
  EXPECT_EQ(workspace->layouts.current, Preset::exercise);
  for (const char* view : {"exercise", "source", "index_map", "banks"}) {
    ASSERT_TRUE(is_shown(view)) << view;
    EXPECT_TRUE(tab_in_front(view)) << view;
    EXPECT_GE(view_window(view)->Size.x, 500) << view;
    EXPECT_GE(view_window(view)->Size.y, 250) << view;
  }
  ask(FileAction(StartExercise{"01_guard"}));
  EXPECT_EQ(workspace->layouts.current, Preset::exercise);
  ask(SelectKernel{"copy/01_copy"});
  EXPECT_EQ(workspace->layouts.current, Preset::explore);
}

TEST_F(ExerciseTest, IsJudgedWhileItIsEdited) {
  open("09_pad_the_square");
  if (IsSkipped()) return;
  std::string text = session->settings().text;
  text.replace(text.find("#define PAD 0"), 13, "#define PAD 3");
  ask(SetText{text});
  EXPECT_TRUE(session->lab().verdict->solved() == false);
  EXPECT_FALSE(state().progress["09_pad_the_square"].solved);
  text.replace(text.find("#define PAD 3"), 13, "#define PAD 01");
  ask(SetText{text});
  EXPECT_TRUE(session->lab().verdict->solved());
  EXPECT_TRUE(state().progress["09_pad_the_square"].solved);
  text.replace(text.find("#define PAD 01"), 14, "#define PAD 0");
  ask(SetText{text});
  EXPECT_FALSE(session->lab().verdict->solved());
  EXPECT_TRUE(state().progress["09_pad_the_square"].solved) << "the best is kept";
  ask(SelectKernel{"copy/01_copy"});
  EXPECT_EQ(session->lab().exercise, nullptr);
}

TEST_F(ExerciseTest, HintsComeOneByOne) {
  open("01_guard");
  if (IsSkipped()) return;
  EXPECT_EQ(state().progress["01_guard"].hints, 0u);
  click("###hint");
  EXPECT_EQ(state().progress["01_guard"].hints, 1u);
  click("###hint");
  EXPECT_EQ(state().progress["01_guard"].hints, 2u);
}

TEST_F(ExerciseTest, TheSolutionAsksFirstAndDoesNotCountAsSolving) {
  open("01_guard");
  if (IsSkipped()) return;
  confirm("###show the solution");
  EXPECT_EQ(session->settings().text, session->lab().exercise->solution);
  EXPECT_TRUE(session->lab().verdict->solved());
  EXPECT_TRUE(state().progress["01_guard"].saw_solution);
  EXPECT_FALSE(state().progress["01_guard"].solved);
  ask(SetInspectedBlock{{1, 0, 0}});  // what comes after is no part of the gesture before
  confirm("###start over");
  EXPECT_EQ(session->settings().text, session->lab().exercise->start);
  ask(Undo{});
  EXPECT_EQ(session->settings().text, session->lab().exercise->solution);
}

TEST_F(ExerciseTest, GoesFromOneToTheNextAndAsksBeforeATextIsLost) {
  open("01_guard");
  if (IsSkipped()) return;
  click("###next");
  EXPECT_EQ(session->settings().exercise, "02_number_to_place");
  ask(SetText{session->settings().text + "// mine\n"});
  click("###previous");
  EXPECT_EQ(session->settings().exercise, "02_number_to_place");
  EXPECT_EQ(files->status().question, FilesStatus::Question::unsaved);
  ask(FileAction(AnswerUnsaved{Unsaved::discard}));
  EXPECT_EQ(session->settings().exercise, "01_guard");
}

TEST_F(ExerciseTest, TheListOpensOne) {
  open("");
  if (IsSkipped()) return;
  run("exercise.list");
  EXPECT_TRUE(is_shown("exercise"));
  gui->run([&](ImGuiTestContext& test) {
    test.SetRef("//###exercise");
    test.ItemClick("exercises/###03_along_rows");
  });
  settle();
  EXPECT_EQ(session->settings().exercise, "03_along_rows");
  EXPECT_FALSE(state().listing);
}

TEST_F(ExerciseTest, ProgressIsKeptBetweenRuns) {
  open("01_guard");
  if (IsSkipped()) return;
  click("###hint");
  ask(SetText{session->lab().exercise->solution + "// my own\n"});
  frame->files = nullptr;
  files.reset();
  restart();
  const ExerciseProgress& progress = state().progress["01_guard"];
  EXPECT_TRUE(progress.solved);
  EXPECT_EQ(progress.hints, 1u);
  EXPECT_EQ(progress.best, progress.goals);
}

TEST(ExerciseProgress, ALineThatIsNoneIsLeftOut) {
  ExerciseState state;
  for (const char* line :
       {"", "1 2 3", "1 2 1 0 0", "1 2 1 0 0 ", "a b c d e name", "-1 2 1 0 0 n"})
    EXPECT_FALSE(read_progress_line(line, state)) << line;
  EXPECT_TRUE(state.progress.empty());
  EXPECT_TRUE(read_progress_line("1 2 0 3 1 my own exercise", state));
  const ExerciseProgress& read = state.progress.at("my own exercise");
  EXPECT_EQ(progress_line("my own exercise", read), "1 2 0 3 1 my own exercise");
}

}  // namespace
}  // namespace lanescope::app

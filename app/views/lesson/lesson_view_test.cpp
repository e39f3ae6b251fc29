// The Lesson view: questions asked and answered, pictures covered until then, through the scenes by
// keys; and what the core may name of the window.
#include "views/lesson/lesson_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/course/course_testing.h"
#include "core/course/scene_names.h"
#include "views/frame/comfort_test.h"
#include "views/source/source_view.h"
#include "views/timing/timing_view.h"

namespace lanescope::app {
namespace {

using testing_course::CourseFolder;

TEST(SceneNames, AreTheWindowsOwn) {
  for (const std::string_view view : kSceneViews)
    EXPECT_NE(find_view(view_id(view)), nullptr) << view;
  for (const View& view : views()) {
    if (std::string_view(view.id) == "presenter") continue;
    EXPECT_NE(std::find(kSceneViews.begin(), kSceneViews.end(), view.id), kSceneViews.end())
        << view.id << ": a scene cannot show it";
  }
  EXPECT_EQ(kSceneLayouts.size(), kPresets.size());
  for (const std::string_view layout : kSceneLayouts) EXPECT_TRUE(preset_of(layout)) << layout;
}

class LessonTest : public ComfortTest {
 protected:
  void open(int width = 1280, int height = 720) {
    start(false, width, height);
    if (IsSkipped() || !frame) return;
    folder.add_lesson("01_turn", toml);
    classroom =
        std::make_unique<Classroom>(*session, load_course({folder.path()}), workspace->progress);
    frame->classroom = classroom.get();
    frame->pending.push_back(LessonAction(OpenLesson{"turn"}));
    settle();
  }
  void TearDown() override {
    if (frame) frame->classroom = nullptr;
    if (workspace) workspace->lessons = nullptr;
    classroom.reset();
    ComfortTest::TearDown();
  }
  void settle() {
    gui->frames(4);
    classroom->wait();
    session->wait(true);
    gui->frames(10);
  }
  void click(const std::string& item) {
    gui->run([&](ImGuiTestContext& test) {
      test.ItemClick(("//###lesson/**/" + item).c_str());
      test.Yield(3);
    });
    workspace->styled = false;
    settle();
  }
  const LessonStatus& status() { return classroom->status(); }

  CourseFolder folder{"lesson_view"};
  std::string toml = testing_course::kLesson;
  std::unique_ptr<Classroom> classroom;
};

TEST_F(LessonTest, ASceneSaysWhatTimingShows) {
  toml = testing_texts::replaced(toml, "lane = 5\n",
                                 "lane = 5\ntiming = { show = \"all\", size = \"4096\" }\n");
  open();
  if (IsSkipped()) return;
  const TimingQuery& query = state_of<TimingState>(*workspace).query;
  EXPECT_EQ(query.which, TimingQuery::Which::all);
  EXPECT_EQ(query.size, "4096");
}

TEST_F(LessonTest, ASceneArrangesTheWindowAndCoversWhatWouldTell) {
  open();
  if (IsSkipped()) return;
  EXPECT_EQ(workspace->layouts.current, Preset::lesson);
  EXPECT_TRUE(is_shown("lesson"));
  EXPECT_TRUE(is_shown("banks"));
  EXPECT_TRUE(is_shown("index_map"));
  EXPECT_FALSE(is_shown("timeline"));
  EXPECT_TRUE(status().predicting());
  EXPECT_EQ(session->selection().lane, 5);
  // Covered: the view has not drawn its bins.
  EXPECT_EQ(view_window("banks")->DC.ChildWindows.Size, 0);
}

TEST_F(LessonTest, AWrongAnswerIsToldWithTheRightOne) {
  open();
  if (IsSkipped()) return;
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick("//###lesson/**/##answer");
    test.KeyCharsReplace("many");
    test.KeyPress(ImGuiKey_Enter);
    test.Yield(3);
    IM_CHECK(status().predicting());  // it is no number
    test.ItemClick("//###lesson/**/##answer");
    test.KeyCharsReplace("4");
    test.KeyPress(ImGuiKey_Enter);
    test.Yield(3);
  });
  workspace->styled = false;
  settle();
  EXPECT_EQ(status().given.at("how_many").how, Answered::wrong);
  EXPECT_EQ(status().pending()->id, "who");
}

TEST_F(LessonTest, ALaneIsChosenByAClickInAPicture) {
  open();
  if (IsSkipped()) return;
  frame->pending.push_back(LessonAction(RevealAnswer{"how_many"}));
  settle();
  frame->pending.push_back(SelectLane{9});
  settle();
  EXPECT_EQ(state_of<LessonState>(*workspace).picked.at("who"), 9);
  click("###give");
  EXPECT_EQ(status().given.at("who").how, Answered::right);
}

TEST_F(LessonTest, ChoicesAndShowMeOpenThePictures) {
  open();
  if (IsSkipped()) return;
  click("###show");
  EXPECT_EQ(status().given.at("how_many").how, Answered::shown);
  click("###show");
  click("##b");
  EXPECT_EQ(status().given.at("better").how, Answered::wrong);
  EXPECT_FALSE(status().predicting());
  EXPECT_GT(view_window("banks")->DC.ChildWindows.Size, 0) << "uncovered";
}

TEST_F(LessonTest, KeysOfAClickerGoFromSceneToScene) {
  open();
  if (IsSkipped()) return;
  gui->run([&](ImGuiTestContext& test) {
    test.KeyPress(ImGuiKey_PageDown);
    test.Yield(4);
    IM_CHECK_EQ(status().scene, 1u);
    test.KeyPress(ImGuiKey_PageDown);
    test.Yield(4);
    IM_CHECK_EQ(status().scene, 1u);  // the last
    test.KeyPress(ImGuiKey_PageUp);
    test.Yield(4);
    IM_CHECK_EQ(status().scene, 0u);
    test.WindowFocus("//###lesson");
    test.Yield(2);
    test.KeyPress(ImGuiKey_RightArrow);
    test.Yield(4);
    IM_CHECK_EQ(status().scene, 1u);
    test.WindowFocus("//###index_map");
    const std::size_t step = session->selection().step;
    test.Yield(2);
    test.KeyPress(ImGuiKey_LeftArrow);
    test.Yield(4);
    IM_CHECK_EQ(status().scene, 1u);  // arrows are the trace's own there
    (void)step;
    test.WindowFocus("//###lesson");
    test.Yield(2);
    test.KeyPress(ImGuiKey_B);
    test.Yield(2);
    IM_CHECK(state_of<LessonState>(*workspace).black);
    test.KeyPress(ImGuiKey_B);
    test.Yield(2);
    IM_CHECK(!state_of<LessonState>(*workspace).black);
  });
}

TEST_F(LessonTest, ProgressIsKeptWithTheSettings) {
  open();
  if (IsSkipped()) return;
  click("###show");
  frame->pending.push_back(LessonAction(GoToScene{1}));
  settle();
  frame->classroom = nullptr;
  workspace->lessons = nullptr;
  classroom.reset();
  restart();
  ASSERT_TRUE(workspace->progress.lessons.contains("01_turn"));
  const LessonProgress& kept = workspace->progress.lessons.at("01_turn");
  EXPECT_EQ(kept.scene, "edge");
  EXPECT_EQ(kept.answers.at("turn.how_many"), Answered::shown);
  EXPECT_EQ(workspace->progress.open, "01_turn");
}

TEST_F(LessonTest, LeavingGivesTheWindowBack) {
  open();
  if (IsSkipped()) return;
  run("lesson.list");
  EXPECT_TRUE(state_of<LessonState>(*workspace).list);
  click("###leave");
  EXPECT_EQ(status().lesson, nullptr);
  EXPECT_EQ(workspace->layouts.current, Preset::explore);
}

TEST_F(LessonTest, TheProjectorsSwitchKeepsTheLesson) {
  open();
  if (IsSkipped()) return;
  const float zoom = workspace->zoom;
  run("layout.projector");
  EXPECT_GT(workspace->zoom, zoom);
  EXPECT_TRUE(is_shown("lesson"));
  EXPECT_TRUE(is_shown("banks"));
}

TEST_F(LessonTest, WhatIsWrongIsNotMarkedInTheTextBeforeItIsAnswered) {
  start();
  if (IsSkipped() || !frame) return;
  classroom = std::make_unique<Classroom>(*session, load_course({kSource + "/assets/course"}),
                                          workspace->progress);
  frame->classroom = classroom.get();
  ASSERT_TRUE(classroom->open("09_barriers/race").empty());
  settle();
  ASSERT_TRUE(status().predicting());
  ASSERT_FALSE(session->diagnostics().empty());
  const SourceState& source = state_of<SourceState>(*workspace);
  EXPECT_TRUE(source.marked_messages.empty());
  while (status().pending()) {
    frame->pending.push_back(LessonAction(RevealAnswer{status().pending()->id}));
    settle();
  }
  EXPECT_FALSE(source.marked_messages.empty());
}

// The row of the title has the scenes' dots only where it has room for both.
TEST_F(LessonTest, ALongTitleIsNotCutForTheDots) {
  start(false, 1280, 720);
  if (IsSkipped() || !frame) return;
  workspace->zoom = 1.35f;
  workspace->styled = false;
  classroom = std::make_unique<Classroom>(*session, load_course({kSource + "/assets/course"}),
                                          workspace->progress);
  frame->classroom = classroom.get();
  const auto row_of_dots = [&](const char* scene) {
    EXPECT_TRUE(classroom->open(scene).empty());
    settle();
    float list = 0, next = 0, dots = 0;
    gui->run([&](ImGuiTestContext& test) {
      list = test.ItemInfo("//###lesson/###lessons").RectFull.Min.y;
      next = test.ItemInfo("//###lesson/###next").RectFull.Min.y;
      dots = test.ItemInfo("//###lesson/scene 2").RectFull.Min.y;
      IM_CHECK_LE(test.ItemInfo("//###lesson/scene 7").RectFull.Max.x,
                  view_window("lesson")->InnerRect.Max.x);
    });
    return std::abs(dots - list) < std::abs(dots - next) ? "title" : "buttons";
  };
  EXPECT_STREQ(row_of_dots("02_coalescing/row"), "title");
  EXPECT_STREQ(row_of_dots("01_threads/warp"), "buttons");
}

// At the size of a projector every scene with choices is seen whole: nothing has to be scrolled.
TEST_F(LessonTest, ScenesWithChoicesAreSeenWholeOnAProjector) {
  start(false, 1280, 720);
  if (IsSkipped() || !frame) return;
  workspace->zoom = 1.35f;
  workspace->styled = false;
  classroom = std::make_unique<Classroom>(*session, load_course({kSource + "/assets/course"}),
                                          workspace->progress);
  frame->classroom = classroom.get();
  std::size_t scenes = 0;
  for (const Lesson& lesson : classroom->status().course->lessons) {
    for (const Scene& scene : lesson.scenes) {
      if (std::all_of(scene.questions.begin(), scene.questions.end(),
                      [](const Question& question) { return question.choices.empty(); }))
        continue;
      ++scenes;
      const std::string name = lesson.name + "/" + scene.id;
      ASSERT_TRUE(classroom->open(name).empty()) << name;
      settle();
      gui->frames(12);
      EXPECT_TRUE(status().predicting()) << name;
      const ImGuiWindow* words = nullptr;
      for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        if (window->WasActive && std::strstr(window->Name, "###lesson/words_") &&
            !std::strstr(window->Name, "question_"))
          words = window;
      ASSERT_NE(words, nullptr);
      EXPECT_LE(words->ScrollMax.y, 0) << name;
    }
  }
  EXPECT_GT(scenes, 20u);
}

}  // namespace
}  // namespace lanescope::app

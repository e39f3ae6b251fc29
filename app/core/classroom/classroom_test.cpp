#include "core/classroom/classroom.h"

#include <gtest/gtest.h>

#include "core/course/course_testing.h"
#include "core/course/handout.h"

namespace lanescope::app {
namespace {

using namespace testing_course;

class ClassroomTest : public testing::Test {
 protected:
  ClassroomTest() : folder("classroom") {
    folder.add_lesson("01_turn");
    folder.add_lesson("02_broken", "[[scene\n");
    session = std::make_unique<Session>(Catalog{});
    open_course();
  }
  void open_course() {
    classroom = std::make_unique<Classroom>(*session, load_course({folder.path()}), progress);
  }
  void ask(const LessonAction& action) {
    classroom->perform(action);
    classroom->wait();
    session->wait();
    classroom->poll();
  }
  const LessonStatus& status() { return classroom->status(); }

  CourseFolder folder;
  Progress progress;
  std::unique_ptr<Session> session;
  std::unique_ptr<Classroom> classroom;
};

TEST_F(ClassroomTest, ASceneOpensWithItsSettingsAndItsSelection) {
  EXPECT_EQ(status().lesson, nullptr);
  ask(OpenLesson{"turn"});
  ASSERT_NE(status().lesson, nullptr);
  EXPECT_EQ(session->settings().parameters.at("PAD"), "0");
  EXPECT_EQ(session->selection().lane, 5);
  EXPECT_TRUE(status().at_scene);
  EXPECT_EQ(classroom->place(), "01_turn/turn");

  // Free play, and back; each can be undone.
  session->apply(Action(SetParameter{"PAD", "1"}));
  EXPECT_FALSE(status().at_scene);
  ask(ReturnToScene{});
  EXPECT_TRUE(status().at_scene);
  EXPECT_EQ(session->settings().parameters.at("PAD"), "0");
  ASSERT_TRUE(session->apply(Action(Undo{})));
  EXPECT_EQ(session->settings().parameters.at("PAD"), "1");
}

TEST_F(ClassroomTest, WhatASceneIsComparedWithStandsBesideIt) {
  ask(OpenLesson{"turn"});
  ASSERT_NE(session->comparison(), nullptr);
  EXPECT_EQ(session->comparison()->settings.parameters.at("PAD"), "1");
  EXPECT_EQ(session->comparison()->settings.arguments, session->settings().arguments);

  // Another one in free play; the scene brings its own back.
  session->apply(Action(CompareWithParameter{"PAD", "2"}));
  ask(ReturnToScene{});
  ASSERT_NE(session->comparison(), nullptr);
  EXPECT_EQ(session->comparison()->settings.parameters.at("PAD"), "1");
  ask(GoToScene{1});
  EXPECT_EQ(session->comparison(), nullptr) << "that scene has none";
}

TEST_F(ClassroomTest, AnswersAreJudgedAndResultsStayHiddenUntilThen) {
  ask(OpenLesson{"turn"});
  ASSERT_TRUE(status().predicting());
  EXPECT_EQ(status().pending()->id, "how_many");
  ask(AnswerQuestion{"how_many", 1, ""});
  EXPECT_EQ(status().given.at("how_many").how, Answered::wrong);
  EXPECT_EQ(status().pending()->id, "who");
  ask(AnswerQuestion{"who", 6, ""});
  EXPECT_EQ(status().given.at("who").how, Answered::right);
  ask(RevealAnswer{"better"});
  EXPECT_FALSE(status().predicting());

  // What was first answered is what is kept.
  ask(AnswerQuestion{"how_many", 32, ""});
  EXPECT_EQ(status().given.at("how_many").how, Answered::right);
  EXPECT_EQ(progress.lessons.at("01_turn").answers.at("turn.how_many"), Answered::wrong);
  EXPECT_EQ(progress.lessons.at("01_turn").answers.at("turn.better"), Answered::shown);
}

TEST_F(ClassroomTest, FreePlayChangesNoAnswer) {
  ask(OpenLesson{"turn"});
  session->apply(Action(SetParameter{"PAD", "1"}));
  session->wait();
  ask(AnswerQuestion{"how_many", 32, ""});
  EXPECT_EQ(status().given.at("how_many").how, Answered::right);
}

TEST_F(ClassroomTest, ALessonIsLeftAndResumedWhereItWas) {
  ask(OpenLesson{"turn"});
  ask(AnswerQuestion{"how_many", 32, ""});
  ask(GoToScene{1});
  ask(GoToScene{2});
  EXPECT_EQ(status().scene, 1u) << "there is none behind the last";
  EXPECT_FALSE(status().predicting());

  // Through the line that is kept with the settings.
  const std::string line = progress_text("01_turn", progress.lessons.at("01_turn"));
  EXPECT_EQ(line, "01_turn at=edge seen=edge,turn answers=turn.how_many:right");
  progress = {};
  add_progress(progress, line);
  add_progress(progress, "03_other at=x nonsense seen answers=a:b,c");
  EXPECT_TRUE(progress.lessons.at("03_other").answers.empty());
  open_course();
  ask(OpenLesson{"01_turn"});
  EXPECT_EQ(status().shown()->id, "edge");
  ask(GoToScene{0});
  EXPECT_EQ(status().pending()->id, "who") << "the first was answered in the sitting before";
  ask(OpenLesson{"01_turn", true});
  EXPECT_EQ(status().shown()->id, "turn");
  EXPECT_EQ(status().pending()->id, "how_many");
  ask(LeaveLesson{});
  EXPECT_EQ(status().lesson, nullptr);
  EXPECT_EQ(progress.open, "");
}

TEST_F(ClassroomTest, WhatCannotBeOpenedIsToldAndChangesNothing) {
  EXPECT_NE(testing_texts::messages(classroom->open("03_gone")).find("01_turn and 02_broken"),
            std::string::npos);
  EXPECT_NE(testing_texts::messages(classroom->open("turn/corner")).find("turn and edge"),
            std::string::npos);
  EXPECT_NE(testing_texts::messages(classroom->open("broken")).find("lesson.toml:1:"),
            std::string::npos);
  ask(OpenLesson{"broken"});
  EXPECT_EQ(status().lesson, nullptr);
  EXPECT_TRUE(classroom->open("turn/edge").empty());
  EXPECT_EQ(classroom->place(), "01_turn/edge");
}

TEST_F(ClassroomTest, AHandoutHasBlanksAndTheKeyApart) {
  const Lesson& lesson = *classroom->status().course->find("turn");
  HandoutInput input{lesson,   "en",
                     {},       {"<svg/>", ""},
                     {"", ""}, [](const Message& message) {
                       return message.english(); }};
  for (const Scene& scene : lesson.scenes) input.runs.push_back(run_scene({}, lesson, scene));
  const std::string html = handout_html(input);
  const std::size_t key = html.find("class=\"key\"");
  ASSERT_NE(key, std::string::npos);
  EXPECT_LT(html.find("How many wavefronts?"), key);
  EXPECT_LT(html.find("data:image/svg+xml,%3Csvg%2F%3E"), key);
  EXPECT_GT(html.find("<p class=\"answer\">32</p>"), key) << "the answer is not beside the blank";
  EXPECT_GT(html.find("and with padding 1."), key);
  EXPECT_EQ(html.find("{{"), std::string::npos);
}

TEST(Handout, HasAPictureOfTheKeyWhateverViewsASceneHas) {
  Scene scene;
  scene.questions.emplace_back();
  const auto answered_by = [&](std::vector<std::string> views) {
    scene.views = std::move(views);
    return answering_view(scene);
  };
  EXPECT_EQ(answered_by({"index_map", "banks"}), "banks");
  EXPECT_EQ(answered_by({"index_map"}), "index_map");
  EXPECT_EQ(answered_by({"source", "diagnostics"}), "diagnostics");
  EXPECT_EQ(answered_by({"source", "timeline"}), "timeline");
  EXPECT_EQ(asking_view(scene), "source");
  scene.device = "blackboard";
  EXPECT_EQ(answered_by({"blackboard"}), "blackboard");
  EXPECT_EQ(asking_view(scene), "") << "students draw it";
  scene.questions.clear();
  EXPECT_EQ(answered_by({"banks"}), "");
}

}  // namespace
}  // namespace lanescope::app

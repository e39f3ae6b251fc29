#include "core/course/course.h"

#include <gtest/gtest.h>

#include "core/course/course_testing.h"
#include "core/course/lesson_check.h"
#include "core/course/markdown.h"
#include "core/course/scene_names.h"
#include "core/course/scene_run.h"
#include "core/kernel/catalog.h"
#include "core/text/text.h"

namespace lanescope::app {
namespace {

using namespace testing_course;
using testing_texts::messages;
using testing_texts::replaced;

TEST(Course, OrdersLessonsAndFindsThem) {
  const CourseFolder folder("order");
  folder.write("course.toml", "lessons = [\"02_second\", \"01_first\"]\n");
  for (const char* name : {"01_first", "02_second", "03_third"}) folder.add_lesson(name);
  const Course course = load_course({folder.path()});
  EXPECT_EQ(messages(course.diagnostics), "");
  ASSERT_EQ(course.lessons.size(), 3u);
  EXPECT_EQ(course.lessons[0].name, "02_second");
  EXPECT_EQ(course.lessons[2].name, "03_third") << "what course.toml does not name comes behind";
  EXPECT_EQ(course.find("first"), &course.lessons[1]);
  EXPECT_EQ(course.find("fifth"), nullptr);
  const Lesson& lesson = course.lessons[1];
  EXPECT_EQ(messages(lesson.diagnostics), "");
  EXPECT_EQ(lesson.minutes, 5);
  ASSERT_EQ(lesson.scenes.size(), 2u);
  EXPECT_EQ(lesson.scenes[0].views, (std::vector<std::string>{"index_map", "banks"}));
  const SceneText& words = lesson.text("zh")->scenes.at("turn");
  EXPECT_EQ(words.notes.text, "Wait.");
  EXPECT_EQ(words.questions.at("better").labels.at("b").text, "no");
}

TEST(Course, ASceneIsRunAndItsQuestionsAnswered) {
  const CourseFolder folder("run");
  folder.add_lesson("01_turn");
  const Lesson lesson = load_lesson(folder.path("lessons/01_turn"));
  const SceneRun run = run_scene({}, lesson, lesson.scenes.front());
  ASSERT_TRUE(run.picture) << messages(run.diagnostics);
  EXPECT_EQ(run.selection.lane, 5);
  const SceneValues& values = run.values;
  EXPECT_EQ(values.value("access.wavefronts"), 32);
  EXPECT_EQ(values.value("other.access.wavefronts"), 1);
  EXPECT_EQ(values.value("other.PAD + PAD"), 1);
  EXPECT_EQ(values.value("bank(5)"), 0);
  EXPECT_EQ(values.value("other.bank(5)"), 5);
  EXPECT_EQ(values.value("lanes_in_bank(0)"), 32);
  EXPECT_EQ(values.value("words_in_bank(bank(3) + 1)"), 0);
  EXPECT_EQ(values.value("element(2) - element(1)"), 32);
  EXPECT_EQ(values.value("address(2) - address(1)"), 128);
  EXPECT_EQ(values.value("threadidx_y(7)"), 0);
  EXPECT_EQ(values.value("nothing"), std::nullopt);
  EXPECT_EQ(values.text("1 / 8"), "0.125");

  const std::vector<Question>& questions = lesson.scenes.front().questions;
  ASSERT_EQ(questions.size(), 3u);
  EXPECT_TRUE(is_right(values, questions[0], 32, ""));
  EXPECT_FALSE(is_right(values, questions[0], 31, ""));
  EXPECT_TRUE(is_right(values, questions[1], 7, ""));
  EXPECT_FALSE(is_right(values, questions[1], 5, "")) << "every lane but the one that is asked for";
  EXPECT_FALSE(is_right(values, questions[1], 32, "")) << "there is no such lane";
  EXPECT_TRUE(is_right(values, questions[2], 0, "a"));
  EXPECT_FALSE(is_right(values, questions[2], 0, "b"));
  EXPECT_FALSE(is_right(values, questions[2], 0, "c"));
  EXPECT_EQ(answer_text(values, questions[0]), "32");
  EXPECT_EQ(answer_text(values, questions[2]), "a");
}

TEST(Course, WordsAreFilledIn) {
  const CourseFolder folder("words");
  folder.add_lesson("01_turn");
  const Lesson lesson = load_lesson(folder.path("lessons/01_turn"));
  const SceneRun run = run_scene({}, lesson, lesson.scenes.front());
  const SceneText& words = lesson.text("en")->scenes.at("turn");
  EXPECT_EQ(filled_in(words.text, [&](const std::string& e) { return run.values.text(e); }),
            "Lanes meet in bank 0, `64` columns.");
  EXPECT_EQ(plain_text(filled_in({"{{nx}}. And more", 1}, [](const std::string&) { return "64"; })),
            "64. And more")
      << "no list that begins at its 64th item";
}

TEST(Course, AGoodLessonPassesItsCheck) {
  const CourseFolder folder("good");
  folder.add_lesson("01_turn");
  const LessonCheck check = check_lesson({}, load_lesson(folder.path("lessons/01_turn")));
  EXPECT_EQ(messages(check.diagnostics), "");
  EXPECT_EQ(check.scenes, 2u);
  EXPECT_EQ(check.questions, 3u);
  EXPECT_EQ(check.claims, 2u);
  ASSERT_EQ(check.answers.size(), 3u);
  EXPECT_EQ(check.answers[0], "turn.how_many = 32");
}

struct WrongCourse {
  const char* where;  // "toml", "en" or "zh"
  const char* from;
  const char* to;
  const char* said;
};

// Every mistake is told with its file, its line and in words.
TEST(Course, MistakesAreToldWithTheirPlace) {
  const WrongCourse all[] = {
      {"toml", "kernel = \"tile.cu\"\nset", "kernel = \"no.cu\"\nset", "lesson.toml:4:10: error"},
      {"toml", "minutes = 5", "minutes = ", "lesson.toml:1:"},
      {"toml", "minutes = 5", "minuten = 5", "unknown key 'minuten'"},
      {"toml", "\"map\"", "\"bankz\"", "lesson.toml:10:9: error: there is no view 'bankz'"},
      {"toml", "\"access.wavefronts\"\n\n  [[scene.question]]\n  id = \"who\"",
       "\"access.wavefronts +\"\n\n  [[scene.question]]\n  id = \"who\"",
       "lesson.toml:16:12: error"},
      {"toml", "answer = \"access.wavefronts\"", "answer = \"access.wavfronts\"",
       "'access.wavfronts' is no such number"},
      {"toml", "answer = \"access.wavefronts\"", "answer = \"4 * 8\"",
       "the answer '4 * 8' is written down, not computed"},
      {"toml", "answer = \"access.wavefronts\"", "answer = \"access.sectors\"",
       "'access.sectors' is no such number"},
      {"toml", "\"conflicts > 0\"", "\"conflicts == 0\"",
       "lesson.toml:11:11: error: it does not hold: conflicts == 0"},
      {"toml", "\"conflicts > 0\"", "\"conflicts\"", "is a number, not a condition"},
      {"toml", "out[to] =", "nowhere", "lesson.toml:7:8: error: no line that holds 'nowhere'"},
      {"toml", "PAD = 0", "PAD = 99", "99"},
      {"toml", "other.conflicts > 0", "wavefronts < 0 || conflicts > 0", "every choice"},
      {"en", "How many wavefronts?", "How many of 32?", "en.md:8:13: error: a number in the text"},
      {"zh", "{{bank(5)}}", "{{bank(5)", "zh.md:6:20: error: a {{ is not closed"},
      {"en", "{{bank(5)}}", "{{bunk(5)}}",
       "en.md:6:20: error: bunk(5): 'bunk' is no such function"},
      {"en", "{{bank(5)}}", "{{bank(77)}}", "'bank(77)' has no value in this scene"},
      {"zh", "## edge\n", "## corner\n", "zh.md:1:1: error: scene 'edge' has no words"},
      {"zh", "### ? who\nWho else?\n", "", "question 'who' of scene 'turn' has no words"},
      {"en", "- b: no\n", "", "choice 'b' of question 'better' has no label"},
      {"en", "### ! better\nYes.\n", "", "says nothing after the answer"},
  };
  int number = 0;
  for (const WrongCourse& wrong : all) {
    const CourseFolder folder("wrong" + std::to_string(number++));
    const auto part = [&](const char* where, const std::string& text) {
      return std::string(where) == wrong.where ? replaced(text, wrong.from, wrong.to) : text;
    };
    folder.add_lesson("01_turn", part("toml", kLesson), part("en", kWords), part("zh", kWords));
    const LessonCheck check = check_lesson({}, load_lesson(folder.path("lessons/01_turn")));
    EXPECT_NE(messages(check.diagnostics).find(wrong.said), std::string::npos)
        << wrong.to << ":\n"
        << messages(check.diagnostics);
  }
}

TEST(Course, TimingShowsWhatWasMeasured) {
  const Catalog catalog = load_catalog(LANESCOPE_SOURCE_DIR "/kernels");
  const auto check = [&](const std::string& timing) {
    const CourseFolder folder("timing");
    folder.add_lesson("01_turn", kLesson.substr(0, kLesson.rfind("kernel")) +
                                     "kernel = \"transpose/20_fastest\"\ntiming = " + timing +
                                     "\n");
    const Lesson lesson = load_lesson(folder.path("lessons/01_turn"));
    return std::pair(lesson, messages(check_lesson(catalog, lesson).diagnostics));
  };
  const auto [lesson, good] = check("{ show = \"kernel\", size = \"32768\" }");
  EXPECT_EQ(good, "");
  ASSERT_TRUE(lesson.scenes.back().timing);
  EXPECT_EQ(lesson.scenes.back().timing->which, TimingQuery::Which::kernel);
  EXPECT_EQ(lesson.scenes.back().timing->size, "32768");
  EXPECT_NE(check("{ size = \"7\" }").second.find("no recording has been made of this: size '7'"),
            std::string::npos);
  EXPECT_NE(check("{ show = \"often\" }").second.find("Timing cannot show 'often'"),
            std::string::npos);
}

TEST(Course, ABrokenLessonKeepsNoOtherFromOpening) {
  const CourseFolder folder("broken");
  folder.write("course.toml", "lessons = [\"01_broken\", \"02_good\", \"03_gone\"]\n");
  folder.add_lesson("01_broken", "[[scene\n");
  folder.add_lesson("02_good");
  std::filesystem::remove(folder.path("lessons/02_good/zh.md"));
  const Course course = load_course({folder.path(), folder.path("nowhere")});
  EXPECT_NE(messages(course.diagnostics).find("course.toml:1:"), std::string::npos);
  EXPECT_NE(messages(course.diagnostics).find("no course here"), std::string::npos);
  ASSERT_EQ(course.lessons.size(), 2u);
  EXPECT_FALSE(course.lessons[0].opens());
  EXPECT_NE(messages(course.lessons[0].diagnostics).find("lesson.toml:1:"), std::string::npos);
  EXPECT_TRUE(course.lessons[1].opens());
  EXPECT_NE(messages(course.lessons[1].diagnostics).find("zh.md"), std::string::npos)
      << "a missing translation is told, and the lesson opens in the other language";
  EXPECT_EQ(course.lessons[1].text("zh"), course.lessons[1].text("en"));
}

}  // namespace
}  // namespace lanescope::app

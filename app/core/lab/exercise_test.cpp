#include "core/lab/exercise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/lab/exercise_words.h"
#include "core/lab/lab.h"
#include "core/lab/verdict.h"

namespace lanescope::app {
namespace {

const std::string kExercises = LANESCOPE_SOURCE_DIR "/assets/course/exercises/";

Exercise read(const std::string& name) {
  ExerciseResult result = read_exercise(kExercises + name);
  EXPECT_TRUE(result.diagnostics.empty())
      << (result.diagnostics.empty() ? "" : format_diagnostic(result.diagnostics.front()));
  EXPECT_TRUE(result.exercise.has_value());
  return result.exercise.value_or(Exercise{});
}

std::string without_head(const std::string& text) { return text.substr(text.find("---*/\n") + 6); }

TEST(Exercise, EveryShapeWantsARunWithoutErrors) {
  const Exercise exercise = read("09_pad_the_square");
  ASSERT_GE(exercise.shapes.size(), 2u);
  for (const ExerciseShape& shape : exercise.shapes)
    EXPECT_EQ(shape.goals.back()->text(), "errors == 0");
  // Unless a goal speaks of errors itself.
  const Exercise speaks = read("18_one_tile_many_times");
  std::size_t count = 0;
  for (const Goal& goal : speaks.shapes.front().goals) count += goal->text() == "errors == 0";
  EXPECT_EQ(count, 1u);
}

TEST(Exercise, AShapeIsNamedByItsValues) {
  EXPECT_EQ(read("10_pad_the_narrow").shapes.front().text(), "nx = 128, ny = 96, ROWS = 8");
}

TEST(Exercise, AnAnswersOwnFrontMatterDoesNotCount) {
  const Exercise exercise = read("09_pad_the_square");
  const std::string kernel = without_head(exercise.solution);
  const auto own = exercise.ask("a.cu", exercise.solution, exercise.shapes[1]);
  EXPECT_FALSE(own.replaced);
  EXPECT_EQ(own.settings.text, exercise.solution);
  EXPECT_EQ(own.settings.arguments, exercise.shapes[1].arguments);
  const auto none = exercise.ask("a.cu", kernel, exercise.shapes[1]);
  EXPECT_FALSE(none.replaced);
  EXPECT_EQ(none.settings.text, exercise.solution);
  EXPECT_EQ(none.lines_moved, static_cast<long>(exercise.front_matter.lines));
  const std::string other = "/*---\nkernel = \"transpose_square\"\n---*/\n" + kernel;
  const auto another = exercise.ask("a.cu", other, exercise.shapes[1]);
  EXPECT_TRUE(another.replaced);
  EXPECT_EQ(another.settings.text, exercise.solution);
  EXPECT_EQ(another.lines_moved, static_cast<long>(exercise.front_matter.lines) - 3);
}

TEST(Exercise, MistakesAreToldByTheLinesOfTheAnswer) {
  const Exercise exercise = read("01_guard");
  const Verdict verdict = judge(exercise, "a.cu", "\n\n" + without_head(exercise.solution) + "@\n");
  ASSERT_NE(verdict.first_mistake(), nullptr);
  const std::string body = "\n\n" + without_head(exercise.solution);
  EXPECT_EQ(verdict.first_mistake()->line, 1 + std::count(body.begin(), body.end(), '\n'));
  EXPECT_EQ(verdict.passed(), 0u);
  EXPECT_EQ(verdict.shapes.size(), exercise.shapes.size()) << "also those that were not tried";
}

TEST(Exercise, NothingHoldsOfARunThatStopped) {
  const Exercise exercise = read("09_pad_the_square");
  std::string text = exercise.solution;
  text.replace(text.find("  __syncthreads();"), 0, "  while (nx > 0) __syncthreads();\n");
  const Verdict verdict = judge(exercise, "a.cu", text);
  EXPECT_EQ(verdict.passed(), 0u);
  EXPECT_FALSE(verdict.solved());
}

TEST(Exercise, AVerdictSurvivesTheWayThroughJson) {
  const Exercise exercise = read("09_pad_the_square");
  const Verdict verdict = judge(exercise, "a.cu", exercise.start);
  const auto back = verdict_from_json(to_json(verdict));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(to_json(*back), to_json(verdict));
  EXPECT_EQ(back->passed(), verdict.passed());
  EXPECT_GT(verdict.goals(), verdict.passed());
  EXPECT_FALSE(verdict_from_json(Json::parse(R"({"shapes": 3})")).has_value());
}

TEST(Lab, EveryExerciseIsReadInTheOrderOfTheCourse) {
  const Lab lab = load_lab({LANESCOPE_SOURCE_DIR "/assets/course"});
  EXPECT_TRUE(lab.diagnostics.empty());
  ASSERT_GE(lab.exercises.size(), 24u);
  EXPECT_EQ(lab.exercises.front().name, "01_guard");
  EXPECT_EQ(lab.find("guard"), &lab.exercises.front());
  EXPECT_EQ(lab.find("01_guard"), &lab.exercises.front());
  EXPECT_EQ(lab.find("gua"), nullptr);
  for (const Exercise& exercise : lab.exercises) {
    EXPECT_GE(exercise.shapes.size(), 2u) << exercise.name;
    for (const char* language : {"en", "zh"})
      EXPECT_GE(exercise.words.at(language).hints.size(), 2u) << exercise.name;
  }
}

TEST(ExerciseWords, AreTakenApartByTheirHeadings) {
  const WordsResult read = parse_exercise_words(
      "en.md", "# A title\n\nDo this.\n\n```\n# no heading\n```\n\n## Hint\none\n## Hint\ntwo\n## "
               "Solved\nSeen.\n");
  ASSERT_TRUE(read.words.has_value());
  EXPECT_EQ(read.words->title, "A title");
  EXPECT_EQ(read.words->task, "Do this.\n\n```\n# no heading\n```");
  EXPECT_EQ(read.words->hints, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(read.words->solved, "Seen.");
}

}  // namespace
}  // namespace lanescope::app

#include "cli/course/lesson_command.h"

#include <fmt/format.h>

#include "cli/kernel/settings_flags.h"
#include "cli/lab/grade_command.h"
#include "core/course/lesson_check.h"

namespace lanescope::cli {

namespace {

constexpr const char* kLessonNotes =
    "DIR is a folder of a lesson (lesson.toml, en.md, zh.md) or of a course (course.toml,\n"
    "lessons/NAME/…); without it the course that comes along is checked. Every scene is run, "
    "every\n"
    "question answered, every claim and every number of the words computed, in both languages.\n"
    "Of a course, every exercise is solved by its solution and failed by its starting text.\n"
    "Exit status: 0 all is well, 1 a lesson is wrong, 2 bad usage.\n"
    "Examples:\n"
    "  lanescope lesson --check\n"
    "  lanescope lesson --check mine/lessons/01_threads --answers";

int list_lessons(const app::Course& course, const Fronts& fronts) {
  for (const app::Lesson& lesson : course.lessons) {
    const app::LessonText* text = lesson.text("en");
    fronts.out << fmt::format("{:<24} {:>2} scenes  {:>2} min  {}\n", lesson.name,
                              lesson.scenes.size(), lesson.minutes, text ? text->title.text : "");
  }
  return kFine;
}

}  // namespace

void add_lesson_command(CLI::App& app, LessonFlags& flags) {
  CLI::App* command = app.add_subcommand("lesson", "Lessons: list them, or check them for authors");
  command->add_option("--check", flags.check, "Check these lessons, or all")
      ->expected(0, -1)
      ->type_name("DIR");
  command->add_flag("--answers", flags.answers, "Print the answer of each question");
  command->add_flag("--list", flags.list, "Print the lessons");
  command->footer(kLessonNotes);
}

int lesson_command(const app::Catalog& catalog, const LessonFlags& flags, const Fronts& fronts) {
  std::vector<std::string> folders = flags.check;
  std::erase(folders, "");
  if (folders.empty()) folders.push_back(app::default_course_folder());
  const app::Course course = app::load_course(folders);
  print_diagnostics(course.diagnostics, fronts);
  if (flags.list) return list_lessons(course, fronts);
  bool wrong = has_errors(course.diagnostics);
  for (const app::Lesson& lesson : course.lessons) {
    const app::LessonCheck check = app::check_lesson(catalog, lesson);
    const bool failed = has_errors(check.diagnostics);
    fronts.out << fmt::format("{}  {}: {} scenes, {} questions, {} claims\n",
                              failed ? "FAIL" : "pass", lesson.name, check.scenes, check.questions,
                              check.claims);
    if (flags.answers)
      for (const std::string& answer : check.answers) fronts.out << "      " << answer << '\n';
    fronts.out.flush();
    print_diagnostics(check.diagnostics, fronts);
    wrong |= failed;
  }
  std::erase_if(folders, [](const std::string& folder) { return !app::is_course(folder); });
  if (!folders.empty()) wrong |= !check_exercises(app::load_lab(folders), fronts);
  return wrong ? kFailed : kFine;
}

}  // namespace lanescope::cli

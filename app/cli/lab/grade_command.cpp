#include "cli/lab/grade_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/kernel/settings_flags.h"
#include "cli/lab/judge_child.h"
#include "cli/text/progress_line.h"
#include "core/course/course.h"
#include "core/lab/grade.h"
#include "core/lab/grade_report.h"
#include "core/lab/lab_check.h"
#include "core/tasks/process.h"
#include "core/text/text_file.h"

namespace lanescope::cli {

namespace {

constexpr const char* kGradeNotes =
    "DIR holds one NAME.cu a student, or one folder NAME a student with one .cu file in it. Each "
    "is\n"
    "judged in a process of its own, in a sandbox, at every shape of the exercise. Launch, "
    "arguments,\n"
    "parameters and reference are the exercise's: a submission's own front matter does not count.\n"
    "--check [DIR] judges the exercises instead, of this course or of those that there are: each "
    "must\n"
    "be solved by its solution, failed by its starting text, and have its words in every "
    "language.\n"
    "Exit status: 0 all was graded, whatever the marks; 1 an exercise fails its check; 2 bad "
    "usage.\n"
    "Examples:\n"
    "  lanescope grade submissions --exercise padding --csv marks.csv --html marks.html\n"
    "  lanescope grade --check my_course";

std::vector<std::string> folders_of(const GradeFlags& flags) {
  if (flags.check && !flags.folder.empty()) return {flags.folder};
  return app::course_folders(flags.courses);
}

// False, and said, where it cannot be.
bool write(const std::string& file, const std::string& text, const Fronts& fronts) {
  if (file == "-") {
    fronts.out << text;
    return true;
  }
  if (file.empty()) return true;
  const Message wrong = app::write_text_file(app::absolute_path(file), text, false);
  if (!wrong.empty()) print_diagnostics({flag_error(wrong.english(), "")}, fronts);
  return wrong.empty();
}

int grade(const GradeFlags& flags, const app::Exercise& exercise, const Fronts& fronts) {
  const app::Submissions found = app::find_submissions(flags.folder, exercise.name + ".cu");
  print_diagnostics(found.diagnostics, fronts);
  if (found.all.empty()) return kUsage;
  app::GradeOptions options;
  options.judge = {app::own_path(), kJudgeCommand, std::to_string(flags.seconds)};
  options.jobs = flags.jobs;
  options.most_cpu_seconds = flags.seconds;
  // Its own processor time ends it first, unless the machine is busy with something else.
  options.bounds.most_seconds = 3.0 * flags.seconds;
  ProgressBar bar(fronts.err, fronts.progress);
  std::size_t done = 0;
  options.marked = [&, told = bar.callback()](std::size_t, const app::Mark&) {
    if (told) told(++done, found.all.size());
  };
  const std::vector<app::Mark> marks = app::grade(found.all, exercise, options);
  const bool quiet = flags.csv == "-" || flags.html == "-";
  if (!quiet) {
    for (const app::Mark& mark : marks) fronts.out << app::mark_line(mark, exercise) << '\n';
    const auto solved =
        std::count_if(marks.begin(), marks.end(), [](const app::Mark& m) { return m.solved(); });
    fronts.out << solved << " of " << marks.size() << " submissions solve " << exercise.name
               << '\n';
  }
  const bool written = write(flags.csv, app::grade_csv(marks, exercise), fronts) &&
                       write(flags.html, app::grade_html(marks, exercise), fronts);
  return written ? kFine : kInternal;
}

}  // namespace

bool check_exercises(const app::Lab& lab, const Fronts& fronts) {
  std::vector<Diagnostic> all = app::author_errors(lab);
  std::size_t sound = 0;
  for (const app::Exercise& exercise : lab.exercises) {
    std::vector<Diagnostic> found = app::check_exercise(exercise);
    fronts.out << (found.empty() ? "pass  " : "FAIL  ") << exercise.name << '\n';
    fronts.out.flush();
    sound += found.empty();
    append(all, std::move(found));
  }
  fronts.out << sound << " of " << lab.exercises.size() << " exercises are sound\n";
  print_diagnostics(all, fronts);
  return all.empty();
}

void add_course_flag(CLI::App& app, std::vector<std::string>& courses) {
  app.add_option("--course", courses,
                 "A folder of lessons and exercises beside those that come along (repeatable)")
      ->allow_extra_args(false)
      ->type_name("DIR");
}

void add_grade_command(CLI::App& app, GradeFlags& flags) {
  CLI::App* command =
      app.add_subcommand("grade", "Judge a folder of submissions to an exercise of the lab");
  command->add_option("folder", flags.folder, "The submissions; with --check, a course")
      ->type_name("DIR");
  command->add_option("--exercise", flags.exercise, "What was to be solved")->type_name("NAME");
  command->add_option("--csv", flags.csv, "Write a table for a spreadsheet; - is standard output")
      ->type_name("FILE");
  command->add_option("--html", flags.html, "Write a page; - is standard output")
      ->type_name("FILE");
  command->add_option("--jobs", flags.jobs, "Submissions judged at a time")
      ->check(CLI::Range(1, 256))
      ->capture_default_str()
      ->type_name("N");
  command->add_option("--seconds", flags.seconds, "Processor time for each submission")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str()
      ->type_name("N");
  command->add_flag("--check", flags.check, "Judge the exercises themselves");
  add_course_flag(*command, flags.courses);
  command->footer(kGradeNotes);
}

int grade_command(const GradeFlags& flags, const Fronts& fronts) {
  const app::Lab lab = app::load_lab(folders_of(flags));
  if (flags.check) return check_exercises(lab, fronts) ? kFine : kFailed;
  if (flags.folder.empty())
    return usage(fronts, "which folder of submissions?", "lanescope grade DIR --exercise NAME");
  const app::Exercise* exercise = lab.find(flags.exercise);
  if (exercise) return grade(flags, *exercise, fronts);
  // What is amiss with others is no concern of who grades this one.
  print_diagnostics(lab.diagnostics, fronts);
  print_diagnostics({app::no_such_exercise(lab, flags.exercise)}, fronts);
  return kUsage;
}

}  // namespace lanescope::cli

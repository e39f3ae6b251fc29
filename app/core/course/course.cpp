#include "core/course/course.h"

#include <algorithm>
#include <filesystem>

#include "core/course/course_messages.h"
#include "core/course/lesson_toml.h"
#include "core/text/messages.h"
#include "core/text/text.h"
#include "core/text/text_file.h"
#include "core/text/toml_reader.h"

namespace lanescope::app {

namespace fs = std::filesystem;

namespace {

// At a line of the words.
void report(Lesson& lesson, const LessonText& text, std::uint32_t line, const Message& message,
            Message hint = {}) {
  Diagnostic error = usage_error(text.file, message, std::move(hint));
  error.line = std::max(1u, line), error.column = 1;
  lesson.diagnostics.push_back(std::move(error));
}

void compare_labels(Lesson& lesson, const LessonText& text, const Question& question,
                    const QuestionText& words) {
  const std::uint32_t line = words.question.line;
  for (const Choice& choice : question.choices)
    if (!words.labels.contains(choice.id))
      report(lesson, text, line, say::choice_without_label(choice.id, question.id));
  for (const auto& [id, label] : words.labels) {
    const bool known = std::any_of(question.choices.begin(), question.choices.end(),
                                   [&](const Choice& choice) { return choice.id == id; });
    if (!known) report(lesson, text, label.line, say::label_without_choice(id, question.id));
  }
}

void compare_questions(Lesson& lesson, const LessonText& text, const Scene& scene,
                       const SceneText& words) {
  for (const Question& question : scene.questions) {
    const auto found = words.questions.find(question.id);
    if (found == words.questions.end() || found->second.question.empty()) {
      report(lesson, text, words.line, say::question_without_words(question.id, scene.id));
      continue;
    }
    if (found->second.explanation.empty())
      report(lesson, text, found->second.question.line,
             say::question_without_reason(question.id, scene.id));
    compare_labels(lesson, text, question, found->second);
  }
  for (const auto& [id, question] : words.questions) {
    const bool known = std::any_of(scene.questions.begin(), scene.questions.end(),
                                   [&](const Question& one) { return one.id == id; });
    if (!known)
      report(lesson, text, question.question.line ? question.question.line : words.line,
             say::words_without_question(id, scene.id));
  }
}

// That the words speak of the very scenes and questions that there are.
void compare_words(Lesson& lesson, const LessonText& text) {
  if (text.title.empty()) report(lesson, text, 1, say::text_needs_title);
  for (const Scene& scene : lesson.scenes) {
    const auto found = text.scenes.find(scene.id);
    if (found == text.scenes.end()) {
      report(lesson, text, 1, say::scene_without_words(scene.id));
      continue;
    }
    if (found->second.title.empty())
      report(lesson, text, found->second.line, say::scene_without_title(scene.id));
    compare_questions(lesson, text, scene, found->second);
  }
  for (const auto& [id, words] : text.scenes) {
    const bool known = std::any_of(lesson.scenes.begin(), lesson.scenes.end(),
                                   [&](const Scene& scene) { return scene.id == id; });
    if (!known) report(lesson, text, words.line, say::words_without_scene(id));
  }
}

void read_words(Lesson& lesson, std::string_view language) {
  const std::string file = (fs::path(lesson.folder) / (std::string(language) + ".md")).string();
  TextFile read = read_text_file(file);
  if (!read.diagnostics.empty()) {
    append(lesson.diagnostics, std::move(read.diagnostics));
    return;
  }
  LessonTextResult parsed = parse_lesson_text(file, read.text);
  append(lesson.diagnostics, std::move(parsed.diagnostics));
  // What is wrong with the scenes is told once, and not as words that they lack.
  if (!lesson.scenes.empty()) compare_words(lesson, parsed.text);
  lesson.words.emplace(language, std::move(parsed.text));
}

// As course.toml orders them; what it does not name comes behind, by name.
std::vector<std::string> order_of(const std::string& folder, Course& course) {
  std::vector<std::string> names;
  const std::string file = (fs::path(folder) / "course.toml").string();
  std::error_code none;
  if (fs::exists(file, none)) {
    const TextFile read = read_text_file(file);
    append(course.diagnostics, read.diagnostics);
    TomlReader reader(file, read.text);
    try {
      const toml::table root = toml::parse(read.text);
      reader.only(root, say::the_course, {"title", "lessons", "exercises"});
      for (const std::string& name : reader.strings(root, "lessons")) {
        if (fs::is_directory(fs::path(folder) / "lessons" / name, none))
          names.push_back(name);
        else
          reader.error(root.get("lessons")->source(), say::lesson_not_there(name));
      }
    } catch (const toml::parse_error& failure) {
      reader.error(failure.source(), Message::verbatim(std::string(failure.description())));
    }
    append(course.diagnostics, std::move(reader.diagnostics));
  }
  std::vector<std::string> others;
  for (const auto& entry : fs::directory_iterator(fs::path(folder) / "lessons", none)) {
    const std::string name = entry.path().filename().string();
    if (fs::exists(entry.path() / "lesson.toml", none) &&
        std::find(names.begin(), names.end(), name) == names.end())
      others.push_back(name);
  }
  std::sort(others.begin(), others.end());
  names.insert(names.end(), others.begin(), others.end());
  return names;
}

// "02_coalescing" answers to "coalescing" too.
bool answers_to(const std::string& name, std::string_view asked) {
  const std::size_t bare = name.find_first_not_of("0123456789_");
  return name == asked ||
         (bare != std::string::npos && std::string_view(name).substr(bare) == asked);
}

}  // namespace

const LessonText* Lesson::text(std::string_view language) const {
  const auto found = words.find(language);
  if (found != words.end()) return &found->second;
  return words.empty() ? nullptr : &words.begin()->second;
}

const Lesson* Course::find(std::string_view name) const {
  const auto found = std::find_if(lessons.begin(), lessons.end(), [&](const Lesson& lesson) {
    return answers_to(lesson.name, name);
  });
  return found == lessons.end() ? nullptr : &*found;
}

std::string default_course_folder() { return bundled_folder("course", "assets/course"); }

std::vector<std::string> course_folders(const std::vector<std::string>& own) {
  std::vector<std::string> folders;
  if (std::string bundled = default_course_folder(); !bundled.empty()) folders.push_back(bundled);
  folders.insert(folders.end(), own.begin(), own.end());
  return folders;
}

Diagnostic unknown_lesson(const Course& course, const std::string& name) {
  std::vector<std::string> names;
  for (const Lesson& lesson : course.lessons) names.push_back(lesson.name);
  return usage_error(name, say::no_such_lesson, say::lessons_are(say::listed(names)));
}

Lesson load_lesson(const std::string& folder) {
  Lesson lesson;
  lesson.folder = absolute_path(folder);
  lesson.name = fs::path(lesson.folder).filename().string();
  lesson.file = (fs::path(lesson.folder) / "lesson.toml").string();
  TextFile read = read_text_file(lesson.file);
  if (read.diagnostics.empty()) read_lesson_toml(lesson, read.text);
  append(lesson.diagnostics, std::move(read.diagnostics));
  for (const std::string_view language : kCourseLanguages) read_words(lesson, language);
  return lesson;
}

Course load_course(const std::vector<std::string>& folders) {
  Course course;
  std::error_code none;
  for (const std::string& folder : folders) {
    if (fs::exists(fs::path(folder) / "lesson.toml", none)) {
      course.lessons.push_back(load_lesson(folder));
      continue;
    }
    if (!fs::is_directory(fs::path(folder) / "lessons", none) &&
        !fs::exists(fs::path(folder) / "course.toml", none)) {
      course.diagnostics.push_back(
          usage_error(folder, say::no_course_folder, say::course_folder_has));
      continue;
    }
    for (const std::string& name : order_of(folder, course))
      course.lessons.push_back(load_lesson((fs::path(folder) / "lessons" / name).string()));
  }
  return course;
}

}  // namespace lanescope::app

#include "core/classroom/classroom.h"

#include <algorithm>

#include "core/course/course_messages.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

const Question* find_question(const Scene* scene, const std::string& id) {
  if (!scene) return nullptr;
  const auto found = std::find_if(scene->questions.begin(), scene->questions.end(),
                                  [&](const Question& question) { return question.id == id; });
  return found == scene->questions.end() ? nullptr : &*found;
}

std::optional<std::size_t> scene_named(const Lesson& lesson, const std::string& id) {
  for (std::size_t i = 0; i < lesson.scenes.size(); ++i)
    if (lesson.scenes[i].id == id) return i;
  return std::nullopt;
}

}  // namespace

const Question* LessonStatus::pending() const {
  const Scene* scene_shown = shown();
  if (!scene_shown) return nullptr;
  for (const Question& question : scene_shown->questions)
    if (!given.contains(question.id)) return &question;
  return nullptr;
}

Classroom::Classroom(Session& session, Course course, Progress& progress,
                     std::function<void()> wake)
    : session_(session), course_(std::move(course)), progress_(progress),
      runner_(
          [this](const Asked& asked,
                 const auto& turn) -> std::optional<std::shared_ptr<const SceneRun>> {
            return std::make_shared<const SceneRun>(run_scene(
                session_.catalog(), *asked.lesson, asked.lesson->scenes[asked.scene], turn.stop()));
          },
          std::move(wake)) {
  status_.course = &course_;
  status_.progress = &progress_;
}

const LessonStatus& Classroom::status() {
  status_.at_scene = status_.lesson && session_.settings() == settings_;
  return status_;
}

void Classroom::perform(const LessonAction& action) {
  std::visit(Overloaded{[&](const OpenLesson& a) {
                          const Lesson* lesson = course_.find(a.name);
                          if (!lesson || !lesson->opens()) return;
                          if (a.anew) progress_.lessons.erase(lesson->name);
                          const std::string left = progress_.lessons[lesson->name].scene;
                          open_lesson(*lesson, scene_named(*lesson, left).value_or(0));
                        },
                        [&](const GoToScene& a) { go_to(a.scene); },
                        [&](const ReturnToScene&) {
                          if (status_.lesson) show_scene();
                        },
                        [&](const LeaveLesson&) { leave(); },
                        [&](const AnswerQuestion& a) { answer(a); },
                        [&](const RevealAnswer& a) { reveal(a.question); }},
             action);
}

bool Classroom::poll() {
  auto run = runner_.take();
  if (!run) return false;
  status_.run = std::move(*run);
  // Where the scene is still as it was opened, what it selects is selected.
  if (status_.run->picture && session_.settings() == settings_)
    session_.restore(settings_, status_.run->selection);
  return true;
}

void Classroom::wait() {
  runner_.wait();
  poll();
}

std::vector<Diagnostic> Classroom::open(const std::string& lesson_and_scene) {
  const std::size_t slash = lesson_and_scene.find('/');
  const std::string name = lesson_and_scene.substr(0, slash);
  const Lesson* lesson = course_.find(name);
  if (!lesson) return {unknown_lesson(course_, name)};
  if (!lesson->opens()) return lesson->diagnostics;
  const std::string scene = slash == std::string::npos ? progress_.lessons[lesson->name].scene
                                                       : lesson_and_scene.substr(slash + 1);
  const auto found = scene_named(*lesson, scene);
  if (!found && slash != std::string::npos) {
    std::vector<std::string> ids;
    for (const Scene& one : lesson->scenes) ids.push_back(one.id);
    return {usage_error(lesson_and_scene, say::no_such_scene, say::scenes_are(say::listed(ids)))};
  }
  open_lesson(*lesson, found.value_or(0));
  return {};
}

std::string Classroom::place() const {
  const Scene* scene = status_.shown();
  return scene ? status_.lesson->name + "/" + scene->id : "";
}

void Classroom::open_lesson(const Lesson& lesson, std::size_t scene) {
  if (status_.lesson != &lesson) status_.began = std::chrono::steady_clock::now();
  status_.lesson = &lesson;
  progress_.open = lesson.name;
  go_to(scene);
}

void Classroom::go_to(std::size_t scene) {
  if (!status_.lesson || scene >= status_.lesson->scenes.size()) return;
  status_.scene = scene;
  status_.given.clear();
  const Scene& shown = status_.lesson->scenes[scene];
  progress().scene = shown.id;
  progress().seen.insert(shown.id);
  for (const Question& question : shown.questions) {
    const auto known = progress().answers.find(shown.id + "." + question.id);
    if (known != progress().answers.end()) status_.given[question.id] = {.how = known->second};
  }
  status_.run = nullptr;
  runner_.submit({status_.lesson, scene});
  show_scene();
}

void Classroom::show_scene() {
  OpenResult opened = open_scene(session_.catalog(), *status_.lesson, *status_.shown());
  ++status_.opened;
  if (!opened.settings) return;
  settings_ = std::move(*opened.settings);
  if (status_.run && status_.run->picture)
    session_.restore(settings_, status_.run->selection);
  else
    session_.apply(settings_);
  compare_scene();
}

// What the scene speaks of beside itself stands in the view that compares, and nothing older.
void Classroom::compare_scene() {
  const Scene& scene = *status_.shown();
  OpenResult other;
  if (scene.other) other = open_scene(session_.catalog(), *status_.lesson, other_scene(scene));
  if (other.settings)
    session_.apply(Action(SetComparison{std::move(*other.settings)}));
  else
    session_.apply(Action(ClearComparison{}));
}

void Classroom::leave() {
  runner_.cancel();
  status_.lesson = nullptr;
  status_.run = nullptr;
  status_.given.clear();
  progress_.open.clear();
  ++status_.opened;
}

void Classroom::answer(const AnswerQuestion& asked) {
  const Question* question = find_question(status_.shown(), asked.question);
  if (!question || !status_.run || !status_.run->picture) return;
  const bool right = is_right(status_.run->values, *question, asked.number, asked.choice);
  note(question->id, {asked.number, asked.choice, right ? Answered::right : Answered::wrong});
}

void Classroom::reveal(const std::string& question) {
  if (find_question(status_.shown(), question)) note(question, {.how = Answered::shown});
}

// The first answer is the one that progress keeps: what came after it was known.
void Classroom::note(const std::string& question, GivenAnswer given) {
  progress().answers.emplace(status_.shown()->id + "." + question, given.how);
  status_.given[question] = std::move(given);
}

}  // namespace lanescope::app

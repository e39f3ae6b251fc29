#include "core/course/course_progress.h"

#include <array>
#include <sstream>

namespace lanescope::app {

namespace {

constexpr std::array<const char*, 3> kAnswered = {"right", "wrong", "shown"};

template <class Each>
void each_part(const std::string& text, Each each) {
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');)
    if (!part.empty()) each(part);
}

void add_answer(LessonProgress& progress, const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return;
  for (std::size_t i = 0; i < kAnswered.size(); ++i)
    if (text.substr(colon + 1) == kAnswered[i])
      progress.answers[text.substr(0, colon)] = static_cast<Answered>(i);
}

}  // namespace

std::string progress_text(const std::string& lesson, const LessonProgress& progress) {
  std::string seen, answers;
  for (const std::string& scene : progress.seen) seen += (seen.empty() ? "" : ",") + scene;
  for (const auto& [question, how] : progress.answers)
    answers +=
        (answers.empty() ? "" : ",") + question + ":" + kAnswered[static_cast<std::size_t>(how)];
  return lesson + " at=" + progress.scene + " seen=" + seen + " answers=" + answers;
}

void add_progress(Progress& progress, std::string_view line) {
  std::istringstream words{std::string(line)};
  std::string name;
  if (!(words >> name)) return;
  LessonProgress& lesson = progress.lessons[name];
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
    if (key == "at") lesson.scene = value;
    if (key == "seen") each_part(value, [&](const std::string& id) { lesson.seen.insert(id); });
    if (key == "answers") each_part(value, [&](const std::string& a) { add_answer(lesson, a); });
  }
}

}  // namespace lanescope::app

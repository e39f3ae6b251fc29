#include "core/course/lesson_check.h"

#include <algorithm>

#include "core/course/course_messages.h"
#include "core/course/scene_run.h"
#include "core/text/text.h"
#include "core/timing/measurement.h"
#include "core/timing/timing.h"

namespace lanescope::app {

namespace {

/// One scene's run against all that is said of it.
class SceneCheck {
 public:
  SceneCheck(const Catalog& catalog, const Lesson& lesson, const Scene& scene, const SceneRun& run,
             LessonCheck& result)
      : catalog_(catalog), lesson_(lesson), scene_(scene), run_(run), result_(result) {}

  void check() {
    for (const Diagnostic& diagnostic : run_.diagnostics)
      if (diagnostic.severity == Severity::error && is_ours(diagnostic))
        result_.diagnostics.push_back(diagnostic);
    if (!run_.picture) {
      error(scene_.pos, say::scene_does_not_run(scene_.id));
      for (const Diagnostic& diagnostic : run_.diagnostics)
        if (!is_ours(diagnostic)) result_.diagnostics.push_back(diagnostic);
      return;
    }
    if (scene_.timing) check_timing(*scene_.timing);
    for (const Claim& claim : scene_.claims) check_claim(claim);
    for (const Question& question : scene_.questions) check_question(question);
    for (const auto& [language, text] : lesson_.words) {
      const auto words = text.scenes.find(scene_.id);
      if (words != text.scenes.end()) check_words(text, words->second);
    }
  }

 private:
  // A kernel may well be wrong where a lesson is about mistakes.
  [[nodiscard]] bool is_ours(const Diagnostic& diagnostic) const {
    return diagnostic.file == lesson_.file;
  }

  void error(SourcePos pos, const Message& message, Message hint = {}) {
    Diagnostic wrong = usage_error(lesson_.file, message, std::move(hint));
    wrong.line = pos.line, wrong.column = pos.column;
    result_.diagnostics.push_back(std::move(wrong));
  }

  // False, and an error where it stands, unless it can be read and all that it names has a value.
  template <class Tell>
  bool can_be_read(const std::string& expression, Tell tell) {
    const auto parsed = Expectation::parse(expression, run_.values.vocabulary());
    if (parsed.expectation) return true;
    const Diagnostic& why = parsed.diagnostics.front();
    tell(say::about(expression, why.message), why.hint);
    return false;
  }

  [[nodiscard]] auto at(SourcePos pos) {
    return
        [this, pos](const Message& message, Message hint) { error(pos, message, std::move(hint)); };
  }

  // What the recordings that come along do not have would be an empty view.
  void check_timing(const TimingQuery& query) {
    TimingSources sources{.catalog = &catalog_,
                          .recordings = load_recordings(default_measurement_folder()).recordings};
    sources.recorded = recorded_launches(sources.recordings, catalog_);
    const TimingTable table = timing_table(sources, query);
    const auto has = [](const std::string& wanted, const std::string& shown) {
      return wanted.empty() || wanted == shown;
    };
    if (!table.rows.empty() && has(query.size, table.query.size) &&
        has(query.element, table.query.element))
      return;
    error(scene_.timing_pos, say::nothing_measured(query.size, query.element),
          say::sizes_measured(say::listed(table.sizes), say::listed(table.elements)));
  }

  void check_claim(const Claim& claim) {
    ++result_.claims;
    if (!can_be_read(claim.text, at(claim.pos)) || run_.values.holds(claim.text)) return;
    const auto parsed = Expectation::parse(claim.text, run_.values.vocabulary());
    std::vector<std::string> values;
    for (const std::string& name : parsed.expectation->names())
      values.push_back(name + " = " + run_.values.text(name));
    error(claim.pos, say::claim_fails(claim.text), say::values_are(say::listed(values)));
  }

  void check_question(const Question& question) {
    ++result_.questions;
    if (question.kind == Question::Kind::choice) {
      check_choices(question);
    } else if (!can_be_read(question.answer, at(question.answer_pos))) {
      return;
    } else if (answer_text(run_.values, question).empty()) {
      const bool accepts =
          Expectation::parse(question.answer, run_.values.vocabulary()).expectation->is_condition();
      error(question.answer_pos,
            accepts ? say::nothing_accepted(question.id) : say::value_is_none(question.answer));
    }
    result_.answers.push_back(scene_.id + "." + question.id + " = " +
                              answer_text(run_.values, question));
  }

  void check_choices(const Question& question) {
    std::size_t right = 0;
    for (const Choice& choice : question.choices) {
      if (!can_be_read(choice.condition, at(choice.pos))) return;
      right += run_.values.holds(choice.condition);
    }
    if (right == 0) error(question.pos, say::no_choice_holds(question.id));
    if (right == question.choices.size() && right > 1)
      error(question.pos, say::every_choice_holds(question.id));
  }

  void check_words(const LessonText& text, const SceneText& words) {
    for (const TextPart* part : {&words.title, &words.text, &words.notes}) check_part(text, *part);
    for (const auto& [id, question] : words.questions) {
      check_part(text, question.question);
      check_part(text, question.explanation);
      for (const auto& [choice, label] : question.labels) check_part(text, label);
    }
  }

  void check_part(const LessonText& text, const TextPart& part) {
    for (const Placeholder& placeholder : placeholders_of(part)) {
      const auto tell = [&](const Message& message, Message hint) {
        Diagnostic wrong = usage_error(text.file, message, std::move(hint));
        set_place(wrong, part, placeholder.begin);
        result_.diagnostics.push_back(std::move(wrong));
      };
      if (can_be_read(placeholder.expression, tell) && !run_.values.value(placeholder.expression))
        tell(say::value_is_none(placeholder.expression), {});
    }
  }

  const Catalog& catalog_;
  const Lesson& lesson_;
  const Scene& scene_;
  const SceneRun& run_;
  LessonCheck& result_;
};

}  // namespace

LessonCheck check_lesson(const Catalog& catalog, const Lesson& lesson) {
  LessonCheck result{.diagnostics = lesson.diagnostics};
  for (const Scene& scene : lesson.scenes) {
    ++result.scenes;
    const SceneRun run = run_scene(catalog, lesson, scene);
    SceneCheck(catalog, lesson, scene, run, result).check();
  }
  return result;
}

}  // namespace lanescope::app

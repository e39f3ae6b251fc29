#include "views/lesson/lesson_list.h"

#include <algorithm>

#include <fmt/format.h>

#include "views/draw/markdown_text.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

std::size_t questions_of(const Lesson& lesson) {
  std::size_t count = 0;
  for (const Scene& scene : lesson.scenes) count += scene.questions.size();
  return count;
}

// "7 of 7 scenes · 4 of 5 right", or how long it takes where nothing is done yet.
std::string done_text(const Lesson& lesson, const LessonProgress* progress) {
  if (!progress || progress->seen.empty())
    return tr("{0} scenes, {1} minutes", {lesson.scenes.size(), lesson.minutes});
  std::size_t seen = 0;
  for (const Scene& scene : lesson.scenes) seen += progress->seen.contains(scene.id);
  const auto right = std::count_if(progress->answers.begin(), progress->answers.end(),
                                   [](const auto& a) { return a.second == Answered::right; });
  std::string text = tr("{0} of {1} scenes", {seen, lesson.scenes.size()});
  if (questions_of(lesson) > 0)
    text += " · " + tr("{0} of {1} right", {right, questions_of(lesson)});
  return text;
}

void draw_broken(const ViewContext& ctx, const Lesson& lesson) {
  hint(ctx, lesson.name);
  if (lesson.diagnostics.empty()) return;
  const Diagnostic& first = lesson.diagnostics.front();
  ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.error);
  wrapped_text(fmt::format("{}:{}: {}", first.file, first.line, tr_message(first.message)));
  ImGui::PopStyleColor();
}

void draw_row(const ViewContext& ctx, const Lesson& lesson, std::size_t number, Actions& actions) {
  const LessonText* words = lesson.text(current_language());
  if (!lesson.opens() || !words) return draw_broken(ctx, lesson);
  const auto& all = ctx.lessons->progress->lessons;
  const auto found = all.find(lesson.name);
  const LessonProgress* progress = found == all.end() ? nullptr : &found->second;
  const float pad = 6 * ctx.scale, line = ImGui::GetFontSize();
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string summary = words->summary.text;
  const float height =
      line * 1.3f + markdown_height(ctx, summary, 0.95f, width - 2 * pad) + line * 1.3f + 2 * pad;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::Selectable(("##" + lesson.name).c_str(), ctx.lessons->lesson == &lesson, 0,
                        {width, height}))
    actions.push_back(LessonAction(OpenLesson{lesson.name}));
  const ImVec2 after = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string title = fmt::format("{}  {}", number, plain_text(words->title.text));
  list.AddText(ctx.fonts.strong, line * 1.1f, {at.x + pad, at.y + pad},
               ImGui::GetColorU32(ImGuiCol_Text), title.c_str());
  ImGui::SetCursorScreenPos({at.x + pad, at.y + pad + line * 1.4f});
  markdown_text(ctx, summary, 0.95f);
  list.AddText(ctx.fonts.text, line * 0.9f, {at.x + pad, at.y + height - line - pad}, ctx.theme.dim,
               done_text(lesson, progress).c_str());
  ImGui::SetCursorScreenPos(after);
  ImGui::Dummy({0, 0});
}

}  // namespace

void draw_lesson_list(const ViewContext& ctx, LessonState& state, Actions& actions) {
  headline(ctx, tr("Lessons"), ctx.theme.text);
  if (ctx.lessons->lesson) {
    ImGui::SameLine();
    if (ImGui::Button(window_title("Back to the lesson", "resume").c_str())) state.list = false;
    ImGui::SameLine();
    if (ImGui::Button(window_title("Start over", "anew").c_str())) {
      actions.push_back(LessonAction(OpenLesson{ctx.lessons->lesson->name, true}));
      state.list = false;
    }
    item_tooltip(tr("Forgets what was done in the lesson that is open"));
    ImGui::SameLine();
    if (ImGui::Button(window_title("Leave", "leave").c_str())) {
      actions.push_back(LessonAction(LeaveLesson{}));
      state.list = false;
    }
  }
  if (ctx.lessons->course->lessons.empty())
    return nothing_to_show(ctx, tr("There are no lessons here."));
  ImGui::BeginChild("lessons");
  for (std::size_t i = 0; i < ctx.lessons->course->lessons.size(); ++i)
    draw_row(ctx, ctx.lessons->course->lessons[i], i + 1, actions);
  ImGui::EndChild();
}

}  // namespace lanescope::app

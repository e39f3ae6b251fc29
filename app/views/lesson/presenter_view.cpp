#include "views/lesson/presenter_view.h"

#include <fmt/format.h>

#include <chrono>

#include "views/draw/markdown_text.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lesson/lesson_question.h"

namespace lanescope::app {
namespace {

constexpr float kSide = 17;        // times the type's size: the column of time and what comes next
constexpr float kFromAfar = 1.5f;  // times the type's size: one stands before a window of its own

void clock(const ViewContext& ctx) {
  using namespace std::chrono;
  const auto elapsed = duration_cast<seconds>(steady_clock::now() - ctx.lessons->began).count();
  const int minutes = ctx.lessons->lesson->minutes;
  const bool late = elapsed > 60LL * minutes;
  ImGui::PushFont(ctx.fonts.strong, ImGui::GetStyle().FontSizeBase * 1.6f);
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(late ? ctx.theme.warning : ctx.theme.text),
                     "%s", fmt::format("{}:{:02}", elapsed / 60, elapsed % 60).c_str());
  ImGui::PopFont();
  ImGui::SameLine();
  ImGui::TextDisabled("%s", tr("of {0} minutes", {minutes}).c_str());
}

void side(const ViewContext& ctx, const LessonText& words) {
  const LessonStatus& status = *ctx.lessons;
  clock(ctx);
  hint(ctx, tr("scene {0} of {1}", {status.scene + 1, status.lesson->scenes.size()}));
  if (status.scene + 1 < status.lesson->scenes.size()) {
    const auto next = words.scenes.find(status.lesson->scenes[status.scene + 1].id);
    if (next != words.scenes.end())
      hint(ctx, tr("next: {0}", {plain_text(lesson_text(ctx, next->second.title))}));
  }
  const Scene& scene = *status.shown();
  for (const Question& question : scene.questions) {
    const auto asked = words.scenes.at(scene.id).questions.find(question.id);
    if (asked != words.scenes.at(scene.id).questions.end())
      hint(ctx, tr("answer: {0}", {right_answer(ctx, question, asked->second)}));
  }
}

void turn_scenes(const ViewContext& ctx, Actions& actions) {
  if (!ctx.lessons || !ctx.lessons->lesson) return;
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, false); };
  if (pressed(ImGuiKey_PageDown) || pressed(ImGuiKey_RightArrow))
    actions.push_back(LessonAction(GoToScene{ctx.lessons->scene + 1}));
  if ((pressed(ImGuiKey_PageUp) || pressed(ImGuiKey_LeftArrow)) && ctx.lessons->scene > 0)
    actions.push_back(LessonAction(GoToScene{ctx.lessons->scene - 1}));
}

}  // namespace

void draw_presenter_window(const ViewContext& ctx, PresenterState& state, Actions& actions) {
  const ImGuiViewport& all = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(all.Pos);
  ImGui::SetNextWindowSize(all.Size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(16 * ctx.scale, 12 * ctx.scale));
  ImGui::Begin("###notes", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
  ImGui::PopStyleVar();
  turn_scenes(ctx, actions);
  if (ImGui::IsKeyPressed(ImGuiKey_F9, false)) state.in_window = false;
  ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * kFromAfar);
  draw_presenter(ctx, state, actions);
  ImGui::PopFont();
  ImGui::End();
}

void draw_presenter(const ViewContext& ctx, PresenterState&, Actions&) {
  const LessonText* words = lesson_words(ctx);
  const Scene* scene = ctx.lessons ? ctx.lessons->shown() : nullptr;
  if (!words || !scene || !words->scenes.contains(scene->id))
    return nothing_to_show(ctx, tr("Open a lesson to see its notes here."));
  ImGui::BeginChild("side", {kSide * ImGui::GetFontSize(), 0});
  side(ctx, *words);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("notes");
  markdown_text(ctx, lesson_text(ctx, words->scenes.at(scene->id).notes), 1.1f);
  ImGui::EndChild();
}

}  // namespace lanescope::app

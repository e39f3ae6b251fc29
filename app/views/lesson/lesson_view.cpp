#include "views/lesson/lesson_view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "views/draw/markdown_text.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lesson/blackboard_view.h"
#include "views/lesson/lesson_list.h"
#include "views/lesson/lesson_question.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

constexpr float kTitleType = 1.25f;  // times the text's
constexpr float kLeastStep = 0.97f;  // by which type that does not fit grows smaller
constexpr int kSizing = 2;           // frames until what sizes itself has done so
constexpr float kLeastTitle = 0.8f;  // of its size, where it has no room otherwise
constexpr float kDot = 5;            // units: radius of a scene's dot

const SceneText* scene_words(const ViewContext& ctx) {
  const LessonText* words = lesson_words(ctx);
  const Scene* scene = ctx.lessons->shown();
  if (!words || !scene) return nullptr;
  const auto found = words->scenes.find(scene->id);
  return found == words->scenes.end() ? nullptr : &found->second;
}

void start_over(const ViewContext& ctx, LessonState& state) {
  if (state.opened == ctx.lessons->opened) return;
  state.opened = ctx.lessons->opened;
  state.typed.clear();
  state.picked.clear();
  state.list = false;
  state.seen_lane = ctx.selection.lane;
  state.type = kLessonType;
  state.leading = Leading::easy;
  state.answers = ctx.lessons->given.size();
}

// A scene should be seen whole: its lines come closer, then its type grows smaller until it is, or
// cannot.
void fit_type(const ViewContext& ctx, LessonState& state) {
  const ImVec2 size = ImGui::GetWindowSize();
  if (size.x != state.width || size.y != state.height)
    state.type = kLessonType, state.leading = Leading::easy;
  state.width = size.x, state.height = size.y;
  if (state.fits_in > 0) {
    --state.fits_in;
    ctx.animating = true;
    return;
  }
  if (ImGui::GetScrollMaxY() <= 0 || state.type <= kLeastLessonType) return;
  // Smaller type is narrower, too: half of what is too much goes in each direction.
  const float fits = std::sqrt(size.y / (size.y + ImGui::GetScrollMaxY()));
  if (state.leading == Leading::close)
    state.type = std::max(kLeastLessonType, state.type * std::min(fits, kLeastStep));
  state.leading = Leading::close;
  state.fits_in = kSizing;
  ctx.animating = true;
}

// A dot for each scene: done, here, to come. A click goes there.
void dots(const ViewContext& ctx, Actions& actions) {
  const LessonStatus& status = *ctx.lessons;
  const auto progress = status.progress->lessons.find(status.lesson->name);
  const float radius = kDot * ctx.scale, step = 3.6f * radius;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < status.lesson->scenes.size(); ++i) {
    if (i > 0) ImGui::SameLine(0, 0);
    const std::string id = fmt::format("scene {}", i + 1);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton(id.c_str(), {step, ImGui::GetFrameHeight()}))
      actions.push_back(LessonAction(GoToScene{i}));
    const Scene& scene = status.lesson->scenes[i];
    if (const LessonText* words = lesson_words(ctx)) {
      const auto found = words->scenes.find(scene.id);
      if (found != words->scenes.end()) item_tooltip(plain_text(found->second.title.text));
    }
    const bool seen =
        progress != status.progress->lessons.end() && progress->second.seen.contains(scene.id);
    const ImVec2 middle{at.x + step / 2, at.y + ImGui::GetFrameHeight() / 2};
    if (i == status.scene)
      list.AddCircleFilled(middle, radius * 1.3f, ctx.theme.selection);
    else if (seen)
      list.AddCircleFilled(middle, radius, ctx.theme.dim);
    else
      list.AddCircle(middle, radius, ctx.theme.dim, 0, 1.5f * ctx.scale);
  }
}

float scenes_width(const ViewContext& ctx) {
  return 3.6f * kDot * ctx.scale * static_cast<float>(ctx.lessons->lesson->scenes.size());
}

float button_width(const char* title) {
  return ImGui::CalcTextSize(title).x + 2 * ImGui::GetStyle().FramePadding.x;
}

std::string title_words(const ViewContext& ctx) {
  const LessonText* words = lesson_words(ctx);
  return words ? plain_text(words->title.text) : std::string();
}

const char* next_title(const LessonStatus& status) {
  return status.scene + 1 >= status.lesson->scenes.size() ? tr("Done") : tr("Next");
}

bool may_return(const LessonStatus& status) { return !status.at_scene && status.run; }

// A title that the scenes' dots would cut has the first row alone, if the last has room for them.
bool dots_below(const ViewContext& ctx) {
  const float gap = ImGui::GetStyle().ItemSpacing.x, room = ImGui::GetContentRegionAvail().x,
              scenes = scenes_width(ctx);
  if (ImGui::CalcTextSize(title_words(ctx).c_str()).x + scenes + button_width(tr("Lessons")) +
          3 * gap <=
      room)
    return false;
  float buttons = button_width(tr("Back")) + gap + button_width(next_title(*ctx.lessons)) + gap;
  if (may_return(*ctx.lessons)) buttons += button_width(tr("Back to the scene")) + gap;
  return buttons + scenes <= room;
}

// One row: the lesson's title, as much of it as there is room for, its scenes, and the way to all.
void head(const ViewContext& ctx, LessonState& state, bool with_dots, Actions& actions) {
  const std::string lessons = window_title("Lessons", "lessons");
  const float width = button_width(tr("Lessons"));
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float scenes = with_dots ? scenes_width(ctx) + gap : 0;
  const float room = ImGui::GetContentRegionAvail().x - scenes - width - 2 * gap;
  if (const std::string title = title_words(ctx); !title.empty()) {
    ImGui::AlignTextToFramePadding();
    const float fits = std::clamp(room / ImGui::CalcTextSize(title.c_str()).x, kLeastTitle, 1.0f);
    ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * fits);
    ImGui::TextDisabled("%s", shortened(title, std::max(room, 0.0f)).c_str());
    ImGui::PopFont();
    item_tooltip(title);
    ImGui::SameLine();
  }
  if (with_dots) {
    dots(ctx, actions);
    ImGui::SameLine();
  }
  ImGui::SetCursorPosX(
      std::max(0.0f, ImGui::GetWindowWidth() - width - ImGui::GetStyle().WindowPadding.x));
  if (ImGui::Button(lessons.c_str())) state.list = true;
}

// The scene's own words; then its questions one after the other.
void body(const ViewContext& ctx, LessonState& state, Actions& actions) {
  fit_type(ctx, state);
  const SceneText* words = scene_words(ctx);
  if (!words) return nothing_to_show(ctx, tr("This scene has no words."));
  ImGui::PushFont(ctx.fonts.strong, ImGui::GetStyle().FontSizeBase * kTitleType * state.type);
  wrapped_text(plain_text(lesson_text(ctx, words->title)));
  ImGui::PopFont();
  ImGui::Spacing();
  if (!ctx.lessons->shown()->device.empty()) mark_toy(ctx);
  markdown_text(ctx, lesson_text(ctx, words->text), state.type, state.leading);
  ImGui::Spacing();
  if (ctx.lessons->run && !ctx.lessons->run->picture)
    return hint(ctx, tr("The scene cannot be run: see Diagnostics."));
  for (const Question& question : ctx.lessons->shown()->questions) {
    const auto asked = words->questions.find(question.id);
    if (asked == words->questions.end()) continue;
    ImGui::PushID(question.id.c_str());
    const bool open = draw_question(ctx, state, question, asked->second, actions);
    ImGui::PopID();
    if (open) break;  // the next one comes when this one is answered
  }
  if (state.answers == ctx.lessons->given.size()) return;
  state.answers = ctx.lessons->given.size();
  ImGui::SetScrollHereY(1);
}

void foot(const ViewContext& ctx, bool with_dots, Actions& actions) {
  const LessonStatus& status = *ctx.lessons;
  const bool last = status.scene + 1 >= status.lesson->scenes.size();
  ImGui::BeginDisabled(status.scene == 0);
  if (ImGui::Button(window_title("Back", "back").c_str()))
    actions.push_back(LessonAction(GoToScene{status.scene - 1}));
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Button, mixed(ctx.theme.canvas, ctx.theme.selection, 0.45f));
  if (ImGui::Button((std::string(next_title(status)) + "###next").c_str()))
    actions.push_back(last ? LessonAction(LeaveLesson{})
                           : LessonAction(GoToScene{status.scene + 1}));
  ImGui::PopStyleColor();
  if (may_return(status)) {
    ImGui::SameLine();
    if (ImGui::Button(window_title("Back to the scene", "return").c_str()))
      actions.push_back(LessonAction(ReturnToScene{}));
    item_tooltip(tr("Kernel, settings and selection as the scene opened with them"));
  }
  if (!with_dots) return;
  ImGui::SameLine(ImGui::GetWindowWidth() - scenes_width(ctx) - ImGui::GetStyle().WindowPadding.x);
  dots(ctx, actions);
}

}  // namespace

const LessonText* lesson_words(const ViewContext& ctx) {
  return ctx.lessons && ctx.lessons->lesson ? ctx.lessons->lesson->text(current_language())
                                            : nullptr;
}

std::string lesson_text(const ViewContext& ctx, const TextPart& part) {
  return filled_in(part, [&](const std::string& expression) {
    return ctx.lessons->run ? ctx.lessons->run->values.text(expression) : std::string("…");
  });
}

void draw_lesson(const ViewContext& ctx, LessonState& state, Actions& actions) {
  state.focused = ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows);
  if (!ctx.lessons) return nothing_to_show(ctx, tr("There are no lessons here."));
  if (ctx.lessons->lesson) start_over(ctx, state);
  if (!ctx.lessons->lesson || state.list) return draw_lesson_list(ctx, state, actions);
  ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * 1.1f);
  const bool below = dots_below(ctx);
  head(ctx, state, !below, actions);
  const float bottom = ImGui::GetFrameHeightWithSpacing() + ImGui::GetStyle().ItemSpacing.y;
  ImGui::PopFont();
  if (ImGui::BeginChild("words", {0, -bottom})) body(ctx, state, actions);
  ImGui::EndChild();
  ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * 1.1f);
  ImGui::Spacing();
  foot(ctx, below, actions);
  ImGui::PopFont();
}

}  // namespace lanescope::app

#include "views/lesson/lesson_question.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/text/text.h"
#include "imgui_stdlib.h"
#include "views/draw/markdown_text.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"

namespace lanescope::app {
namespace {

constexpr int kCellsInARow = 8;

void give(const Question& question, double number, const std::string& choice, Actions& actions) {
  actions.push_back(LessonAction(AnswerQuestion{question.id, number, choice}));
}

// A number typed in; what is none is told, and nothing is lost.
void ask_number(const ViewContext& ctx, LessonState& state, const Question& question,
                Actions& actions) {
  std::string& typed = state.typed[question.id];
  ImGui::SetNextItemWidth(110 * ctx.scale);
  const bool entered = ImGui::InputText("##answer", &typed, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine();
  const bool pressed = ImGui::Button(window_title("Answer", "give").c_str());
  const auto number = parse_real(std::string(trim(typed)));
  if ((entered || pressed) && number) give(question, *number, "", actions);
  if (!trim(typed).empty() && !number) hint(ctx, tr("A number is asked for."));
}

// A cell for each lane, or each bank; a lane may be clicked in the pictures, too.
void ask_cell(const ViewContext& ctx, LessonState& state, const Question& question,
              Actions& actions) {
  const bool lane = question.kind == Question::Kind::lane;
  int& picked = state.picked.try_emplace(question.id, -1).first->second;
  if (lane && ctx.selection.lane != state.seen_lane) {
    state.seen_lane = ctx.selection.lane;
    // What the scene itself selects is no click.
    const bool clicked = ctx.selection.lane != ctx.lessons->shown()->lane;
    if (ctx.selection.lane >= 0 && clicked) picked = ctx.selection.lane;
  }
  hint(ctx, lane ? tr("Choose the lane here, or click it in a picture.") : tr("Choose the bank."));
  const float width = ImGui::GetContentRegionAvail().x / kCellsInARow - 3 * ctx.scale;
  const ImVec2 size{std::min(width, 52 * ctx.scale), ImGui::GetTextLineHeight() * 1.15f};
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(3 * ctx.scale, 3 * ctx.scale));
  for (int i = 0; i < kLanes; ++i) {
    if (i % kCellsInARow != 0) ImGui::SameLine();
    const bool on = i == picked;
    if (on) ImGui::PushStyleColor(ImGuiCol_Button, ctx.theme.selection);
    if (on) ImGui::PushStyleColor(ImGuiCol_Text, text_on(ctx.theme.selection));
    if (ImGui::Button(fmt::format("{}##cell", i).c_str(), size)) picked = i;
    if (on) ImGui::PopStyleColor(2);
  }
  ImGui::PopStyleVar();
  ImGui::BeginDisabled(picked < 0);
  if (ImGui::Button(window_title("Answer", "give").c_str())) give(question, picked, "", actions);
  ImGui::EndDisabled();
}

std::string label_of(const ViewContext& ctx, const QuestionText& words, const Choice& choice) {
  const auto label = words.labels.find(choice.id);
  return label == words.labels.end() ? choice.id : lesson_text(ctx, label->second);
}

// Buttons with their labels wrapped: as wide as the window, or two in a row where that breaks no label.
void ask_choice(const ViewContext& ctx, const LessonState& state, const Question& question,
                const QuestionText& words, Actions& actions) {
  const float pad = (state.leading == Leading::close ? 3 : 7) * ctx.scale;
  const float letter = ImGui::GetFontSize() * 1.5f, gap = 5 * ctx.scale;
  const float all = ImGui::GetContentRegionAvail().x, half = (all - gap) / 2;
  const auto height_in = [&](const std::string& text, float width) {
    return markdown_height(ctx, text, 1, width - letter - 2 * pad, state.leading) + 2 * pad;
  };
  const float line = height_in("x", all);
  const bool beside =
      std::all_of(question.choices.begin(), question.choices.end(), [&](const Choice& choice) {
        return height_in(label_of(ctx, words, choice), half) <= line;
      });
  const float width = beside ? half : all;
  const float left = ImGui::GetCursorScreenPos().x;
  float top = ImGui::GetCursorScreenPos().y;
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    const Choice& choice = question.choices[i];
    const std::string text = label_of(ctx, words, choice);
    const bool second = beside && i % 2 != 0;
    const ImVec2 at{second ? left + half + gap : left, top};
    const float height = height_in(text, width);
    ImGui::SetCursorScreenPos(at);
    if (ImGui::Button(("##" + choice.id).c_str(), {width, height}))
      give(question, 0, choice.id, actions);
    ImGui::GetWindowDrawList()->AddText(ctx.fonts.strong, ImGui::GetFontSize(),
                                        {at.x + pad, at.y + pad}, ctx.theme.dim, choice.id.c_str());
    ImGui::SetCursorScreenPos({at.x + pad + letter, at.y + pad});
    markdown_text(ctx, text, 1, state.leading, width - letter - 2 * pad);
    if (!beside || second || i + 1 == question.choices.size()) top += height + gap;
  }
  ImGui::SetCursorScreenPos({left, top - gap});
  ImGui::Dummy({all, 0});
}

void ask(const ViewContext& ctx, LessonState& state, const Question& question,
         const QuestionText& words, Actions& actions) {
  if (!ctx.lessons->run) return hint(ctx, tr("working …"));
  ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * state.type);
  switch (question.kind) {
  case Question::Kind::choice:
    ask_choice(ctx, state, question, words, actions);
    break;
  case Question::Kind::lane:
  case Question::Kind::bank:
    ask_cell(ctx, state, question, actions);
    break;
  default:
    ask_number(ctx, state, question, actions);
  }
  ImGui::PopFont();
}

// What is to be done, and the way out.
void question_head(const ViewContext& ctx, const Question& question, Actions& actions) {
  ImGui::PushFont(ctx.fonts.strong, 0);
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(ctx.theme.selection), "%s",
                     tr("Predict first"));
  ImGui::PopFont();
  if (!ctx.lessons->run) return;
  const char* show = tr("Show me");
  const float width = ImGui::CalcTextSize(show).x + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SameLine(ImGui::GetWindowWidth() - width - ImGui::GetStyle().WindowPadding.x);
  if (ImGui::Button(window_title("Show me", "show").c_str()))
    actions.push_back(LessonAction(RevealAnswer{question.id}));
}

std::string said(const Question& question, const GivenAnswer& given, const QuestionText& words,
                 const ViewContext& ctx) {
  if (question.kind != Question::Kind::choice) return decimal(given.number, 4);
  const auto label = words.labels.find(given.choice);
  return label == words.labels.end() ? given.choice : plain_text(lesson_text(ctx, label->second));
}

void verdict(const ViewContext& ctx, const Question& question, const GivenAnswer& given,
             const QuestionText& words) {
  const std::string right = right_answer(ctx, question, words);
  // What was answered in an earlier sitting is not kept word by word.
  const bool known = question.kind != Question::Kind::choice || !given.choice.empty();
  if (given.how == Answered::right)
    headline(ctx, tr("Right: {0}", {right}), ctx.theme.good);
  else if (given.how == Answered::shown || !known)
    headline(ctx, tr("It is: {0}", {right}), ctx.theme.text);
  else
    headline(ctx, tr("Not {0}. It is: {1}", {said(question, given, words, ctx), right}),
             ctx.theme.warning);
}

}  // namespace

std::string right_answer(const ViewContext& ctx, const Question& question,
                         const QuestionText& words) {
  if (!ctx.lessons->run) return "…";
  const std::string answer = answer_text(ctx.lessons->run->values, question);
  if (question.kind != Question::Kind::choice) return answer;
  std::string labels;
  for (const Choice& choice : question.choices) {
    const auto label = words.labels.find(choice.id);
    if (label == words.labels.end() || !ctx.lessons->run->values.holds(choice.condition)) continue;
    labels += (labels.empty() ? "" : "; ") + plain_text(lesson_text(ctx, label->second));
  }
  return labels;
}

bool draw_question(const ViewContext& ctx, LessonState& state, const Question& question,
                   const QuestionText& words, Actions& actions) {
  const auto given = ctx.lessons->given.find(question.id);
  const bool open = given == ctx.lessons->given.end();
  ImGui::PushStyleColor(ImGuiCol_Border, open ? ctx.theme.selection : ctx.theme.grid);
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, (open ? 2.0f : 1.0f) * ctx.scale);
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 4 * ctx.scale);
  ImGui::BeginChild("question", {0, 0}, ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_Borders);
  if (open) question_head(ctx, question, actions);
  markdown_text(ctx, lesson_text(ctx, words.question), state.type, state.leading);
  if (open) {
    ask(ctx, state, question, words, actions);
  } else {
    ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * state.type * 0.92f);
    verdict(ctx, question, given->second, words);
    ImGui::PopFont();
    markdown_text(ctx, lesson_text(ctx, words.explanation), state.type, state.leading);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  ImGui::Spacing();
  return open;
}

}  // namespace lanescope::app

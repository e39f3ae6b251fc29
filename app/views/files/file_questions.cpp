// What is asked about a text or a file, and what went wrong with one.
#include <algorithm>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/files/dialog.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

using Question = FilesStatus::Question;

struct Choice {
  const char* text;
  FileAction action;
};

void question(const ViewContext& ctx, const char* title, const std::string& text,
              std::vector<Choice> choices, Actions& actions) {
  const std::string name = std::string(title) + "###question";
  if (!ImGui::IsPopupOpen("###question")) ImGui::OpenPopup("###question");
  begin_dialog(ctx, 460);
  if (!ImGui::BeginPopupModal(name.c_str(), nullptr, kDialogFlags)) return;
  wrapped_text(text);
  ImGui::Spacing();
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) ImGui::SameLine();
    const bool escape = i + 1 == choices.size() && ImGui::IsKeyPressed(ImGuiKey_Escape, false);
    const bool enter = i == 0 && ImGui::IsKeyPressed(ImGuiKey_Enter, false);
    if (ImGui::Button(choices[i].text) || escape || enter) {
      ask(actions, std::move(choices[i].action));
      ImGui::CloseCurrentPopup();
      break;
    }
  }
  ImGui::EndPopup();
}

}  // namespace

void draw_questions(const ViewContext& ctx, FilesState& state, Actions& actions) {
  const FilesStatus& status = *state.status;
  switch (status.question) {
  case Question::none:
    return;
  case Question::unsaved:
    return question(ctx, tr("Unsaved changes"),
                    tr("'{0}' has changes that are in no file. Save them?", {status.about}),
                    {{tr("Save"), AnswerUnsaved{Unsaved::save}},
                     {tr("Discard"), AnswerUnsaved{Unsaved::discard}},
                     {tr("Cancel"), AnswerUnsaved{Unsaved::cancel}}},
                    actions);
  case Question::where:
    if (state.dialog == FileDialog::none) state.ask = FileDialog::save_as;
    ctx.animating = true;
    return;
  case Question::overwrite:
    return question(ctx, tr("Overwrite?"), tr("{0} exists. Overwrite it?", {status.about}),
                    {{tr("Overwrite"), status.again.value_or(AnswerUnsaved{Unsaved::cancel})},
                     {tr("Cancel"), AnswerUnsaved{Unsaved::cancel}}},
                    actions);
  case Question::changed:
    return question(
        ctx, tr("Changed on disk"),
        tr("Another program has changed {0}. Your text has changes too.", {status.about}),
        {{tr("Keep my text"), KeepText{}}, {tr("Load the file"), ReloadFile{}}}, actions);
  case Question::recovery:
    return question(
        ctx, tr("A text was not saved"),
        tr("The program ended before '{0}' was saved. Its text was kept.", {status.about}),
        {{tr("Take it up again"), AnswerRecovery{true}},
         {tr("Throw it away"), AnswerRecovery{false}}},
        actions);
  }
}

void draw_failure(const ViewContext& ctx, FilesState& state) {
  const FileNotice& notice = state.status->notice;
  if (notice.kind != FileNotice::Kind::failed || notice.serial <= state.dismissed) return;
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const float margin = 12 * ctx.scale;
  ImGui::SetNextWindowPos({viewport.WorkPos.x + viewport.WorkSize.x - margin,
                           viewport.WorkPos.y + viewport.WorkSize.y - margin},
                          ImGuiCond_Always, {1, 1});
  ImGui::SetNextWindowSize({std::min(460 * ctx.scale, viewport.WorkSize.x - 2 * margin), 0});
  ImGui::PushStyleColor(ImGuiCol_Border, ctx.theme.error);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 2 * ctx.scale);
  ImGui::Begin("###failure", nullptr,
               kDialogFlags | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoDocking |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_AlwaysAutoResize);
  wrapped_text(tr_message(notice.detail));
  if (ImGui::Button(tr("Understood"))) state.dismissed = notice.serial;
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

}  // namespace lanescope::app

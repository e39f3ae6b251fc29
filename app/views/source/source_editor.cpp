// The editor of the Source view: how it is set up, and what one can look for in it.
#include <algorithm>

#include "views/draw/tr.h"
#include "views/source/source_view.h"

namespace lanescope::app {
namespace {

const TextEditor::Language* cuda() {
  static const TextEditor::Language language = [] {
    TextEditor::Language cpp = *TextEditor::Language::Cpp();
    cpp.name = "CUDA C++";
    for (const char* word : {"__global__", "__device__", "__host__", "__shared__", "__constant__",
                             "__restrict__", "__launch_bounds__", "__forceinline__"})
      cpp.keywords.insert(word);
    for (const char* word : {"float2", "float3", "float4", "double2", "int2", "int4", "uint4",
                             "dim3", "half", "half2"})
      cpp.declarations.insert(word);
    for (const char* word :
         {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "__syncthreads", "__syncwarp",
          "__shfl_sync", "__shfl_xor_sync", "__shfl_down_sync", "__ballot_sync", "atomicAdd"})
      cpp.identifiers.insert(word);
    return cpp;
  }();
  return &language;
}

// The editor's own words, in the current language.
void translate_editor(SourceState& state) {
  if (state.language == tr("Find")) return;
  state.language = tr("Find");
  state.editor.SetFindButtonLabel(tr("Find"));
  state.editor.SetFindAllButtonLabel(tr("Find all"));
  state.editor.SetReplaceButtonLabel(tr("Replace"));
  state.editor.SetReplaceAllButtonLabel(tr("Replace all"));
}

void draw_line_question(const ViewContext& ctx, SourceState& state) {
  if (state.ask_line) {
    state.asked_line = static_cast<int>(state.editor.GetMainCursorPosition().line) + 1 +
                       static_cast<int>(state.header_lines);
    ImGui::OpenPopup("###line");
    state.ask_line = false;
  }
  if (!ImGui::BeginPopup("###line")) return;
  ImGui::TextUnformatted(tr("Go to line"));
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(90 * ctx.scale);
  if (ImGui::InputInt("##number", &state.asked_line, 0, 0, ImGuiInputTextFlags_EnterReturnsTrue)) {
    state.go_to_line = static_cast<std::uint32_t>(std::max(1, state.asked_line));
    state.editor.SetFocus();
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace

SourceState::SourceState() {
  editor.SetLanguage(cuda());
  editor.SetShowWhitespacesEnabled(false);
  editor.SetShowScrollbarMiniMapEnabled(false);
  editor.SetInsertSpacesOnTabs(true);
  editor.SetTabSize(2);
  // It would type over its closing bracket only right behind the opening one, and double it otherwise.
  editor.SetCompletePairedGlyphs(false);
  editor.SetShowLineNumbersEnabled(
      false);  // the gutter has them: they count the lines kept aside too
  editor.SetLineNumberLeftMargin(0);
  editor.SetDecorationLeftMargin(0);
  editor.SetTextLeftMargin(1);
  editor.SetTransactionCallback([this](const std::vector<TextEditor::Change>&) {
    dirty = true;
    typed_at = ImGui::GetTime();
  });
  editor.SetLineDecorator(
      kGutterGlyphs, [this](TextEditor::Decorator& decorator) { draw_gutter(*this, decorator); });
}

void draw_search(const ViewContext& ctx, SourceState& state) {
  translate_editor(state);
  if (state.find) {
    ImGui::SetWindowFocus("###source");
    state.editor.OpenFindReplaceWindow();
  }
  state.find = false;
  draw_line_question(ctx, state);
}

}  // namespace lanescope::app

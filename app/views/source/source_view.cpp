#include "views/source/source_view.h"

#include <algorithm>

#include "views/draw/glossary.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"

namespace lanescope::app {
namespace {

constexpr double kDebounce = 0.015;  // seconds without a key before the text is taken over
constexpr float kCodeSize = 0.85f;   // of the text size

// A click in the text selects the access that it hits: the last one starting at or before it.
void select_access_at(const ViewContext& ctx, std::uint32_t line, std::uint32_t column,
                      Actions& actions) {
  const AccessInfo* best = nullptr;
  for (const AccessInfo& access : ctx.picture->kernel().accesses) {
    if (access.pos.line != line || access.pos.file != 0) continue;
    const bool closer =
        !best || (access.pos.column <= column && access.pos.column > best->pos.column);
    if (closer) best = &access;
  }
  if (best && static_cast<int>(best->id) != ctx.selection.access) {
    actions.push_back(SelectAccess{static_cast<int>(best->id)});
  }
}

// How many bytes of a text are its front matter, with the end of its last line.
std::size_t header_bytes(const std::string& text) {
  if (!text.starts_with("/*---")) return 0;
  const std::size_t close = text.find("---*/");
  const std::size_t end = close == std::string::npos ? close : text.find('\n', close);
  return end == std::string::npos ? 0 : end + 1;
}

// The kernel is what one wants to see: the front matter stays out of the editor unless it is asked
// for.
void load(SourceState& state, const std::string& text) {
  const std::size_t bytes = state.show_header ? 0 : header_bytes(text);
  state.header = text.substr(0, bytes);
  state.header_lines =
      static_cast<std::uint32_t>(std::count(state.header.begin(), state.header.end(), '\n'));
  const TextEditor::DocPos cursor = state.editor.GetMainCursorPosition();
  state.editor.SetText(std::string_view(text).substr(bytes));
  // Who takes back what was typed goes on where it was.
  if (state.focused && cursor.line < state.editor.GetLineCount()) state.editor.SetCursor(cursor);
  state.seen = text;
  state.dirty = false;
  state.marked_serial = 0;
  state.marked_line = 0;
  state.sighted = {0, -1};
  state.opened = true;
}

// Takes a text from outside (another kernel, undo) into the editor, and a typed one out of it.
void synchronise(const ViewContext& ctx, SourceState& state, Actions& actions) {
  if (ctx.settings.text != state.seen) return load(state, ctx.settings.text);
  if (!state.dirty) return;
  ctx.animating = true;
  if (ImGui::GetTime() - state.typed_at >= kDebounce) hand_over(ctx, state, actions);
}

// What is selected under the pointer is evaluated as a whole, if it is on one line.
std::string selected_at(const SourceState& state, TextEditor::DocPos at) {
  const TextEditor::DocSelection selection = state.editor.GetMainCursorSelection();
  const bool inside = selection.start < selection.end &&
                      selection.start.line == selection.end.line && selection.start <= at &&
                      at < selection.end;
  return inside ? state.editor.GetSectionText(selection) : "";
}

void hover(const ViewContext& ctx, SourceState& state) {
  const ImVec2 mouse = ImGui::GetMousePos();
  state.hover.shown = false;
  if (state.dirty || ctx.status.stale || !state.editor.IsMousePosOverGlyph(mouse)) return;
  const TextEditor::DocPos at = state.editor.GetDocPosAtMousePos(mouse);
  source_tooltip(ctx, state.hover, state.editor.GetLineText(at.line),
                 static_cast<std::uint32_t>(at.line) + 1 + state.header_lines, at.index,
                 selected_at(state, at));
}

void gutter_header(const ViewContext& ctx, SourceState& state) {
  ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * 0.82f);
  ImGui::AlignTextToFramePadding();
  const char* columns = tr("line · runs · wavefronts, sectors ÷ ideal");
  const float room = ImGui::GetContentRegionAvail().x;
  const bool choice = header_bytes(ctx.settings.text) > 0 && !state.dirty;
  const char* label = tr("front matter");
  const float width =
      choice ? ImGui::CalcTextSize(label).x + ImGui::GetFrameHeight() + 6 * ctx.scale : 0;
  const bool fits = ImGui::CalcTextSize(columns).x + width + 6 * ctx.scale <= room;
  if (fits) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::TextDisabled("%s", columns);
    mark_terms(ctx, columns, {at.x, at.y + ImGui::GetStyle().FramePadding.y});
  }
  if (choice) {
    if (fits) ImGui::SameLine();
    ImGui::SetCursorPosX(std::max(0.0f, ImGui::GetWindowContentRegionMax().x - width));
    if (ImGui::Checkbox(window_title("front matter", "front matter").c_str(), &state.show_header)) {
      load(state, ctx.settings.text);
    }
  }
  ImGui::PopFont();
}

}  // namespace

void hand_over(const ViewContext& ctx, SourceState& state, Actions& actions) {
  if (!state.dirty) return;
  state.dirty = false;
  state.seen = state.header + state.editor.GetText();
  if (state.seen != ctx.settings.text) actions.push_back(SetText{state.seen});
}

void draw_source(const ViewContext& ctx, SourceState& state, Actions& actions) {
  state.frame = &ctx;
  state.actions = &actions;
  synchronise(ctx, state, actions);
  draw_search(ctx, state);
  mark_source(ctx, state);
  if (state.has(state.go_to_line)) {
    state.editor.SetCursor({state.row(state.go_to_line), 0});
    scroll_to_middle(state, state.row(state.go_to_line));
  }
  state.go_to_line = 0;
  gutter_header(ctx, state);
  ImGui::PushFont(ctx.fonts.mono, ImGui::GetStyle().FontSizeBase * kCodeSize);
  scroll_sideways(ctx, state);
  state.editor.Render("text", ImGui::GetContentRegionAvail());
  if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left) && ctx.picture &&
      !state.dirty && state.editor.IsMousePosOverGlyph(ImGui::GetMousePos())) {
    const TextEditor::DocPos at = state.editor.GetDocPosAtMousePos(ImGui::GetMousePos());
    select_access_at(ctx, static_cast<std::uint32_t>(at.line) + 1 + state.header_lines,
                     static_cast<std::uint32_t>(at.index) + 1, actions);
  }
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PopFont();
  if (hovered) hover(ctx, state);
  state.focused =
      ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) && !ImGui::IsWindowFocused();
  state.frame = nullptr;
  state.actions = nullptr;
}

}  // namespace lanescope::app

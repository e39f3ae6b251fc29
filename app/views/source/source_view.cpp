#include "views/source/source_view.h"

#include <algorithm>

#include "views/diagnostics/diagnostics_view.h"
#include "views/draw/glossary.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"

namespace lanescope::app {
namespace {

constexpr double kDebounce = 0.015;  // seconds without a key before the text is taken over
constexpr std::size_t kGutter = 13;  // glyphs, of which
constexpr std::size_t kNumbers = 4;  // are for the line number
constexpr float kCodeSize = 0.85f;   // of the text size

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

std::string short_count(std::uint64_t count) {
  static constexpr const char* kUnits[] = {"", "k", "M", "G", "T"};
  auto value = static_cast<double>(count);
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < std::size(kUnits)) value /= 1000, ++unit;
  return decimal(value, value < 10 && unit > 0 ? 1 : 0) + kUnits[unit];
}

std::string short_ratio(std::uint64_t count, std::uint64_t ideal) {
  const double ratio = ideal ? static_cast<double>(count) / static_cast<double>(ideal) : 1;
  return "×" + decimal(ratio, ratio < 10 ? 1 : 0);
}

const LineTotals* totals_of(const Picture& picture, std::uint32_t line) {
  const auto found =
      std::lower_bound(picture.lines.begin(), picture.lines.end(), line,
                       [](const LineTotals& totals, std::uint32_t l) { return totals.line < l; });
  return found != picture.lines.end() && found->line == line ? &*found : nullptr;
}

// The accesses of a line, by column; clicking goes round them.
void select_next_access(const ViewContext& ctx, std::uint32_t line, Actions& actions) {
  const auto& accesses = ctx.picture->kernel().accesses;
  std::vector<const AccessInfo*> here;
  for (const AccessInfo& access : accesses) {
    if (access.pos.line == line && access.pos.file == 0) here.push_back(&access);
  }
  if (here.empty()) return;
  std::sort(here.begin(), here.end(),
            [](auto* a, auto* b) { return a->pos.column < b->pos.column; });
  const auto current = std::find_if(here.begin(), here.end(), [&](const AccessInfo* access) {
    return static_cast<int>(access->id) == ctx.selection.access;
  });
  const bool at_end = current == here.end() || current + 1 == here.end();
  actions.push_back(SelectAccess{static_cast<int>((at_end ? here.front() : *(current + 1))->id)});
}

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

void gutter_tooltip(const LineTotals& totals) {
  std::string text = tr("executed {0} times by a warp", {grouped(totals.executions)});
  if (totals.shared.requests) {
    text += "\n" + tr("wavefronts {0}, ideal {1}",
                      {grouped(totals.shared.wavefronts), grouped(totals.shared.ideal_wavefronts)});
  }
  if (totals.global.requests) {
    text += "\n" + tr("sectors {0}, ideal {1}",
                      {grouped(totals.global.sectors), grouped(totals.global.ideal_sectors)});
  }
  ImGui::SetTooltip("%s", text.c_str());
}

void heat_box(const ViewContext& ctx, ImVec2 min, ImVec2 max, std::uint64_t count,
              std::uint64_t ideal) {
  if (!count) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 color =
      heat_color(ideal ? static_cast<double>(count) / static_cast<double>(ideal) : 1);
  list.AddRectFilled({min.x + 1, min.y + 1}, {max.x - 1, max.y - 1}, color, 2);
  text_in_box(list, ctx.fonts.text, ImGui::GetFontSize() * 0.9f, 7 * ctx.scale, min, max,
              text_on(color), short_ratio(count, ideal));
}

std::uint32_t current_line(const ViewContext& ctx) {
  if (!ctx.picture || !ctx.focus.track || ctx.focus.step >= ctx.focus.track->size()) return 0;
  const OpInfo& op = ctx.picture->kernel().ops[ctx.focus.track->op[ctx.focus.step]];
  if (op.pos.line && op.pos.file == 0) return op.pos.line;
  return ctx.focus.access ? ctx.focus.access->pos.line : 0;
}

void line_number(const ViewContext& ctx, const TextEditor::Decorator& decorator, std::uint32_t line,
                 ImVec2 at) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string number = std::to_string(line);
  const float right = at.x + decorator.glyphSize.x * (kNumbers - 0.6f);
  const float size = ImGui::GetFontSize();
  ImU32 color = line == current_line(ctx) ? ctx.theme.selection : ctx.theme.dim;
  for (const Diagnostic& d : ctx.diagnostics) {
    if (d.line == line) color = d.severity == Severity::error ? ctx.theme.error : ctx.theme.warning;
  }
  const float width = ctx.fonts.mono->CalcTextSizeA(size, FLT_MAX, 0, number.c_str()).x;
  list.AddText(ctx.fonts.mono, size, {right - width, at.y}, color, number.c_str());
}

void gutter(SourceState& state, TextEditor::Decorator& decorator) {
  const ViewContext& ctx = *state.frame;
  const std::uint32_t line = static_cast<std::uint32_t>(decorator.line) + 1 + state.header_lines;
  ImVec2 at = ImGui::GetCursorScreenPos();
  line_number(ctx, decorator, line, at);
  const LineTotals* totals = ctx.picture ? totals_of(*ctx.picture, line) : nullptr;
  if (!totals || state.dirty || ctx.status.stale) return;
  char id[32];
  std::snprintf(id, sizeof id, "line %u", line);
  if (ImGui::InvisibleButton(id, {decorator.width - 2, decorator.height})) {
    select_next_access(ctx, line, *state.actions);
    ImGui::SetWindowFocus("###source");  // a click beside the text does not start typing
  }
  if (ImGui::IsItemHovered()) gutter_tooltip(*totals);
  at.x += decorator.glyphSize.x * kNumbers;
  const float third = decorator.glyphSize.x * (kGutter - kNumbers) / 3,
              bottom = at.y + decorator.height;
  const float size =
      fitting_size(ctx.fonts.text, ImGui::GetFontSize() * 0.85f, third, decorator.height, "88k");
  text_in_box(*ImGui::GetWindowDrawList(), ctx.fonts.text, size, 7 * ctx.scale, at,
              {at.x + third, bottom}, ctx.theme.dim, short_count(totals->executions));
  heat_box(ctx, {at.x + third, at.y}, {at.x + 2 * third, bottom}, totals->shared.wavefronts,
           totals->shared.ideal_wavefronts);
  heat_box(ctx, {at.x + 2 * third, at.y}, {at.x + 3 * third, bottom}, totals->global.sectors,
           totals->global.ideal_sectors);
}

std::vector<std::string> messages(const ViewContext& ctx) {
  std::vector<std::string> all;
  for (const Diagnostic& d : ctx.diagnostics)
    all.push_back(std::to_string(d.line) + ":" + message_of(d));
  return all;
}

// A store is recorded at its `=`, so the text of the access is looked for on the line.
void underline_access(const ViewContext& ctx, SourceState& state) {
  if (!ctx.focus.access || ctx.focus.access->text.empty() || ctx.focus.access->pos.file != 0)
    return;
  const SourcePos pos = ctx.focus.access->pos;
  if (!state.has(pos.line)) return;
  const std::size_t row = state.row(pos.line);
  const std::string line = state.editor.GetLineText(row);
  const bool load = ctx.focus.access->op == AccessOp::load;
  std::size_t at =
      load && pos.column ? line.find(ctx.focus.access->text, pos.column - 1) : std::string::npos;
  if (at == std::string::npos) at = line.find(ctx.focus.access->text);
  if (at == std::string::npos) return;
  state.editor.AddSquiggle({row, at}, {row, at + ctx.focus.access->text.size()}, 1,
                           ctx.theme.selection, "");
}

void mark(const ViewContext& ctx, SourceState& state) {
  const std::uint32_t line = current_line(ctx);
  auto said = messages(ctx);
  if (ctx.theme.dark != state.marked_dark || state.marked_serial == 0) {
    state.editor.SetPalette(ctx.theme.dark ? TextEditor::GetDarkPalette()
                                           : TextEditor::GetLightPalette());
    TextEditor::Palette palette = state.editor.GetPalette();
    palette[static_cast<std::size_t>(TextEditor::Color::background)] = ctx.theme.canvas;
    palette[static_cast<std::size_t>(TextEditor::Color::lineNumber)] = ctx.theme.dim;
    palette[static_cast<std::size_t>(TextEditor::Color::comment)] =
        ctx.theme.dark ? IM_COL32(140, 170, 130, 255) : IM_COL32(60, 100, 60, 255);
    state.editor.SetPalette(palette);
  }
  const std::uint64_t serial = ctx.picture ? ctx.picture->serial + 1 : 1;
  const bool moved = line != state.marked_line;
  if (!moved && ctx.selection.access == state.marked_access && serial == state.marked_serial &&
      said == state.marked_messages && ctx.theme.dark == state.marked_dark)
    return;
  state.editor.ClearMarkers();
  state.editor.ClearSquiggles();
  if (state.has(line)) {
    state.editor.AddMarker(state.row(line), faded(ctx.theme.selection, 0.4f),
                           faded(ctx.theme.selection, 0.28f), tr("current step"), "");
  }
  underline_access(ctx, state);
  for (const Diagnostic& d : ctx.diagnostics) {
    if (!state.has(d.line)) continue;
    const std::size_t row = state.row(d.line);
    const ImU32 color = d.severity == Severity::error ? ctx.theme.error : ctx.theme.warning;
    const std::string message = message_of(d);
    state.editor.AddMarker(row, faded(color, 0.55f), faded(color, 0.25f), message, message);
    if (d.column) {
      state.editor.AddSquiggle({row, d.column - 1}, {row, d.column + 3}, 0, color, message);
    }
  }
  const bool hidden = state.has(line) && (state.row(line) < state.editor.GetFirstVisibleRow() + 1 ||
                                          state.row(line) + 2 > state.editor.GetLastVisibleRow());
  if (moved && hidden && !state.dirty && state.editor.GetLastVisibleRow() > 0) {
    state.editor.ScrollToLine(state.row(line), TextEditor::Scroll::alignMiddle);
  }
  state.marked_line = line;
  state.marked_serial = serial;
  state.marked_access = ctx.selection.access;
  state.marked_messages = std::move(said);
  state.marked_dark = ctx.theme.dark;
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
  state.editor.SetText(std::string_view(text).substr(bytes));
  state.seen = text;
  state.dirty = false;
  state.marked_serial = 0;
  state.marked_line = 0;
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

void search(const ViewContext& ctx, SourceState& state) {
  if (state.language != tr("Find")) {
    state.language = tr("Find");
    state.editor.SetFindButtonLabel(tr("Find"));
    state.editor.SetFindAllButtonLabel(tr("Find all"));
    state.editor.SetReplaceButtonLabel(tr("Replace"));
    state.editor.SetReplaceAllButtonLabel(tr("Replace all"));
  }
  if (state.find) {
    ImGui::SetWindowFocus("###source");
    state.editor.OpenFindReplaceWindow();
  }
  state.find = false;
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

SourceState::SourceState() {
  editor.SetLanguage(cuda());
  editor.SetShowWhitespacesEnabled(false);
  editor.SetShowScrollbarMiniMapEnabled(false);
  editor.SetInsertSpacesOnTabs(true);
  editor.SetTabSize(2);
  editor.SetShowLineNumbersEnabled(
      false);  // the gutter has them: they count the lines kept aside too
  editor.SetLineNumberLeftMargin(0);
  editor.SetDecorationLeftMargin(0);
  editor.SetTextLeftMargin(1);
  editor.SetTransactionCallback([this](const std::vector<TextEditor::Change>&) {
    dirty = true;
    typed_at = ImGui::GetTime();
  });
  editor.SetLineDecorator(kGutter,
                          [this](TextEditor::Decorator& decorator) { gutter(*this, decorator); });
}

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
  search(ctx, state);
  mark(ctx, state);
  if (state.has(state.go_to_line)) {
    state.editor.SetCursor({state.row(state.go_to_line), 0});
    state.editor.ScrollToLine(state.row(state.go_to_line), TextEditor::Scroll::alignMiddle);
  }
  state.go_to_line = 0;
  gutter_header(ctx, state);
  ImGui::PushFont(ctx.fonts.mono, ImGui::GetStyle().FontSizeBase * kCodeSize);
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

// What is marked in the text: the current step's line, the selected access, what is wrong.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "views/diagnostics/diagnostics_view.h"
#include "views/draw/tr.h"
#include "views/source/source_view.h"

namespace lanescope::app {
namespace {

constexpr std::size_t kBesideAccess = 2;  // columns in sight on either side of it

// What is wrong may be what a lesson asks.
std::vector<std::string> messages(const ViewContext& ctx) {
  std::vector<std::string> all;
  if (ctx.predicting) return all;
  for (const Diagnostic& d : ctx.diagnostics)
    all.push_back(fmt::format("{}:{}", d.line, message_of(d)));
  return all;
}

// A store is recorded at its `=`, so the text of the access is looked for on the line.
std::optional<SourceState::Columns> access_columns(const ViewContext& ctx,
                                                   const SourceState& state) {
  if (!ctx.focus.access || ctx.focus.access->text.empty() || ctx.focus.access->pos.file != 0)
    return std::nullopt;
  const SourcePos pos = ctx.focus.access->pos;
  if (!state.has(pos.line)) return std::nullopt;
  const std::size_t row = state.row(pos.line);
  const std::string line = state.editor.GetLineText(row);
  const bool load = ctx.focus.access->op == AccessOp::load;
  std::size_t at =
      load && pos.column ? line.find(ctx.focus.access->text, pos.column - 1) : std::string::npos;
  if (at == std::string::npos) at = line.find(ctx.focus.access->text);
  if (at == std::string::npos) return std::nullopt;
  return SourceState::Columns{at, at + ctx.focus.access->text.size()};
}

void underline_access(const ViewContext& ctx, SourceState& state) {
  const auto columns = access_columns(ctx, state);
  if (!columns) return;
  const std::size_t row = state.row(ctx.focus.access->pos.line);
  state.editor.AddSquiggle({row, columns->begin}, {row, columns->end}, 1, ctx.theme.selection, "");
}

void want_sight(const ViewContext& ctx, SourceState& state, std::uint32_t line) {
  const std::pair place{line, ctx.selection.access};
  if (place == state.sighted || !ctx.focus.access || ctx.focus.access->pos.line != line) return;
  state.sighted = place;
  state.columns = access_columns(ctx, state);
  if (state.columns) state.columns->opening = std::exchange(state.opened, false);
}

// The column to begin at where `room` of them are seen: the first, if from there one sees where the
// access begins and half of it; else as few further as show it all.
std::size_t first_column(const SourceState::Columns& wanted, std::size_t room) {
  const std::size_t half = wanted.begin + (wanted.end - wanted.begin + 1) / 2;
  if (wanted.opening || half <= room) return 0;
  const std::size_t before = wanted.begin - std::min(wanted.begin, kBesideAccess);
  const std::size_t end = wanted.end + kBesideAccess;
  return end <= room ? 0 : std::min(before, end - room);
}

void set_palette(const Theme& theme, TextEditor& editor) {
  editor.SetPalette(theme.dark ? TextEditor::GetDarkPalette() : TextEditor::GetLightPalette());
  TextEditor::Palette palette = editor.GetPalette();
  palette[static_cast<std::size_t>(TextEditor::Color::background)] = theme.canvas;
  palette[static_cast<std::size_t>(TextEditor::Color::lineNumber)] = theme.dim;
  palette[static_cast<std::size_t>(TextEditor::Color::comment)] =
      theme.dark ? IM_COL32(140, 170, 130, 255) : IM_COL32(60, 100, 60, 255);
  editor.SetPalette(palette);
}

void mark_diagnostics(const ViewContext& ctx, SourceState& state) {
  if (ctx.predicting) return;
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
}

}  // namespace

std::uint32_t current_line(const ViewContext& ctx) {
  if (!ctx.picture || !ctx.focus.track || ctx.focus.step >= ctx.focus.track->size()) return 0;
  const OpInfo& op = ctx.picture->kernel().ops[ctx.focus.track->op[ctx.focus.step]];
  if (op.pos.line && op.pos.file == 0) return op.pos.line;
  return ctx.focus.access ? ctx.focus.access->pos.line : 0;
}

void mark_source(const ViewContext& ctx, SourceState& state) {
  const std::uint32_t line = current_line(ctx);
  auto said = messages(ctx);
  if (ctx.theme.dark != state.marked_dark || state.marked_serial == 0)
    set_palette(ctx.theme, state.editor);
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
  mark_diagnostics(ctx, state);
  const bool hidden = state.has(line) && (state.row(line) < state.editor.GetFirstVisibleRow() + 1 ||
                                          state.row(line) + 2 > state.editor.GetLastVisibleRow());
  if (moved && hidden && !state.dirty && state.editor.GetLastVisibleRow() > 0) {
    scroll_to_middle(state, state.row(line));
  }
  if (!state.dirty && !ctx.status.stale) want_sight(ctx, state, line);
  state.marked_line = line;
  state.marked_serial = serial;
  state.marked_access = ctx.selection.access;
  state.marked_messages = std::move(said);
  state.marked_dark = ctx.theme.dark;
}

void scroll_to_middle(SourceState& state, std::size_t row) {
  const std::size_t rows = state.editor.GetLastVisibleRow() - state.editor.GetFirstVisibleRow();
  const std::size_t count = state.editor.GetLineCount();
  // From a whole line on: at its end a text would begin with half of one.
  const std::size_t last_top = count > rows + 1 ? count - rows - 1 : 0;
  state.editor.ScrollToLine(std::min(row - std::min(row, rows / 2), last_top),
                            TextEditor::Scroll::alignTop);
}

void scroll_sideways(const ViewContext& ctx, SourceState& state) {
  if (!state.columns) return;
  ctx.animating = true;
  if (state.columns->in-- > 0) return;
  const SourceState::Columns wanted = *state.columns;
  state.columns.reset();
  const std::size_t first = state.editor.GetFirstVisibleColumn(),
                    last = state.editor.GetLastVisibleColumn();
  if (last <= first + kBesideAccess) return;
  const std::size_t room = last - first - 1;  // the last one may be cut off
  const std::size_t to = first_column(wanted, room);
  if (to != first)
    ImGui::SetNextWindowScroll({static_cast<float>(to) * state.editor.GetGlyphWidth(), -1});
}

}  // namespace lanescope::app

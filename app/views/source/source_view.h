// Source: the kernel text, editable, with what each line costs beside it and what is wrong with it
// under it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "TextEditor.h"
#include "views/draw/view_context.h"
#include "views/source/source_values.h"

namespace lanescope::app {

struct SourceState {
  SourceState();
  SourceState(const SourceState&) = delete;
  SourceState& operator=(const SourceState&) = delete;

  TextEditor editor;
  /// The settings' text that the editor was last given or that it gave
  std::string seen;
  /// The front matter is part of what can be edited; else it is kept aside
  bool show_header = false;
  /// The text kept aside, and
  std::string header;
  /// How many lines it has
  std::uint32_t header_lines = 0;
  /// Typed since
  bool dirty = false;
  /// ImGui time of the last key
  double typed_at = -1;
  /// Out: keys go to the text
  bool focused = false;
  /// In: scroll there and put the cursor there
  std::uint32_t go_to_line = 0;

  /// Columns of the current line that are to be brought into sight
  struct Columns {
    std::size_t begin = 0, end = 0;
    /// Frames until the editor has come to the line: it goes to column 0 on the way
    int in = 2;
    /// With a new text, which stays at the left
    bool opening = false;
  };
  std::optional<Columns> columns;
  /// What was brought into sight last: its line and its access
  std::pair<std::uint32_t, int> sighted{0, -1};
  /// The text is new: whoever reads it begins at the left
  bool opened = true;

  // What the markers in the editor were made from.
  std::uint64_t marked_serial = 0;
  std::uint32_t marked_line = 0;
  int marked_access = -1;
  std::vector<std::string> marked_messages;
  bool marked_dark = false;
  void restyle() { marked_serial = 0; }
  /// By now the text is laid out: the current line is brought into sight again.
  void settle() { marked_line = 0; }

  /// Whether the editor shows a line of the text, and in which row; lines count from 1, rows from
  /// 0.
  [[nodiscard]] bool has(std::uint32_t line) const {
    return line > header_lines && line - header_lines <= editor.GetLineCount();
  }
  [[nodiscard]] std::size_t row(std::uint32_t line) const { return line - header_lines - 1; }

  SourceHover hover;
  /// In: open the search
  bool find = false;
  /// In: ask which line to go to
  bool ask_line = false;
  int asked_line = 1;
  /// Of the words in the search
  std::string language;

  /// During a frame, for the gutter's call-back
  const ViewContext* frame = nullptr;
  Actions* actions = nullptr;
};
/// Gives what has been typed and not yet been taken over, at once.
void hand_over(const ViewContext& ctx, SourceState& state, Actions& actions);
/// Draws the text with its gutter. Reads the settings' text, the picture's counts by line, the current
/// step and the diagnostics; asks for SetText once typing pauses, and for SelectAccess.
void draw_source(const ViewContext& ctx, SourceState& state, Actions& actions);

// Its parts, a file each.

/// Width of the gutter, in glyphs of the text
inline constexpr std::size_t kGutterGlyphs = 13;
/// What stands beside one line; the editor calls it while it draws.
void draw_gutter(SourceState& state, TextEditor::Decorator& decorator);
/// The line of the current step; 0 where there is none in this file.
std::uint32_t current_line(const ViewContext& ctx);
/// Marks that line, the selected access and what is wrong, and brings the line into sight.
void mark_source(const ViewContext& ctx, SourceState& state);
/// Just before the text is drawn: brings the selected access into sight where its line is wider and
/// less than half of it can be seen.
void scroll_sideways(const ViewContext& ctx, SourceState& state);
/// Scrolls so that `row` of the editor is in the middle and the first line seen is whole.
void scroll_to_middle(SourceState& state, std::size_t row);
/// Opens the editor's search and asks for a line, when that is wanted.
void draw_search(const ViewContext& ctx, SourceState& state);

}  // namespace lanescope::app

// Source: the kernel text, editable, with what each line costs beside it and what is wrong with it
// under it.
#pragma once

#include <string>
#include <vector>

#include "TextEditor.h"
#include "views/source_values.h"
#include "views/view_context.h"

namespace lanescope::app {

struct SourceState {
  SourceState();
  SourceState(const SourceState&) = delete;
  SourceState& operator=(const SourceState&) = delete;

  TextEditor editor;
  std::string seen;  ///< the settings' text that the editor was last given or that it gave
  bool show_header =
      false;           ///< the front matter is part of what can be edited; else it is kept aside
  std::string header;  ///< the text kept aside, and
  std::uint32_t header_lines = 0;  ///< how many lines it has
  bool dirty = false;              ///< typed since
  double typed_at = -1;            ///< ImGui time of the last key
  bool focused = false;            ///< out: keys go to the text
  std::uint32_t go_to_line = 0;    ///< in: scroll there and put the cursor there

  // What the markers in the editor were made from.
  std::uint64_t marked_serial = 0;
  std::uint32_t marked_line = 0;
  int marked_access = -1;
  std::vector<std::string> marked_messages;
  bool marked_dark = false;
  /// Whether the editor shows a line of the text, and in which row; lines count from 1, rows from
  /// 0.
  [[nodiscard]] bool has(std::uint32_t line) const {
    return line > header_lines && line - header_lines <= editor.GetLineCount();
  }
  [[nodiscard]] std::size_t row(std::uint32_t line) const { return line - header_lines - 1; }

  SourceHover hover;
  bool find = false;      ///< in: open the search
  bool ask_line = false;  ///< in: ask which line to go to
  int asked_line = 1;
  std::string language;  ///< of the words in the search

  const ViewContext* frame = nullptr;  ///< during a frame, for the gutter's call-back
  Actions* actions = nullptr;
};
/// Gives what has been typed and not yet been taken over, at once.
void hand_over(const ViewContext& ctx, SourceState& state, Actions& actions);
void draw_source(const ViewContext& ctx, SourceState& state, Actions& actions);

}  // namespace lanescope::app

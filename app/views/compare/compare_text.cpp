// The two texts side by side, what differs marked by a sign and a tint.
#include "views/compare/compare_view.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

constexpr std::size_t kContext = 3;  // lines around a difference

// The text below its front matter: what it says is known from the settings already.
std::string_view code_of(const Picture& picture, std::size_t& skipped) {
  std::string_view text = picture.prepared->settings.text;
  skipped = picture.prepared->front_matter.lines;
  for (std::size_t i = 0; i < skipped; ++i) {
    const std::size_t end = text.find('\n');
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return text;
}

void refresh_text(const ViewContext& ctx, CompareState& state) {
  const Picture &left = *ctx.picture, &right = *ctx.comparison->picture;
  const std::pair key{left.serial, right.serial};
  if (state.text_key == key) return;
  state.text_key = key;
  const std::string_view a = code_of(left, state.left_skipped);
  const std::string_view b = code_of(right, state.right_skipped);
  state.text = diff_texts(a, b);
}

void draw_line(const ViewContext& ctx, const std::vector<std::string>& lines,
               const std::optional<std::size_t>& line, std::size_t skipped, bool same,
               const char* sign, ImU32 color) {
  if (!line) {
    ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, ctx.theme.empty);
    ImGui::TextUnformatted("");
    return;
  }
  if (!same) ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, faded(color, 0.18f));
  ImGui::PushStyleColor(ImGuiCol_Text, same ? ctx.theme.dim : color);
  ImGui::Text("%4zu %s", *line + skipped + 1, same ? " " : sign);
  ImGui::PopStyleColor();
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Text, same ? ctx.theme.dim : ctx.theme.text);
  wrapped_text(lines[*line]);
  ImGui::PopStyleColor();
}

}  // namespace

void draw_compare_text(const ViewContext& ctx, CompareState& state) {
  refresh_text(ctx, state);
  const TextDiff& diff = state.text;
  if (diff.removed + diff.added == 0) {
    hint(ctx, tr("The two texts are the same; only the settings differ."));
  } else {
    hint(ctx, tr("{0} lines only on the left, {1} only on the right", {diff.removed, diff.added}));
    ImGui::Checkbox(tr("all lines"), &state.all_lines);
  }
  std::vector<std::size_t> rows = rows_near_differences(diff, kContext);
  if (state.all_lines) {
    rows.clear();
    for (std::size_t i = 0; i < diff.rows.size(); ++i) rows.push_back(i);
  }
  const ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_SizingStretchSame |
                                ImGuiTableFlags_NoPadOuterX;
  ImGui::PushFont(ctx.fonts.mono, ImGui::GetStyle().FontSizeBase * 0.88f);
  if (ImGui::BeginTable("text", 2, flags)) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const DiffRow& row = diff.rows[rows[i]];
      ImGui::TableNextRow();
      if (i > 0 && rows[i] != rows[i - 1] + 1) {
        for (int side = 0; side < 2; ++side) {
          ImGui::TableNextColumn();
          ImGui::TextDisabled("…");
        }
        ImGui::TableNextRow();
      }
      ImGui::TableNextColumn();
      draw_line(ctx, diff.left, row.left, state.left_skipped, row.same, "−", ctx.theme.warning);
      ImGui::TableNextColumn();
      draw_line(ctx, diff.right, row.right, state.right_skipped, row.same, "+", ctx.theme.good);
    }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

}  // namespace lanescope::app

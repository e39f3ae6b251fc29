#include "views/window/cheat_sheet.h"

#include <algorithm>
#include <string>
#include <vector>

#include "views/command/commands.h"
#include "views/draw/glossary.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

struct Row {
  /// A heading has no keys
  std::string keys, meaning;
};

void add_heading(std::vector<Row>& rows, const char* title) { rows.push_back({"", title}); }

void add_commands(std::vector<Row>& rows, Menu menu, const char* title) {
  add_heading(rows, title);
  for (const Command& command : commands()) {
    if (command.menu != menu || (command.keys.empty() && !command.character)) continue;
    std::string keys;
    for (const ImGuiKeyChord chord : command.keys) {
      const int key = chord & ~ImGuiMod_Mask_;
      if (key >= ImGuiKey_Keypad0 && key <= ImGuiKey_KeypadEqual) continue;  // as on the main part
      keys += (keys.empty() ? "" : "  ") + keys_text(chord);
    }
    if (command.character) keys += (keys.empty() ? "" : "  ") + std::string(1, command.character);
    rows.push_back({keys, tr(command.title)});
  }
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  add_commands(rows, Menu::file, tr("File"));
  add_commands(rows, Menu::kernel, tr("Kernel"));
  add_commands(rows, Menu::go, tr("Go"));
  add_commands(rows, Menu::view, tr("View"));
  add_commands(rows, Menu::help, tr("Help"));
  add_heading(rows, tr("Mouse"));
  rows.push_back({tr("point"), tr("lights up a lane or a cell everywhere")});
  rows.push_back({tr("click"), tr("holds the lane or the cell")});
  rows.push_back({tr("click a line's numbers"), tr("goes round the line's accesses")});
  rows.push_back({tr("drag along the tracks"), tr("goes through the steps of a warp")});
  rows.push_back({"F12", tr("saves a picture of the window")});
  return rows;
}

void draw_row(const ViewContext& ctx, const Row& row) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (row.keys.empty()) {
    ImGui::Spacing();
    ImGui::PushFont(ctx.fonts.strong, 0);
    ImGui::TextUnformatted(row.meaning.c_str());
    ImGui::PopFont();
    return;
  }
  ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.lane);
  wrapped_text(row.keys);
  ImGui::PopStyleColor();
  ImGui::TableNextColumn();
  wrapped_text(row.meaning);
}

// Rows flow down one column after the other; a heading does not stay behind alone.
void draw_columns(const ViewContext& ctx, const std::vector<Row>& rows, int columns) {
  const std::size_t each =
      (rows.size() + static_cast<std::size_t>(columns) - 1) / static_cast<std::size_t>(columns);
  if (!ImGui::BeginTable("columns", columns, ImGuiTableFlags_SizingStretchSame)) return;
  ImGui::TableNextRow();
  std::size_t at = 0;
  for (int column = 0; column < columns && at < rows.size(); ++column) {
    ImGui::TableNextColumn();
    std::size_t end = column + 1 == columns ? rows.size() : std::min(rows.size(), at + each);
    if (end < rows.size() && rows[end - 1].keys.empty()) --end;
    ImGui::PushID(column);
    if (ImGui::BeginTable("rows", 2)) {
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 0.4f);
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 0.6f);
      for (; at < end; ++at) draw_row(ctx, rows[at]);
      ImGui::EndTable();
    }
    ImGui::PopID();
  }
  ImGui::EndTable();
}

// Boxes beside each other without gaps, and what the first and the last of them mean.
template <class Color>
void ramp(const ViewContext& ctx, int count, float box, const char* first, const char* last,
          Color color) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float height = ImGui::GetTextLineHeight();
  ImGui::TextDisabled("%s", first);
  ImGui::SameLine();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  for (int i = 0; i < count; ++i) {
    const float x = at.x + box * ctx.scale * static_cast<float>(i);
    list.AddRectFilled({x, at.y + 2}, {x + box * ctx.scale, at.y + height - 2}, color(i));
  }
  ImGui::Dummy({box * ctx.scale * static_cast<float>(count), height});
  ImGui::SameLine();
  ImGui::TextDisabled("%s", last);
}

void colours(const ViewContext& ctx) {
  ImGui::SeparatorText(tr("Colours"));
  ramp(ctx, 32, 9, tr("bank 0"), tr("bank 31"), [](int i) { return bank_color(i); });
  ImGui::SameLine(0, 28 * ctx.scale);
  ramp(ctx, 6, 22, tr("ideal"), "×32", [](int i) { return heat_color(1 << i); });
  legend(ctx, {{ctx.theme.lane, tr("a lane's cell")},
               {ctx.theme.selection, tr("selected")},
               {ctx.theme.cell, tr("touched by the block")},
               {ctx.theme.empty, tr("never touched"), true},
               {ctx.theme.used, tr("asked for")},
               {ctx.theme.wasted, tr("moved in vain")},
               {ctx.theme.barrier, tr("barrier")},
               {ctx.theme.good, tr("as good as it gets")},
               {ctx.theme.warning, tr("costs more than it must")},
               {ctx.theme.error, tr("error")}});
}

bool begin_page(const ViewContext& ctx, const char* title, const char* id, float width) {
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport.GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  const ImVec2 most{viewport.WorkSize.x * 0.96f, viewport.WorkSize.y * 0.96f};
  const float wide = std::min(width * ctx.scale, most.x);
  ImGui::SetNextWindowSizeConstraints({wide, 0}, {wide, most.y});
  if (!ImGui::BeginPopup(id, ImGuiWindowFlags_NoMove)) return false;
  ImGui::PushFont(ctx.fonts.strong, ImGui::GetStyle().FontSizeBase * 1.15f);
  ImGui::TextUnformatted(title);
  ImGui::PopFont();
  return true;
}

// True when a key closes what the same key opened.
bool dismissed() {
  if (ImGui::IsWindowAppearing()) return false;
  return ImGui::IsKeyPressed(ImGuiKey_F1, false) || ImGui::IsKeyPressed(ImGuiKey_Escape, false) ||
         ImGui::IsKeyPressed(ImGuiKey_Enter, false);
}

void keys_page(const ViewContext& ctx, CheatSheetState& state) {
  if (state.ask) ImGui::OpenPopup("###cheat sheet");
  state.ask = false;
  state.open = begin_page(ctx, tr("Keys and colours"), "###cheat sheet", 1180);
  if (!state.open) return;
  const float width = ImGui::GetContentRegionAvail().x / ctx.scale;
  draw_columns(ctx, all_rows(), width > 900 ? 3 : width > 560 ? 2 : 1);
  colours(ctx);
  if (dismissed()) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

void terms_page(const ViewContext& ctx, CheatSheetState& state) {
  if (state.ask_terms) ImGui::OpenPopup("###terms");
  state.ask_terms = false;
  state.terms_open = begin_page(ctx, tr("Terms"), "###terms", 900);
  if (!state.terms_open) return;
  if (ImGui::BeginTable("terms", 2, ImGuiTableFlags_RowBg)) {
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 0.2f);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 0.8f);
    for (const Term& term : terms()) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::PushFont(ctx.fonts.strong, 0);
      wrapped_text(tr(term.word));
      ImGui::PopFont();
      ImGui::TableNextColumn();
      wrapped_text(tr(term.definition));
    }
    ImGui::EndTable();
  }
  if (dismissed()) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace

void draw_cheat_sheet(const ViewContext& ctx, CheatSheetState& state) {
  keys_page(ctx, state);
  terms_page(ctx, state);
}

}  // namespace lanescope::app

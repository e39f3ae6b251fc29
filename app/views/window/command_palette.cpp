#include "views/window/command_palette.h"

#include <algorithm>
#include <utility>

#include "imgui_internal.h"
#include "imgui_stdlib.h"
#include "views/command/chords.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/window/workspace.h"

namespace lanescope::app {
namespace {

constexpr float kWidth = 620;       // units
constexpr int kRows = 12;           // in sight
constexpr std::size_t kRecent = 8;  // entries that are remembered while the program runs

void find(const CommandCall& call, CommandPaletteState& state) {
  if (state.built && state.query == state.built_for) return;
  state.found = palette_entries(call, state.query, state.recent);
  state.built = true;
  state.built_for = state.query;
  state.chosen = 0;
}

// True when the choice was moved by a key.
bool move_choice(CommandPaletteState& state) {
  const int before = state.chosen, count = static_cast<int>(state.found.size());
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) ++state.chosen;
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) --state.chosen;
  if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) state.chosen += kRows;
  if (ImGui::IsKeyPressed(ImGuiKey_PageUp)) state.chosen -= kRows;
  state.chosen = std::clamp(state.chosen, 0, std::max(0, count - 1));
  return before != state.chosen;
}

void close(CommandPaletteState& state) {
  state.open = false;
  ImGui::CloseCurrentPopup();
}

void accept(CommandCall& call, CommandPaletteState& state) {
  if (state.chosen >= static_cast<int>(state.found.size())) return;
  const PaletteEntry entry = state.found[static_cast<std::size_t>(state.chosen)];
  if (!entry.fill.empty()) {
    state.query = entry.fill;
    state.move_cursor = true;
    return;
  }
  if (!entry.run) return;
  std::erase(state.recent, entry.title);
  state.recent.push_back(entry.title);
  if (state.recent.size() > kRecent) state.recent.erase(state.recent.begin());
  close(state);
  entry.run(call);
}

// One row: title, keys at the right, the kind of thing before them. True when clicked.
bool row(const ViewContext& ctx, const PaletteEntry& entry, int index, bool chosen) {
  ImGui::PushID(index);
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetTextLineHeight() + 6 * ctx.scale;
  const bool clicked = ImGui::Selectable("###entry", chosen, 0, {width, height});
  const float y = at.y + 3 * ctx.scale, pad = 6 * ctx.scale;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string right = entry.keys.empty() ? entry.kind : entry.kind + "   " + entry.keys;
  const float taken = std::min(ImGui::CalcTextSize(right.c_str()).x, width * 0.6f);
  const auto text = [&](float x, float end, ImU32 color, const std::string& words) {
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::RenderTextEllipsis(&list, {x, y}, {end, y + ImGui::GetTextLineHeight() + 2}, end,
                              words.data(), words.data() + words.size(), nullptr);
    ImGui::PopStyleColor();
  };
  text(at.x + pad, at.x + width - taken - 3 * pad,
       entry.run || !entry.fill.empty() ? ctx.theme.text : ctx.theme.warning, entry.title);
  text(at.x + width - taken - pad, at.x + width, ctx.theme.dim, right);
  ImGui::PopID();
  return clicked;
}

void results(CommandCall& call, CommandPaletteState& state, bool moved) {
  const ViewContext& ctx = call.view;
  const float height = ImGui::GetTextLineHeight() + 6 * ctx.scale + ImGui::GetStyle().ItemSpacing.y;
  const int rows = std::clamp(static_cast<int>(state.found.size()), 1, kRows);
  const float room = ImGui::GetMainViewport()->WorkSize.y * 0.7f;
  ImGui::BeginChild("results", {0, std::min(room, height * static_cast<float>(rows) + 2)});
  if (state.found.empty()) ImGui::TextDisabled("%s", tr("Nothing is called so."));
  int clicked = -1;
  for (int i = 0; i < static_cast<int>(state.found.size()); ++i) {
    if (row(ctx, state.found[static_cast<std::size_t>(i)], i, i == state.chosen)) clicked = i;
    if (moved && i == state.chosen) ImGui::SetScrollHereY(0.5f);
  }
  ImGui::EndChild();
  if (clicked < 0) return;
  state.chosen = clicked;
  accept(call, state);
}

int put_cursor_at_end(ImGuiInputTextCallbackData* data) {
  auto& state = *static_cast<CommandPaletteState*>(data->UserData);
  if (!state.move_cursor) return 0;
  state.move_cursor = false;
  data->DeleteChars(0, data->BufTextLen);
  data->InsertChars(0, state.query.c_str());
  return 0;
}

}  // namespace

void draw_command_palette(const ViewContext& ctx, Workspace& workspace, Actions& actions) {
  CommandPaletteState& state = workspace.palette;
  if (state.ask) {
    state.ask = false;
    state.built = false;
    state.query = std::exchange(state.begin, {});
    state.move_cursor = !state.query.empty();
    ImGui::OpenPopup("###palette");
  }
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const float width = std::min(kWidth * ctx.scale, viewport.WorkSize.x * 0.94f);
  ImGui::SetNextWindowPos({viewport.WorkPos.x + viewport.WorkSize.x / 2,
                           viewport.WorkPos.y + viewport.WorkSize.y * 0.06f},
                          ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSize({width, 0});
  state.open = ImGui::BeginPopup("###palette", ImGuiWindowFlags_NoMove);
  if (!state.open) return;
  CommandCall call{ctx, workspace, actions};
  ImGui::SetNextItemWidth(-1);
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const bool enter = ImGui::InputTextWithHint(
      "##query", tr("command, kernel, access, view, PAD = 4, in[5][3], :line"), &state.query,
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackAlways, put_cursor_at_end,
      &state);
  if (enter) ImGui::SetKeyboardFocusHere(-1);  // for when the palette stays open
  find(call, state);
  const bool moved = move_choice(state);
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false) ||
      (pressed(ImGuiMod_Ctrl | ImGuiKey_P) && !ImGui::IsWindowAppearing())) {
    close(state);
  } else if (enter) {
    accept(call, state);
  } else {
    results(call, state, moved);
  }
  ImGui::EndPopup();
}

}  // namespace lanescope::app

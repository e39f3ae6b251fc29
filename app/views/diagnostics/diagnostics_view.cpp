#include "views/diagnostics/diagnostics_view.h"

#include <fmt/format.h>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

ImU32 color_of(const Theme& theme, Severity severity) {
  if (severity == Severity::error) return theme.error;
  return severity == Severity::warning ? theme.warning : theme.dim;
}

std::string where(const Diagnostic& diagnostic) {
  std::string text;
  if (diagnostic.line) text = tr("line {0}", {diagnostic.line});
  const auto add = [&](const char* name, const std::optional<Dim3>& at) {
    if (!at) return;
    if (!text.empty()) text += " · ";
    text += fmt::format("{} ({}, {}, {})", tr(name), at->x, at->y, at->z);
  };
  add("block", diagnostic.block);
  add("thread", diagnostic.thread);
  return text;
}

void entry(const ViewContext& ctx, DiagnosticsState& state, const Diagnostic& diagnostic, int index,
           Actions& actions) {
  ImGui::PushID(index);
  const ImU32 color = color_of(ctx.theme, diagnostic.severity);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::PushFont(ctx.fonts.strong, 0);
  ImGui::TextUnformatted(tr(std::string(severity_name(diagnostic.severity)).c_str()));
  ImGui::PopFont();
  ImGui::PopStyleColor();
  ImGui::SameLine();
  ImGui::TextDisabled("%s", where(diagnostic).c_str());
  wrapped_text(message_of(diagnostic));
  if (!diagnostic.source_line.empty()) {
    ImGui::PushFont(ctx.fonts.mono, ImGui::GetStyle().FontSizeBase * 0.9f);
    ImGui::TextUnformatted(diagnostic.source_line.c_str());
    ImGui::PopFont();
  }
  if (!diagnostic.hint.empty()) hint(ctx, hint_of(diagnostic));
  const ImVec2 end = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(at);
  const ImVec2 size{ImGui::GetContentRegionAvail().x, std::max(1.0f, end.y - at.y)};
  if (ImGui::InvisibleButton("message", size)) {
    state.go_to_line = diagnostic.line;
    if (diagnostic.block && diagnostic.thread) actions.push_back(ShowMistake{diagnostic});
  }
  if (ImGui::IsItemHovered()) {
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size.x, at.y + size.y},
                                              faded(color, 0.12f));
  }
  ImGui::PopID();
  ImGui::Separator();
}

}  // namespace

std::string message_of(const Diagnostic& diagnostic) { return tr_message(diagnostic.message); }

std::string hint_of(const Diagnostic& diagnostic) { return tr_message(diagnostic.hint); }

void draw_diagnostics(const ViewContext& ctx, DiagnosticsState& state, Actions& actions) {
  state.go_to_line = 0;
  if (ctx.diagnostics.empty()) return nothing_to_show(ctx, tr("Nothing is wrong."));
  int index = 0;
  for (const Diagnostic& diagnostic : ctx.diagnostics)
    entry(ctx, state, diagnostic, index++, actions);
}

}  // namespace lanescope::app

// The gutter of the Source view: line number, how often the line ran, what its accesses cost.
#include <algorithm>
#include <cstdio>
#include <sstream>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/source/source_view.h"

namespace lanescope::app {
namespace {

constexpr std::size_t kNumbers = 4;  // glyphs of the gutter that are for the line number

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

void gutter_tooltip(const LineTotals& totals) {
  std::string text = tr("executed {0} times by a warp", {grouped(totals.executions)});
  if (totals.shared.requests || totals.global.requests)
    text += std::string("\n") + tr("× is the average of all accesses of the line in all "
                                   "executions; Banks and Sectors show one of them");
  if (totals.shared.requests) {
    text += "\n" + tr("wavefronts {0}, ideal {1}",
                      {grouped(totals.shared.wavefronts), grouped(totals.shared.ideal_wavefronts)});
  }
  if (totals.global.requests) {
    text += "\n" + tr("sectors {0}, ideal {1}",
                      {grouped(totals.global.sectors), grouped(totals.global.ideal_sectors)});
  }
  tooltip(text);
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

void line_number(const ViewContext& ctx, const TextEditor::Decorator& decorator, std::uint32_t line,
                 ImVec2 at) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string number = std::to_string(line);
  const float right = at.x + decorator.glyphSize.x * (kNumbers - 0.6f);
  const float size = ImGui::GetFontSize();
  ImU32 color = line == current_line(ctx) ? ctx.theme.selection : ctx.theme.dim;
  for (const Diagnostic& d : ctx.diagnostics) {
    if (d.line == line && !ctx.predicting)
      color = d.severity == Severity::error ? ctx.theme.error : ctx.theme.warning;
  }
  const float width = ctx.fonts.mono->CalcTextSizeA(size, FLT_MAX, 0, number.c_str()).x;
  list.AddText(ctx.fonts.mono, size, {right - width, at.y}, color, number.c_str());
}

// Runs, wavefronts and sectors, a third of the room each.
void draw_totals(const ViewContext& ctx, const TextEditor::Decorator& decorator,
                 const LineTotals& totals, ImVec2 at) {
  at.x += decorator.glyphSize.x * kNumbers;
  const float third = decorator.glyphSize.x * (kGutterGlyphs - kNumbers) / 3,
              bottom = at.y + decorator.height;
  const float size =
      fitting_size(ctx.fonts.text, ImGui::GetFontSize() * 0.85f, third, decorator.height, "88k");
  text_in_box(*ImGui::GetWindowDrawList(), ctx.fonts.text, size, 7 * ctx.scale, at,
              {at.x + third, bottom}, ctx.theme.dim, short_count(totals.executions));
  heat_box(ctx, {at.x + third, at.y}, {at.x + 2 * third, bottom}, totals.shared.wavefronts,
           totals.shared.ideal_wavefronts);
  heat_box(ctx, {at.x + 2 * third, at.y}, {at.x + 3 * third, bottom}, totals.global.sectors,
           totals.global.ideal_sectors);
}

// "32 → 4" where a parameter gives a macro another value than its own line says.
std::string changed_macro(const Settings& settings, const std::string& line, std::string& name) {
  const std::size_t first = line.find_first_not_of(" \t\v\f\r\n");
  if (first == std::string::npos || line[first] != '#') return {};
  std::istringstream words(line);
  std::string define, value;
  if (!(words >> define >> name >> value) || define != "#define") return {};
  const auto set = settings.parameters.find(name);
  if (set == settings.parameters.end() || set->second == value) return {};
  return value + " → " + set->second;
}

void draw_macro(const ViewContext& ctx, const SourceState& state,
                const TextEditor::Decorator& decorator, ImVec2 at) {
  if (ctx.settings.parameters.empty()) return;
  std::string name;
  const std::string change = changed_macro(
      ctx.settings, state.editor.GetLineText(static_cast<std::size_t>(decorator.line)), name);
  if (change.empty()) return;
  const float left = at.x + decorator.glyphSize.x * kNumbers;
  const ImVec2 max{at.x + decorator.glyphSize.x * kGutterGlyphs - 2, at.y + decorator.height};
  text_in_box(*ImGui::GetWindowDrawList(), ctx.fonts.strong, ImGui::GetFontSize() * 0.95f,
              7 * ctx.scale, {left, at.y}, max, ctx.theme.selection, change);
  if (ImGui::IsMouseHoveringRect(at, max))
    tooltip(tr("the parameter {0} sets it: {1}", {name, change}));
}

}  // namespace

void draw_gutter(SourceState& state, TextEditor::Decorator& decorator) {
  const ViewContext& ctx = *state.frame;
  const std::uint32_t line = static_cast<std::uint32_t>(decorator.line) + 1 + state.header_lines;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  line_number(ctx, decorator, line, at);
  draw_macro(ctx, state, decorator, at);
  const LineTotals* totals = ctx.picture ? totals_of(*ctx.picture, line) : nullptr;
  if (!totals || state.dirty || ctx.status.stale) return;
  char id[32];
  std::snprintf(id, sizeof id, "line %u", line);
  if (ImGui::InvisibleButton(id, {decorator.width - 2, decorator.height})) {
    select_next_access(ctx, line, *state.actions);
    ImGui::SetWindowFocus("###source");  // a click beside the text does not start typing
  }
  if (ctx.predicting) return;  // counts would tell
  if (ImGui::IsItemHovered()) gutter_tooltip(*totals);
  draw_totals(ctx, decorator, *totals, at);
}

}  // namespace lanescope::app

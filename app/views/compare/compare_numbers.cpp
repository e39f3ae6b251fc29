// The difference of every number: what it is here, what it is there, and which is better.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "views/compare/compare_view.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

const char* name_of(Quantity quantity) {
  switch (quantity) {
  case Quantity::requests:
    return tr("requests");
  case Quantity::wavefronts:
    return tr("wavefronts");
  case Quantity::ideal_wavefronts:
    return tr("ideal wavefronts");
  case Quantity::conflicts:
    return tr("conflicts");
  case Quantity::sectors:
    return tr("sectors");
  case Quantity::ideal_sectors:
    return tr("ideal sectors");
  case Quantity::efficiency:
    return tr("efficiency");
  case Quantity::shared_bytes:
    return tr("shared bytes a block");
  case Quantity::threads:
    return tr("threads a block");
  case Quantity::blocks:
    return tr("blocks");
  case Quantity::warp_instructions:
    return tr("executed steps, all warps");
  }
  return "";
}

std::string name_of(Scope scope) {
  switch (scope) {
  case Scope::execution:
    return tr("this execution");
  case Scope::shared_load:
    return tr("all shared loads");
  case Scope::shared_store:
    return tr("all shared stores");
  case Scope::shared_atomic:
    return tr("all shared atomics");
  case Scope::shared_product:
    return tr("all wgmma");
  case Scope::global_load:
    return tr("all global loads");
  case Scope::global_store:
    return tr("all global stores");
  case Scope::global_atomic:
    return tr("all global atomics");
  case Scope::global_bulk_load:
    return tr("all bulk loads");
  case Scope::global_bulk_store:
    return tr("all bulk stores");
  case Scope::launch:
    return tr("the launch");
  case Scope::access:
    break;
  }
  return "";
}

std::string value_text(Quantity quantity, double value) {
  if (quantity == Quantity::efficiency) return decimal(value) + " %";
  return grouped(static_cast<unsigned long long>(std::llround(value)));
}

// "−31 (÷ 32)": by how much, and how many times.
std::string change_text(const Difference& one) {
  const double by = *one.change();
  if (by == 0) return "=";
  std::string text = (by < 0 ? "−" : "+") + value_text(one.quantity, std::fabs(by));
  if (*one.left > 0 && *one.right > 0 && one.quantity != Quantity::efficiency) {
    const double times = by < 0 ? *one.left / *one.right : *one.right / *one.left;
    text += std::string(by < 0 ? " (÷ " : " (× ") + decimal(times, 2) + ")";
  }
  return text;
}

// A triangle and a word, so that the colour says nothing alone.
void draw_change(const ViewContext& ctx, const Difference& one) {
  if (!one.change()) return ImGui::TextDisabled("–");
  const int verdict = one.verdict();
  const ImU32 color = verdict > 0   ? ctx.theme.good
                      : verdict < 0 ? ctx.theme.warning
                                    : ctx.theme.dim;
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(change_text(one).c_str());
  if (verdict != 0) {
    const float size = ImGui::GetFontSize();
    ImGui::SameLine(0, size * 0.5f);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool down = *one.change() < 0;
    const float r = size * 0.28f, x = at.x + r, y = at.y + ImGui::GetTextLineHeight() / 2;
    const float tip = down ? y + r : y - r, base = down ? y - r : y + r;
    ImGui::GetWindowDrawList()->AddTriangleFilled({x - r, base}, {x + r, base}, {x, tip}, color);
    ImGui::Dummy({2 * r, size});
    ImGui::SameLine(0, size * 0.35f);
    ImGui::TextUnformatted(verdict > 0 ? tr("better") : tr("worse"));
  }
  ImGui::PopStyleColor();
}

std::string access_text(const Picture& picture, int access) {
  if (access < 0) return "–";
  return access_title(picture.kernel().accesses[static_cast<std::size_t>(access)]);
}

void draw_group_name(const ViewContext& ctx, const DifferenceGroup& group, Actions& actions) {
  ImGui::TableNextRow(ImGuiTableRowFlags_None);
  ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, ctx.theme.empty);
  ImGui::TableNextColumn();
  ImGui::PushFont(ctx.fonts.strong, 0);
  if (group.scope != Scope::access) {
    wrapped_text(name_of(group.scope));
    ImGui::PopFont();
    return;
  }
  const std::string left = access_text(*ctx.picture, group.left_access);
  const std::string right = access_text(*ctx.comparison->picture, group.right_access);
  const bool ours = group.left_access >= 0;
  const std::string label = fmt::format("{}##{} {} {}", ours ? left : right, group.left_access,
                                        group.right_access, static_cast<int>(group.space));
  if (ImGui::Selectable(label.c_str(), ours && group.left_access == ctx.selection.access,
                        ImGuiSelectableFlags_SpanAllColumns) &&
      ours)
    actions.push_back(SelectAccess{group.left_access});
  ImGui::PopFont();
  if (ImGui::IsItemHovered() && ours) tooltip(tr("look at this access"));
  if (left == right) return;
  ImGui::TableNextColumn();
  if (!ours) ImGui::TextDisabled("–");
  ImGui::TableNextColumn();
  ImGui::TextDisabled("%s", ours ? right.c_str() : "");
}

void draw_rows(const ViewContext& ctx, const DifferenceGroup& group) {
  const auto number = [&](const std::optional<double>& value, Quantity quantity) {
    ImGui::TableNextColumn();
    if (!value) return ImGui::TextDisabled("–");
    ImGui::TextUnformatted(value_text(quantity, *value).c_str());
  };
  for (const Difference& one : group.rows) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::Indent(10 * ctx.scale);
    wrapped_text(name_of(one.quantity));
    ImGui::Unindent(10 * ctx.scale);
    number(one.left, one.quantity);
    number(one.right, one.quantity);
    ImGui::TableNextColumn();
    draw_change(ctx, one);
  }
}

std::string result_text(const ResultCheck& check) {
  if (!check.checked) return tr("not checked");
  return check.correct ? tr("correct") : tr("wrong");
}

void draw_result(const ViewContext& ctx) {
  const ResultCheck &left = ctx.picture->check, &right = ctx.comparison->picture->check;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::Indent(10 * ctx.scale);
  ImGui::TextUnformatted(tr("result"));
  ImGui::Unindent(10 * ctx.scale);
  for (const ResultCheck* check : {&left, &right}) {
    ImGui::TableNextColumn();
    const bool wrong = check->checked && !check->correct;
    ImGui::PushStyleColor(ImGuiCol_Text, wrong ? ctx.theme.error : ctx.theme.text);
    wrapped_text(result_text(*check));
    ImGui::PopStyleColor();
    if (wrong && !check->message.empty()) item_tooltip(tr_message(check->message));
  }
  ImGui::TableNextColumn();
}

}  // namespace

void draw_compare_numbers(const ViewContext& ctx, const CompareState& state, Actions& actions) {
  hint(ctx, state.numbers.whole ? tr("Counted over the whole grid on both sides.")
                                : tr("Counted over the inspected block on both sides."));
  const ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerV |
                                ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_PadOuterX;
  if (!ImGui::BeginTable("numbers", 4, flags)) return;
  ImGui::TableSetupColumn("##what", 0, 1.25f);
  ImGui::TableSetupColumn((std::string(tr("left")) + "###left").c_str(), 0, 0.9f);
  ImGui::TableSetupColumn((std::string(tr("right")) + "###right").c_str(), 0, 0.9f);
  ImGui::TableSetupColumn((std::string(tr("right against left")) + "###change").c_str(), 0, 1.4f);
  ImGui::TableHeadersRow();
  // What is looked at and what it sums up to first, then access by access.
  for (const bool single : {false, true}) {
    for (const DifferenceGroup& group : state.numbers.groups) {
      if ((group.scope == Scope::access) != single) continue;
      draw_group_name(ctx, group, actions);
      draw_rows(ctx, group);
      if (group.scope == Scope::launch) draw_result(ctx);
    }
  }
  ImGui::EndTable();
}

}  // namespace lanescope::app

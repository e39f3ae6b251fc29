// What to compare with: one click gives something worth looking at.
#include <algorithm>
#include <charconv>

#include "imgui.h"
#include "imgui_stdlib.h"
#include "views/compare/compare_view.h"
#include "views/draw/kernel_names.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

// A wide button with a title and a sentence. True if pressed.
bool card(const ViewContext& ctx, const char* id, const std::string& title,
          const std::string& detail, bool enabled) {
  const float pad = 8 * ctx.scale, width = ImGui::GetContentRegionAvail().x;
  const float wrap = width - 2 * pad;
  const ImVec2 head = wrapped_size(title, wrap);
  const ImVec2 body = wrapped_size(detail, wrap);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 extent{width, head.y + body.y + 2 * pad + 2};
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::InvisibleButton(id, extent);
  ImGui::EndDisabled();
  const ImGuiCol color = ImGui::IsItemActive()    ? ImGuiCol_ButtonActive
                         : ImGui::IsItemHovered() ? ImGuiCol_ButtonHovered
                                                  : ImGuiCol_Button;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + extent.x, at.y + extent.y},
                     ImGui::GetColorU32(color, enabled ? 1.0f : 0.4f),
                     ImGui::GetStyle().FrameRounding);
  const float size = ImGui::GetFontSize();
  list.AddText(ctx.fonts.strong, size, {at.x + pad, at.y + pad},
               enabled ? ctx.theme.text : ctx.theme.dim, in_lines(title, wrap).c_str(), nullptr,
               wrap);
  list.AddText(ctx.fonts.text, size, {at.x + pad, at.y + pad + head.y + 2}, ctx.theme.dim,
               in_lines(detail, wrap).c_str(), nullptr, wrap);
  return pressed;
}

std::string title_of(const ViewContext& ctx, const std::string& name) {
  const CatalogEntry* entry = ctx.catalog.find(name);
  return entry ? kernel_title(*entry) : name;
}

// What one gets back by going back: "PAD=1", a kernel's title, or the text.
std::string previous_text(const ViewContext& ctx) {
  const Settings &now = ctx.settings, &before = *ctx.previous;
  if (now.name != before.name) return title_of(ctx, before.name);
  std::string text;
  const auto differ = [&](const auto& a, const auto& b) {
    for (const auto* map : {&a, &b}) {
      for (const auto& [name, value] : *map) {
        const auto x = a.find(name), y = b.find(name);
        if (x != a.end() && y != b.end() && x->second == y->second) continue;
        const std::string was = y == b.end() ? std::string(tr("default")) : y->second;
        const std::string one = name + "=" + was;
        if (text.find(one) == std::string::npos) text += (text.empty() ? "" : ", ") + one;
      }
    }
  };
  differ(now.parameters, before.parameters);
  differ(now.arguments, before.arguments);
  if (now.text != before.text)
    text += (text.empty() ? "" : ", ") + std::string(tr("the text as it was"));
  return text.empty() ? std::string(tr("another launch")) : text;
}

// A few values of a parameter that are worth a try.
std::vector<std::string> values_to_try(const TunableParameter& parameter,
                                       const std::string& current) {
  std::vector<std::string> values;
  const auto add = [&](const std::string& value) {
    if (value != current && std::find(values.begin(), values.end(), value) == values.end())
      values.push_back(value);
  };
  if (!parameter.choices.empty()) {
    for (const std::string& choice : parameter.choices) add(choice);
    return values;
  }
  long long now = parameter.value;
  std::from_chars(current.data(), current.data() + current.size(), now);
  std::vector<long long> numbers = {parameter.value, now / 2, now * 2};
  if (parameter.max <= 64) numbers.insert(numbers.end(), {0, 1, 2, 4});
  std::erase_if(numbers, [&](long long n) { return n < parameter.min || n > parameter.max; });
  std::sort(numbers.begin(), numbers.end());
  for (const long long number : numbers) add(std::to_string(number));
  return values;
}

void parameter_choices(const ViewContext& ctx, Actions& actions) {
  for (const TunableParameter& parameter : ctx.picture->prepared->front_matter.parameters) {
    const auto found = ctx.picture->prepared->parameters.find(parameter.name);
    const std::string current =
        found == ctx.picture->prepared->parameters.end() ? parameter.default_text() : found->second;
    ImGui::PushID(parameter.name.c_str());
    ImGui::AlignTextToFramePadding();
    wrapped_text(parameter.name + " = " + current);
    item_tooltip(tr(parameter.title.c_str()));
    for (const std::string& value : values_to_try(parameter, current)) {
      const float width =
          ImGui::CalcTextSize(value.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
      ImGui::SameLine();
      if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
      if (ImGui::Button(value.c_str()))
        actions.push_back(CompareWithParameter{parameter.name, value});
    }
    ImGui::PopID();
  }
}

// Of the family at hand first: these do the same work.
void kernel_choices(const ViewContext& ctx, CompareState& state, Actions& actions) {
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##filter", tr("search"), &state.filter);
  const CatalogEntry* current = ctx.catalog.find(ctx.settings.name);
  const std::string family = current ? current->family : "";
  for (const bool relatives : {true, false}) {
    std::string heading;
    for (const CatalogEntry& entry : ctx.catalog.entries) {
      if ((entry.family == family) != relatives || &entry == current) continue;
      if (!kernel_matches(entry, state.filter)) continue;
      if (entry.family != heading) ImGui::SeparatorText(tr((heading = entry.family).c_str()));
      if (ImGui::Selectable((title_of(ctx, entry.name) + "##" + entry.name).c_str()))
        actions.push_back(CompareWithKernel{entry.name});
      if (!entry.front_matter.idea.empty()) item_tooltip(tr(entry.front_matter.idea.c_str()));
    }
  }
}

}  // namespace

void draw_compare_picker(const ViewContext& ctx, CompareState& state, Actions& actions) {
  ImGui::BeginChild("picker");
  headline(ctx, tr("Compare with …"), ctx.theme.text);
  const bool has_previous = ctx.previous != nullptr;
  if (card(ctx, "previous", tr("the setting before your last change"),
           has_previous ? previous_text(ctx) : tr("Nothing has been changed yet."), has_previous))
    actions.push_back(CompareWithPrevious{});
  if (card(ctx, "pin", tr("this setting, kept as it is"),
           tr("It stays on the right; what you change from now on is seen on the left."), true))
    actions.push_back(PinForComparison{});
  if (!ctx.picture->prepared->front_matter.parameters.empty()) {
    ImGui::SeparatorText(tr("the same kernel with another parameter"));
    parameter_choices(ctx, actions);
  }
  ImGui::SeparatorText(tr("another kernel"));
  kernel_choices(ctx, state, actions);
  ImGui::EndChild();
}

}  // namespace lanescope::app

#include "views/kernel/kernel_chooser.h"

#include <algorithm>
#include <cctype>

#include "imgui_stdlib.h"
#include "views/draw/kernel_names.h"
#include "views/draw/tr.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

constexpr std::string_view kFirst = "transpose", kBroken = "broken", kAnswer = "_fixed";

bool is_broken(const CatalogEntry& entry) { return entry.family == kBroken; }
bool is_answer(const CatalogEntry& entry) {
  return is_broken(entry) && entry.name.ends_with(kAnswer);
}

// "07" of "broken/07_swapped_guard".
std::string number_of(const std::string& name) {
  const std::size_t from = name.find('/') + 1;
  std::size_t to = from;
  while (to < name.size() && std::isdigit(static_cast<unsigned char>(name[to]))) ++to;
  return name.substr(from, to - from);
}

void idea_tooltip(const ViewContext& ctx, const CatalogEntry& entry) {
  if (!ImGui::BeginItemTooltip()) return;
  wrapped_text(tr(entry.front_matter.idea.c_str()), 360 * ctx.scale);
  ImGui::TextDisabled("%s", entry.name.c_str());
  ImGui::EndTooltip();
}

void offer(const ViewContext& ctx, const CatalogEntry& entry, const std::string& title, bool secret,
           Actions& actions) {
  const bool current = entry.name == ctx.settings.name;
  if (ImGui::Selectable((title + "##" + entry.name).c_str(), current)) {
    actions.push_back(SelectKernel{entry.name});
    ImGui::CloseCurrentPopup();
  }
  if (!secret) idea_tooltip(ctx, entry);
  if (current && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY(0.5f);
}

// Exercises by number: a title that names the mistake gives it away.
void offer_broken(const ViewContext& ctx, const std::vector<const CatalogEntry*>& all,
                  Actions& actions) {
  bool current = false;
  for (const CatalogEntry* entry : all)
    current |= is_broken(*entry) && entry->name == ctx.settings.name;
  if (ImGui::IsWindowAppearing()) ImGui::SetNextItemOpen(current);
  ImGui::Separator();
  if (!ImGui::TreeNodeEx((std::string(tr("find the mistake")) + "###broken").c_str(),
                         ImGuiTreeNodeFlags_SpanAvailWidth))
    return;
  for (const CatalogEntry* entry : all) {
    if (is_broken(*entry) && !is_answer(*entry))
      offer(ctx, *entry, tr("exercise {0}", {number_of(entry->name)}), true, actions);
  }
  if (ImGui::TreeNodeEx((std::string(tr("answers")) + "###answers").c_str(),
                        ImGuiTreeNodeFlags_SpanAvailWidth)) {
    for (const CatalogEntry* entry : all)
      if (is_answer(*entry)) offer(ctx, *entry, kernel_title(*entry), false, actions);
    ImGui::TreePop();
  }
  ImGui::TreePop();
}

// What was typed may name a mistake: then it is known.
void offer_found(const ViewContext& ctx, const std::vector<const CatalogEntry*>& all,
                 const std::string& filter, bool enter, Actions& actions) {
  bool first = true;
  for (const CatalogEntry* entry : all) {
    if (!kernel_matches(*entry, filter)) continue;
    offer(ctx, *entry, kernel_title(*entry), false, actions);
    if (first && enter) {
      actions.push_back(SelectKernel{entry->name});
      ImGui::CloseCurrentPopup();
    }
    first = false;
  }
  if (first) ImGui::TextDisabled("%s", tr("Nothing is called so."));
}

}  // namespace

std::vector<const CatalogEntry*> offered_kernels(const Catalog& catalog) {
  std::vector<const CatalogEntry*> all;
  for (const CatalogEntry& entry : catalog.entries) all.push_back(&entry);
  const auto rank = [](const CatalogEntry* entry) {
    return entry->family == kFirst ? 0 : is_broken(*entry) ? 2 : 1;
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const CatalogEntry* a, const CatalogEntry* b) { return rank(a) < rank(b); });
  return all;
}

bool is_exercise(const ViewContext& ctx) {
  const CatalogEntry* entry = ctx.catalog.find(ctx.settings.name);
  return entry && is_broken(*entry) && !is_answer(*entry);
}

void kernel_chooser(const ViewContext& ctx, ParametersState& state, Actions& actions) {
  const FrontMatter* matter = front_matter(ctx);
  const std::string title = is_exercise(ctx) ? tr("exercise {0}", {number_of(ctx.settings.name)})
                            : matter && !matter->title.empty()
                                ? tr(matter->title.c_str())
                                : ctx.settings.name.substr(ctx.settings.name.rfind('/') + 1);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  ImGui::SetNextWindowSizeConstraints({320 * ctx.scale, 0}, {640 * ctx.scale, 560 * ctx.scale});
  if (!ImGui::BeginCombo("##kernel", title.c_str(), ImGuiComboFlags_HeightLargest))
    return item_tooltip(title);  // long titles do not fit
  if (ImGui::IsWindowAppearing()) {
    state.filter.clear();
    ImGui::SetKeyboardFocusHere();
  }
  ImGui::SetNextItemWidth(-1);
  const bool enter = ImGui::InputTextWithHint("##filter", tr("search"), &state.filter,
                                              ImGuiInputTextFlags_EnterReturnsTrue);
  const std::vector<const CatalogEntry*> all = offered_kernels(ctx.catalog);
  // The search stays in sight while the kernels scroll.
  const float line = ImGui::GetTextLineHeightWithSpacing();
  ImGui::BeginChild("kernels", {0, std::min(440 * ctx.scale, 22 * line)});
  if (!state.filter.empty()) {
    offer_found(ctx, all, state.filter, enter, actions);
  } else {
    std::string family;
    for (const CatalogEntry* entry : all) {
      if (is_broken(*entry)) continue;
      if (entry->family != family) ImGui::SeparatorText(tr((family = entry->family).c_str()));
      offer(ctx, *entry, kernel_title(*entry), false, actions);
    }
    offer_broken(ctx, all, actions);
  }
  ImGui::EndChild();
  ImGui::EndCombo();
}

}  // namespace lanescope::app

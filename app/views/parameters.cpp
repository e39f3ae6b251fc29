#include "views/parameters.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "imgui_stdlib.h"
#include "session/totals.h"
#include "views/tr.h"
#include "views/widgets.h"

namespace lanescope::app {
namespace {

const CatalogEntry* current_entry(const ViewContext& ctx) { return ctx.catalog.find(ctx.settings.name); }

const FrontMatter* front_matter(const ViewContext& ctx) {
  if (ctx.picture && ctx.picture->settings.name == ctx.settings.name) return &ctx.picture->front_matter;
  const CatalogEntry* entry = current_entry(ctx);
  return entry ? &entry->front_matter : nullptr;
}

bool matches(const std::string& filter, const std::string& text) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), filter.begin(), filter.end(), same) != text.end();
}

void kernel_picker(const ViewContext& ctx, ParametersState& state, Actions& actions) {
  const CatalogEntry* entry = current_entry(ctx);
  const std::string title = entry ? entry->front_matter.title : ctx.settings.name;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  ImGui::SetNextWindowSizeConstraints({320 * ctx.scale, 0}, {640 * ctx.scale, 560 * ctx.scale});
  if (!ImGui::BeginCombo("##kernel", title.c_str(), ImGuiComboFlags_HeightLargest)) return;
  if (ImGui::IsWindowAppearing()) state.filter.clear();
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##filter", tr("search"), &state.filter);
  std::string family;
  for (const CatalogEntry& candidate : ctx.catalog.entries) {
    if (!matches(state.filter, candidate.name + " " + candidate.front_matter.title)) continue;
    if (candidate.family != family) ImGui::SeparatorText((family = candidate.family).c_str());
    const std::string& shown = candidate.front_matter.title.empty() ? candidate.name : candidate.front_matter.title;
    if (ImGui::Selectable((shown + "##" + candidate.name).c_str(), candidate.name == ctx.settings.name)) {
      actions.push_back(SelectKernel{candidate.name});
    }
    if (ImGui::BeginItemTooltip()) {
      ImGui::PushTextWrapPos(360 * ctx.scale);
      ImGui::TextUnformatted(candidate.front_matter.idea.c_str());
      ImGui::TextDisabled("%s", candidate.name.c_str());
      ImGui::PopTextWrapPos();
      ImGui::EndTooltip();
    }
  }
  ImGui::EndCombo();
}

/// A slider between − and +. True when `value` changed.
bool stepped_slider(const ViewContext& ctx, const std::string& id, long long& value, long long min, long long max,
                    ImGuiSliderFlags flags = 0) {
  const long long before = value;
  ImGui::PushID(id.c_str());
  const float button = ImGui::GetFrameHeight(), gap = 3 * ctx.scale;
  ImGui::PushItemFlag(ImGuiItemFlags_ButtonRepeat, true);
  if (ImGui::Button("-", {button, button})) --value;
  ImGui::SameLine(0, gap);
  ImGui::SetNextItemWidth(std::max(40.0f, ImGui::GetContentRegionAvail().x - button - gap));
  ImGui::SliderScalar("##value", ImGuiDataType_S64, &value, &min, &max, "%lld", flags | ImGuiSliderFlags_AlwaysClamp);
  ImGui::SameLine(0, gap);
  if (ImGui::Button("+", {button, button})) ++value;
  ImGui::PopItemFlag();
  ImGui::PopID();
  value = std::clamp(value, min, std::max(min, max));
  return value != before;
}

long long number(const std::string& text, long long otherwise) {
  long long value = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void caption(const std::string& title, const std::string& name) {
  ImGui::TextUnformatted(title.empty() ? name.c_str() : tr(title.c_str()));
  if (title.empty() || title == name) return;
  ImGui::SameLine();
  ImGui::TextDisabled("%s", name.c_str());
}

void macro(const ViewContext& ctx, const TunableParameter& parameter, Actions& actions) {
  const auto found = ctx.settings.parameters.find(parameter.name);
  const std::string text = found == ctx.settings.parameters.end() ? parameter.default_text() : found->second;
  caption(parameter.title, parameter.name);
  if (parameter.choices.empty()) {
    long long value = number(text, parameter.value);
    if (stepped_slider(ctx, parameter.name, value, parameter.min, parameter.max)) {
      actions.push_back(SetParameter{parameter.name, std::to_string(value)});
    }
    return;
  }
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  if (!ImGui::BeginCombo(("##" + parameter.name).c_str(), text.c_str())) return;
  for (const std::string& choice : parameter.choices) {
    if (ImGui::Selectable(choice.c_str(), choice == text)) actions.push_back(SetParameter{parameter.name, choice});
  }
  ImGui::EndCombo();
}

void scalar_argument(const ViewContext& ctx, const ArgumentSpec& argument, Actions& actions) {
  const auto found = ctx.settings.arguments.find(argument.name);
  const std::string text = found == ctx.settings.arguments.end() ? argument.value : found->second;
  caption(argument.title, argument.name);
  const std::string id = "##" + argument.name;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  long long value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec == std::errc() && parsed.ptr == text.data() + text.size()) {
    const long long step = 1, fast = 32;
    const bool changed = ImGui::InputScalar(id.c_str(), ImGuiDataType_S64, &value, &step, &fast, "%lld",
                                            ImGuiInputTextFlags_EnterReturnsTrue);
    if (changed || ImGui::IsItemDeactivatedAfterEdit()) {
      value = std::clamp(value, argument.min, argument.max);
      if (std::to_string(value) != text) actions.push_back(SetArgument{argument.name, std::to_string(value)});
    }
    return;
  }
  std::string edited = text;
  ImGui::InputText(id.c_str(), &edited);
  if (ImGui::IsItemDeactivatedAfterEdit()) actions.push_back(SetArgument{argument.name, edited});
}

void inspected_block(const ViewContext& ctx, Actions& actions) {
  if (!ctx.picture) return;
  ImGui::SeparatorText(tr("Inspected block"));
  const Dim3 grid = ctx.picture->launch.grid;
  Dim3 block = ctx.settings.inspected_block;
  const auto axis = [&](const char* name, std::uint32_t extent, std::uint32_t& value) {
    if (extent <= 1) return false;
    ImGui::TextUnformatted(name);
    ImGui::SameLine();
    long long wide = value;
    if (!stepped_slider(ctx, name, wide, 0, static_cast<long long>(extent) - 1)) return false;
    value = static_cast<std::uint32_t>(wide);
    return true;
  };
  bool changed = axis("blockIdx.x", grid.x, block.x);
  changed |= axis("blockIdx.y", grid.y, block.y);
  changed |= axis("blockIdx.z", grid.z, block.z);
  if (grid.count() == 1) hint(ctx, tr("The grid is a single block."));
  if (changed) actions.push_back(SetInspectedBlock{block});
}

std::string ratio(std::uint64_t count, std::uint64_t ideal) {
  return ideal ? "×" + decimal(static_cast<double>(count) / static_cast<double>(ideal)) : "–";
}

void traffic_row(const ViewContext& ctx, const char* name, std::uint64_t count, std::uint64_t ideal) {
  if (!count) return;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(name);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(grouped(count).c_str());
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(grouped(ideal).c_str());
  ImGui::TableNextColumn();
  const double share = ideal ? static_cast<double>(count) / static_cast<double>(ideal) : 1;
  const ImU32 color = heat_color(share);
  ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, color);
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(text_on(color)), "%s", ratio(count, ideal).c_str());
  (void)ctx;
}

void traffic_table(const ViewContext& ctx, const Totals& totals) {
  const ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingStretchProp;
  ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * 0.9f);
  if (ImGui::BeginTable("traffic", 4, flags)) {
    ImGui::TableSetupColumn("##what", 0, 3.2f);
    ImGui::TableSetupColumn(tr("count"), 0, 2.2f);
    ImGui::TableSetupColumn(tr("ideal"), 0, 2.2f);
    ImGui::TableSetupColumn("×", 0, 1.1f);
    ImGui::TableHeadersRow();
    traffic_row(ctx, tr("wavefronts, load"), totals.shared_load.wavefronts, totals.shared_load.ideal_wavefronts);
    traffic_row(ctx, tr("wavefronts, store"), totals.shared_store.wavefronts, totals.shared_store.ideal_wavefronts);
    traffic_row(ctx, tr("wavefronts, atomic"), totals.shared_atomic.wavefronts, totals.shared_atomic.ideal_wavefronts);
    traffic_row(ctx, tr("sectors, load"), totals.global_load.sectors, totals.global_load.ideal_sectors);
    traffic_row(ctx, tr("sectors, store"), totals.global_store.sectors, totals.global_store.ideal_sectors);
    traffic_row(ctx, tr("sectors, atomic"), totals.global_atomic.sectors, totals.global_atomic.ideal_sectors);
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

void totals(const ViewContext& ctx) {
  if (!ctx.picture || !ctx.picture->program) return;
  const Picture& picture = *ctx.picture;
  const RunResult& run = picture.whole ? *picture.whole : picture.inspected;
  ImGui::SeparatorText(run.coverage.exact ? tr("Totals, whole grid") : tr("Totals, inspected block only"));
  const Totals sum = totals_of(picture.kernel(), run);
  traffic_table(ctx, sum);
  GlobalCounts global = sum.global_load;
  global += sum.global_store;
  global += sum.global_atomic;
  const std::uint64_t conflicts =
      sum.shared_load.conflicts + sum.shared_store.conflicts + sum.shared_atomic.conflicts;
  if (global.sectors) {
    hint(ctx, tr("efficiency {0} %", {decimal(global.efficiency() * 100)}) + " · " +
                  tr("{0} bank conflicts", {grouped(conflicts)}));
  }
  if (picture.check.checked) {
    headline(ctx, picture.check.correct ? tr("Result: correct") : tr("Result: wrong"),
             picture.check.correct ? ctx.theme.good : ctx.theme.error);
    if (!picture.check.correct) hint(ctx, picture.check.message);
  } else {
    hint(ctx, picture.whole ? tr("Result not checked: the kernel names no reference.")
                            : tr("Result: checked once the whole grid has run."));
  }
}

void explanation(const ViewContext& ctx, const FrontMatter& matter) {
  if (!matter.idea.empty()) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(matter.idea.c_str());
    ImGui::PopTextWrapPos();
  }
  if (matter.look_at.empty()) return;
  ImGui::SeparatorText(tr("Look at"));
  for (const std::string& sentence : matter.look_at) {
    ImGui::Bullet();
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(sentence.c_str());
    ImGui::PopTextWrapPos();
  }
  (void)ctx;
}

}  // namespace

void draw_parameters(const ViewContext& ctx, ParametersState& state, Actions& actions) {
  kernel_picker(ctx, state, actions);
  ImGui::BeginDisabled(!ctx.can_undo);
  if (ImGui::Button(tr("Undo"))) actions.push_back(Undo{});
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(!ctx.can_redo);
  if (ImGui::Button(tr("Redo"))) actions.push_back(Redo{});
  ImGui::EndDisabled();
  const FrontMatter* matter = front_matter(ctx);
  if (matter) {
    explanation(ctx, *matter);
    if (!matter->parameters.empty()) ImGui::SeparatorText(tr("Parameters"));
    for (const TunableParameter& parameter : matter->parameters) macro(ctx, parameter, actions);
    const bool tunable = std::any_of(matter->arguments.begin(), matter->arguments.end(),
                                     [](const ArgumentSpec& a) { return a.shape.empty(); });
    if (tunable) ImGui::SeparatorText(tr("Matrix"));
    for (const ArgumentSpec& argument : matter->arguments) {
      if (argument.shape.empty()) scalar_argument(ctx, argument, actions);
    }
  }
  inspected_block(ctx, actions);
  totals(ctx);
}

}  // namespace lanescope::app

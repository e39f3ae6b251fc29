#include "views/kernel/parameters_view.h"

#include <algorithm>
#include <charconv>

#include "core/run/counters.h"
#include "core/run/totals.h"
#include "imgui_internal.h"
#include "imgui_stdlib.h"
#include "views/command/commands.h"
#include "views/draw/glossary.h"
#include "views/draw/kernel_names.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/kernel/block_control.h"
#include "views/kernel/kernel_chooser.h"
#include "views/kernel/launch_form.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

/// A slider between − and +. True when `value` changed; `held`: by a slider that was moved before and
/// has not been let go of.
bool stepped_slider(const ViewContext& ctx, const std::string& id, long long& value, long long min,
                    long long max, bool& held) {
  const long long before = value;
  ImGui::PushID(id.c_str());
  const float button = ImGui::GetFrameHeight(), gap = 3 * ctx.scale;
  ImGui::PushItemFlag(ImGuiItemFlags_ButtonRepeat, true);
  if (ImGui::Button("-", {button, button})) --value;
  ImGui::SameLine(0, gap);
  held = still_held("##value");
  ImGui::SetNextItemWidth(std::max(40.0f, ImGui::GetContentRegionAvail().x - button - gap));
  ImGui::SliderScalar("##value", ImGuiDataType_S64, &value, &min, &max, "%lld",
                      ImGuiSliderFlags_AlwaysClamp);
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

// The name of a control, to its left, or above it where that is too narrow.
void caption(const ViewContext& ctx, const std::string& title, const std::string& name) {
  const float width = ImGui::GetContentRegionAvail().x * 0.48f;
  const std::string text = title.empty() ? name : tr(title.c_str());
  const bool above = ImGui::CalcTextSize(text.c_str()).x > width - 4 * ctx.scale;
  const float start = ImGui::GetCursorPosX();
  if (!above) ImGui::AlignTextToFramePadding();
  wrapped_text(text);
  item_tooltip(name + ": " + text);
  if (!above) ImGui::SameLine(start + width, 0);
}

void macro(const ViewContext& ctx, const FrontMatter& matter, const TunableParameter& parameter,
           Actions& actions) {
  const auto found = ctx.settings.parameters.find(parameter.name);
  const std::string text =
      found == ctx.settings.parameters.end() ? parameter.default_text() : found->second;
  caption(ctx, parameter.title, parameter.name);
  if (parameter.choices.empty()) {
    long long value = number(text, parameter.value);
    if (is_block_side(matter, parameter))
      return block_control(ctx, matter, parameter, value, actions);
    bool held = false;
    if (stepped_slider(ctx, parameter.name, value, parameter.min, parameter.max, held)) {
      actions.push_back(SetParameter{parameter.name, std::to_string(value), held});
    }
    return;
  }
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  if (!ImGui::BeginCombo(("##" + parameter.name).c_str(), text.c_str())) return;
  for (const std::string& choice : parameter.choices) {
    if (ImGui::Selectable(choice.c_str(), choice == text))
      actions.push_back(SetParameter{parameter.name, choice});
  }
  ImGui::EndCombo();
}

void scalar_argument(const ViewContext& ctx, const ArgumentSpec& argument, Actions& actions) {
  const auto found = ctx.settings.arguments.find(argument.name);
  const std::string text = found == ctx.settings.arguments.end() ? argument.value : found->second;
  caption(ctx, argument.title, argument.name);
  const std::string id = "##" + argument.name;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  long long value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec == std::errc() && parsed.ptr == text.data() + text.size()) {
    const long long step = 1, fast = 32;
    const bool changed = ImGui::InputScalar(id.c_str(), ImGuiDataType_S64, &value, &step, &fast,
                                            "%lld", ImGuiInputTextFlags_EnterReturnsTrue);
    if (changed || ImGui::IsItemDeactivatedAfterEdit()) {
      value = std::clamp(value, argument.min, argument.max);
      if (std::to_string(value) != text)
        actions.push_back(SetArgument{argument.name, std::to_string(value)});
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
  const Dim3 grid = ctx.picture->prepared->launch.grid;
  Dim3 block = ctx.settings.inspected_block;
  bool held = false;
  const auto axis = [&](const char* name, std::uint32_t extent, std::uint32_t& value) {
    if (extent <= 1) return false;
    caption(ctx, "", name);
    long long wide = value;
    if (!stepped_slider(ctx, name, wide, 0, static_cast<long long>(extent) - 1, held)) return false;
    value = static_cast<std::uint32_t>(wide);
    return true;
  };
  bool changed = axis("blockIdx.x", grid.x, block.x);
  changed |= axis("blockIdx.y", grid.y, block.y);
  changed |= axis("blockIdx.z", grid.z, block.z);
  if (grid.count() == 1) hint(ctx, tr("The grid is a single block."));
  if (changed) actions.push_back(SetInspectedBlock{block, held});
}

std::string ratio(std::uint64_t count, std::uint64_t ideal) {
  return ideal ? "×" + decimal(static_cast<double>(count) / static_cast<double>(ideal)) : "–";
}

void traffic_row(const char* name, std::uint64_t count, std::uint64_t ideal) {
  if (!count) return;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(name);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(grouped(count).c_str());
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(grouped(ideal).c_str());
  ImGui::TableNextColumn();
  const ImU32 color =
      heat_color(ideal ? static_cast<double>(count) / static_cast<double>(ideal) : 1);
  ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, color);
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(text_on(color)), "%s",
                     ratio(count, ideal).c_str());
}

bool begin_traffic(const ViewContext& ctx, const char* id, const char* title) {
  if (!ImGui::BeginTable(id, 4, ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingStretchProp))
    return false;
  ImGui::TableSetupColumn(title, 0, 83);
  ImGui::TableSetupColumn(tr("count"), 0, 70);
  ImGui::TableSetupColumn(tr("ideal"), 0, 53);
  ImGui::TableSetupColumn("×", 0, 28);
  header_row(ctx);
  return true;
}

void traffic_tables(const ViewContext& ctx, const Totals& sum) {
  ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * 0.83f);
  ImGui::PushStyleVarX(ImGuiStyleVar_CellPadding, 2);
  const bool shared = shared_of(sum).requests > 0;
  if (shared && begin_traffic(ctx, "shared", tr("wavefronts"))) {
    traffic_row(tr("load"), sum.shared_load.wavefronts, sum.shared_load.ideal_wavefronts);
    traffic_row(tr("store"), sum.shared_store.wavefronts, sum.shared_store.ideal_wavefronts);
    traffic_row(tr("atomic"), sum.shared_atomic.wavefronts, sum.shared_atomic.ideal_wavefronts);
    traffic_row("wgmma", sum.shared_product.wavefronts, sum.shared_product.ideal_wavefronts);
    ImGui::EndTable();
  }
  if (begin_traffic(ctx, "global", tr("sectors"))) {
    traffic_row(tr("load"), sum.global_load.sectors, sum.global_load.ideal_sectors);
    traffic_row(tr("store"), sum.global_store.sectors, sum.global_store.ideal_sectors);
    traffic_row(tr("atomic"), sum.global_atomic.sectors, sum.global_atomic.ideal_sectors);
    traffic_row(tr("bulk-load"), sum.global_bulk_load.sectors, sum.global_bulk_load.ideal_sectors);
    traffic_row(tr("bulk-store"), sum.global_bulk_store.sectors,
                sum.global_bulk_store.ideal_sectors);
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

void totals(const ViewContext& ctx) {
  if (!ctx.picture || !ctx.picture->prepared->program) return;
  const Picture& picture = *ctx.picture;
  const RunResult& run = picture.counted();
  ImGui::SeparatorText(run.coverage.exact ? tr("Totals, whole grid")
                                          : tr("Totals, inspected block only"));
  const Totals sum = totals_of(picture.kernel(), run);
  traffic_tables(ctx, sum);
  const GlobalCounts global = global_of(sum);
  const std::uint64_t conflicts = shared_of(sum).conflicts;
  if (global.sectors) {
    hint(ctx, tr("efficiency {0} %", {decimal(global.efficiency() * 100)}) + " · " +
                  tr("{0} bank conflicts", {grouped(conflicts)}));
  }
  if (picture.check.checked) {
    headline(ctx, picture.check.correct ? tr("Result: correct") : tr("Result: wrong"),
             picture.check.correct ? ctx.theme.good : ctx.theme.error);
    if (!picture.check.correct) hint(ctx, tr_message(picture.check.message));
  } else {
    const bool reference = picture.prepared->front_matter.reference.kind != "none";
    const bool too_large = picture.whole && !ctx.status.whole_grid_running;
    hint(ctx, !reference  ? tr("Result not checked: the kernel names no reference.")
              : too_large ? tr("Result not checked: too much data for a check at this size.")
                          : tr("Result: checked once the whole grid has run."));
  }
}

void look_at(const FrontMatter& matter) {
  if (matter.look_at.empty()) return;
  ImGui::SeparatorText(tr("Look at"));
  for (const std::string& sentence : matter.look_at) {
    ImGui::Bullet();
    wrapped_text(tr(sentence.c_str()));
  }
}

void undo_redo(const ViewContext& ctx, Actions& actions) {
  const float width = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  ImGui::BeginDisabled(!ctx.can_undo);
  if (ImGui::Button(tr("Undo"), {width, 0})) actions.push_back(Undo{});
  command_tooltip("undo");
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(!ctx.can_redo);
  if (ImGui::Button(tr("Redo"), {width, 0})) actions.push_back(Redo{});
  command_tooltip("redo");
  ImGui::EndDisabled();
}

}  // namespace

void draw_parameters(const ViewContext& ctx, ParametersState& state, Actions& actions) {
  kernel_chooser(ctx, state, actions);
  const bool foreign = needs_launch(ctx.settings);
  const FrontMatter* matter = foreign || ctx.settings.captured ? nullptr : front_matter(ctx);
  if (ctx.settings.captured)
    program_launch(ctx, actions);
  else if (foreign)
    launch_form(ctx, actions);
  if (matter) {
    const bool told = !is_exercise(ctx) ||
                      ImGui::TreeNodeEx(tr("what is wrong"), ImGuiTreeNodeFlags_NoTreePushOnOpen);
    if (told && !matter->idea.empty()) hint(ctx, tr(matter->idea.c_str()));
    if (!matter->parameters.empty()) ImGui::SeparatorText(tr("Parameters"));
    for (const TunableParameter& parameter : matter->parameters)
      macro(ctx, *matter, parameter, actions);
    for (const ArgumentSpec& argument : matter->arguments) {
      if (argument.shape.empty()) scalar_argument(ctx, argument, actions);
    }
    launch_override(ctx, actions);
  }
  inspected_block(ctx, actions);
  undo_redo(ctx, actions);
  ImGui::BeginDisabled(ctx.status.stale);  // they are of the last good picture
  totals(ctx);
  ImGui::EndDisabled();
  if (matter) look_at(*matter);
}

}  // namespace lanescope::app

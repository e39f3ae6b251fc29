#include "views/kernel/launch_form.h"

#include <algorithm>
#include <cfloat>

#include <fmt/format.h>

#include "core/kernel/arguments.h"
#include "core/program/program_input.h"
#include "core/run/captured_launch.h"
#include "core/run/measure.h"
#include "imgui_stdlib.h"
#include "views/draw/kernel_names.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

void use(Actions& actions, Settings settings) {
  actions.push_back(UseSettings{std::move(settings)});
}

void label(const ViewContext& ctx, const std::string& name, const std::string& tooltip) {
  const float width = ImGui::GetContentRegionAvail().x * 0.34f;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::AlignTextToFramePadding();
  ImGui::PushClipRect(at, {at.x + width - 4 * ctx.scale, at.y + ImGui::GetFrameHeight()}, true);
  ImGui::TextUnformatted(name.c_str());
  ImGui::PopClipRect();
  item_tooltip(tooltip.empty() ? name.c_str() : tooltip.c_str());
  ImGui::SameLine();
  ImGui::SetCursorScreenPos({at.x + width, at.y});
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
}

// A number that is taken over when it has been typed to its end.
bool typed_number(const char* id, long long& value, long long least, long long most) {
  long long edited = value;
  ImGui::InputScalar(id, ImGuiDataType_S64, &edited, nullptr, nullptr, "%lld");
  if (!ImGui::IsItemDeactivatedAfterEdit()) return false;
  value = std::clamp(edited, least, most);
  return true;
}

// Three numbers side by side; true when one of them was changed.
bool extents(const ViewContext& ctx, const char* name, const char* tooltip, Dim3& value) {
  label(ctx, name, tooltip);
  ImGui::PushID(name);
  const float gap = 4 * ctx.scale;
  const float width = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
  std::uint32_t* axes[] = {&value.x, &value.y, &value.z};
  const char* names[] = {"##x", "##y", "##z"};
  bool changed = false;
  for (int i = 0; i < 3; ++i) {
    if (i > 0) ImGui::SameLine(0, gap);
    ImGui::SetNextItemWidth(width);
    long long wide = *axes[i];
    if (typed_number(names[i], wide, 1, 0x7fffffff)) {
      changed |= wide != *axes[i];
      *axes[i] = static_cast<std::uint32_t>(wide);
    }
  }
  ImGui::PopID();
  return changed;
}

bool shared_bytes(const ViewContext& ctx, std::uint32_t& bytes) {
  label(ctx, tr("shared"), tr("bytes of dynamic shared memory a block"));
  long long wide = bytes;
  if (!typed_number("##shared", wide, 0, 0x7fffffff) || wide == bytes) return false;
  bytes = static_cast<std::uint32_t>(wide);
  return true;
}

// --- a foreign file ---

void kernel_choice(const ViewContext& ctx, const Settings& shown, Actions& actions) {
  label(ctx, tr("kernel"), tr("A template instance is written as k<float, 32>."));
  const float arrow = ImGui::GetFrameHeight();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - arrow);
  std::string name = shown.kernel;
  Settings settings = ctx.settings;
  ImGui::InputText("##name", &name);
  bool chosen = ImGui::IsItemDeactivatedAfterEdit() && name != shown.kernel;
  ImGui::SameLine(0, 0);
  if (ImGui::BeginCombo("##choices", nullptr,
                        ImGuiComboFlags_NoPreview | ImGuiComboFlags_PopupAlignLeft)) {
    for (const std::string& choice : ctx.survey->choices) {
      if (!ImGui::Selectable(choice.c_str(), choice == shown.kernel)) continue;
      name = choice;
      chosen = name != shown.kernel;
    }
    ImGui::EndCombo();
  }
  if (!chosen) return;
  settings.kernel = name;
  settings.arguments.clear();  // they are another kernel's
  use(actions, std::move(settings));
}

std::string site_text(const LaunchSite& site) {
  const auto extent = [](const std::optional<Dim3>& known, const std::string& text) {
    return known ? extent_text(*known) : text;
  };
  return site.kernel + " <<<" + extent(site.grid, site.grid_text) + ", " +
         extent(site.block, site.block_text) + ">>>";
}

void program_launches(const ViewContext& ctx, Actions& actions) {
  const LaunchSurvey& survey = *ctx.survey;
  if (survey.sites.empty()) return;
  label(ctx, tr("as launched"), tr("launches that the program makes itself"));
  if (!ImGui::BeginCombo("##sites", tr("choose a launch"))) return;
  for (const LaunchSite& site : survey.sites) {
    const std::string text = tr("line {0}", {site.pos.line}) + ": " + site_text(site);
    if (ImGui::Selectable(text.c_str())) use(actions, launched_as(survey, site));
  }
  ImGui::EndCombo();
}

const char* fill_name(Fill fill) {
  switch (fill) {
  case Fill::index:
    return "index";
  case Fill::zero:
    return "zero";
  case Fill::poison:
    return "poison";
  case Fill::random:
    return "random";
  }
  return "";
}

std::string buffer_text(const BufferText& buffer) {
  std::string text = buffer.type;
  for (std::uint64_t extent : buffer.shape) text += fmt::format("[{}]", extent);
  if (buffer.fill && *buffer.fill != Fill::index)
    text += std::string(":") + fill_name(*buffer.fill);
  return text;
}

// Element type where the kernel leaves it open, count, content.
bool buffer_row(const ViewContext& ctx, const ArgumentInfo& parameter, std::string& text) {
  auto parsed = parse_buffer_text(text);
  if (!parsed || parsed->null || parsed->automatic || !parsed->file.empty() ||
      parsed->shape.size() > 1) {  // written by hand: stays text
    std::string edited = text;
    ImGui::InputText("##text", &edited);
    if (!ImGui::IsItemDeactivatedAfterEdit() || edited == text) return false;
    text = edited;
    return true;
  }
  BufferText buffer = *parsed;
  if (buffer.shape.empty()) buffer.shape = {1};
  bool changed = false;
  const float gap = 4 * ctx.scale, room = ImGui::GetContentRegionAvail().x;
  ImGui::SetNextItemWidth(room * 0.30f);
  ImGui::BeginDisabled(parameter.type != ScalarType::unknown);
  if (ImGui::BeginCombo("##type", buffer.type.c_str(), ImGuiComboFlags_NoArrowButton)) {
    for (const char* type :
         {"float", "double", "half", "int", "unsigned int", "short", "char", "float4"}) {
      if (!ImGui::Selectable(type, buffer.type == type)) continue;
      buffer.type = type;
      changed = true;
    }
    ImGui::EndCombo();
  }
  ImGui::EndDisabled();
  ImGui::SameLine(0, gap);
  ImGui::SetNextItemWidth(room * 0.30f);
  auto count = static_cast<long long>(buffer.shape.front());
  if (typed_number("##count", count, 1, 1ll << 40)) {
    changed |= buffer.shape.front() != static_cast<std::uint64_t>(count);
    buffer.shape = {static_cast<std::uint64_t>(count)};
  }
  item_tooltip(tr("elements"));
  ImGui::SameLine(0, gap);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  const Fill fill = buffer.fill.value_or(Fill::index);
  if (ImGui::BeginCombo("##fill", tr(fill_name(fill)), ImGuiComboFlags_NoArrowButton)) {
    for (Fill other : {Fill::index, Fill::zero, Fill::poison, Fill::random}) {
      if (!ImGui::Selectable(tr(fill_name(other)), other == fill)) continue;
      buffer.fill = other;
      changed = true;
    }
    ImGui::EndCombo();
  }
  item_tooltip(tr("what it holds before the launch"));
  if (changed) text = buffer_text(buffer);
  return changed;
}

void argument_rows(const ViewContext& ctx, const Settings& shown, Actions& actions) {
  if (!ctx.survey->arguments.empty()) ImGui::SeparatorText(tr("Arguments"));
  for (const ArgumentInfo& parameter : ctx.survey->arguments) {
    const auto found = shown.arguments.find(parameter.name);
    std::string text = found == shown.arguments.end() ? "" : found->second;
    ImGui::PushID(parameter.name.c_str());
    const std::string meaning = parameter.type_text + " " + parameter.name;
    bool changed = false;
    // Type, count and content want a line of their own where the view is narrow.
    const bool above =
        parameter.is_pointer && ImGui::GetContentRegionAvail().x < 24 * ImGui::GetFontSize();
    if (above) {
      ImGui::TextUnformatted(meaning.c_str());
    } else {
      label(ctx, parameter.name, meaning);
    }
    if (parameter.is_pointer) {
      changed = buffer_row(ctx, parameter, text);
    } else {
      ImGui::InputText("##value", &text);
      changed = ImGui::IsItemDeactivatedAfterEdit();
    }
    if (changed) {
      Settings settings = shown;
      settings.arguments[parameter.name] = text;
      use(actions, std::move(settings));
    }
    ImGui::PopID();
  }
}

/// What was filled in and why, and what the run found of buffers without a size.
void why_so(const ViewContext& ctx) {
  for (const Message& message : ctx.survey->said) hint(ctx, tr_message(message));
  if (!ctx.picture || !ctx.picture->prepared) return;
  for (const MeasuredBuffer& buffer : ctx.picture->prepared->measured)
    hint(ctx, tr_message(describe(buffer)));
}

/// -I, -D and -std, as a compiler has them; taken over when they are right.
void compile_flags(const ViewContext& ctx, Actions& actions) {
  label(ctx, tr("flags"), tr("-I FOLDER, -D NAME=VALUE and -std=c++20, as a compiler has them"));
  std::string text = flags_text(ctx.settings.compile);
  ImGui::SetNextItemWidth(-FLT_MIN);
  ImGui::InputTextWithHint("##flags", "-I include -D N=64", &text);
  static Message wrong;  // of what was typed last
  if (ImGui::IsItemActive()) wrong = {};
  if (!wrong.empty()) hint(ctx, tr_message(wrong));
  if (!ImGui::IsItemDeactivatedAfterEdit()) return;
  const CompileFlagsResult read = compile_flags_from(ctx.settings.file, text);
  wrong = read.problem;
  if (!wrong.empty()) return;
  Settings settings = ctx.settings;
  settings.compile = read.flags;
  use(actions, std::move(settings));
}

}  // namespace

void launch_form(const ViewContext& ctx, Actions& actions) {
  if (!ctx.survey) return;
  // What has not been said yet is shown as it is proposed, and taken over with the first change.
  Settings shown = ctx.survey->proposal;
  shown.inspected_block = ctx.settings.inspected_block;
  if (!ctx.settings.kernel.empty()) shown.kernel = ctx.settings.kernel;
  if (ctx.settings.block) shown.block = ctx.settings.block;
  if (ctx.settings.grid) shown.grid = ctx.settings.grid;
  if (ctx.settings.shared_bytes) shown.shared_bytes = ctx.settings.shared_bytes;
  for (const auto& [name, text] : ctx.settings.arguments) shown.arguments[name] = text;
  ImGui::SeparatorText(tr("Launch"));
  if (ctx.survey->kernels.empty()) return hint(ctx, tr("The text has no __global__ function."));
  ImGui::PushID("launch");
  kernel_choice(ctx, shown, actions);
  program_launches(ctx, actions);
  Dim3 block = shown.block.value_or(Dim3{}), grid = shown.grid.value_or(Dim3{});
  std::uint32_t bytes = shown.shared_bytes.value_or(0);
  bool changed = extents(ctx, "block", tr("threads of a block"), block);
  changed |= extents(ctx, "grid", tr("blocks of the grid"), grid);
  changed |= shared_bytes(ctx, bytes);
  if (changed) {
    Settings settings = shown;
    settings.block = block;
    settings.grid = grid;
    settings.shared_bytes = bytes;
    use(actions, std::move(settings));
  }
  argument_rows(ctx, shown, actions);
  if (shown != ctx.settings && ImGui::Button(tr("Run as proposed"), {-FLT_MIN, 0}))
    use(actions, shown);
  why_so(ctx);
  compile_flags(ctx, actions);
  ImGui::PopID();
}

namespace {

/// The map draws a buffer of a program as a matrix where the kernel's index arithmetic says one; here
/// anybody may say otherwise.
void buffer_columns(const ViewContext& ctx, Actions& actions) {
  if (!ctx.picture || !ctx.picture->prepared->settings.captured) return;
  ImGui::PushID("columns");
  hint(ctx, tr("Columns of its buffers:"));
  for (const ArgumentInfo& parameter : ctx.picture->kernel().arguments)
    for (const BufferLayout& buffer : ctx.picture->prepared->buffers) {
      if (!parameter.is_pointer || buffer.name != parameter.name) continue;
      label(ctx, buffer.name, tr("as the kernel's index arithmetic says; 1: one long row"));
      auto columns = static_cast<long long>(buffer.dims.size() > 1 ? buffer.cols() : 1);
      if (!typed_number(("##" + buffer.name).c_str(), columns, 1, INT32_MAX)) continue;
      Settings settings = ctx.settings;
      settings.columns[buffer.name] = static_cast<std::uint64_t>(columns);
      use(actions, std::move(settings));
    }
  ImGui::PopID();
}

}  // namespace

void program_launch(const ViewContext& ctx, Actions& actions) {
  const CapturedLaunch& captured = *ctx.settings.captured;
  ImGui::SeparatorText(tr("Launch"));
  hint(ctx, tr("Launch {0} of the program, with the program's own data: {1}.",
               {captured.number, readable_name(captured.program->info().name)}));
  Dim3 block = captured.launch.block, grid = captured.launch.grid;
  ImGui::BeginDisabled();
  ImGui::PushID("captured");
  extents(ctx, "block", tr("threads of a block"), block);
  extents(ctx, "grid", tr("blocks of the grid"), grid);
  ImGui::PopID();
  ImGui::EndDisabled();
  buffer_columns(ctx, actions);
  if (!ImGui::Button(tr("Launch it by hand"), {-FLT_MIN, 0})) return;
  Settings settings = ctx.settings;
  settings.name = settings.file;
  settings.captured.reset();
  settings.kernel = captured.program->info().name;
  settings.block = block;
  settings.grid = grid;
  settings.shared_bytes = captured.launch.dynamic_shared_bytes;
  use(actions, std::move(settings));
}

void launch_override(const ViewContext& ctx, Actions& actions) {
  if (!ctx.picture) return;
  const bool overridden = ctx.settings.block || ctx.settings.grid || ctx.settings.shared_bytes;
  ImGui::PushID("override");
  if (overridden) ImGui::SetNextItemOpen(true, ImGuiCond_Appearing);
  if (ImGui::TreeNodeEx((std::string(tr("Override the launch")) + "###fold").c_str(),
                        ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_NoTreePushOnOpen)) {
    const Launch& launch = ctx.picture->prepared->launch;
    Dim3 block = ctx.settings.block.value_or(launch.block);
    Dim3 grid = ctx.settings.grid.value_or(launch.grid);
    std::uint32_t bytes = ctx.settings.shared_bytes.value_or(launch.dynamic_shared_bytes);
    Settings settings = ctx.settings;
    bool changed = false;
    const auto set = [&](bool edited, auto& field, const auto& value) {
      if (edited) field = value;
      changed |= edited;
    };
    set(extents(ctx, "block", tr("threads of a block"), block), settings.block, block);
    set(extents(ctx, "grid", tr("blocks of the grid"), grid), settings.grid, grid);
    set(shared_bytes(ctx, bytes), settings.shared_bytes, bytes);
    if (overridden && ImGui::Button(tr("As the text says"))) {
      settings.block.reset();
      settings.grid.reset();
      settings.shared_bytes.reset();
      changed = true;
    }
    if (changed) use(actions, std::move(settings));
  }
  ImGui::PopID();
}

}  // namespace lanescope::app

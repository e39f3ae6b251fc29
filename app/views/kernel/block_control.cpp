#include "views/kernel/block_control.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/run/prepare.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

constexpr long long kMostThreads = 1024;  // of a block: CUDA C++ Programming Guide, every device
constexpr std::array<long long, 5> kChips{4, 8, 16, 32, 64};

long long value_of(const FrontMatter& matter, const Settings& settings, const std::string& name) {
  for (const TunableParameter& p : matter.parameters) {
    if (p.name != name) continue;
    const auto set = settings.parameters.find(name);
    const std::string text = set == settings.parameters.end() ? p.default_text() : set->second;
    long long value = p.value;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
  return 1;
}

}  // namespace

bool is_block_side(const FrontMatter& matter, const TunableParameter& parameter) {
  const std::vector<std::string> bound = block_parameters(matter);
  return parameter.choices.empty() &&
         std::find(bound.begin(), bound.end(), parameter.name) != bound.end();
}

long long largest_side(const FrontMatter& matter, const Settings& settings,
                       const TunableParameter& parameter) {
  long long others = 1;
  int times = 0;  // a square tile has the same parameter twice
  for (const std::string& name : block_parameters(matter)) {
    if (name == parameter.name) ++times;
    if (!name.empty() && name != parameter.name)
      others *= std::max(1ll, value_of(matter, settings, name));
  }
  const double room = static_cast<double>(kMostThreads) / static_cast<double>(others);
  const auto side =
      static_cast<long long>(std::floor(std::pow(room, 1.0 / std::max(1, times)) + 1e-9));
  return std::clamp(side, parameter.min, parameter.max);
}

void block_control(const ViewContext& ctx, const FrontMatter& matter,
                   const TunableParameter& parameter, long long value, Actions& actions) {
  const long long before = value, most = largest_side(matter, ctx.settings, parameter);
  ImGui::PushID(parameter.name.c_str());
  const bool held = still_held("##value");
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  ImGui::DragScalar("##value", ImGuiDataType_S64, &value, 0.25f, &parameter.min, &most, "%lld",
                    ImGuiSliderFlags_AlwaysClamp);
  item_tooltip(tr("drag, or double-click to type: {0} to {1}; a block has at most "
                  "1024 threads",
                  {parameter.min, most}));
  const float gap = 3 * ctx.scale, room = ImGui::GetContentRegionAvail().x;
  const auto count = static_cast<float>(kChips.size());
  const float width = std::floor((room - gap * (count - 1)) / count);
  bool first = true;
  for (const long long chip : kChips) {
    if (!first) ImGui::SameLine(0, gap);
    first = false;
    const bool on = chip == before;
    ImGui::BeginDisabled(chip < parameter.min || chip > most);
    if (on) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
    if (ImGui::Button(std::to_string(chip).c_str(), {width, 0})) value = chip;
    if (on) ImGui::PopStyleColor();
    ImGui::EndDisabled();
  }
  ImGui::PopID();
  // What the text was started with may be more than the block can have: it stays until it is moved.
  if (value == before || value > std::max(most, before)) return;
  actions.push_back(SetParameter{parameter.name, std::to_string(value), held});
}

}  // namespace lanescope::app

// What the Timing view shows and what is to be measured: combos, buttons, how far measuring is.
#include <algorithm>

#include "core/kernel/kernel_size.h"
#include "views/draw/tr.h"
#include "views/lines/wrapped_text.h"
#include "views/timing/timing_view.h"

namespace lanescope::app {
namespace {

constexpr float kLow = 20;  // heights of text

// Goes on to the next line where the rest of this one is too short.
void flow(float width, bool& first) {
  if (!first) {
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    if (ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width <= right)
      ImGui::SameLine();
  }
  first = false;
}

struct Choice {
  const char* id;
  const char* title;
};

bool combo(const Choice& choice, const std::vector<std::string>& values, std::string& value,
           bool& first) {
  float width = 0;
  for (const std::string& v : values) width = std::max(width, ImGui::CalcTextSize(tr(v.c_str())).x);
  width += ImGui::GetFrameHeight() + 3 * ImGui::GetStyle().FramePadding.x;
  flow(width + ImGui::CalcTextSize(choice.title).x + ImGui::GetStyle().ItemInnerSpacing.x, first);
  ImGui::BeginGroup();
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", choice.title);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::SetNextItemWidth(width);
  bool changed = false;
  if (ImGui::BeginCombo(choice.id, tr(value.c_str()))) {
    for (const std::string& v : values) {
      if (!ImGui::Selectable(tr(v.c_str()), v == value)) continue;
      value = v;
      changed = true;
    }
    ImGui::EndCombo();
  }
  ImGui::EndGroup();
  return changed;
}

void which_combo(TimingState& state, bool& first) {
  const std::vector<std::string> names = {tr("every kernel as it comes"),
                                          tr("this kernel, every setting"),
                                          tr("every kernel, every setting")};
  std::string name = names[static_cast<std::size_t>(state.query.which)];
  if (!combo({"##which", tr("show")}, names, name, first)) return;
  const auto chosen = std::find(names.begin(), names.end(), name) - names.begin();
  state.query.which = static_cast<TimingQuery::Which>(chosen);
}

void draw_choices(const TimingNews& news, TimingState& state, bool& first) {
  const TimingTable& table = *news.table;
  TimingQuery query = table.query;
  if (combo({"##family", tr("family")}, table.families, query.family, first)) {
    state.query.family = query.family;
    state.query.size.clear(), state.query.element.clear();
  }
  if (combo({"##size", tr("size")}, table.sizes, query.size, first)) state.query.size = query.size;
  if (table.elements.size() > 1 &&
      combo({"##element", tr("element")}, table.elements, query.element, first))
    state.query.element = query.element;
  which_combo(state, first);
}

bool button(const char* title, const char* id, bool enabled, const std::string& why, bool& first) {
  flow(ImGui::CalcTextSize(title).x + 2 * ImGui::GetStyle().FramePadding.x, first);
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::Button((std::string(title) + id).c_str());
  ImGui::EndDisabled();
  if (!why.empty() &&
      ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled | ImGuiHoveredFlags_DelayShort))
    tooltip(why);
  return pressed;
}

// What is shown, once more: every kernel as it comes, or the settings of the rows.
std::vector<Settings> all_launches(const ViewContext& ctx, const TimingNews& news) {
  if (news.table->query.which == TimingQuery::Which::defaults)
    return family_launches(ctx.catalog, news.table->query);
  std::vector<Settings> launches;
  for (const TimingRow& row : news.table->rows)
    if (row.in_catalog) launches.push_back(row.settings);
  return launches;
}

// The open setting's row is to be in sight when its time comes.
void show_own(const ViewContext& ctx, TimingState& state) {
  state.query.family.clear();
  if (!ctx.picture) return;
  std::map<std::string, std::string> arguments;
  for (const Argument& a : ctx.picture->prepared->launch.arguments)
    if (a.buffer.empty()) arguments[a.name] = a.scalar;
  state.query.size = size_of(arguments);
  const auto element = ctx.picture->prepared->parameters.find("ELEMENT");
  state.query.element =
      element == ctx.picture->prepared->parameters.end() ? "float" : element->second;
}

// How much has been measured, and what is being measured now.
void draw_progress(const TimingNews& news) {
  const double done =
      (static_cast<double>(news.done) + std::clamp(news.progress.fraction, 0.0, 1.0)) /
      static_cast<double>(std::max<std::size_t>(1, news.all));
  const std::string label =
      tr("{0} of {1}: {2}, {3}", {std::min(news.done + 1, news.all), news.all, news.kernel,
                                  tr_message(news.progress.stage)});
  ImGui::ProgressBar(static_cast<float>(done), {-1, 0}, label.c_str());
}

void draw_buttons(const ViewContext& ctx, const TimingNews& news, TimingState& state, bool& first,
                  Actions& actions) {
  const bool there = news.gpu && news.gpu->device;
  const std::string why = !news.gpu ? tr("looking for a GPU") : tr_message(news.gpu->problem);
  if (button(tr("Measure this"), "###measure this", there && !ctx.settings.text.empty(),
             there ? tr("time the open kernel with its setting on the GPU") : why, first)) {
    actions.push_back(TimingAction(MeasureLaunches{{ctx.settings}}));
    show_own(ctx, state);
  }
  if (button(tr("Measure all"), "###measure all", there,
             there ? tr("time everything that is shown, one after the other") : why, first))
    actions.push_back(TimingAction(MeasureLaunches{all_launches(ctx, news)}));
  if (button(tr("Cancel"), "###cancel", news.measuring, "", first))
    actions.push_back(TimingAction(CancelMeasuring{}));
  if (ctx.files && button(tr("Save as CSV"), "###csv", !news.table->rows.empty(), "", first))
    state.export_csv = true;
  if (news.measuring) draw_progress(news);
}

}  // namespace

void draw_timing_choices(const ViewContext& ctx, const TimingNews& news, TimingState& state,
                         Actions& actions) {
  bool first = true;
  draw_choices(news, state, first);
  // Where nothing can be measured, the bars need the room more.
  const bool there = !news.gpu || news.gpu->device.has_value();
  const bool low = ImGui::GetContentRegionAvail().y < kLow * ImGui::GetFontSize();
  if (!ctx.still && (there || !low)) draw_buttons(ctx, news, state, first, actions);
}

}  // namespace lanescope::app

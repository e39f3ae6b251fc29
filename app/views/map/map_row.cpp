// The index map's one row: playing, the stages of the journey, and what else can be switched. It
// never becomes two: what there is no room for is in the menu at its end.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "views/command/commands.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/map/index_map.h"

namespace lanescope::app {
namespace {

constexpr float kBlocksPart = 0.07f;  // of the bar, for the block's way
constexpr float kLeastPart = 0.025f;  // of a stage
constexpr float kToCome = 0.65f;      // how far stages that are to come fall back
constexpr std::array<float, 5> kSpeeds{0.25f, 0.5f, 1.0f, 2.0f, 4.0f};

const char* stage_name(const JourneyStage& stage) {
  if (stage.copies)
    return stage.leg == Leg::store ? tr("copied from the tile") : tr("copied to the tile");
  switch (stage.leg) {
  case Leg::load:
    return tr("load");
  case Leg::tile_store:
    return tr("to the tile");
  case Leg::barrier:
    return tr("barrier");
  case Leg::tile_load:
    return tr("from the tile");
  case Leg::store:
    break;
  }
  return tr("store");
}

ImU32 leg_color(const ViewContext& ctx, Leg leg) {
  if (leg == Leg::barrier) return ctx.theme.barrier;
  const ImU32 color = in_tile(leg) ? ctx.theme.good : ctx.theme.lane;
  return mixed(color, ctx.theme.canvas, leg == Leg::load || leg == Leg::tile_store ? 0.5f : 0.3f);
}

// How stretches of one kind look, and what they are called: a long journey has thousands of few kinds.
struct StretchLook {
  /// When it is past, and to come
  ImU32 past = 0, to_come = 0;
  std::string name;
  /// Of the name
  float width = 0;
};

class StretchLooks {
 public:
  StretchLooks(const ViewContext& ctx, float size) : ctx_(ctx), size_(size) {}

  const StretchLook& of(const MapStretch& one) {
    StretchLook& look = looks_[kind_of(one)];
    if (look.name.empty()) make(one, look);
    return look;
  }
  [[nodiscard]] float size() const { return size_; }

 private:
  static std::size_t kind_of(const MapStretch& one) {
    return one.stage ? 1 + 2 * static_cast<std::size_t>(one.stage->leg) + one.stage->copies : 0;
  }
  void make(const MapStretch& one, StretchLook& look) const {
    look.past = one.stage ? leg_color(ctx_, one.stage->leg)
                          : mixed(ctx_.theme.selection, ctx_.theme.canvas, 0.6f);
    look.to_come = mixed(look.past, ctx_.theme.canvas, kToCome);
    look.name = one.stage ? stage_name(*one.stage) : tr("blocks");
    look.width = ctx_.fonts.text->CalcTextSizeA(size_, FLT_MAX, 0, look.name.c_str()).x;
  }

  const ViewContext& ctx_;
  float size_;
  std::array<StretchLook, 3 + 2 * static_cast<std::size_t>(Leg::store)> looks_;
};

std::vector<MapStretch> make_stretches(const IndexMapState& state, bool blocks, float width) {
  const auto stages = state.journey.journey->stages();
  std::vector<MapStretch> all;
  float used = 0;
  if (blocks) all.push_back({0, used = width * kBlocksPart, -1, 0, nullptr});
  const auto moves = static_cast<float>(state.journey.journey->moves().size());
  const float least =
      std::min(width * kLeastPart,
               (width - used) / static_cast<float>(std::max<std::size_t>(1, stages.size())));
  std::vector<float> widths;
  float sum = 0;
  for (const JourneyStage& stage : stages) {
    widths.push_back(
        std::max(least, (width - used) * static_cast<float>(stage.count) / std::max(1.0f, moves)));
    sum += widths.back();
  }
  const float fit = (width - used) / std::max(1.0f, sum);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const float end = used + widths[i] * fit;
    all.push_back({used, end, static_cast<double>(stages[i].first),
                   static_cast<double>(stages[i].first + stages[i].count), &stages[i]});
    used = end;
  }
  return all;
}

const std::vector<MapStretch>& stretches(IndexMapState& state, bool blocks, float width) {
  MapBar& bar = state.bar;
  if (bar.journey != state.journey.journey || bar.blocks != blocks || bar.width != width)
    bar = {make_stretches(state, blocks, width), state.journey.journey, blocks, width};
  return bar.stretches;
}

float place_of(const std::vector<MapStretch>& all, double position) {
  for (const MapStretch& one : all) {
    if (position <= one.to) {
      const double part = one.to > one.from ? (position - one.from) / (one.to - one.from) : 0;
      return one.begin + (one.end - one.begin) * static_cast<float>(std::clamp(part, 0.0, 1.0));
    }
  }
  return all.empty() ? 0 : all.back().end;
}

double position_of(const std::vector<MapStretch>& all, float x) {
  for (const MapStretch& one : all) {
    if (x > one.end && &one != &all.back()) continue;
    const float part =
        std::clamp((x - one.begin) / std::max(1.0f, one.end - one.begin), 0.0f, 1.0f);
    return one.from + (one.to - one.from) * static_cast<double>(part);
  }
  return 0;
}

bool has_blocks(const ViewContext& ctx, const IndexMapState& state) {
  const Dim3 grid = ctx.picture->prepared->launch.grid;
  return std::uint64_t{grid.x} * grid.y * grid.z > 1 && panel_of(state, PanelRole::input) &&
         panel_of(state, PanelRole::output);
}

void bar_tooltip(const ViewContext& ctx, const MapStretch& one) {
  if (!one.stage) return tooltip(tr("the block's way from matrix to matrix"));
  std::string text = stage_name(*one.stage);
  if (one.stage->access >= 0)
    text += "  " + access_title(
                       ctx.picture->kernel().accesses[static_cast<std::size_t>(one.stage->access)]);
  tooltip(text);
}

void draw_stretch_name(const ViewContext& ctx, const MapStretch& one, const StretchLook& look,
                       float size, ImVec2 at, float head, float height) {
  const ImVec2 min{at.x + one.begin, at.y}, max{at.x + one.end - 1, at.y + height};
  const float smallest = std::max(9.0f, size * 0.55f), room = max.x - min.x - 1;
  if (look.width > room && std::floor(size * room / std::max(1.0f, look.width)) < smallest) return;
  const bool past = one.begin + one.end < 2 * head;
  text_in_box(*ImGui::GetWindowDrawList(), ctx.fonts.text, size, smallest, min, max,
              text_on(past ? look.past : look.to_come), look.name);
}

void draw_bar(const ViewContext& ctx, IndexMapState& state, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight();
  ImGui::InvisibleButton("###journey", {width, height});
  const auto& all = stretches(state, has_blocks(ctx, state), width);
  const float mouse = ImGui::GetIO().MousePos.x - at.x;
  if (ImGui::IsItemActive() && !state.pen.frozen) scrub_map(state, position_of(all, mouse));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float head = place_of(all, state.play.position);
  StretchLooks looks(ctx, ImGui::GetFontSize() * 0.85f);
  const bool hovered = ImGui::IsItemHovered();
  for (const MapStretch& one : all) {
    const ImVec2 min{at.x + one.begin, at.y},
        max{at.x + std::max(one.end - 1, one.begin + 1), at.y + height};
    const StretchLook& look = looks.of(one);
    const bool past = one.end <= head + 0.5f, now = !past && one.begin < head;
    list.AddRectFilled(min, max, past ? look.past : look.to_come);
    if (now) list.AddRectFilled(min, {at.x + head, max.y}, look.past);
    if (hovered && mouse >= one.begin && mouse < one.end) bar_tooltip(ctx, one);
  }
  const float x = std::round(at.x + head), thick = 3 * std::max(1.0f, ctx.scale * 0.8f);
  list.AddLine({x, at.y - 1}, {x, at.y + height + 1}, ctx.theme.canvas, thick + 3);
  list.AddLine({x, at.y - 1}, {x, at.y + height + 1}, ctx.theme.selection, thick);
  for (const MapStretch& one : all)
    draw_stretch_name(ctx, one, looks.of(one), looks.size(), at, head, height);
}

float text_width(const char* label) {
  return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
}

// A switch of the row; in the menu the same with a tick.
struct Switch {
  const char* id;
  std::string label, tooltip;
  bool on;
  std::function<void()> press;
};

std::string speed_text(float speed) { return "×" + decimal(static_cast<double>(speed), 2); }

std::vector<Switch> switches(const ViewContext& ctx, IndexMapState& state) {
  using Tool = MapPen::Tool;
  MapPen& pen = state.pen;
  const auto tool = [&pen](Tool wanted) {
    return [&pen, wanted] { pen.tool = pen.tool == wanted ? Tool::none : wanted; };
  };
  const auto next_speed = [&state] {
    const auto next = std::upper_bound(kSpeeds.begin(), kSpeeds.end(), state.play.speed);
    state.play.speed = next == kSpeeds.end() ? kSpeeds.front() : *next;
  };
  const bool banks = state.colours == MapColours::banks;
  std::vector<Switch> all{
      {"colours", tr("banks"), tooltip_text("map.colours"), banks,
       [&state, banks] { state.colours = banks ? MapColours::elements : MapColours::banks; }},
      {"pen", tr("pen"), tooltip_text("map.pen"), pen.tool == Tool::pen, tool(Tool::pen)},
      {"speed", speed_text(state.play.speed), tr("speed of the animation"), false, next_speed},
      {"overview", tr("overview"), tooltip_text("map.overview"), state.overview,
       [&state] { state.overview = !state.overview; }},
      {"eraser", tr("eraser"), tooltip_text("map.eraser"), pen.tool == Tool::eraser,
       tool(Tool::eraser)},
      {"spotlight", tr("spotlight"), tooltip_text("map.spotlight"), pen.spotlight,
       [&pen] { pen.spotlight = !pen.spotlight; }},
      {"freeze", tr("freeze"), tooltip_text("map.freeze"), pen.frozen,
       [&pen] { pen.frozen = !pen.frozen; }},
      {"wipe", tr("wipe"), tooltip_text("map.wipe"), false, [&pen] { clear_map_pen(pen); }},
      {"whole", tr("whole matrix"),
       tr("The wheel zooms, dragging moves, a double click goes back (0)."), state.zoomed,
       [&state] { state.zoomed ? fit_map(state) : show_whole_map(state); }}};
  (void)ctx;
  return all;
}

void draw_switch(const ViewContext& ctx, const Switch& one) {
  if (one.on)
    ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
  const bool pressed = ImGui::Button((one.label + "###" + one.id).c_str());
  if (one.on) {
    ImGui::PopStyleColor();
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddLine({min.x, max.y}, max, ctx.theme.selection, 2 * ctx.scale);
  }
  item_tooltip(one.tooltip);
  if (pressed) one.press();
}

void draw_more(const std::vector<Switch>& all, std::size_t from) {
  if (ImGui::Button("…###more")) ImGui::OpenPopup("more of the map");
  item_tooltip(tr("more"));
  if (!ImGui::BeginPopup("more of the map")) return;
  for (std::size_t i = from; i < all.size(); ++i) {
    if (ImGui::MenuItem((all[i].label + "###in menu " + all[i].id).c_str(), nullptr, all[i].on))
      all[i].press();
    item_tooltip(all[i].tooltip);
  }
  ImGui::EndPopup();
}

}  // namespace

void draw_map_row(const ViewContext& ctx, IndexMapState& state, Actions&) {
  if (ctx.still) return draw_bar(ctx, state, ImGui::GetContentRegionAvail().x);
  const float gap = 4 * ctx.scale;
  if (icon_button(ctx, "move before", Icon::back, tooltip_text("map.back").c_str()))
    step_map(state, -1);
  ImGui::SameLine(0, gap);
  if (icon_button(ctx, "play map", state.play.playing ? Icon::pause : Icon::play,
                  tooltip_text("map.play").c_str()))
    play_map(state, !state.play.playing);
  ImGui::SameLine(0, gap);
  if (icon_button(ctx, "move after", Icon::forward, tooltip_text("map.forward").c_str()))
    step_map(state, 1);
  ImGui::SameLine(0, gap);
  const std::vector<Switch> all = switches(ctx, state);
  const float room = ImGui::GetContentRegionAvail().x, more = text_width("…") + gap;
  // The bar comes first, then as many switches as leave it half of the rest.
  const float least = std::max(std::min(room * 0.55f, 36 * ImGui::GetFontSize()), room * 0.42f);
  float used = 0;
  std::size_t shown = 0;
  while (shown < all.size()) {
    const float width = text_width(all[shown].label.c_str()) + gap;
    const float end = shown + 1 == all.size() ? 0 : more;
    if (room - used - width - end < least) break;
    used += width;
    ++shown;
  }
  draw_bar(ctx, state, std::max(40.0f, room - used - (shown < all.size() ? more : 0)));
  for (std::size_t i = 0; i < shown; ++i) {
    ImGui::SameLine(0, gap);
    draw_switch(ctx, all[i]);
  }
  if (shown == all.size()) return;
  ImGui::SameLine(0, gap);
  draw_more(all, shown);
}

}  // namespace lanescope::app

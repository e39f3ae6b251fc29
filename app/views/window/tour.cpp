#include "views/window/tour.h"

#include <algorithm>
#include <array>
#include <string>

#include "imgui_internal.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/window/layout.h"
#include "views/window/workspace.h"

namespace lanescope::app {
namespace {

constexpr float kCardWidth = 330;  // units
constexpr int kSettled = 5;        // frames until the views are where they stay

constexpr std::array<TourCard, 8> kCards{
    {{"parameters", "Pick a kernel",
      "Choose one at the top of this view. Its text is compiled and run at once; so is every "
      "change of a parameter."},
     {"index_map", "Follow a lane",
      "Point at a cell or a lane, here or in any other view. Its whole way lights up everywhere: "
      "from the input through the tile to the output, with the formula and its numbers."},
     {"timeline", "Step through the warp",
      "← and → go from step to step, ↑ and ↓ from access to access, Space plays. The 32 cells are "
      "the active mask."},
     {"banks", "See the conflict",
      "A bin for each bank, as high as the wavefronts that it needs. Lanes that want different "
      "words "
      "of one bank have to wait for each other: the higher the stack, the slower."},
     {"why", "Ask why",
      "The cause in words and numbers, and what would help. Every suggestion is run before it is "
      "made."},
     {"parameters", "Change the padding",
      "Choose the kernel “Shared tile, padded”, move its padding between 0 and 1, and watch the "
      "banks: the conflict comes and goes.",
      "banks"},
     {"sweep", "Try all settings",
      "Block shapes, padding and more as a map of what they cost. Click a cell to open that "
      "setting."},
     {"", "Everything by keyboard",
      "Ctrl+P finds any command, kernel or parameter. F1 shows all keys and colours. Words that "
      "are underlined with dots are explained when you point at them."}}};

const TourCard& card_of(const TourState& state) {
  return kCards[static_cast<std::size_t>(state.step)];
}

void go_to(Workspace& workspace, int step) {
  workspace.tour.step = std::clamp(step, 0, tour_steps() - 1);
  workspace.tour.drawn = 0;
  for (const std::string view : {card_of(workspace.tour).beside, card_of(workspace.tour).view}) {
    if (view.empty()) continue;
    workspace.set_open(view, true);
    show_view(view.c_str());
  }
}

// Beside the target where there is room, else over the middle of the window.
ImVec2 place_card(const ImRect& target, ImVec2 size, float gap) {
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const ImRect room(viewport.WorkPos, {viewport.WorkPos.x + viewport.WorkSize.x,
                                       viewport.WorkPos.y + viewport.WorkSize.y});
  const ImVec2 center = target.GetCenter();
  const ImVec2 places[] = {{target.Max.x + gap, center.y - size.y / 2},
                           {target.Min.x - gap - size.x, center.y - size.y / 2},
                           {center.x - size.x / 2, target.Min.y - gap - size.y},
                           {center.x - size.x / 2, target.Max.y + gap}};
  const ImVec2 least = room.Min,
               most{std::max(least.x, room.Max.x - size.x), std::max(least.y, room.Max.y - size.y)};
  for (std::size_t i = 0; i < std::size(places); ++i) {
    const ImVec2 place = places[i];
    const bool fits =
        i < 2 ? place.x >= least.x && place.x <= most.x : place.y >= least.y && place.y <= most.y;
    if (fits) return {std::clamp(place.x, least.x, most.x), std::clamp(place.y, least.y, most.y)};
  }
  return {room.GetCenter().x - size.x / 2, room.GetCenter().y - size.y / 2};
}

void point_at(const ViewContext& ctx, const ImRect& card, const ImRect& target) {
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRect(target.Min, target.Max, ctx.theme.selection, 4 * ctx.scale, 0, 2 * ctx.scale);
  const ImVec2 aim = target.GetCenter();
  const ImVec2 from{std::clamp(aim.x, card.Min.x, card.Max.x),
                    std::clamp(aim.y, card.Min.y, card.Max.y)};
  const ImVec2 to{std::clamp(from.x, target.Min.x + 10 * ctx.scale, target.Max.x - 10 * ctx.scale),
                  std::clamp(from.y, target.Min.y + 10 * ctx.scale, target.Max.y - 10 * ctx.scale)};
  arrow(list, from, to, ctx.theme.selection, 3 * ctx.scale);
}

void buttons(Workspace& workspace) {
  const int step = workspace.tour.step;
  const bool last = step + 1 == tour_steps();
  ImGui::BeginDisabled(step == 0);
  if (ImGui::Button(window_title("Back", "back").c_str())) go_to(workspace, step - 1);
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button(last ? window_title("Done", "next").c_str()
                         : window_title("Next", "next").c_str())) {
    last ? end_tour(workspace) : go_to(workspace, step + 1);
  }
  if (last) return;
  const char* skip = tr("Skip the tour");
  const float width = ImGui::CalcTextSize(skip).x + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SameLine(ImGui::GetWindowWidth() - width - ImGui::GetStyle().WindowPadding.x);
  if (ImGui::Button(window_title("Skip the tour", "skip").c_str())) end_tour(workspace);
}

void draw_card(const ViewContext& ctx, Workspace& workspace) {
  const TourCard card = card_of(workspace.tour);
  ImGui::PushFont(ctx.fonts.strong, ImGui::GetStyle().FontSizeBase * 1.15f);
  ImGui::TextUnformatted(tr(card.title));
  ImGui::PopFont();
  ImGui::SameLine();
  ImGui::TextDisabled("%d / %d", workspace.tour.step + 1, tour_steps());
  wrapped_text(tr(card.text));
  ImGui::Spacing();
  buttons(workspace);
}

}  // namespace

std::span<const TourCard> tour_cards() { return kCards; }

int tour_steps() { return static_cast<int>(kCards.size()); }

void start_tour(Workspace& workspace) { go_to(workspace, 0); }

void end_tour(Workspace& workspace) {
  workspace.tour.step = -1;
  workspace.tour.done = true;
  ImGui::MarkIniSettingsDirty();
}

void draw_tour(const ViewContext& ctx, Workspace& workspace, Actions&) {
  TourState& state = workspace.tour;
  const bool first_start = state.allowed && !state.done && state.step < 0 && ctx.picture;
  if (first_start && workspace.frames > kSettled) start_tour(workspace);
  if (state.step < 0) return;
  const bool dialog = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  if (state.drawn++ < kSettled) ctx.animating = true;  // the card takes its text's size
  const std::string view = card_of(state).view;
  const ImGuiWindow* target =
      view.empty() ? nullptr : ImGui::FindWindowByName(("###" + view).c_str());
  if (target && (target->Hidden || !target->WasActive)) target = nullptr;
  const ImGuiWindow* shown = ImGui::FindWindowByName("###tour");
  const ImVec2 size = shown ? shown->SizeFull : ImVec2(kCardWidth * ctx.scale, 140 * ctx.scale);
  const ImVec2 middle = ImGui::GetMainViewport()->GetCenter();
  const ImRect box = target ? target->Rect() : ImRect(middle, middle);
  const ImVec2 at = target ? place_card(box, size, 26 * ctx.scale)
                           : ImVec2(middle.x - size.x / 2, middle.y - size.y / 2);
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize({kCardWidth * ctx.scale, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 2 * ctx.scale);
  ImGui::PushStyleColor(ImGuiCol_Border, ctx.theme.selection);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
  ImGui::Begin("###tour", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoDocking |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_AlwaysAutoResize);
  if (!dialog) ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  const ImRect card = ImGui::GetCurrentWindow()->Rect();
  draw_card(ctx, workspace);
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar();
  if (target && !dialog) point_at(ctx, card, box);
}

}  // namespace lanescope::app

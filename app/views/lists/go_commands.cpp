// Commands of the menu Go: from step to step, from warp to warp.
#include "imgui.h"
#include "views/lists/command_list.h"
#include "views/timeline/timeline_view.h"
#include "views/window/workspace.h"

namespace lanescope::app {
namespace {

bool has_track(const CommandCall& call) { return call.view.focus.track != nullptr; }

Command step(const char* id, const char* title, int group, std::vector<ImGuiKeyChord> keys,
             StepMove move) {
  return {.id = id,
          .menu = Menu::go,
          .group = group,
          .title = title,
          .keys = std::move(keys),
          .repeats = true,
          .run = ask(MoveStep{move}),
          .enabled = has_track};
}

void add_play(std::vector<Command>& all) {
  all.push_back({.id = "play",
                 .menu = Menu::go,
                 .group = 1,
                 .title = "Play or pause",
                 .keys = {ImGuiKey_Space},
                 .run =
                     [](CommandCall& call) {
                       auto& timeline = state_of<TimelineState>(call.workspace);
                       timeline.playing = !timeline.playing;
                       timeline.next_at = ImGui::GetTime();
                     },
                 .enabled = has_track,
                 .checked =
                     [](const CommandCall& call) {
                       return state_of<TimelineState>(call.workspace).playing;
                     }});
}

void add_warp_and_lane(std::vector<Command>& all) {
  all.push_back(
      {.id = "warp.next",
       .menu = Menu::go,
       .group = 2,
       .title = "Next warp",
       .keys = {ImGuiKey_RightBracket},
       .repeats = true,
       .run =
           [](CommandCall& call) { call.actions.push_back(SelectWarp{call.view.focus.warp + 1}); },
       .enabled =
           [](const CommandCall& call) {
             return call.view.focus.trace &&
                    call.view.focus.warp + 1 < call.view.focus.trace->warps.size();
           }});
  all.push_back(
      {.id = "warp.previous",
       .menu = Menu::go,
       .group = 2,
       .title = "Previous warp",
       .keys = {ImGuiKey_LeftBracket},
       .repeats = true,
       .run =
           [](CommandCall& call) { call.actions.push_back(SelectWarp{call.view.focus.warp - 1}); },
       .enabled = [](const CommandCall& call) { return call.view.focus.warp > 0; }});
  all.push_back({.id = "element.go",
                 .menu = Menu::go,
                 .group = 2,
                 .title = "Go to element …",
                 .run =
                     [](CommandCall& call) {
                       const auto& buffers = call.view.picture->prepared->buffers;
                       call.workspace.palette.ask = true;
                       call.workspace.palette.begin =
                           buffers.empty() ? "" : buffers.front().name + "[";
                     },
                 .enabled = has_track});
  all.push_back({.id = "lane.release",
                 .menu = Menu::go,
                 .group = 2,
                 .title = "Let go of the lane",
                 .keys = {ImGuiKey_Escape},
                 .run = [](CommandCall& call) {
                   call.actions.push_back(SelectLane{-1});
                   call.actions.push_back(SelectCell{});
                 }});
}

}  // namespace

void add_go_commands(std::vector<Command>& all) {
  all.push_back(step("step.forward", "Step forward", 0, {ImGuiKey_RightArrow}, StepMove::forward));
  all.push_back(step("step.back", "Step back", 0, {ImGuiKey_LeftArrow}, StepMove::back));
  all.push_back(step("step.next_access", "Next access", 0,
                     {ImGuiKey_DownArrow, kShift | ImGuiKey_RightArrow}, StepMove::next_access));
  all.push_back(step("step.previous_access", "Previous access", 0,
                     {ImGuiKey_UpArrow, kShift | ImGuiKey_LeftArrow}, StepMove::previous_access));
  all.push_back(step("step.next_line", "Next line", 0, {ImGuiKey_N}, StepMove::next_line));
  all.push_back(
      step("step.previous_line", "Previous line", 0, {ImGuiKey_P}, StepMove::previous_line));
  all.push_back(step("step.next_barrier", "Next barrier", 0, {ImGuiKey_B}, StepMove::next_barrier));
  all.push_back(step("step.previous_barrier", "Previous barrier", 0, {kShift | ImGuiKey_B},
                     StepMove::previous_barrier));
  all.push_back(step("step.first", "First step", 0, {ImGuiKey_Home}, StepMove::first));
  all.push_back(step("step.last", "Last step", 0, {ImGuiKey_End}, StepMove::last));
  add_play(all);
  add_warp_and_lane(all);
}

}  // namespace lanescope::app

// Commands of lessons: through the scenes by keys, as a clicker sends them.
#include "imgui_internal.h"
#include "views/lesson/lesson_view.h"
#include "views/lesson/presenter_view.h"
#include "views/lists/command_list.h"
#include "views/window/workspace.h"

namespace lanescope::app {
namespace {

bool in_lesson(const CommandCall& call) { return call.view.lessons && call.view.lessons->lesson; }

void go_by(CommandCall& call, int by) {
  const auto scene = static_cast<long long>(call.view.lessons->scene) + by;
  if (scene >= 0) call.actions.push_back(LessonAction(GoToScene{static_cast<std::size_t>(scene)}));
}

void show(CommandCall& call, const char* view) {
  call.workspace.set_open(view, true);
  if (call.workspace.layouts.current == Preset::lesson) call.workspace.reset_layout = true;
  ImGui::MarkIniSettingsDirty();
}

void add_scenes(std::vector<Command>& all) {
  all.push_back({.id = "lesson.next",
                 .menu = Menu::go,
                 .group = 4,
                 .title = "Next scene",
                 .keys = {ImGuiKey_PageDown},
                 .run = [](CommandCall& call) { go_by(call, 1); },
                 .enabled = in_lesson});
  all.push_back({.id = "lesson.back",
                 .menu = Menu::go,
                 .group = 4,
                 .title = "Previous scene",
                 .keys = {ImGuiKey_PageUp},
                 .run = [](CommandCall& call) { go_by(call, -1); },
                 .enabled = in_lesson});
  all.push_back({.id = "lesson.return",
                 .menu = Menu::go,
                 .group = 4,
                 .title = "Back to the scene",
                 .run = ask(LessonAction(ReturnToScene{})),
                 .enabled = in_lesson});
}

}  // namespace

void add_lesson_commands(std::vector<Command>& all) {
  add_scenes(all);
  all.push_back({.id = "lesson.list",
                 .menu = Menu::help,
                 .title = "Lessons …",
                 .run =
                     [](CommandCall& call) {
                       state_of<LessonState>(call.workspace).list = true;
                       call.workspace.set_open("lesson", true);
                       call.workspace.show_in_front = "lesson";
                     },
                 .enabled = [](const CommandCall& call) { return call.view.lessons != nullptr; }});
  all.push_back(
      {.id = "lesson.presenter",
       .menu = Menu::view,
       .group = 10,
       .title = "Presenter's notes",
       .run =
           [](CommandCall& call) {
             bool& wanted = state_of<PresenterState>(call.workspace).wanted;
             wanted = !call.workspace.is_open("presenter");
             wanted ? show(call, "presenter") : call.workspace.set_open("presenter", false);
           },
       .enabled = in_lesson,
       .checked = [](const CommandCall& call) { return call.workspace.is_open("presenter"); }});
  all.push_back({.id = "lesson.presenter_window",
                 .menu = Menu::view,
                 .group = 10,
                 .title = "Presenter's window",
                 .keys = {ImGuiKey_F9},
                 .run =
                     [](CommandCall& call) {
                       bool& there = state_of<PresenterState>(call.workspace).in_window;
                       there = !there;
                     },
                 .enabled = in_lesson,
                 .checked =
                     [](const CommandCall& call) {
                       return state_of<PresenterState>(call.workspace).in_window;
                     }});
  all.push_back({.id = "lesson.black",
                 .menu = Menu::view,
                 .group = 10,
                 .title = "Black screen",
                 .run =
                     [](CommandCall& call) {
                       bool& black = state_of<LessonState>(call.workspace).black;
                       black = !black;
                     },
                 .enabled = in_lesson});
}

}  // namespace lanescope::app

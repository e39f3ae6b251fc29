// Commands of the menus File and Kernel.
#include "views/exercise/exercise_view.h"
#include "views/lists/command_list.h"
#include "views/source/source_view.h"
#include "views/window/layout.h"
#include "views/window/workspace.h"

namespace lanescope::app {
namespace {

bool has_files(const CommandCall& call) { return call.workspace.files.status != nullptr; }

void add_source(std::vector<Command>& all) {
  const auto source = [](bool SourceState::*wish) {
    return [wish](CommandCall& call) {
      state_of<SourceState>(call.workspace).*wish = true;
      call.workspace.set_open("source", true);
    };
  };
  all.push_back({.id = "source.find",
                 .menu = Menu::file,
                 .group = 3,
                 .title = "Find and replace",
                 .keys = {kCtrl | ImGuiKey_F},
                 .run = source(&SourceState::find)});
  all.push_back({.id = "source.go_to_line",
                 .menu = Menu::file,
                 .group = 3,
                 .title = "Go to line …",
                 .keys = {kCtrl | kShift | ImGuiKey_G},
                 .when = When::typing,
                 .run = source(&SourceState::ask_line)});
}

void add_exercise(std::vector<Command>& all) {
  const auto has_lab = [](const CommandCall& call) {
    return exercise_beside(call.view, 0) != nullptr;
  };
  const auto go = [](int step) {
    return [step](CommandCall& call) {
      if (const Exercise* exercise = exercise_beside(call.view, step))
        call.actions.push_back(FileAction(StartExercise{exercise->name}));
    };
  };
  all.push_back({.id = "exercise.list",
                 .menu = Menu::kernel,
                 .group = 2,
                 .title = "Exercises",
                 .run =
                     [](CommandCall& call) {
                       state_of<ExerciseState>(call.workspace).listing = true;
                       call.workspace.set_open("exercise", true);
                       show_view("exercise");
                     },
                 .enabled = has_lab});
  all.push_back({.id = "exercise.next",
                 .menu = Menu::kernel,
                 .group = 2,
                 .title = "Next exercise",
                 .run = go(1),
                 .enabled = [](const CommandCall& call) {
                   return exercise_beside(call.view, 1) != nullptr;
                 }});
  all.push_back({.id = "exercise.previous",
                 .menu = Menu::kernel,
                 .group = 2,
                 .title = "Previous exercise",
                 .run = go(-1),
                 .enabled = [](const CommandCall& call) {
                   return exercise_beside(call.view, -1) != nullptr;
                 }});
}

void add_program(std::vector<Command>& all) {
  all.push_back(
      {.id = "program.run",
       .menu = Menu::kernel,
       .group = 1,
       .title = "Run program",
       .keys = {ImGuiKey_F5},
       .when = When::typing,
       .run =
           [](CommandCall& call) {
             call.workspace.set_open("program", true);
             show_tab("program");
             call.actions.push_back(ProgramAction(RunProgram{}));
           },
       .enabled = [](const CommandCall& call) { return !call.view.program.file.empty(); }});
  all.push_back({.id = "program.stop",
                 .menu = Menu::kernel,
                 .group = 1,
                 .title = "Stop program",
                 .keys = {kShift | ImGuiKey_F5},
                 .when = When::typing,
                 .run = ask(ProgramAction(StopProgram{})),
                 .enabled = [](const CommandCall& call) { return call.view.program.running; }});
}

}  // namespace

void add_file_commands(std::vector<Command>& all) {
  const auto dialog = [](FileDialog which) {
    return [which](CommandCall& call) { call.workspace.files.ask = which; };
  };
  all.push_back({.id = "file.open",
                 .menu = Menu::file,
                 .title = "Open …",
                 .keys = {kCtrl | ImGuiKey_O},
                 .when = When::typing,
                 .run = dialog(FileDialog::open),
                 .enabled = has_files});
  all.push_back({.id = "file.save",
                 .menu = Menu::file,
                 .group = 1,
                 .title = "Save",
                 .keys = {kCtrl | ImGuiKey_S},
                 .when = When::typing,
                 .run = ask(FileAction(SaveFile{})),
                 .enabled = has_files});
  all.push_back({.id = "file.save_as",
                 .menu = Menu::file,
                 .group = 1,
                 .title = "Save as …",
                 .keys = {kCtrl | kShift | ImGuiKey_S},
                 .when = When::typing,
                 .run = dialog(FileDialog::save_as),
                 .enabled = has_files});
  all.push_back({.id = "file.export",
                 .menu = Menu::file,
                 .group = 2,
                 .title = "Export …",
                 .keys = {kCtrl | ImGuiKey_E},
                 .when = When::typing,
                 .run = dialog(FileDialog::export_view),
                 .enabled = has_files});
  add_source(all);
  all.push_back({.id = "quit",
                 .menu = Menu::file,
                 .group = 9,
                 .title = "Quit",
                 .keys = {kCtrl | ImGuiKey_Q},
                 .when = When::always,
                 .run = ask(FileAction(Quit{}))});
}

void add_kernel_commands(std::vector<Command>& all) {
  all.push_back({.id = "undo",
                 .menu = Menu::kernel,
                 .title = "Undo",
                 .keys = {kCtrl | ImGuiKey_Z},
                 .repeats = true,
                 .run = ask(Undo{}),
                 .enabled = [](const CommandCall& call) { return call.view.can_undo; }});
  all.push_back({.id = "redo",
                 .menu = Menu::kernel,
                 .title = "Redo",
                 .keys = {kCtrl | ImGuiKey_Y, kCtrl | kShift | ImGuiKey_Z},
                 .repeats = true,
                 .run = ask(Redo{}),
                 .enabled = [](const CommandCall& call) { return call.view.can_redo; }});
  add_program(all);
  add_exercise(all);
}

}  // namespace lanescope::app

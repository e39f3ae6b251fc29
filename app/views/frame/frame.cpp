#include "views/frame/frame.h"

#include <algorithm>

#include "core/classroom/classroom.h"
#include "imgui_internal.h"

namespace lanescope::app {
namespace {

bool is_hover(const Action& action) {
  return std::holds_alternative<HoverLane>(action) || std::holds_alternative<HoverCell>(action);
}

bool same_hover(const Selection& a, const Selection& b) {
  return a.hover_lane == b.hover_lane && a.hover_cell == b.hover_cell;
}

bool is_quit(const Action& action) {
  const auto* file = std::get_if<FileAction>(&action);
  return file && std::holds_alternative<Quit>(*file);
}

}  // namespace

// Files ask first whether a text is to be saved that another one would take the place of.
bool Frame::perform_by_files(const Action& action) {
  const bool theirs = std::holds_alternative<FileAction>(action) ||
                      std::holds_alternative<SelectKernel>(action) ||
                      std::holds_alternative<LessonAction>(action);
  return theirs && files && files->perform(action);
}

void Frame::perform_by_classroom(const LessonAction& action) {
  const std::uint64_t opened = classroom->status().opened;
  classroom->perform(action);
  // A scene's text is what its file has: nothing of it could be lost.
  const LessonStatus& lessons = classroom->status();
  if (files && lessons.at_scene && lessons.opened != opened) files->adopt(session.settings());
  ImGui::MarkIniSettingsDirty();  // progress is kept with them
}

void Frame::perform(const Action& action) {
  if (perform_by_files(action)) return;
  const auto* lesson = std::get_if<LessonAction>(&action);
  if (lesson && classroom) return perform_by_classroom(*lesson);
  if (is_quit(action)) workspace.quit = true;  // nobody to ask
  session.apply(action);
}

bool Frame::draw() {
  const Selection before = session.selection();
  bool again = session.poll();
  session.begin_frame();
  for (const Action& action : pending) perform(action);
  if (classroom) {
    again |= classroom->poll();
    workspace.lessons = &classroom->status();
  }
  if (files) {
    again |= files->tick();
    if (auto released = files->take_released()) perform(*released), again = true;
    workspace.files.status = &files->status();
    workspace.quit |= files->quit();
  }
  again |= !same_hover(before, session.selection());
  pending = draw_workspace(workspace, session, fonts);
  if (workspace.status_bar.cancel) session.cancel();
  // What was asked for shows in the next frame; a hover that stays where it is changes nothing
  // there.
  again |= workspace.animating || std::any_of(pending.begin(), pending.end(),
                                              [](const Action& a) { return !is_hover(a); });
  const bool hovers = std::any_of(pending.begin(), pending.end(), is_hover);
  const bool lit =
      session.selection().hover_lane >= 0 || session.selection().hover_cell.has_value();
  return again || hovers != lit;
}

}  // namespace lanescope::app

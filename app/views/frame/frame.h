// One frame of the program: take in finished work, do what the views asked for, draw.
#pragma once

#include "core/session/session.h"
#include "platform/fonts.h"
#include "views/window/workspace.h"

namespace lanescope::app {

class Classroom;

struct Frame {
  Session& session;
  Workspace& workspace;
  Fonts fonts;
  /// What the views asked for in the frame before
  Actions pending = {};
  /// Does what is about files; without it, such actions do nothing
  Files* files = nullptr;
  /// Does what is about lessons, likewise
  Classroom* classroom = nullptr;

  /// The ImGui calls of one frame, between a surface's begin_frame() and end_frame(). True if the
  /// picture may differ in the next one without any input, so that it should be drawn at once.
  bool draw();

 private:
  /// By whom it is about: the session, unless it says otherwise.
  void perform(const Action& action);
  bool perform_by_files(const Action& action);
  void perform_by_classroom(const LessonAction& action);
};

}  // namespace lanescope::app

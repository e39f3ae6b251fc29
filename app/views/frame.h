// One frame of the program: take in finished work, do what the views asked for, draw.
#pragma once

#include "platform/fonts.h"
#include "session/session.h"
#include "views/workspace.h"

namespace lanescope::app {

struct Frame {
  Session& session;
  Workspace& workspace;
  Fonts fonts;
  Actions pending = {};    ///< what the views asked for in the frame before
  Files* files = nullptr;  ///< does what is about files; without it, such actions do nothing

  /// The ImGui calls of one frame, between a surface's begin_frame() and end_frame(). True if the
  /// picture may differ in the next one without any input, so that it should be drawn at once.
  bool draw();

 private:
  void perform(const Action& action);
};

}  // namespace lanescope::app

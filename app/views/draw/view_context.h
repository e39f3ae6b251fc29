// All that a view may read. Views change nothing but their own state; what they want done they
// append to Actions.
#pragma once

#include <vector>

#include "core/files/files.h"
#include "core/session/action.h"
#include "core/session/session.h"
#include "lanescope/diagnostic.h"
#include "platform/fonts.h"
#include "views/draw/colours.h"
#include "views/draw/focus.h"
#include "views/draw/lit.h"

namespace lanescope::app {

struct LessonStatus;

struct ViewContext {
  const Catalog& catalog;
  /// The newest; the picture's own may be older
  const Settings& settings;
  /// The last good one; null before the first
  const Picture* picture;
  const Selection& selection;
  const SessionStatus& status;
  const std::vector<Diagnostic>& diagnostics;
  /// See Session::advice; may be null, or of older settings
  const Advice* advice;
  /// The other side; null when nothing is compared
  const Comparison* comparison;
  /// See Session::sweep; may be null, or of an older plan
  const Sweep* sweep;
  /// See Session::previous
  const Settings* previous;
  /// See Session::timing; may be null
  const TimingNews* timing;
  /// See Session::program
  const ProgramStatus& program;
  /// See Session::lab
  const LabStatus& lab;
  bool can_undo, can_redo;
  /// Of this very text without front matter, or null
  const LaunchSurvey* survey;
  /// The course and the lesson that is open; null where there is none
  const LessonStatus* lessons;
  /// A question of the scene waits: what would answer it is not to be told
  bool predicting;
  /// It is drawn for a file, alone: what would only be pressed is left out
  bool still;
  /// Null where there are no files (render)
  const FilesStatus* files;
  const Focus& focus;
  const Theme& theme;
  const Fonts& fonts;
  /// Pixels per unit; lengths in views are in units
  float scale;
  /// Out: what was lit
  Lit& lit;
  /// Out: set it to be drawn again at once
  bool& animating;
};

}  // namespace lanescope::app

// All that a view may read. Views change nothing but their own state; what they want done they
// append to Actions.
#pragma once

#include <vector>

#include "lanescope/diagnostic.h"
#include "platform/fonts.h"
#include "session/files.h"
#include "session/session.h"
#include "views/focus.h"
#include "views/lit.h"
#include "views/palette.h"

namespace lanescope::app {

struct ViewContext {
  const Catalog& catalog;
  const Settings& settings;  ///< the newest; the picture's own may be older
  const Picture* picture;    ///< the last good one; null before the first
  const Selection& selection;
  const SessionStatus& status;
  const std::vector<Diagnostic>& diagnostics;
  const Advice* advice;          ///< see Session::advice; may be null, or of older settings
  const Comparison* comparison;  ///< the other side; null when nothing is compared
  const Sweep* sweep;            ///< see Session::sweep; may be null, or of an older plan
  const Settings* previous;      ///< see Session::previous
  const TimingNews* timing;      ///< see Session::timing; may be null
  bool can_undo, can_redo;
  const LaunchSurvey* survey;  ///< of this very text without front matter, or null
  const FilesStatus* files;    ///< null where there are no files (render)
  const Focus& focus;
  const Theme& theme;
  const Fonts& fonts;
  float scale;      ///< pixels per unit; lengths in views are in units
  Lit& lit;         ///< out: what was lit
  bool& animating;  ///< out: set it to be drawn again at once
};

}  // namespace lanescope::app

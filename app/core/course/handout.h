// A lesson as a page to be printed: words, pictures, blanks; the answers on a page of their own,
// computed by the tool. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/course/course.h"
#include "core/course/scene_run.h"
#include "lanescope/message.h"

namespace lanescope::app {

struct HandoutInput {
  const Lesson& lesson;
  /// "en"
  std::string language;
  /// By scene
  std::vector<SceneRun> runs;
  /// SVG of a scene before its questions are answered, and with the answers; by scene, may be empty
  std::vector<std::string> asked, answered;
  /// A sentence in that language
  std::function<std::string(const Message&)> words;
};
/// One HTML page that needs no other file.
std::string handout_html(const HandoutInput& input);

/// A scene's view that may be seen before its questions are answered, and the one that answers them;
/// "" for none.
std::string asking_view(const Scene& scene);
std::string answering_view(const Scene& scene);

}  // namespace lanescope::app

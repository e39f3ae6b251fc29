// What can be undone: the settings before each change.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/kernel/settings.h"

namespace lanescope::app {

class History {
 public:
  using Clock = std::chrono::steady_clock;

  /// `before` is about to be changed. `of` names what: "parameter PAD"; changes of one thing that
  /// follow each other closely, like a button's that is pressed again and again, undo together;
  /// those of a control that is `held` do however long it takes. "" is nothing but itself.
  void remember(const Settings& before, const std::string& of, Clock::time_point now = Clock::now(),
                bool held = false);
  /// What to go back to from `now`; nullopt at the end.
  std::optional<Settings> undo(const Settings& now);
  std::optional<Settings> redo(const Settings& now);

  [[nodiscard]] bool can_undo() const { return !undo_.empty(); }
  [[nodiscard]] bool can_redo() const { return !redo_.empty(); }
  /// The settings before the last change that shows in the numbers; null when there are none.
  [[nodiscard]] const Settings* previous(const Settings& now) const;
  /// The text of this file is called otherwise from now on.
  void rename(const std::string& old_file, const std::string& name, const std::string& file);

 private:
  std::vector<Settings> undo_, redo_;
  /// What the last change was of
  std::string gesture_;
  Clock::time_point gesture_time_{};
};

}  // namespace lanescope::app

#include "core/session/history.h"

#include <algorithm>
#include <utility>

namespace lanescope::app {

namespace {

constexpr auto kOneGesture = std::chrono::milliseconds(500);  // closer changes undo together
constexpr std::size_t kDepth = 200;

std::optional<Settings> step(std::vector<Settings>& from, std::vector<Settings>& to,
                             const Settings& now) {
  if (from.empty()) return std::nullopt;
  to.push_back(now);
  Settings next = std::move(from.back());
  from.pop_back();
  return next;
}

}  // namespace

void History::remember(const Settings& before, const std::string& of, Clock::time_point now) {
  const bool same_gesture =
      !of.empty() && of == gesture_ && now - gesture_time_ < kOneGesture && !undo_.empty();
  if (!same_gesture && !before.text.empty()) {
    undo_.push_back(before);
    if (undo_.size() > kDepth) undo_.erase(undo_.begin());
  }
  redo_.clear();
  gesture_ = of;
  gesture_time_ = now;
}

std::optional<Settings> History::undo(const Settings& now) {
  std::optional<Settings> next = step(undo_, redo_, now);
  if (next) gesture_.clear();
  return next;
}

std::optional<Settings> History::redo(const Settings& now) {
  std::optional<Settings> next = step(redo_, undo_, now);
  if (next) gesture_.clear();
  return next;
}

const Settings* History::previous(const Settings& now) const {
  const auto found = std::find_if(undo_.rbegin(), undo_.rend(), [&](Settings before) {
    before.inspected_block = now.inspected_block;
    return before != now;
  });
  return found == undo_.rend() ? nullptr : &*found;
}

void History::rename(const std::string& old_file, const std::string& name,
                     const std::string& file) {
  for (std::vector<Settings>* way : {&undo_, &redo_}) {
    for (auto it = way->rbegin(); it != way->rend() && it->file == old_file; ++it) {
      it->name = name;
      it->file = file;
    }
  }
}

}  // namespace lanescope::app

#include "core/session/history.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/run/captured_launch.h"

namespace lanescope::app {

namespace {

constexpr auto kOneGesture = std::chrono::milliseconds(500);  // closer changes undo together
constexpr std::size_t kDepth = 200;

// Launches of programs hold all that memory held: of old ones, only so much is kept.
constexpr std::uint64_t kMostCaptured = std::uint64_t{512} << 20;

std::uint64_t bytes_of(const CapturedLaunch& captured) {
  std::uint64_t bytes = 0;
  for (const CapturedBuffer& buffer : captured.buffers) bytes += buffer.contents->size();
  return bytes;
}

void drop_old_captures(std::vector<Settings>& way) {
  std::set<const CapturedLaunch*> counted;
  std::uint64_t bytes = 0;
  const auto last = std::find_if(way.rbegin(), way.rend(), [&](const Settings& settings) {
    const CapturedLaunch* captured = settings.captured.get();
    if (captured != nullptr && counted.insert(captured).second) bytes += bytes_of(*captured);
    return bytes > kMostCaptured && counted.size() > 1;
  });
  if (last == way.rend()) return;
  way.erase(std::remove_if(way.begin(), last.base(),
                           [&](const Settings& s) { return s.captured != nullptr; }),
            last.base());
}

std::optional<Settings> step(std::vector<Settings>& from, std::vector<Settings>& to,
                             const Settings& now) {
  if (from.empty()) return std::nullopt;
  to.push_back(now);
  Settings next = std::move(from.back());
  from.pop_back();
  return next;
}

}  // namespace

void History::remember(const Settings& before, const std::string& of, Clock::time_point now,
                       bool held) {
  const bool same_gesture = !of.empty() && of == gesture_ &&
                            (held || now - gesture_time_ < kOneGesture) && !undo_.empty();
  if (!same_gesture && !before.text.empty()) {
    undo_.push_back(before);
    if (undo_.size() > kDepth) undo_.erase(undo_.begin());
    drop_old_captures(undo_);
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

// Handles that a program is given for things of the runtime: streams, events, arrays, graphs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace lanescope::app {

/// Handles are numbers in the dress of pointers, the same in every run, and none is given twice: so
/// one that was destroyed is known as that.
template <class T>
class Handles {
 public:
  /// `first`: apart from those of other kinds, so that a handle of another kind is not found.
  explicit Handles(std::uint64_t first) : first_(first), next_(first) {}

  template <class... Arguments>
  std::pair<std::uint64_t, T*> make(Arguments&&... arguments) {
    const std::uint64_t handle = next_;
    next_ += kStep;
    auto made = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    return {handle, live_.emplace(handle, std::move(made)).first->second.get()};
  }
  /// nullptr if there is none (any more).
  T* find(const void* handle) const {
    const auto found = live_.find(reinterpret_cast<std::uint64_t>(handle));
    return found == live_.end() ? nullptr : found->second.get();
  }
  /// It was one of ours, and has been destroyed.
  [[nodiscard]] bool destroyed(const void* handle) const {
    const std::uint64_t value = reinterpret_cast<std::uint64_t>(handle);
    return value >= first_ && value < next_ && (value - first_) % kStep == 0 && !find(handle);
  }
  bool destroy(const void* handle) {
    return live_.erase(reinterpret_cast<std::uint64_t>(handle)) != 0;
  }
  [[nodiscard]] const std::map<std::uint64_t, std::unique_ptr<T>>& live() const { return live_; }

 private:
  static constexpr std::uint64_t kStep = 16;
  std::uint64_t first_, next_;
  std::map<std::uint64_t, std::unique_ptr<T>> live_;
};

}  // namespace lanescope::app

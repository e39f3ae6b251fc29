// The time that programs read between events.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>

namespace lanescope::app {

/// By what time passes for the program's host from now on, in nanoseconds; without it, the clock of this machine.
void set_event_clock(std::function<std::uint64_t()> nanoseconds);
/// Its nanoseconds.
std::uint64_t event_clock();

/// When each stream has done what it was asked for, in nanoseconds of a clock that stands still while the simulator
/// works. Launches share the multiprocessors, copies of one direction an engine; the default stream and the others wait for
/// each other as CUDA says.
class DeviceTimeline {
 public:
  enum class Engine : std::uint8_t { kernels, copies_in, copies_out };

  /// A stream of cudaStreamNonBlocking.
  void is_apart(std::uint64_t stream) { apart_.insert(stream); }
  /// While the simulator works the clock stands still. Calls may be nested.
  void stop_clock();
  void start_clock();
  /// Work of `ns`, that keeps `part` of its engine busy.
  void queue(std::uint64_t stream, Engine engine, std::uint64_t ns, double part = 1);
  /// The stream goes on at this time at the earliest.
  void hold(std::uint64_t stream, std::uint64_t until);
  /// When all that the stream was asked for is done; at least now.
  [[nodiscard]] std::uint64_t reached(std::uint64_t stream) const;
  /// The host waits until all is done.
  void wait();

 private:
  [[nodiscard]] std::uint64_t now() const;

  /// By stream, 0 the default one
  std::map<std::uint64_t, std::uint64_t> done_;
  std::map<Engine, std::uint64_t> free_;
  std::set<std::uint64_t> apart_;
  /// By how much the clock is behind the host's; what it shows while it stands still
  std::int64_t behind_ = 0;
  std::uint64_t stopped_at_ = 0;
  int stops_ = 0;
};

}  // namespace lanescope::app

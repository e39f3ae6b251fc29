#include "gpu/process/lines.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace lanescope::gpu {

using Clock = std::chrono::steady_clock;

bool Lines::write(std::string_view line) {
  std::string text(line);
  text += '\n';
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = send(descriptor_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

std::optional<std::string> Lines::buffered() {
  const std::size_t end = buffer_.find('\n', searched_);
  if (end == std::string::npos) {
    searched_ = buffer_.size();
    return std::nullopt;
  }
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  searched_ = 0;
  return line;
}

// Until there is something to read. A stop is noticed within a tenth of a second.
bool Lines::wait(Clock::time_point deadline, const std::stop_token& stop) {
  while (true) {
    if (stop.stop_requested()) return ended_ = Ended::stopped, false;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return ended_ = Ended::timed_out, false;
    pollfd waiting{descriptor_, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::min<long long>(left, 100)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return ended_ = Ended::closed, false;
  }
}

std::optional<std::string> Lines::read(Clock::time_point deadline, const std::stop_token& stop) {
  ended_ = Ended::no;
  while (true) {
    if (auto line = buffered()) return line;
    if (!wait(deadline, stop)) return std::nullopt;
    char bytes[65536];
    const ssize_t count = recv(descriptor_, bytes, sizeof bytes, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      ended_ = Ended::closed;
      return std::nullopt;
    }
    buffer_.append(bytes, static_cast<std::size_t>(count));
  }
}

std::optional<std::string> Lines::read() {
  return read(Clock::now() + std::chrono::hours(24 * 365), {});
}

}  // namespace lanescope::gpu

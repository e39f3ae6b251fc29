// Lines of text over a socket, with a time limit.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace lanescope::gpu {

class Lines {
 public:
  explicit Lines(int descriptor) : descriptor_(descriptor) {}

  /// False when the other side is gone.
  bool write(std::string_view line);

  enum class Ended { no, closed, timed_out, stopped };
  /// The next line without its end; nullopt when there is none, `ended` says why.
  std::optional<std::string> read();
  std::optional<std::string> read(std::chrono::steady_clock::time_point deadline,
                                  const std::stop_token& stop);
  [[nodiscard]] Ended ended() const { return ended_; }

 private:
  bool wait(std::chrono::steady_clock::time_point deadline, const std::stop_token& stop);
  std::optional<std::string> buffered();

  int descriptor_;
  std::string buffer_;
  std::size_t searched_ = 0;
  Ended ended_ = Ended::no;
};

}  // namespace lanescope::gpu

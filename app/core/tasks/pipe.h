// A pipe between processes.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <string>

namespace lanescope::app {

/// Its ends, to read and to write, are closed with it; -1 where there could be none.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
  }
  ~Pipe() { close_end(0), close_end(1); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(int end) {
    if (ends[end] >= 0) close(ends[end]);
    ends[end] = -1;
  }
};

/// Until all of it is written, or nobody reads any more.
inline void write_all(int descriptor, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = write(descriptor, text.data() + at, text.size() - at);
    if (written <= 0) return;
    at += static_cast<std::size_t>(written);
  }
}

}  // namespace lanescope::app

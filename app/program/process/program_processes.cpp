#include "program/process/program_processes.h"

#include <sys/mman.h>
#include <unistd.h>

#include "program/process/capture.h"
#include "program/process/program_run.h"

namespace lanescope::app {
namespace {

/// A text to be read as a file, which has no name.
class TextToRead {
 public:
  explicit TextToRead(const std::string& text) : descriptor_(memfd_create("input", MFD_CLOEXEC)) {
    for (std::size_t at = 0; descriptor_ >= 0 && at < text.size();) {
      const ssize_t written = write(descriptor_, text.data() + at, text.size() - at);
      if (written <= 0) break;
      at += static_cast<std::size_t>(written);
    }
    if (descriptor_ >= 0) lseek(descriptor_, 0, SEEK_SET);
  }
  ~TextToRead() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  TextToRead(const TextToRead&) = delete;
  TextToRead& operator=(const TextToRead&) = delete;

  /// -1 if there could be none
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

class ProcessService : public ProgramService {
 public:
  ProgramResult run(const ProgramRequest& request, const ProgramEvents& events) override {
    const TextToRead input(events.input);
    ProgramWatch watch = watch_of(events, input);
    if (events.wrote) watch.wrote = [&](std::string_view text, bool) { events.wrote(text); };
    watch.launched = events.launched;
    watch.called = events.called;
    watch.progressed = events.progressed;
    watch.idle = events.idle;
    return run_program(request, watch);
  }

  CaptureResult capture(const ProgramRequest& request, std::uint64_t number,
                        const ProgramEvents& events) override {
    const TextToRead input(events.input);
    return capture_launch(request, number, watch_of(events, input));
  }

 private:
  static ProgramWatch watch_of(const ProgramEvents& events, const TextToRead& input) {
    ProgramWatch watch;
    watch.stop = events.stop;
    watch.in = input.descriptor();
    return watch;
  }
};

}  // namespace

std::shared_ptr<ProgramService> make_program_service() {
  return std::make_shared<ProcessService>();
}

}  // namespace lanescope::app

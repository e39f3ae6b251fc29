#include "cli/program/run_progress.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string>

#include "cli/text/table.h"

namespace lanescope::cli {
namespace {

/// Between redraws; nothing shows before the first.
constexpr auto kInterval = std::chrono::milliseconds(200);
constexpr std::size_t kMostName = 40, kUsualWidth = 80;

volatile std::sig_atomic_t interrupted = 0;
void note(int) { interrupted = 1; }
struct sigaction before {};

std::string seconds_text(double ms) {
  const double seconds = ms / 1000;
  if (seconds < 90) return fmt::format("{:.0f} s", std::max(1.0, seconds));
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

/// A longer line would wrap, and only its last row could be erased.
std::size_t width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kUsualWidth;
}

}  // namespace

std::string progress_text(const app::LaunchProgress& progress) {
  std::string text = fmt::format("launch {}  {}  {} of {} blocks", progress.number,
                                 name_text(progress.kernel, kMostName), grouped(progress.blocks),
                                 grouped(progress.of));
  if (const auto rest = app::rest_ms(progress)) text += "  about " + seconds_text(*rest) + " left";
  return text;
}

void RunProgress::show(const app::LaunchProgress& progress) { draw(progress_text(progress)); }

void RunProgress::count(std::uint64_t launches, const std::string& kernel) {
  draw(fmt::format("{} launches  {}", grouped(launches), name_text(kernel, kMostName)));
}

void RunProgress::make_room(std::string_view text) {
  erase();
  if (!text.empty()) in_a_line_ = text.back() != '\n';
}

void RunProgress::erase() {
  if (shown_) out_ << "\r\x1b[K" << std::flush;
  shown_ = false;
}

void RunProgress::draw(const std::string& line) {
  const auto now = std::chrono::steady_clock::now();
  if (!enabled_ || in_a_line_ || now - last_ < kInterval) return;
  last_ = now;
  shown_ = true;
  out_ << '\r' << line.substr(0, width() - 1) << "\x1b[K" << std::flush;
}

CatchInterrupt::CatchInterrupt() {
  interrupted = 0;
  struct sigaction action {};
  action.sa_handler = note;
  // Calls that wait are to notice, and a second one is to have its usual effect.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, &before);
}

CatchInterrupt::~CatchInterrupt() { sigaction(SIGINT, &before, nullptr); }

bool CatchInterrupt::caught() { return interrupted != 0; }

}  // namespace lanescope::cli

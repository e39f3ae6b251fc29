#include "cli/text/progress_line.h"

#include <string>

#include "cli/text/table.h"

namespace lanescope::cli {

namespace {
constexpr std::uint64_t kWidth = 40;  // characters
constexpr auto kInterval =
    std::chrono::milliseconds(100);  // between redraws; nothing shows before the first
}  // namespace

ProgressBar::~ProgressBar() {
  if (shown_) out_ << "\r\x1b[K" << std::flush;
}

std::function<void(std::uint64_t, std::uint64_t)> ProgressBar::callback() {
  if (!enabled_) return {};
  return [this](std::uint64_t done, std::uint64_t all) { show(done, all); };
}

void ProgressBar::show(std::uint64_t done, std::uint64_t all) {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kInterval || all == 0) return;
  last_ = now;
  shown_ = true;
  const auto filled =
      static_cast<std::size_t>(static_cast<double>(done) / static_cast<double>(all) * kWidth);
  out_ << "\r[" << std::string(filled, '#') << std::string(kWidth - filled, '.') << "] "
       << grouped(done) << " of " << grouped(all) << " blocks\x1b[K" << std::flush;
}

}  // namespace lanescope::cli

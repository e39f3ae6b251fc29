#include "core/program/memory_size.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>
#include <string_view>

namespace lanescope::app {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{8} << 30;
constexpr std::array<std::string_view, 5> kUnits = {"bytes", "KiB", "MiB", "GiB", "TiB"};
/// More than any machine has, and far from what the sums here overflow at
constexpr double kLargest = 1e18;

/// "G", "GB" and "GiB" are the same; -1 for what is no unit.
int power_of(std::string unit) {
  std::transform(unit.begin(), unit.end(), unit.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (unit.empty() || unit == "b") return 0;
  const std::string_view rest = std::string_view(unit).substr(1);
  if (!rest.empty() && rest != "b" && rest != "ib") return -1;
  const std::size_t at = std::string_view("kmgt").find(unit[0]);
  return at == std::string_view::npos ? -1 : static_cast<int>(at) + 1;
}

/// What the container that this process is in may have; the largest number where there is no bound.
std::uint64_t container_memory() {
  std::uint64_t bytes = UINT64_MAX;
  std::ifstream file("/sys/fs/cgroup/memory.max");
  return file >> bytes ? bytes : UINT64_MAX;
}

}  // namespace

std::optional<std::uint64_t> size_of(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || !(number > 0)) return std::nullopt;
  const char* unit = std::find_if(rest, end, [](char c) { return c != ' '; });
  const int power = power_of(std::string(unit, end));
  if (power < 0) return std::nullopt;
  for (int i = 0; i < power; ++i) number *= 1024;
  if (!(number >= 1 && number < kLargest)) return std::nullopt;
  return static_cast<std::uint64_t>(number);
}

std::string size_text(std::uint64_t bytes) {
  std::size_t unit = 0;
  auto number = static_cast<double>(bytes);
  while (number >= 1024 && unit + 1 < kUnits.size()) number /= 1024, ++unit;
  return unit == 0 || number == static_cast<double>(static_cast<std::uint64_t>(number))
             ? fmt::format("{:.0f} {}", number, kUnits[unit])
             : fmt::format("{:.1f} {}", number, kUnits[unit]);
}

std::uint64_t usual_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
  const std::uint64_t machine =
      pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)
                            : 2 * kMost;
  return std::min(kMost, std::min(machine, container_memory()) / 2);
}

}  // namespace lanescope::app

#include "program/process/nested_launches.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace lanescope::app {
namespace {

// As prelude/device/lanescope_nested.h lays them out.
struct Head {
  std::uint64_t bytes, kernel, shared_bytes;
  std::uint32_t grid[3], block[3], arguments, line;
};
struct Queue {
  std::uint64_t used, lost;
};
constexpr std::size_t kQueueBytes = std::size_t{4} << 20;

template <class T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Nothing where the program has written over it.
std::optional<NestedLaunch> launch_at(const std::byte* at, const Head& head) {
  NestedLaunch launch;
  launch.kernel = head.kernel;
  launch.grid = {head.grid[0], head.grid[1], head.grid[2]};
  launch.block = {head.block[0], head.block[1], head.block[2]};
  launch.dynamic_shared_bytes = head.shared_bytes;
  launch.line = head.line;
  const std::byte* const end = at + head.bytes;
  at += sizeof(Head);
  for (std::uint32_t i = 0; i < head.arguments; ++i) {
    if (end - at < 8) return std::nullopt;
    const auto bytes = read<std::uint64_t>(at);
    if (bytes > static_cast<std::uint64_t>(end - at - 8)) return std::nullopt;
    launch.arguments.emplace_back(at + 8, at + 8 + bytes);
    at += 8 + (bytes + 7) / 8 * 8;
  }
  return launch;
}

}  // namespace

NestedLaunches take_nested_launches(std::byte* queue) {
  NestedLaunches taken;
  const auto state = read<Queue>(queue);
  taken.lost = state.lost;
  const std::byte* const entries = queue + sizeof(Queue);
  const std::size_t end = std::min<std::uint64_t>(state.used, kQueueBytes);
  for (std::size_t at = 0; at + sizeof(Head) <= end;) {
    const auto head = read<Head>(entries + at);
    // An entry that found no room: the others that follow are lost too.
    if (head.bytes < sizeof(Head) || at + head.bytes > end) break;
    if (auto launch = launch_at(entries + at, head))
      taken.launches.push_back(std::move(*launch));
    else
      ++taken.lost;
    at += head.bytes;
  }
  std::memset(queue, 0, sizeof(Queue) + end);
  return taken;
}

}  // namespace lanescope::app

#include "core/kernel/host_launches.h"

#include <algorithm>

namespace lanescope::app {

namespace {

std::string without_spaces(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\n'; });
  return text;
}

std::string shape(const char* flag, const std::optional<Dim3>& known, const std::string& text) {
  const std::string name = std::string(" --") + flag + " ";
  if (!known) return name + "(" + text + ", not a constant)";
  return name + std::to_string(known->x) + "," + std::to_string(known->y) + "," +
         std::to_string(known->z);
}

}  // namespace

std::optional<LaunchSite> only_launch(const std::vector<LaunchSite>& sites,
                                      const std::string& kernel) {
  const LaunchSite* found = nullptr;
  for (const LaunchSite& site : sites) {
    if (without_spaces(site.kernel) != without_spaces(kernel) || !site.block || !site.grid)
      continue;
    const bool same = found != nullptr && found->grid == site.grid && found->block == site.block &&
                      found->shared_bytes == site.shared_bytes;
    if (found != nullptr && !same) return std::nullopt;
    found = &site;
  }
  return found == nullptr ? std::nullopt : std::optional(*found);
}

std::string describe_launches(const std::vector<LaunchSite>& sites) {
  std::string text;
  for (const LaunchSite& site : sites) {
    text += text.empty() ? "launches in the text: " : "; ";
    text += "line " + std::to_string(site.pos.line) + ": " + site.kernel +
            shape("grid", site.grid, site.grid_text) + shape("block", site.block, site.block_text);
    if (site.shared_bytes.value_or(0) != 0)
      text += " --shared " + std::to_string(*site.shared_bytes);
  }
  return text;
}

}  // namespace lanescope::app

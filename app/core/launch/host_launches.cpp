#include "core/launch/host_launches.h"

#include <algorithm>

#include "core/text/messages.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

std::string without_spaces(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\n'; });
  return text;
}

std::string shape(const std::optional<Dim3>& known, const std::string& text) {
  return known ? dim3_text(*known) : text;
}

Message described(const LaunchSite& site) {
  const auto& sentence = site.grid && site.block ? say::launch_site
                         : site.block            ? say::launch_site_no_grid
                         : site.grid             ? say::launch_site_no_block
                                                 : say::launch_site_neither;
  const Message launch =
      sentence(site.kernel, shape(site.grid, site.grid_text), shape(site.block, site.block_text));
  const auto shared = site.shared_bytes.value_or(0);
  return shared == 0 ? launch : say::with_shared(launch, shared);
}

}  // namespace

bool same_kernel(const std::string& a, const std::string& b) {
  const auto plain = [](const std::string& name) {
    const std::string text = without_spaces(name);
    return text.starts_with("::") ? text.substr(2) : text;
  };
  return plain(a) == plain(b);
}

const LaunchSite* site_of(const std::vector<LaunchSite>& sites, const std::string& kernel) {
  const std::size_t angle = kernel.find('<');
  for (const std::string& name : {kernel, kernel.substr(0, angle)})
    for (const LaunchSite& site : sites)
      if (same_kernel(site.kernel, name)) return &site;
  return nullptr;
}

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

Message describe_launches(const std::vector<LaunchSite>& sites) {
  Message all;
  for (const LaunchSite& site : sites) {
    const Message one = say::at_line(site.pos.line, described(site));
    all = all.empty() ? one : say::also(all, one);
  }
  return all.empty() ? all : say::launches_in_text(all);
}

}  // namespace lanescope::app

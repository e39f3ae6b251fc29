// The views by name. Their order is that of the menu.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace lanescope::app {

/// Every view: its id, which never changes, and its English title.
struct ViewName {
  const char* id;
  const char* title;
};
inline constexpr std::array<ViewName, 12> kViews{{{"source", "Source"},
                                                  {"index_map", "Index map"},
                                                  {"banks", "Banks"},
                                                  {"sectors", "Sectors"},
                                                  {"lanes", "Lanes"},
                                                  {"parameters", "Parameters"},
                                                  {"timeline", "Timeline"},
                                                  {"diagnostics", "Diagnostics"},
                                                  {"sweep", "Sweep"},
                                                  {"timing", "Timing"},
                                                  {"compare", "Compare"},
                                                  {"why", "Why"}}};

/// Whether there is a view of this id.
constexpr bool is_view(std::string_view id) {
  return std::any_of(kViews.begin(), kViews.end(), [&](const ViewName& v) { return v.id == id; });
}

}  // namespace lanescope::app

// What the views lit up in a frame, for tests: that a lane hovered in one is the same lane lit in
// all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lanescope::app {

struct Lit {
  struct Entry {
    /// The window's id: "banks"
    std::string_view view;
    /// Of the selected warp; -1 for a cell that is not one of its
    int lane = -1;
    /// Of the lit cell; 0 where the view shows no memory
    std::uint64_t address = 0;
    bool operator==(const Entry&) const = default;
  };
  std::vector<Entry> entries;

  void clear() { entries.clear(); }
  void add(std::string_view view, int lane, std::uint64_t address = 0) {
    entries.push_back({view, lane, address});
  }
  [[nodiscard]] bool shows(std::string_view view, int lane) const {
    return std::any_of(entries.begin(), entries.end(),
                       [&](const Entry& e) { return e.view == view && e.lane == lane; });
  }
};

}  // namespace lanescope::app

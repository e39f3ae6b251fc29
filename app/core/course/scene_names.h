// What a scene may name of the window, which the core does not know: views, layouts, devices. The window's
// tests hold these to its own tables.
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace lanescope::app {

inline constexpr std::array<std::string_view, 19> kSceneViews = {
    "map",       "index_map", "banks",       "sectors", "lanes",   "source",  "parameters",
    "timeline",  "program",   "diagnostics", "sweep",   "timing",  "compare", "why",
    "fragments", "swizzle",   "blackboard",  "lesson",  "exercise"};
inline constexpr std::array<std::string_view, 6> kSceneLayouts = {
    "explore", "lecture", "compare", "projector", "lesson", "exercise"};
inline constexpr std::array<std::string_view, 2> kSceneDevices = {"", "blackboard"};
inline constexpr std::array<std::string_view, 5> kAccessKinds = {"", "shared load", "shared store",
                                                                 "global load", "global store"};
/// In the order of TimingQuery::Which
inline constexpr std::array<std::string_view, 3> kTimingShows = {"", "kernel", "all"};

/// As the window names it: "map" is short for "index_map".
constexpr std::string_view view_id(std::string_view named) {
  return named == "map" ? "index_map" : named;
}

}  // namespace lanescope::app

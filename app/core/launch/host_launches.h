// Launches that a whole program makes itself, offered where the user gives none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lanescope/compile.h"
#include "lanescope/message.h"

namespace lanescope::app {

/// Spaces and a leading "::" apart, the same kernel and the same template arguments.
bool same_kernel(const std::string& a, const std::string& b);
/// The first launch of this kernel; of a template, one whose arguments are not known stands for any.
const LaunchSite* site_of(const std::vector<LaunchSite>& sites, const std::string& kernel);

/// The one launch of this kernel whose shape is constant, or nullopt. Template arguments count;
/// spaces do not.
std::optional<LaunchSite> only_launch(const std::vector<LaunchSite>& sites,
                                      const std::string& kernel);

/// "launches in the text: line 9: add<3> --grid 4096,1,1 --block 256,1,1; line 11: …", or "".
Message describe_launches(const std::vector<LaunchSite>& sites);

}  // namespace lanescope::app

// For tests: a kernel at a size that is soon executed.
#pragma once

#include <optional>
#include <string>

#include "core/kernel/catalog.h"

namespace lanescope::app {

/// The settings of a kernel that comes along, with matrices of 256 x 256 where it comes with larger
/// ones: what is seen of a block does not depend on how many others there are. Nothing if there is
/// no such kernel.
inline std::optional<Settings> small_launch(const Catalog& catalog, const std::string& kernel) {
  OpenResult opened = open_kernel(catalog, kernel);
  const CatalogEntry* entry = catalog.find(kernel);
  if (!opened.settings || !entry) return opened.settings;
  for (const ArgumentSpec& argument : entry->front_matter.arguments)
    if ((argument.name == "nx" || argument.name == "ny") && argument.max >= 256)
      opened.settings->arguments.try_emplace(argument.name, "256");
  return opened.settings;
}

}  // namespace lanescope::app

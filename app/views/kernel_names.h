// What a kernel is called on screen, and how it is found by that name.
#pragma once

#include <string>

#include "session/catalog.h"
#include "session/picture.h"

namespace lanescope::app {

/// The title of a kernel as people know it, in the current language.
std::string kernel_title(const CatalogEntry& entry);
std::string kernel_title(const Picture& picture);
/// Whether its name or its title, in English or in the current language, holds what was typed.
bool kernel_matches(const CatalogEntry& entry, const std::string& typed);

}  // namespace lanescope::app

// The kernel in the window: its front matter, what it is called, and how it is found by that name.
#pragma once

#include <string>

#include "core/kernel/catalog.h"
#include "core/picture/picture.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

/// Of the settings' kernel: the picture's, if that is of the same kernel, else the catalog's; null
/// where there is none.
const FrontMatter* front_matter(const ViewContext& ctx);
/// The title of a kernel as people know it, in the current language.
std::string kernel_title(const CatalogEntry& entry);
std::string kernel_title(const Picture& picture);
/// "reduce" of "void reduce<float, 256>": what a bar has room for.
std::string short_name(const std::string& kernel);
/// "reduce<float, 256>", and "reduce<...>" where its types are longer than a line.
std::string readable_name(const std::string& kernel);
/// Whether its name or its title, in English or in the current language, holds what was typed.
bool kernel_matches(const CatalogEntry& entry, const std::string& typed);

}  // namespace lanescope::app

#include "views/draw/kernel_names.h"

#include <algorithm>

#include "core/text/text.h"
#include "views/draw/tr.h"

namespace lanescope::app {
namespace {

std::string title_or(const std::string& title, const std::string& name) {
  return title.empty() ? name : tr(title.c_str());
}

bool holds(const std::string& text, const std::string& typed) {
  return std::search(text.begin(), text.end(), typed.begin(), typed.end(), same_letter) !=
         text.end();
}

}  // namespace

const FrontMatter* front_matter(const ViewContext& ctx) {
  if (ctx.picture && ctx.picture->prepared->settings.name == ctx.settings.name)
    return &ctx.picture->prepared->front_matter;
  const CatalogEntry* entry = ctx.catalog.find(ctx.settings.name);
  return entry ? &entry->front_matter : nullptr;
}

std::string kernel_title(const CatalogEntry& entry) {
  return title_or(entry.front_matter.title, entry.name);
}

std::string kernel_title(const Picture& picture) {
  return title_or(picture.prepared->front_matter.title, picture.prepared->settings.name);
}

std::string short_name(const std::string& kernel) {
  const std::string bare = kernel.substr(0, std::min(kernel.find('<'), kernel.find('(')));
  const std::size_t scope = bare.rfind("::"), space = bare.rfind(' ');
  if (scope != std::string::npos) return bare.substr(scope + 2);
  return space != std::string::npos ? bare.substr(space + 1) : bare;
}

std::string readable_name(const std::string& kernel) {
  constexpr std::size_t kLine = 60;
  return kernel.size() <= kLine ? kernel : short_name(kernel) + "<...>";
}

bool kernel_matches(const CatalogEntry& entry, const std::string& typed) {
  return holds(entry.name + " " + entry.front_matter.title, typed) ||
         holds(kernel_title(entry), typed);
}

}  // namespace lanescope::app

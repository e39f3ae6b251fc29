#include "views/kernel_names.h"

#include <algorithm>
#include <cctype>

#include "views/tr.h"

namespace lanescope::app {
namespace {

std::string title_or(const std::string& title, const std::string& name) {
  return title.empty() ? name : tr(title.c_str());
}

bool holds(const std::string& text, const std::string& typed) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), typed.begin(), typed.end(), same) != text.end();
}

}  // namespace

std::string kernel_title(const CatalogEntry& entry) {
  return title_or(entry.front_matter.title, entry.name);
}

std::string kernel_title(const Picture& picture) {
  return title_or(picture.front_matter.title, picture.settings.name);
}

bool kernel_matches(const CatalogEntry& entry, const std::string& typed) {
  return holds(entry.name + " " + entry.front_matter.title, typed) ||
         holds(kernel_title(entry), typed);
}

}  // namespace lanescope::app

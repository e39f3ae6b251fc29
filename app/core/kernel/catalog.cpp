#include "core/kernel/catalog.h"

#include <algorithm>
#include <filesystem>

#include "core/text/messages.h"
#include "core/text/text.h"
#include "core/text/text_file.h"

namespace lanescope::app {

namespace fs = std::filesystem;

namespace {

void add_entry(Catalog& catalog, const fs::path& folder, const fs::path& file) {
  CatalogEntry entry;
  entry.file = file.string();
  entry.name = file.lexically_relative(folder).replace_extension().generic_string();
  const std::size_t slash = entry.name.find('/');
  entry.family = slash == std::string::npos ? "" : entry.name.substr(0, slash);
  TextFile read = read_text_file(entry.file);
  entry.text = std::move(read.text);
  FrontMatterResult matter;
  if (read.diagnostics.empty()) matter = parse_front_matter(entry.file, entry.text);
  if (read.diagnostics.empty() && !matter.front_matter && matter.diagnostics.empty()) {
    matter.diagnostics.push_back(usage_error(entry.file, say::bundled_needs_front_matter));
  }
  for (auto* found : {&read.diagnostics, &matter.diagnostics}) {
    catalog.diagnostics.insert(catalog.diagnostics.end(), found->begin(), found->end());
  }
  if (!matter.front_matter) return;
  entry.front_matter = std::move(*matter.front_matter);
  catalog.entries.push_back(std::move(entry));
}

// "transpose/05_shared_padded" answers to "05_shared_padded" and "shared_padded" too, where only
// one does.
bool answers_to(const std::string& name, const std::string& asked) {
  const std::string stem = name.substr(name.rfind('/') + 1);
  const std::size_t bare = stem.find_first_not_of("0123456789_");
  return stem == asked || (bare != std::string::npos && stem.substr(bare) == asked);
}

constexpr Dim3 kOffDiagonal{1, 0, 0};  // inside every grid of two blocks and more

OpenResult open_entry(const CatalogEntry& entry) {
  Settings settings;
  settings.name = entry.name;
  settings.file = entry.file;
  settings.text = entry.text;
  // Of a block on the diagonal nobody sees that it goes to the other side of it.
  if (entry.front_matter.reference.kind == "transpose") settings.inspected_block = kOffDiagonal;
  return {std::move(settings), {}};
}

OpenResult unknown(const Catalog& catalog, const std::string& name,
                   const std::vector<const CatalogEntry*>& answering) {
  std::vector<std::string> close;
  for (const CatalogEntry* entry : answering) close.push_back(entry->name);
  for (const CatalogEntry& entry : catalog.entries) {
    if (answering.empty() && close.size() < 5 && entry.name.find(name) != std::string::npos)
      close.push_back(entry.name);
  }
  const Message message = answering.empty() ? say::nothing_of_this_name : say::several_of_this_name;
  const Message hint =
      close.empty() ? say::list_names_kernels : say::did_you_mean(say::listed(close));
  return {std::nullopt, {usage_error(name, message, hint)}};
}

}  // namespace

const CatalogEntry* Catalog::find(const std::string& name) const {
  const auto found = std::lower_bound(
      entries.begin(), entries.end(), name,
      [](const CatalogEntry& entry, const std::string& wanted) { return entry.name < wanted; });
  return found != entries.end() && found->name == name ? &*found : nullptr;
}

Catalog load_catalog(const std::string& folder) {
  Catalog catalog;
  std::error_code error;
  std::vector<fs::path> files;
  const fs::path root = fs::absolute(folder, error).lexically_normal();
  for (fs::recursive_directory_iterator
           it(root, fs::directory_options::follow_directory_symlink, error),
       end;
       !error && it != end; it.increment(error)) {
    // Whole programs are run, not analyzed: they have no front matter.
    if (it.depth() == 0 && it->path().filename() == "programs") it.disable_recursion_pending();
    if (it->path().extension() == ".cu") files.push_back(it->path());
  }
  if (error || folder.empty()) {
    catalog.diagnostics.push_back(
        usage_error(folder.empty() ? "kernels" : folder, say::no_kernel_folder));
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) add_entry(catalog, root, file);
  std::sort(catalog.entries.begin(), catalog.entries.end(),
            [](const CatalogEntry& a, const CatalogEntry& b) { return a.name < b.name; });
  return catalog;
}

Catalog load_catalog_of(const std::string& folder, const std::string& name_or_path) {
  Catalog catalog;
  std::error_code error;
  const fs::path root = fs::absolute(folder, error).lexically_normal();
  const fs::path file = root / (name_or_path + ".cu");
  const bool below = !name_or_path.empty() && file.lexically_normal() == file;
  if (below && fs::is_regular_file(file, error)) add_entry(catalog, root, file);
  const bool found = catalog.find(name_or_path) || fs::is_regular_file(name_or_path, error);
  return found ? std::move(catalog) : load_catalog(folder);
}

std::string default_kernel_folder() { return bundled_folder("kernels", "kernels"); }

OpenResult open_kernel(const Catalog& catalog, const std::string& name_or_path) {
  if (const CatalogEntry* entry = catalog.find(name_or_path)) return open_entry(*entry);
  std::error_code error;
  std::vector<const CatalogEntry*> answering;
  if (!fs::exists(name_or_path, error)) {
    for (const CatalogEntry& entry : catalog.entries) {
      if (answers_to(entry.name, name_or_path)) answering.push_back(&entry);
    }
    if (answering.size() == 1) return open_entry(*answering.front());
    const bool path = name_or_path.ends_with(".cu") || fs::path(name_or_path).is_absolute();
    if (!path) return unknown(catalog, name_or_path, answering);
  }
  TextFile read = read_text_file(name_or_path);
  if (!read.diagnostics.empty()) return {std::nullopt, std::move(read.diagnostics)};
  Settings settings;
  settings.name = name_or_path;
  settings.file = name_or_path;
  settings.text = std::move(read.text);
  return {std::move(settings), {}};
}

}  // namespace lanescope::app

// The kernels that come with the program, found on disk and grouped by family.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/kernel/front_matter.h"
#include "core/kernel/settings.h"
#include "lanescope/diagnostic.h"

namespace lanescope::app {

struct CatalogEntry {
  /// "transpose/05_shared_padded": the path under kernels/ without ".cu"
  std::string name;
  /// "transpose"
  std::string family;
  /// Absolute path
  std::string file;
  std::string text;
  FrontMatter front_matter;
};

struct Catalog {
  /// By name
  std::vector<CatalogEntry> entries;
  /// Entries that could not be read or parsed are left out and named here
  std::vector<Diagnostic> diagnostics;
  [[nodiscard]] const CatalogEntry* find(const std::string& name) const;
};

/// Reads every .cu below `folder`.
Catalog load_catalog(const std::string& folder);
/// For who opens this one alone: nothing but it where it is a whole name ("transpose/05_remapped"), nothing at all where it
/// is a file.
Catalog load_catalog_of(const std::string& folder, const std::string& name_or_path);
/// Where the kernels are: next to the executable (share/lanescope/kernels), else the source tree.
std::string default_kernel_folder();

struct OpenResult {
  std::optional<Settings> settings;
  std::vector<Diagnostic> diagnostics;
};
/// Settings for a catalog name or a path; errors for a file that is missing, empty, binary or
/// unreadable.
OpenResult open_kernel(const Catalog& catalog, const std::string& name_or_path);

}  // namespace lanescope::app

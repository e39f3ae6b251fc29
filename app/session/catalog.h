// The kernels that come with the program, found on disk and grouped by family.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lanescope/diagnostic.h"
#include "session/front_matter.h"
#include "session/settings.h"

namespace lanescope::app {

struct CatalogEntry {
  std::string name;    ///< "transpose/05_shared_padded": the path under kernels/ without ".cu"
  std::string family;  ///< "transpose"
  std::string file;    ///< absolute path
  std::string text;
  FrontMatter front_matter;
};

struct Catalog {
  std::vector<CatalogEntry> entries;  ///< by name
  std::vector<Diagnostic>
      diagnostics;  ///< entries that could not be read or parsed are left out and named here
  [[nodiscard]] const CatalogEntry* find(const std::string& name) const;
};

/// Reads every .cu below `folder`.
Catalog load_catalog(const std::string& folder);
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

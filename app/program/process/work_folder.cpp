#include "program/process/work_folder.h"

#include <algorithm>
#include <filesystem>

namespace lanescope::app {
namespace {

namespace fs = std::filesystem;

/// Folders above that are made too; data are kept beside a program or beside its folder.
constexpr int kLevels = 4, kLevelsNeeded = 2;
constexpr int kMostLinks = 4000;

/// Links in `made` to all that is in `folder`, but for `own`. False if there is too much.
bool link_all(const fs::path& folder, const fs::path& made, const fs::path& own) {
  std::error_code error;
  int links = 0;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().filename() == own) continue;
    if (++links > kMostLinks) return false;
    std::error_code exists;
    fs::create_symlink(it->path(), made / it->path().filename(), exists);
  }
  return !error;
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path way = path.lexically_relative(folder);
  return !way.empty() && *way.begin() != "..";
}

}  // namespace

std::string make_work_folder(const std::string& folder, const std::string& scratch,
                             const std::vector<std::string>& writable, bool above) {
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  if (error || scratch.empty()) return {};
  for (const std::string& path : writable)
    if (is_below(real, fs::weakly_canonical(path, error))) return {};
  std::vector<fs::path> levels{real};
  while (above && levels.size() < kLevels && levels.back().has_relative_path())
    levels.push_back(levels.back().parent_path());
  fs::path made = fs::path(scratch) / "work";
  for (std::size_t i = levels.size(); i-- > 0;) {
    fs::create_directory(made, error);
    const fs::path own = i == 0 ? fs::path() : levels[i - 1].filename();
    if (!link_all(levels[i], made, own) && i < kLevelsNeeded) return {};
    if (i > 0) made /= own;
  }
  return error ? std::string() : made.string();
}

std::vector<std::string> new_files(const std::string& work_folder) {
  std::vector<std::string> found;
  std::error_code error;
  // Links are not followed.
  for (fs::recursive_directory_iterator it(work_folder, error), end; !error && it != end;
       it.increment(error))
    if (it->is_regular_file(error) && !it->is_symlink(error))
      found.push_back(it->path().lexically_relative(work_folder).string());
  std::sort(found.begin(), found.end());
  return found;
}

void make_way(const std::string& path, const std::string& work_folder) {
  std::error_code error;
  if (work_folder.empty()) return;
  const fs::path file = fs::absolute(path, error).lexically_normal(), parent = file.parent_path(),
                 own = fs::canonical(work_folder, error);
  // A folder that only leads elsewhere becomes one here, with what is in it.
  if (!error && fs::is_symlink(parent, error) &&
      is_below(fs::canonical(parent.parent_path(), error), own)) {
    const fs::path real = fs::canonical(parent, error);
    if (error || !fs::is_directory(real, error)) return;
    fs::remove(parent, error);
    fs::create_directory(parent, error);
    link_all(real, parent, {});
  }
  if (!fs::is_symlink(file, error)) return;
  const fs::path folder = fs::canonical(parent, error);
  if (!error && is_below(folder, own)) fs::remove(file, error);
}

}  // namespace lanescope::app

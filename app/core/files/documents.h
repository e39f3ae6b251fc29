// Which text on disk the settings are about: its name, whether it has been edited since, what was
// opened before, how a foreign file was launched. Bundled kernels are never written.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/kernel/catalog.h"

namespace lanescope::app {

/// Where the program keeps things between runs; "" keeps nothing there.
struct UserFolders {
  /// Recent files, launches
  std::string settings;
  /// Texts to be recovered
  std::string state;
};

struct DocumentStatus {
  /// For people: "03_shared_tile", "mine.cu", "untitled.cu"
  std::string name;
  /// Where it is saved; "" if nowhere
  std::string path;
  /// Comes with the program, unedited or not
  bool bundled = false;
  /// Differs from what it was opened as
  bool edited = false;
  /// Would be lost
  bool unsaved = false;
  /// Has no file of its own: SaveFile must ask where to
  bool untitled = false;
};

class Documents {
 public:
  Documents(const Catalog& catalog, UserFolders folders);

  [[nodiscard]] DocumentStatus status(const Settings& settings) const;

  /// A bundled kernel or a file, with its remembered launch. A file that opens goes to the top of
  /// the recent ones.
  OpenResult open(const std::string& name_or_path);
  /// Takes in settings that came some other way (command line, session file).
  void adopt(const Settings& settings);
  /// Whether it has been read already, so that an edit of its text can be seen.
  [[nodiscard]] bool knows(const std::string& file) const { return known_.contains(file); }
  /// A new text that has no file yet; it is called NAME.cu, or NAME-2.cu and so on.
  Settings untitled(const std::string& text, const std::string& name = "untitled");

  /// Saves the text there and makes `settings` be about that file. Returns what went wrong, or "".
  Message save(Settings& settings, const std::string& path);
  /// The text as it is on disk now, if it is another than what was read or written last.
  [[nodiscard]] std::optional<std::string> changed_on_disk(const Settings& settings) const;
  /// Accepts what is on disk as what the text is compared with.
  void accept_disk(const std::string& file, const std::string& text);

  [[nodiscard]] const std::vector<std::string>& recent() const { return recent_; }
  /// Keeps the launch of a foreign file for the next time.
  void remember_launch(const Settings& settings);
  [[nodiscard]] bool has_launch(const Settings& settings) const;
  /// Why something could not be remembered, or ""; said once.
  Message take_warning();
  /// The text lies in a file of another kind, such as a session: nothing would be lost.
  void kept(const std::string& text);

 private:
  void add_recent(const std::string& path);
  void write_settings(const std::string& name, const std::string& text);
  void recall_launch(Settings& settings) const;

  const Catalog& catalog_;
  UserFolders folders_;
  /// File → its text on disk, or as it began
  std::map<std::string, std::string> known_;
  /// Files that do not exist
  std::set<std::string> untitled_;
  /// Hashes of texts that are in some file
  std::set<std::size_t> saved_;
  std::vector<std::string> recent_;
  /// By absolute path; texts left out
  std::map<std::string, Settings> launches_;
  Message warning_;
  bool warned_ = false;
};

}  // namespace lanescope::app

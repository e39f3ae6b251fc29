// What the window itself adds to files: its look in a session, its title, views drawn into files.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/files/files.h"
#include "views/window/workspace.h"

namespace lanescope::app {

/// Layout and look, as ImGui writes them.
Files::Look look_of(Workspace& workspace);
/// "03_shared_tile (edited copy) – Lanescope"
std::string window_title_of(const DocumentStatus& document);

/// Views drawn into files: by this program's own `render` command, in a process of its own, from a
/// session that is just what the window shows. The window goes on meanwhile.
class Exporter {
 public:
  explicit Exporter(std::function<void()> wake) : wake_(std::move(wake)) {}
  ~Exporter();
  Exporter(const Exporter&) = delete;
  Exporter& operator=(const Exporter&) = delete;

  /// Starts what was asked for and tells what is done. True if something is new.
  bool update(const Session& session, Files& files);

 private:
  struct Done {
    std::string path, wrong;
  };
  void render(ExportView request, const SessionFile& session);

  std::function<void()> wake_;
  std::mutex mutex_;
  std::vector<Done> done_;
  std::vector<std::jthread> running_;
};

}  // namespace lanescope::app

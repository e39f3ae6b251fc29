// What the window itself adds to files: its look in a session, its title, views drawn into files.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/files/files.h"
#include "core/tasks/latest.h"
#include "views/window/workspace.h"

namespace lanescope::app {

/// Layout and look, as ImGui writes them.
Files::Look look_of(Workspace& workspace);
/// "03_shared_tile (edited copy) – Lanescope"
std::string window_title_of(const DocumentStatus& document);

/// Views drawn into files: by this program's own `render` command, in a process of its own, from a
/// session that is just what the window shows; one after the other. The window goes on meanwhile.
class Exporter {
 public:
  explicit Exporter(std::function<void()> wake);
  /// Waits for what is being drawn.
  ~Exporter() { drawer_.wait(); }
  Exporter(const Exporter&) = delete;
  Exporter& operator=(const Exporter&) = delete;

  /// Starts what was asked for and tells what is done. True if something is new.
  bool update(const Session& session, Files& files);

 private:
  struct Drawing {
    ExportView request;
    /// The session as it was, to be drawn from; removed afterwards
    std::string file;
    /// Why there is none
    Message wrong;
  };
  struct Done {
    std::string path;
    /// Empty if it was written
    Message wrong;
  };
  using Drawings = std::vector<Drawing>;

  Drawing prepared(const ExportView& request, const SessionFile& session);

  /// Names the next session's file
  std::size_t drawings_ = 0;
  /// Of those drawn, the ones that were told of
  std::size_t told_ = 0;
  /// Gives all that were drawn so far
  Latest<Drawings, std::vector<Done>> drawer_;
};

}  // namespace lanescope::app

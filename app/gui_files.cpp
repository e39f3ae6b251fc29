#include "gui_files.h"

#include <fmt/format.h>
#include <imgui.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/export/export.h"
#include "core/tasks/process.h"
#include "core/text/messages.h"
#include "core/text/text_file.h"
#include "views/draw/tr.h"

namespace lanescope::app {

namespace {

constexpr int kArranged = 4;  // frames after which no tab is brought to the front unasked

// Runs a program and gives what it said on stderr if it failed; "" if it did not.
Message run_program(const std::vector<std::string>& words) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return say::no_process;
  const pid_t child = start({words, {{pipe[1], STDERR_FILENO}}});
  ::close(pipe[1]);
  std::string said;
  std::array<char, 4096> part{};
  for (ssize_t count = 0; child > 0 && (count = ::read(pipe[0], part.data(), part.size())) > 0;)
    said.append(part.data(), static_cast<std::size_t>(count));
  ::close(pipe[0]);
  if (child < 0) return say::no_process;
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return said.empty() ? Message(say::picture_not_drawn) : Message::verbatim(said);
}

// Gives what went wrong.
Message draw(const ExportView& request, const std::string& session_file) {
  const bool svg = request.path.ends_with(".svg");
  const float scale = svg ? 1.0f : request.scale;
  const auto size = [&](float pixels) { return std::to_string(static_cast<int>(pixels * scale)); };
  std::vector<std::string> words = {own_path(),           "render",   session_file, "--view",
                                    request.view,         "--out",    request.path, "--width",
                                    size(1280),           "--height", size(800),    "--scale",
                                    std::to_string(scale)};
  if (request.slide) words.insert(words.end(), {"--theme", "light"});
  return run_program(words);
}

bool is_table(const std::string& path) { return path.ends_with(".csv") || path.ends_with(".html"); }

Message write_table(const ExportView& request, const Session& session) {
  const PicturePtr picture = session.picture();
  if (!picture) return say::nothing_to_export;
  const View* view = find_view(request.view);
  const std::string text = request.path.ends_with(".csv")
                               ? csv_of(view ? view->table : ExportTable::accesses, *picture,
                                        session.selection(), session.timing().get())
                               : html_report(*picture, session.diagnostics());
  return write_text_file(request.path, text);
}

}  // namespace

Files::Look look_of(Workspace& workspace) {
  return {.get = [&workspace] { return ImGui::SaveIniSettingsToMemory() + moment_text(workspace); },
          .set =
              [&workspace](const std::string& look) {
                workspace.closed.clear();  // only closed ones are written
                workspace.layouts = {};
                ImGui::LoadIniSettingsFromMemory(look.data(), look.size());
                workspace.styled = false;
                workspace.frames = std::max(workspace.frames, kArranged);
              }};
}

std::string window_title_of(const DocumentStatus& document) {
  std::string title = document.name;
  if (document.bundled && document.edited) title += std::string(" (") + tr("edited copy") + ")";
  if (document.unsaved) title = "● " + title;
  return title.empty() ? "Lanescope" : title + " – Lanescope";
}

Exporter::Exporter(std::function<void()> wake)
    : drawer_(
          [done = std::vector<Done>()](const Drawings& drawings, const auto& turn) mutable {
            for (const Drawing& drawing : drawings) {
              done.push_back({drawing.request.path, drawing.wrong.empty()
                                                        ? draw(drawing.request, drawing.file)
                                                        : drawing.wrong});
              ::unlink(drawing.file.c_str());
              turn.publish(done);
            }
            return std::nullopt;
          },
          std::move(wake)) {}

Exporter::Drawing Exporter::prepared(const ExportView& request, const SessionFile& session) {
  const std::string file =
      (std::filesystem::temp_directory_path() /
       fmt::format("lanescope-export-{}-{}{}", ::getpid(), drawings_++, kSessionSuffix))
          .string();
  return {request, file, write_text_file(file, session_text(session), false)};
}

bool Exporter::update(const Session& session, Files& files) {
  const auto tell = [&](const std::string& path, const Message& wrong) {
    wrong.empty() ? files.tell(FileNotice::Kind::exported, path)
                  : files.tell(FileNotice::Kind::failed, wrong);
  };
  bool told = false;
  if (auto request = files.take_export()) {
    if (is_table(request->path)) {
      tell(request->path, write_table(*request, session));
      told = true;
    } else {
      drawer_.add({prepared(*request, files.as_session())}, [](Drawings& waiting, Drawings&& more) {
        waiting.insert(waiting.end(), more.begin(), more.end());
      });
    }
  }
  const auto done = drawer_.take();
  if (!done) return told;
  for (; told_ < done->size(); ++told_) tell((*done)[told_].path, (*done)[told_].wrong);
  return true;
}

}  // namespace lanescope::app

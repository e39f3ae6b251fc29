// For tests: a window with a settings file, driven by keys and clicks.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "core/kernel/small_launch.h"
#include "imgui_internal.h"
#include "platform/gui_test.h"
#include "views/command/commands.h"
#include "views/draw/tr.h"
#include "views/frame/frame.h"

namespace lanescope::app {

inline const std::string kSource = LANESCOPE_SOURCE_DIR;

inline ImGuiWindow* view_window(const std::string& id) {
  return ImGui::FindWindowByName(("###" + id).c_str());
}

inline bool is_shown(const std::string& id) {
  const ImGuiWindow* window = view_window(id);
  return window && window->WasActive;
}

/// A program with a settings file: made, used, ended, made again.
class ComfortTest : public testing::Test {
 protected:
  void SetUp() override {
    file = testing::TempDir() + "lanescope_comfort_" + std::to_string(::getpid()) + ".ini";
    std::filesystem::remove(file);
  }
  void start(bool tour = false, int width = 1280, int height = 800) {
    gui = std::make_unique<GuiTest>(
        SurfaceOptions{.width = width, .height = height, .layout_file = file});
    if (!gui->error().empty()) GTEST_SKIP() << gui->error();
    workspace = std::make_unique<Workspace>();
    workspace->tour.allowed = tour;
    workspace->translations = kSource + "/assets/translations";
    remember_workspace(*workspace);
    session = std::make_unique<Session>(load_catalog(kSource + "/kernels"));
    session->apply(*small_launch(session->catalog(), "transpose/04_shared_tile_padded"));
    session->wait(true);
    frame = std::make_unique<Frame>(Frame{*session, *workspace, gui->fonts()});
    gui->on_draw([this] { frame->draw(); });
    gui->frames(12);
  }
  void end() {
    if (!gui) return;
    gui->on_draw({});
    stop_remembering();
    workspace.reset();
    frame.reset();
    session.reset();
    gui.reset();
    set_language("en", "");
  }
  void restart(bool tour = false) {
    end();
    start(tour);
  }
  void TearDown() override {
    end();
    std::filesystem::remove(file);
  }
  void run(const char* command, const std::function<void()>& check = {}) {
    const Command* found = find_command(command);
    ASSERT_NE(found, nullptr) << command;
    gui->run([&](ImGuiTestContext& test) {
      if (!found->keys.empty()) {
        test.KeyPress(found->keys.front());
      } else {
        palette(test, found->title);
      }
      test.Yield(6);
      if (check) check();
    });
    workspace->styled = false;  // the test engine has put its style back
    gui->frames(8);
  }
  void palette(ImGuiTestContext& test, const char* query) {
    test.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    test.Yield(3);
    IM_CHECK(workspace->palette.open);
    test.KeyCharsReplace(query);
    test.Yield(2);
    test.KeyPress(ImGuiKey_Enter);
    test.Yield(3);
  }

  std::string file;
  std::unique_ptr<GuiTest> gui;
  std::unique_ptr<Workspace> workspace;
  std::unique_ptr<Session> session;
  std::unique_ptr<Frame> frame;
};

}  // namespace lanescope::app

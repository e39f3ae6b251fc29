// For tests: a kernel in a window, or in one view alone, driven through the test engine.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/kernel/small_launch.h"
#include "platform/gui_test.h"
#include "views/frame/frame.h"

namespace lanescope::app {

class ViewTest : public testing::Test {
 protected:
  using Values = std::map<std::string, std::string>;

  /// `only` is a view's id, or "" for the whole window. `change` may do more to the settings than
  /// the parameters say. Skips the test where nothing can be drawn.
  void open_view(const std::string& only, ImVec2 size, const std::string& kernel,
                 const Values& parameters, const std::function<void(Settings&)>& change = {}) {
    gui = std::make_unique<GuiTest>(
        SurfaceOptions{.width = static_cast<int>(size.x), .height = static_cast<int>(size.y)});
    if (!gui->error().empty()) GTEST_SKIP() << gui->error();
    workspace = std::make_unique<Workspace>();
    workspace->only = only;
    session = std::make_unique<Session>(load_catalog(LANESCOPE_SOURCE_DIR "/kernels"));
    std::optional<Settings> settings = small_launch(session->catalog(), kernel);
    ASSERT_TRUE(settings.has_value()) << kernel;
    settings->parameters.insert(parameters.begin(), parameters.end());
    if (change) change(*settings);
    session->apply(*settings);
    session->wait(true);
    ASSERT_NE(session->picture(), nullptr);
    frame = std::make_unique<Frame>(Frame{*session, *workspace, gui->fonts()});
    gui->on_draw([this] { frame->draw(); });
    settle();
  }
  /// Draws until what the view asks for has been found out.
  void settle() {
    gui->frames(8);
    session->wait(true);
    gui->frames(8);
  }
  void TearDown() override {
    if (gui) gui->on_draw({});
    workspace.reset();  // textures go before the surface does
  }

  std::unique_ptr<GuiTest> gui;
  std::unique_ptr<Session> session;
  std::unique_ptr<Workspace> workspace;
  std::unique_ptr<Frame> frame;
};

}  // namespace lanescope::app

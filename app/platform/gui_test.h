// For tests only: drives the GUI through the ImGui test engine on a headless surface.
//
//   GuiTest gui({.width = 1280, .height = 800}, [&] { draw_everything(); });
//   ASSERT_EQ(gui.error(), "");
//   gui.run([](ImGuiTestContext& test) { test.ItemClick("//Parameters/Run"); });
//   EXPECT_EQ(gui.picture().width, 1280);
//
// A script runs on its own thread, in turns with the drawing thread: it may read and change what
// the drawing reads, between two of its own actions, without locks.
#pragma once

#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_te_context.h>
#include <imgui_te_engine.h>

#include <functional>
#include <string>
#include <utility>

#include "platform/fonts.h"
#include "platform/headless.h"
#include "platform/paths.h"

namespace lanescope::app {

class GuiTest {
 public:
  using Script = std::function<void(ImGuiTestContext&)>;

  /// `draw` makes the ImGui calls of one frame; it may be empty here and be given by on_draw()
  /// later.
  explicit GuiTest(const SurfaceOptions& options, std::function<void()> draw = {})
      : draw_(std::move(draw)) {
    SurfaceResult opened = open_headless(options);
    surface_ = std::move(opened.surface);
    error_ = std::move(opened.error);
    if (!surface_) return;
    fonts_ = load_fonts(data_folder("fonts"));
    ImGui::GetStyle().FontSizeBase = 16.0f;
    engine_ = ImGuiTestEngine_CreateContext();
    ImGuiTestEngineIO& io = ImGuiTestEngine_GetIO(engine_);
    io.ConfigSavedSettings = false;
    io.ConfigRestoreFocusAfterTests = false;
    io.ConfigMouseDrawCursor = false;
    io.ConfigNoThrottle = true;
    io.ConfigLogToTTY = true;
    io.ConfigVerboseLevel = ImGuiTestVerboseLevel_Error;
    io.ConfigVerboseLevelOnError = ImGuiTestVerboseLevel_Info;
    ImGuiTestEngine_Start(engine_, ImGui::GetCurrentContext());
  }
  ~GuiTest() {
    if (!engine_) return;
    ImGuiTestEngine_Stop(engine_);
    surface_.reset();  // the engine has to outlive ImGui's context
    ImGuiTestEngine_DestroyContext(engine_);
  }
  GuiTest(const GuiTest&) = delete;
  GuiTest& operator=(const GuiTest&) = delete;

  /// Why there is nothing to draw on, or "".
  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] Surface& surface() { return *surface_; }
  [[nodiscard]] const Fonts& fonts() const { return fonts_; }
  void on_draw(std::function<void()> draw) { draw_ = std::move(draw); }

  /// Draws `count` frames without input.
  void frames(int count) {
    for (int i = 0; i < count; ++i) frame(nullptr);
  }

  /// Draws one more frame and returns it.
  [[nodiscard]] Image picture() {
    Image image;
    frame(&image);
    return image;
  }

  /// Runs a script to its end; a failed IM_CHECK or an item that is not found fails the GoogleTest.
  void run(Script script) {
    ImGuiTest* test = IM_REGISTER_TEST(engine_, "gui", "script");
    test->UserData = &script;
    test->TestFunc = [](ImGuiTestContext* context) {
      (*static_cast<Script*>(context->Test->UserData))(*context);
    };
    ImGuiTestEngine_QueueTest(engine_, test, ImGuiTestRunFlags_None);
    while (!ImGuiTestEngine_IsTestQueueEmpty(engine_)) frame(nullptr);
    EXPECT_EQ(test->Output.Status, ImGuiTestStatus_Success)
        << "the script failed: see its log above";
    ImGuiTestEngine_UnregisterTest(engine_, test);
  }

 private:
  void frame(Image* capture) {
    surface_->begin_frame();
    if (draw_) draw_();
    surface_->end_frame(capture);
    ImGuiTestEngine_PostSwap(engine_);
  }

  std::unique_ptr<Surface> surface_;
  std::string error_;
  std::function<void()> draw_;
  Fonts fonts_;
  ImGuiTestEngine* engine_ = nullptr;
};

}  // namespace lanescope::app

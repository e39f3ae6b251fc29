// Files through the window: menus, dialogs and the questions that are asked before a text is lost.
#include "views/files/file_dialogs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/text/text_file.h"
#include "imgui_internal.h"
#include "platform/gui_test.h"
#include "views/frame/frame.h"
#include "views/source/source_view.h"

namespace lanescope::app {
namespace {

namespace fs = std::filesystem;
using Asked = FilesStatus::Question;

const std::string kSource = LANESCOPE_SOURCE_DIR;

class FilesViewTest : public testing::Test {
 protected:
  void SetUp() override {
    folder = testing::TempDir() + "lanescope_files_view_" + std::to_string(::getpid());
    fs::remove_all(folder);
    fs::create_directories(folder + "/sub");
    gui = std::make_unique<GuiTest>(SurfaceOptions{.width = 1280, .height = 800});
    if (!gui->error().empty()) GTEST_SKIP() << gui->error();
    session = std::make_unique<Session>(load_catalog(kSource + "/kernels"));
    files =
        std::make_unique<Files>(*session, Files::Places{{folder + "/settings", folder + "/state"},
                                                        kSource + "/assets/templates"});
    frame = std::make_unique<Frame>(Frame{*session, workspace, gui->fonts()});
    frame->files = files.get();
    session->apply(Action(SelectKernel{"transpose/03_shared_tile"}));
    session->wait(true);
    gui->on_draw([this] { frame->draw(); });
    gui->frames(12);
  }
  void TearDown() override {
    if (gui) gui->on_draw({});
    files.reset();
    fs::remove_all(folder);
  }
  void type(ImGuiTestContext& test, const char* text) {
    ImGui::SetWindowFocus("###source");
    state_of<SourceState>(workspace).editor.SetFocus();
    test.Yield(3);
    test.KeyChars(text);
  }

  std::string folder;
  std::unique_ptr<GuiTest> gui;
  Workspace workspace;
  std::unique_ptr<Session> session;
  std::unique_ptr<Files> files;
  std::unique_ptr<Frame> frame;
};

TEST_F(FilesViewTest, WhatIsStillBeingTypedIsSaved) {
  gui->run([&](ImGuiTestContext& test) {
    type(test, "//typed");
    test.KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);  // long before the text is taken over by itself
    test.Yield(4);
    IM_CHECK_EQ(static_cast<int>(workspace.files.dialog), static_cast<int>(FileDialog::save_as));
    test.KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    test.KeyCharsReplace((folder + "/mine.cu").c_str());
    test.KeyPress(ImGuiKey_Enter);
    test.Yield(4);
    IM_CHECK_EQ(workspace.files.status->document.name, std::string("mine.cu"));
    IM_CHECK(!workspace.files.status->document.unsaved);
  });
  EXPECT_THAT(read_text_file(folder + "/mine.cu").text, testing::HasSubstr("//typed"));
}

TEST_F(FilesViewTest, ADialogOpensWithCompletion) {
  std::ofstream(folder + "/sub/lonely.cu") << session->settings().text << "// lonely\n";
  gui->run([&](ImGuiTestContext& test) {
    test.MenuClick("//##MainMenuBar/###file menu/###file.open");
    test.Yield(4);
    test.KeyCharsReplace((folder + "/su").c_str());
    test.Yield(4);
    test.KeyPress(ImGuiKey_Tab);  // sub/
    test.Yield(4);
    test.KeyChars("lo");
    test.KeyPress(ImGuiKey_Tab);
    test.Yield(2);
    IM_CHECK_EQ(workspace.files.path, folder + "/sub/lonely.cu");
    test.KeyPress(ImGuiKey_Enter);
    test.Yield(4);
    IM_CHECK_EQ(session->settings().file, folder + "/sub/lonely.cu");
    IM_CHECK_EQ(workspace.files.status->recent.size(), 1u);
  });
}

TEST_F(FilesViewTest, AnotherKernelAsksWhatBecomesOfTheText) {
  gui->run([&](ImGuiTestContext& test) {
    const auto choose_copy = [&] {
      test.MenuClick("//##MainMenuBar/###kernel menu/###copy/###copy\\/01_copy");
      test.Yield(4);
    };
    type(test, "//typed");
    choose_copy();
    IM_CHECK_EQ(static_cast<int>(workspace.files.status->question),
                static_cast<int>(Asked::unsaved));
    test.ItemClick("//###question/Cancel");
    test.Yield(2);
    IM_CHECK_NE(session->settings().name, std::string("copy/01_copy"));
    choose_copy();
    test.ItemClick("//###question/Discard");
    test.Yield(4);
    IM_CHECK_EQ(session->settings().name, std::string("copy/01_copy"));
    IM_CHECK_EQ(static_cast<int>(workspace.files.status->question), static_cast<int>(Asked::none));
  });
}

TEST_F(FilesViewTest, QuitAsksToo) {
  gui->run([&](ImGuiTestContext& test) {
    type(test, "//typed");
    test.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Q);
    test.Yield(4);
    IM_CHECK(!workspace.quit);
    IM_CHECK_EQ(static_cast<int>(workspace.files.status->question),
                static_cast<int>(Asked::unsaved));
    test.KeyPress(ImGuiKey_Escape);
    test.Yield(4);
    IM_CHECK(!workspace.quit);
    test.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Q);
    test.Yield(4);
    test.ItemClick("//###question/Discard");
    test.Yield(4);
    IM_CHECK(workspace.quit);
  });
}

TEST_F(FilesViewTest, AForeignFilesLaunchIsEditedInAForm) {
  std::ofstream(folder + "/f.cu")
      << "__global__ void k(float* a, int n) {\n  int i = threadIdx.x;\n"
         "  if (i < n) a[i] = i;\n}\n";
  frame->pending.push_back(FileAction(OpenFile{folder + "/f.cu"}));
  gui->run([&](ImGuiTestContext& test) {
    const auto settle = [&] {
      test.Yield(2);
      session->wait(true);
      test.Yield(3);
    };
    settle();
    settle();
    IM_CHECK_EQ(session->picture()->prepared->settings.file, folder + "/f.cu");
    test.ItemInputValue("//###parameters/launch/block/##x", 64);
    settle();
    IM_CHECK_EQ(session->picture()->prepared->launch.block.x, 64u);
    IM_CHECK_EQ(session->settings().arguments.at("a"), std::string("auto"));
    test.ItemInputValue("//###parameters/launch/a/##text", "float[64]:zero");
    settle();
    test.ItemInputValue("//###parameters/launch/a/##count", 100);
    settle();
    IM_CHECK_EQ(session->settings().arguments.at("a"), std::string("float[100]:zero"));
    test.ItemInputValue("//###parameters/launch/n/##value", "33");
    settle();
    IM_CHECK_EQ(session->picture()->prepared->launch.arguments[1].scalar, std::string("33"));
    test.ItemClick("//###parameters/launch/a/##fill");
    test.Yield(2);
    test.ItemClick("//$FOCUSED/poison");
    settle();
    IM_CHECK_EQ(session->settings().arguments.at("a"), std::string("float[100]:poison"));
    test.ItemInputValue("//###parameters/launch/##flags", "-O3");
    settle();
    IM_CHECK(session->settings().compile.macros.empty());
    test.ItemInputValue("//###parameters/launch/##flags", "-D N=64");
    settle();
    IM_CHECK_EQ(session->settings().compile.macros.at("N"), std::string("64"));
  });
}

TEST_F(FilesViewTest, AnotherBlockThanTheFrontMatters) {
  gui->run([&](ImGuiTestContext& test) {
    test.ItemOpen("//###parameters/override/###fold");
    test.ItemInputValue("//###parameters/override/grid/##y", 2);
    test.Yield(2);
    session->wait();
    test.Yield(2);
    IM_CHECK_EQ(session->picture()->prepared->launch.grid.y, 2u);
    test.ItemClick("//###parameters/override/As the text says");
    test.Yield(2);
    session->wait();
    test.Yield(2);
    IM_CHECK_EQ(session->picture()->prepared->launch.grid.y, 32u);
  });
}

TEST_F(FilesViewTest, HoveringANameTellsItsValueInEveryLane) {
  session->apply(Action(SetInspectedBlock{{0, 0, 0}}));
  session->wait(true);
  gui->frames(4);
  session->apply(Action(SelectStep{session->picture()->trace()->warps[0].size() - 1}));
  gui->frames(4);
  gui->run([&](ImGuiTestContext& test) {
    TextEditor& editor = state_of<SourceState>(workspace).editor;
    const ImGuiWindow* text = test.WindowInfo("//###source/text").Window;
    IM_CHECK(text != nullptr);
    std::size_t row = 0;
    while (row < editor.GetLineCount() && !editor.GetLineText(row).starts_with("  int ti = "))
      ++row;
    const auto point = [&](std::size_t column) {
      test.ScrollToX(text->ID, 0);
      test.MouseMoveToPos({text->InnerRect.Min.x - text->Scroll.x +
                               editor.GetGlyphWidth() * (14.5f + static_cast<float>(column)),
                           text->InnerRect.Min.y - text->Scroll.y +
                               editor.GetLineHeight() * (static_cast<float>(row) + 0.5f)});
      test.SleepNoSkip(0.5f, 0.05f);
    };
    point(6);  // "  int ti"
    IM_CHECK(state_of<SourceState>(workspace).hover.shown);
    IM_CHECK_EQ(state_of<SourceState>(workspace).hover.values->expression, std::string("ti"));
    IM_CHECK_EQ(state_of<SourceState>(workspace).hover.values->summary,
                std::string("0, 1, 2 … 31"));
    point(0);
    IM_CHECK(!state_of<SourceState>(workspace).hover.shown);
  });
}

TEST_F(FilesViewTest, AFailureStaysInSight) {
  frame->pending.push_back(FileAction(OpenFile{folder + "/none.cu"}));
  gui->frames(4);
  gui->run([&](ImGuiTestContext& test) {
    IM_CHECK(test.ItemExists("//###failure/Understood"));
    test.ItemClick("//###failure/Understood");
    test.Yield(2);
    IM_CHECK(!test.ItemExists("//###failure/Understood"));
  });
}

}  // namespace
}  // namespace lanescope::app

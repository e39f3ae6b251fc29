// The whole window, driven through the ImGui test engine: what is clicked, typed, dragged and
// hovered.
#include "views/window/workspace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/run/totals.h"
#include "imgui_internal.h"
#include "views/frame/view_test.h"
#include "views/map/index_map.h"
#include "views/source/source_view.h"

namespace lanescope::app {
namespace {

const std::string kKernels = std::string(LANESCOPE_SOURCE_DIR) + "/kernels";

class WorkspaceTest : public ViewTest {
 protected:
  void open(const std::string& kernel, const Values& parameters = {}, ImVec2 size = {1280, 800}) {
    open_view("", size, kernel, parameters);
  }

  [[nodiscard]] const Selection& selection() const { return session->selection(); }
  [[nodiscard]] Totals totals() const {
    return totals_of(session->picture()->kernel(), session->picture()->inspected);
  }
  // The first access whose text begins so.
  [[nodiscard]] int access(const std::string& text, AccessOp op) const {
    for (const AccessInfo& info : session->picture()->kernel().accesses) {
      if (info.text.starts_with(text) && info.op == op) return static_cast<int>(info.id);
    }
    return -1;
  }
  void select(int index) {
    session->apply(Action(SelectAccess{index}));
    gui->frames(3);
  }
};

TEST_F(WorkspaceTest, LaneHoveredInTheBanksLightsUpEverywhere) {
  open("transpose/04_shared_tile_padded", {{"PAD", "0"}});
  select(access("tile[", AccessOp::load));
  gui->run([&](ImGuiTestContext& test) {
    test.MouseMove("//###banks/**/lane 7");
    test.Yield(2);
    for (const char* view : {"banks", "index_map", "timeline"}) {
      IM_CHECK_SILENT(workspace->lit.shows(view, 7));
      IM_CHECK_SILENT(!workspace->lit.shows(view, 6));
    }
    IM_CHECK_EQ(selection().hover_lane, 7);
    test.MouseMove("//###timeline/first/##icon");
    test.Yield(2);
    IM_CHECK_EQ(selection().hover_lane, -1);
    IM_CHECK(workspace->lit.entries.empty());
  });
}

TEST_F(WorkspaceTest, LaneHoveredInTheMaskLightsUpItsWholeChain) {
  open("transpose/04_shared_tile_padded");
  select(access("tile[", AccessOp::store));
  gui->run([&](ImGuiTestContext& test) {
    test.MouseMove("//###timeline/lane 3");
    test.Yield(2);
    IM_CHECK_SILENT(workspace->lit.shows("index_map", 3));
    // in, tile (stored), tile (loaded), out: three places, one of them lit twice.
    std::set<std::string> places;
    for (const Lit::Entry& entry : workspace->lit.entries) {
      if (entry.view == "index_map") places.insert(locate(*session->picture(), entry.address).name);
    }
    IM_CHECK_EQ(places.size(), 3u);
    IM_CHECK(places.count("in") && places.count("tile") && places.count("out"));
  });
}

TEST_F(WorkspaceTest, CellHoveredInTheMapIsTheLaneThatTouchesIt) {
  open("transpose/04_shared_tile_padded");
  select(access("tile[", AccessOp::store));
  gui->run([&](ImGuiTestContext& test) {
    const auto tile = std::find_if(state_of<IndexMapState>(*workspace).panels.begin(),
                                   state_of<IndexMapState>(*workspace).panels.end(),
                                   [](const auto& drawn) { return drawn.panel.name == "tile"; });
    IM_CHECK(tile != state_of<IndexMapState>(*workspace).panels.end());
    // Warp 0 stores row 0; its lane 2 is in column 2.
    test.MouseMoveToPos({tile->min.x + 2.5f * tile->cell, tile->min.y + 0.5f * tile->cell});
    test.Yield(3);
    IM_CHECK_EQ(selection().hover_lane, 2);
    for (const char* view : {"banks", "index_map", "timeline"})
      IM_CHECK_SILENT(workspace->lit.shows(view, 2));
    // A cell of another warp's row: its chain lights up, and no lane of this warp.
    test.MouseMoveToPos({tile->min.x + 2.5f * tile->cell, tile->min.y + 2.5f * tile->cell});
    test.Yield(3);
    IM_CHECK_EQ(selection().hover_lane, -1);
    IM_CHECK_GE(tile->window.rows, 3u);
    IM_CHECK(selection().hover_cell.has_value());
    IM_CHECK_SILENT(workspace->lit.shows("index_map", -1));
    IM_CHECK_SILENT(!workspace->lit.shows("banks", 2));
  });
}

TEST_F(WorkspaceTest, ClickPinsALaneAndEscapeLetsGo) {
  open("transpose/01_naive_row");
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick("//###timeline/lane 11");
    test.Yield(2);
    IM_CHECK_EQ(selection().lane, 11);
    test.MouseMove("//###timeline/first/##icon");
    test.Yield(2);
    IM_CHECK_SILENT(workspace->lit.shows("sectors", 11));
    test.KeyPress(ImGuiKey_Escape);
    test.Yield(2);
    IM_CHECK_EQ(selection().lane, -1);
  });
}

TEST_F(WorkspaceTest, StepsForwardAndBackByButtonAndKey) {
  open("transpose/03_shared_tile");
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick("//###timeline/first/##icon");
    test.Yield(2);
    IM_CHECK_EQ(selection().step, 0u);
    test.ItemClick("//###timeline/forward/##icon");
    test.ItemClick("//###timeline/forward/##icon");
    test.Yield(2);
    IM_CHECK_EQ(selection().step, 2u);
    test.KeyPress(ImGuiKey_LeftArrow);
    test.Yield(2);
    IM_CHECK_EQ(selection().step, 1u);
    test.KeyPress(ImGuiKey_RightArrow);
    test.Yield(2);
    IM_CHECK_EQ(selection().step, 2u);
    test.KeyPress(ImGuiKey_DownArrow);
    test.Yield(2);
    const std::size_t first_access = selection().step;
    IM_CHECK_GT(first_access, 2u);
    test.KeyPress(ImGuiKey_DownArrow);
    test.Yield(2);
    IM_CHECK_GT(selection().step, first_access);
    test.KeyPress(ImGuiKey_UpArrow);
    test.Yield(2);
    IM_CHECK_EQ(selection().step, first_access);
    test.KeyPress(ImGuiKey_End);
    test.Yield(2);
    IM_CHECK_EQ(selection().step + 1, session->picture()->trace()->warps[0].size());
    test.KeyPress(ImGuiKey_RightBracket);
    test.Yield(2);
    IM_CHECK_EQ(selection().warp, 1u);
  });
}

TEST_F(WorkspaceTest, DraggingThePaddingChangesThePicture) {
  open("transpose/04_shared_tile_padded", {{"PAD", "0"}});
  const std::uint64_t before = session->picture()->serial;
  EXPECT_EQ(totals().shared_load.wavefronts, 1024u);
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick("//###parameters/PAD/+");
    test.Yield(2);
    session->wait();
    test.Yield(2);
    IM_CHECK_EQ(session->settings().parameters.at("PAD"), "1");
    IM_CHECK_GT(session->picture()->serial, before);
    IM_CHECK_EQ(totals().shared_load.wavefronts, 32u);
    test.ItemDragWithDelta("//###parameters/PAD/##value", {30, 0});
    test.Yield(2);
    session->wait();
    IM_CHECK_NE(session->settings().parameters.at("PAD"), "1");
    test.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    test.Yield(2);
    session->wait();
    test.Yield(2);
    IM_CHECK(session->can_redo());
  });
}

TEST_F(WorkspaceTest, BadTextKeepsTheLastGoodPicture) {
  open("transpose/01_naive_row");
  const std::uint64_t before = session->picture()->serial;
  gui->run([&](ImGuiTestContext& test) {
    ImGui::SetWindowFocus("###source");
    state_of<SourceState>(*workspace).editor.SetFocus();
    state_of<SourceState>(*workspace).editor.SetCursor({0, 0});
    test.Yield(3);
    IM_CHECK(state_of<SourceState>(*workspace).focused);
    test.KeyChars("@");
    for (int i = 0; i < 60; ++i) test.Yield();
    test.SleepNoSkip(0.5f, 0.05f);
    test.Yield(2);
    session->wait();
    test.Yield(2);
    IM_CHECK(session->status().stale);
    IM_CHECK(has_errors(session->diagnostics()));
    IM_CHECK_EQ(session->picture()->serial, before);
    // Stepping still works on the last good picture, once the text lets go of the keyboard.
    test.KeyPress(ImGuiKey_Escape);
    test.Yield(2);
    IM_CHECK(!state_of<SourceState>(*workspace).focused);
    test.KeyPress(ImGuiKey_Home);
    test.Yield(2);
    IM_CHECK_EQ(selection().step, 0u);
    test.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    test.Yield(2);
    session->wait();
    test.Yield(2);
    IM_CHECK(!session->status().stale);
    IM_CHECK_EQ(state_of<SourceState>(*workspace).editor.GetText().find('@'), std::string::npos);
  });
}

TEST_F(WorkspaceTest, GutterSelectsTheAccessesOfALineInTurn) {
  open("transpose/03_shared_tile");
  const AccessInfo& load = session->picture()
                               ->kernel()
                               .accesses[static_cast<std::size_t>(access("tile[", AccessOp::load))];
  gui->run([&](ImGuiTestContext& test) {
    const std::string item = "//###source/**/line " + std::to_string(load.pos.line);
    test.ItemClick(item.c_str());
    test.Yield(2);
    const int first = selection().access;
    test.ItemClick(item.c_str());
    test.Yield(2);
    const int second = selection().access;
    IM_CHECK_NE(first, second);
    const auto line_of = [&](int index) {
      return session->picture()->kernel().accesses[static_cast<std::size_t>(index)].pos.line;
    };
    IM_CHECK_EQ(line_of(first), load.pos.line);
    IM_CHECK_EQ(line_of(second), load.pos.line);
  });
}

TEST_F(WorkspaceTest, ClickInTheTextSelectsTheAccessUnderIt) {
  open("transpose/03_shared_tile");
  const int store = access("tile[", AccessOp::store), load = access("in[", AccessOp::load);
  ASSERT_GE(store, 0);
  ASSERT_GE(load, 0);
  select(store);
  const SourcePos pos = session->picture()->kernel().accesses[static_cast<std::size_t>(load)].pos;
  gui->run([&](ImGuiTestContext& test) {
    const TextEditor& editor = state_of<SourceState>(*workspace).editor;
    const ImGuiWindow* text = test.WindowInfo("//###source/text").Window;
    IM_CHECK(text != nullptr);
    // The gutter takes 13 glyphs and the margin one; a long line is scrolled so that the access
    // comes in sight.
    const float column = editor.GetGlyphWidth() * (14.5f + static_cast<float>(pos.column - 1));
    test.ScrollToX(text->ID, column - 200);
    test.Yield(2);
    test.MouseMoveToPos(
        {text->InnerRect.Min.x + column - text->Scroll.x,
         text->InnerRect.Min.y - text->Scroll.y +
             editor.GetLineHeight() *
                 (static_cast<float>(state_of<SourceState>(*workspace).row(pos.line)) + 0.5f)});
    test.MouseClick();
    test.Yield(3);
    IM_CHECK_EQ(selection().access, load);
    IM_CHECK(state_of<SourceState>(*workspace).focused);
  });
}

TEST_F(WorkspaceTest, TrackClickSelectsWarpAndStep) {
  open("transpose/03_shared_tile");
  gui->run([&](ImGuiTestContext& test) {
    const ImRect box = test.ItemInfo("//###timeline/**/tracks").RectFull;
    test.MouseMoveToPos(
        {box.Min.x + box.GetWidth() * 0.75f, box.Min.y + box.GetHeight() * (4.5f / 32)});
    test.MouseClick();
    test.Yield(2);
    IM_CHECK_EQ(selection().warp, 4u);
    const std::size_t steps = session->picture()->trace()->warps[4].size();
    IM_CHECK_GT(selection().step, steps / 2);
  });
}

TEST_F(WorkspaceTest, ParameterOfAnotherKernelThroughTheMenu) {
  open("transpose/01_naive_row");
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick("//###parameters/##kernel");
    test.Yield(2);
    test.KeyChars("tile_padded");  // the search has the keys
    test.Yield(2);
    test.KeyPress(ImGuiKey_Enter);
    test.Yield(2);
    session->wait();
    test.Yield(2);
    IM_CHECK_EQ(session->picture()->prepared->settings.name, "transpose/04_shared_tile_padded");
  });
}

// Alone in the window each kernel has a third of the views, its neighbours the others.
TEST_F(WorkspaceTest, EveryKernelAndEveryViewIsDrawn) {
  open("copy/01_copy");
  std::size_t turn = 0;
  for (const CatalogEntry& entry : session->catalog().entries) {
    if (entry.family == "broken") continue;
    session->apply(Action(SelectKernel{entry.name}));
    session->wait();
    for (std::size_t i = turn++ % 3; i < views().size(); i += 3) {
      workspace->only = views()[i].id;
      gui->frames(2);
    }
    workspace->only.clear();
    gui->frames(3);
    ASSERT_NE(session->picture(), nullptr);
    EXPECT_EQ(session->picture()->prepared->settings.name, entry.name);
    EXPECT_FALSE(state_of<IndexMapState>(*workspace).panels.empty()) << entry.name;
  }
}

TEST_F(WorkspaceTest, LayoutCanBeResetAndViewsClosed) {
  open("transpose/01_naive_row");
  workspace->set_open("banks", false);
  gui->frames(3);
  EXPECT_FALSE(ImGui::FindWindowByName("###banks")->Active);
  workspace->reset_layout = true;
  gui->frames(6);
  EXPECT_TRUE(workspace->is_open("banks"));
  EXPECT_TRUE(ImGui::FindWindowByName("###banks")->WasActive ||
              ImGui::FindWindowByName("###banks")->DockIsActive);
}

TEST(WorkspaceSettings, LookAndLayoutAreRemembered) {
  const std::string file = testing::TempDir() + "lanescope_layout_test.ini";
  std::filesystem::remove(file);
  {
    GuiTest gui({.width = 640, .height = 480, .layout_file = file});
    if (!gui.error().empty()) GTEST_SKIP() << gui.error();
    Workspace workspace;
    remember_workspace(workspace);
    Session session(load_catalog(kKernels));
    Frame frame{session, workspace, gui.fonts()};
    gui.on_draw([&] { frame.draw(); });
    gui.frames(4);
    workspace.theme_id = ThemeId::high_contrast;
    workspace.zoom = 1.5f;
    workspace.set_open("lanes", false);
    gui.on_draw({});
    stop_remembering();
  }
  GuiTest gui({.width = 640, .height = 480, .layout_file = file});
  Workspace workspace;
  remember_workspace(workspace);
  Session session(load_catalog(kKernels));
  Frame frame{session, workspace, gui.fonts()};
  gui.on_draw([&] { frame.draw(); });
  gui.frames(4);
  EXPECT_EQ(workspace.theme_id, ThemeId::high_contrast);
  EXPECT_FLOAT_EQ(workspace.zoom, 1.5f);
  EXPECT_FALSE(workspace.is_open("lanes"));
  EXPECT_TRUE(workspace.is_open("sectors"));
  gui.on_draw({});
  stop_remembering();
}

}  // namespace
}  // namespace lanescope::app

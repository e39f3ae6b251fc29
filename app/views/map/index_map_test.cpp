// The index map's zoom, stages and words, driven through the window.
#include "views/map/index_map.h"

#include <gtest/gtest.h>

#include "platform/png.h"
#include "views/frame/view_test.h"

namespace lanescope::app {
namespace {

TEST(MapCamera, WhatIsUnderThePointerStaysThere) {
  const MapCamera before{10, 20, 8};
  const MapCamera after = zoomed(before, 0.25, 100, 60);
  EXPECT_DOUBLE_EQ(after.cell, 2);
  EXPECT_DOUBLE_EQ(before.col + 100 / before.cell, after.col + 100 / after.cell);
  EXPECT_DOUBLE_EQ(before.row + 60 / before.cell, after.row + 60 / after.cell);
}

TEST(MapCamera, GoesNeitherBesideTheMatrixNorBeyondIt) {
  const MapView view{400, 300};
  MapCamera camera = held({-50, 5000, 4}, 1024, 1024, view, 40);
  EXPECT_DOUBLE_EQ(camera.row, 0);
  EXPECT_DOUBLE_EQ(camera.col, 1024 - 100);
  camera = held({0, 0, 0.001}, 1024, 1024, view, 40);
  EXPECT_DOUBLE_EQ(camera.cell, 300.0 / 1024);
  EXPECT_EQ(seen(camera, 1024, 1024, view), (CellWindow{0, 1024, 0, 1024}));
  EXPECT_LE(held({0, 0, 900}, 1024, 1024, view, 40).cell, 40);
  const CellWindow window = seen({3.5, 7.25, 10}, 1024, 1024, view);
  EXPECT_EQ(window, (CellWindow{3, 31, 7, 41}));
}

class IndexMapTest : public ViewTest {
 protected:
  void open(const std::string& kernel, const Values& parameters = {},
            const Values& arguments = {}) {
    open_view("index_map", {1280, 800}, kernel, parameters, [&](Settings& settings) {
      settings.arguments.insert(arguments.begin(), arguments.end());
      settings.inspected_block = {1, 0, 0};
    });
  }
  IndexMapState& map() { return state_of<IndexMapState>(*workspace); }
  IndexMapState::Drawn& panel(const std::string& name) {
    return *std::find_if(map().panels.begin(), map().panels.end(),
                         [&](const auto& drawn) { return drawn.panel.name == name; });
  }
  static ImVec2 centre(const IndexMapState::Drawn& drawn) {
    return {(drawn.min.x + drawn.max.x) / 2, (drawn.min.y + drawn.max.y) / 2};
  }
  static std::string item(const char* name) { return std::string("//###only/") + name; }
  void save(const std::string& name) {
    if (const char* folder = std::getenv("LANESCOPE_TEST_PICTURES")) {
      EXPECT_EQ(write_png(std::string(folder) + "/" + name + ".png", gui->picture()), "");
    }
  }
};

TEST_F(IndexMapTest, TheWheelGoesFromTheBlockToTheWholeMatrixAndBack) {
  open("transpose/05_remapped");
  EXPECT_EQ(panel("in").window, (CellWindow{0, 8, 32, 32}));
  gui->run([&](ImGuiTestContext& test) {
    test.MouseMoveToPos(centre(panel("in")));
    test.MouseWheelY(-2);
    test.Yield(3);
    IM_CHECK(map().zoomed);
    const std::uint64_t some = panel("in").window.rows;
    IM_CHECK_GT(some, 8u);
    IM_CHECK_GT(panel("out").window.rows, 0u);
    for (int i = 0; i < 14; ++i) {
      test.MouseMoveToPos(centre(panel("in")));
      test.MouseWheelY(-3);
      test.Yield();
    }
    IM_CHECK_EQ(panel("in").window.rows, 1024u);
    IM_CHECK_EQ(panel("in").window.cols, 1024u);
    IM_CHECK(panel("in").far);
    const MapRect box = rect_of(panel("in"), panel("in").panel.box);
    IM_CHECK(box.min.x >= panel("in").min.x && box.max.x <= panel("in").max.x);
    for (int i = 0; i < 6; ++i) {
      test.MouseMoveToPos(centre(panel("in")));
      test.MouseWheelY(3);
      test.Yield();
    }
    IM_CHECK_LT(panel("in").window.rows, 1024u);
    // Dragging moves what is seen.
    const double before = panel("in").camera.col;
    test.MouseMoveToPos(centre(panel("in")));
    test.MouseDragWithDelta({-120, 0});
    test.Yield(2);
    IM_CHECK_GT(panel("in").camera.col, before);
    test.KeyPress(ImGuiKey_0);
    test.Yield(2);
    IM_CHECK(!map().zoomed);
    IM_CHECK_EQ(panel("in").window.rows, 8u);
  });
}

TEST_F(IndexMapTest, AClickInTheWholeMatrixInspectsThatBlock) {
  open("transpose/03_shared_tile");
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick(item("###whole").c_str());
    test.Yield(2);
    const auto& out = panel("out");
    IM_CHECK(out.tiling.has_value());
    IM_CHECK(out.tiling->transposed);
    // Row 5, column 3 of out's tiles is block (5, 3).
    const MapRect tile = rect_of(out, CellWindow{5 * 32, 32, 3 * 32, 32});
    test.MouseMoveToPos(tile.centre());
    test.MouseClick();
    test.Yield(2);
    session->wait();
    test.Yield(2);
    IM_CHECK(session->picture()->trace()->block == (Dim3{5, 3, 0}));
    IM_CHECK(map().zoomed);
    IM_CHECK_EQ(panel("in").panel.box.row, 3u * 32);
    IM_CHECK_EQ(panel("out").panel.box.row, 5u * 32);
  });
  save("whole");
}

TEST_F(IndexMapTest, AHugeMatrixIsAFewShapesOnly) {
  open("transpose/04_shared_tile_padded", {}, {{"nx", "32768"}, {"ny", "32768"}});
  const auto vertices = [&] {
    gui->frames(3);
    return ImGui::GetDrawData()->TotalVtxCount;
  };
  int most = vertices();
  show_whole_map(map());
  most = std::max(most, vertices());
  EXPECT_EQ(panel("in").window.rows, 32768u);
  save("huge");
  // All the way in, about the middle.
  gui->run([&](ImGuiTestContext& test) { test.MouseMoveToPos(centre(panel("in"))); });
  for (int i = 0; i < 20; ++i) {
    gui->run([](ImGuiTestContext& test) {
      test.MouseWheelY(3);
      test.Yield();
    });
    most = std::max(most, vertices());
    ASSERT_LE(panel("in").texture->width() * panel("in").texture->height(), 250'000);
  }
  EXPECT_LT(panel("in").window.rows, 64u);
  EXPECT_LT(most, 30'000);
}

TEST_F(IndexMapTest, StagesArePlayedAndStandStillAfterwards) {
  open("transpose/05_remapped");
  EXPECT_FALSE(workspace->animating) << "a still costs nothing";
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick(item("###blocks").c_str());
    test.Yield(2);
    IM_CHECK(map().stage == MapStage::blocks);
    IM_CHECK(map().zoomed);
    IM_CHECK_EQ(map().progress, 1.0f);
  });
  save("blocks");
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick(item("play map/##icon").c_str());
    test.Yield();
    IM_CHECK(map().playing);
    IM_CHECK_LT(map().progress, 1.0f);
    const float before = map().progress;
    test.Yield(3);
    IM_CHECK_GT(map().progress, before);
    IM_CHECK(workspace->animating);
    test.ItemClick(item("play map/##icon").c_str());
    test.Yield();
    IM_CHECK(!map().playing);
    map().progress = 0.5f;
  });
  save("blocks_half");
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick(item("###in_block").c_str());
    test.Yield(2);
    IM_CHECK(!map().zoomed);
    map().progress = 0.4f;
  });
  save("in_block");
  map().playing = true;
  map().speed = 100;
  gui->frames(20);
  EXPECT_FALSE(map().playing);
  EXPECT_EQ(map().progress, 1.0f);
  gui->frames(2);
  EXPECT_FALSE(workspace->animating);
}

TEST_F(IndexMapTest, ABlockThatIsNotSquareTurns) {
  open("transpose/05_remapped");
  EXPECT_EQ(panel("in").panel.box, (CellWindow{0, 8, 32, 32}));
  EXPECT_EQ(panel("out").panel.box, (CellWindow{32, 32, 0, 8}));
  ASSERT_TRUE(panel("in").tiling && panel("out").tiling);
  EXPECT_FALSE(panel("in").tiling->transposed);
  EXPECT_TRUE(panel("out").tiling->transposed);
  EXPECT_EQ(panel("out").where, "[32–63][0–7]  32 × 8");
}

}  // namespace
}  // namespace lanescope::app

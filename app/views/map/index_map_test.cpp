// The index map's zoom, stages and words, driven through the window.
#include "views/map/index_map.h"

#include <gtest/gtest.h>

#include <set>

#include "platform/picture/png.h"
#include "views/frame/view_test.h"
#include "views/map/map_motion.h"

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

TEST(MapHeader, ATitleEndsAtWhatStandsBesideItNotBelow) {
  IndexMapState state;
  state.picture_max = {900, 500};
  const auto add = [&](ImVec2 min, ImVec2 max) {
    IndexMapState::Drawn panel;
    panel.min = min, panel.max = max, panel.cell = 8;
    state.panels.push_back(std::move(panel));
  };
  add({100, 60}, {200, 200});
  add({300, 60}, {400, 200});   // in the same row
  add({150, 300}, {280, 400});  // in the row below
  EXPECT_EQ(map_title_room(state, state.panels[0], 20), 190);
  EXPECT_EQ(map_title_room(state, state.panels[1], 20), 600);
  EXPECT_EQ(map_title_room(state, state.panels[2], 20), 750);
  add({320, 250}, {400, 450});  // higher than that: its rows' numbers stand beside the title
  EXPECT_EQ(map_title_room(state, state.panels[2], 20), 140);
}

class IndexMapTest : public ViewTest {
 protected:
  void open(const std::string& kernel, const Values& parameters = {},
            const Values& arguments = {}) {
    open_view("index_map", {1280, 800}, kernel, parameters, [&](Settings& settings) {
      for (const auto& [name, value] : arguments) settings.arguments[name] = value;
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
  // So that another one can be opened in the same test.
  void close() {
    TearDown();
    frame.reset();
    gui.reset();
  }
  static std::string item(const char* name) { return std::string("//###only/") + name; }
  void save(const std::string& name) {
    if (const char* folder = std::getenv("LANESCOPE_TEST_PICTURES")) {
      EXPECT_EQ(write_png(std::string(folder) + "/" + name + ".png", gui->picture()), "");
    }
  }
};

TEST_F(IndexMapTest, TheWheelGoesFromTheBlockToTheWholeMatrixAndBack) {
  open("transpose/05_remapped", {}, {{"nx", "1024"}, {"ny", "1024"}});
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
    show_whole_map(map());
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

// --- the journey ---

TEST_F(IndexMapTest, TheJourneyIsPlayedAndStandsStillAfterwards) {
  open("transpose/05_remapped");
  EXPECT_FALSE(workspace->animating) << "a still costs nothing";
  scrub_map(map(), 0);
  gui->frames(2);
  save("start");
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick(item("play map/##icon").c_str());
    test.Yield();
    IM_CHECK(map().play.playing);
    const double before = map().play.position;
    test.Yield(3);
    IM_CHECK_GT(map().play.position, before);
    IM_CHECK(workspace->animating);
    test.ItemClick(item("play map/##icon").c_str());
    test.Yield();
    IM_CHECK(!map().play.playing);
  });
  map().play.speed = 1000;
  play_map(map(), true);
  gui->frames(40);
  EXPECT_FALSE(map().play.playing);
  EXPECT_EQ(map().play.position, static_cast<double>(map().journey.journey->moves().size()));
  gui->frames(2);
  EXPECT_FALSE(workspace->animating);
  save("end");
}

// What is drawn at a moment does not depend on how one came there.
TEST_F(IndexMapTest, ForwardsAndBackwardsIsTheSamePicture) {
  open("transpose/04_shared_tile_padded", {{"BDIMX", "8"}});
  gui->run([](ImGuiTestContext& test) { test.MouseMoveToPos({2, 798}); });
  const std::size_t moves = map().journey.journey->moves().size();
  std::vector<std::vector<std::uint8_t>> forwards;
  const auto shown = [&](std::size_t done) {
    session->apply(Action(SelectStep{map().journey.journey->step_after(0, done)}));
    gui->frames(2);
    scrub_map(map(), static_cast<double>(done));
    gui->frames(3);
    // Without the words below, which tell of the access that was selected last.
    const Image image = gui->picture();
    const auto row = static_cast<std::ptrdiff_t>(image.width) * 4;
    const auto begin = image.rgba.begin() + row * static_cast<std::ptrdiff_t>(map().picture_min.y);
    return std::vector<std::uint8_t>(
        begin, image.rgba.begin() + row * static_cast<std::ptrdiff_t>(map().picture_max.y));
  };
  for (std::size_t done = 0; done <= moves; ++done) forwards.push_back(shown(done));
  EXPECT_TRUE(forwards.front() != forwards.back());
  for (std::size_t done = moves + 1; done-- > 0;)
    EXPECT_TRUE(shown(done) == forwards[done]) << done;
}

TEST_F(IndexMapTest, AStepIsAMoveThereAndBack) {
  open("transpose/05_remapped");
  scrub_map(map(), 0);
  gui->frames(2);
  const auto settled = [&](ImGuiTestContext& test) {
    for (int i = 0; i < 200 && map().play.target; ++i) test.Yield();
    test.Yield(2);
  };
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick(item("move after/##icon").c_str());
    settled(test);
    IM_CHECK_EQ(map().play.position, 1.0);
    const ThreadGrid& threads = map().journey.threads;
    IM_CHECK(is_element(map().journey.replay->lane(0, 5).token));
    IM_CHECK(threads.at(0, 5) != nullptr);
    // The selected warp is where the map is.
    IM_CHECK_EQ(session->selection().step, std::size_t{map().journey.journey->moves()[0].step});
    test.ItemClick(item("move before/##icon").c_str());
    settled(test);
    IM_CHECK_EQ(map().play.position, 0.0);
    IM_CHECK(!is_element(map().journey.replay->lane(0, 5).token));
  });
  // A step of the timeline takes the map along.
  const JourneyStage& read = map().journey.journey->stages()[3];
  ASSERT_EQ(read.leg, Leg::tile_load);
  session->apply(Action(SelectStep{map().journey.journey->moves()[read.first].step}));
  gui->frames(4);
  EXPECT_EQ(map().play.position, static_cast<double>(read.first + 1));
}

TEST_F(IndexMapTest, StagesAndTheBlocksWayAreGoneThrough) {
  open("transpose/05_remapped");
  scrub_map(map(), 0);
  gui->frames(2);
  for (const JourneyStage& stage : map().journey.journey->stages()) {
    step_map_stage(map(), 1);
    gui->frames(2);
    EXPECT_EQ(map().play.position, static_cast<double>(stage.first + stage.count));
  }
  save("all_done");
  for (std::size_t i = 0; i < 6; ++i) step_map_stage(map(), -1);
  EXPECT_EQ(map().play.position, -1);
  gui->frames(4);
  EXPECT_TRUE(map().zoomed) << "the matrices are seen";
  save("blocks");
  scrub_map(map(), -0.4);
  gui->frames(3);
  save("blocks_half");
  scrub_map(map(), 0.5);
  gui->frames(3);
  EXPECT_FALSE(map().zoomed);
  save("load_half");
}

TEST_F(IndexMapTest, TheBarScrubs) {
  open("transpose/05_remapped");
  gui->run([&](ImGuiTestContext& test) {
    test.MouseMove(item("###journey").c_str());
    test.MouseClick();
    test.Yield(2);
    const double middle = map().play.position;
    IM_CHECK_GT(middle, 4.0);
    const ImGuiTestItemInfo bar = test.ItemInfo(item("###journey").c_str());
    test.MouseMoveToPos({bar.RectFull.Max.x - 3, bar.RectFull.GetCenter().y});
    test.MouseClick();
    test.Yield(2);
    IM_CHECK_GT(map().play.position, middle);
  });
}

TEST_F(IndexMapTest, AConflictIsServedATickAtATime) {
  open("transpose/03_shared_tile");
  const Journey& journey = *map().journey.journey;
  const JourneyStage& read = journey.stages()[3];
  const auto served = served_in(journey, read.first, true);
  const JourneyMove& move = journey.moves()[read.first];
  ASSERT_EQ(move.ticks, 32);
  std::set<float> progress;
  for (const std::uint16_t k : served) progress.insert(lane_progress(move.ticks, k, 0.5f));
  EXPECT_TRUE(progress.contains(0)) << "some wait";
  EXPECT_TRUE(progress.contains(1)) << "some are there";
  scrub_map(map(), static_cast<double>(read.first) + 0.5);
  gui->frames(3);
  save("conflict_half");
}

TEST_F(IndexMapTest, AMissingBarrierShowsRed) {
  open("broken/01_missing_barrier");
  EXPECT_EQ(map().journey.journey, session->picture()->journey) << "it is the picture's";
  EXPECT_EQ(map().journey.journey->order(), WarpOrder::one_by_one);
  const auto red = [&] {
    int count = 0;
    const Image image = gui->picture();
    const ImU32 error = workspace->theme().error;
    for (std::size_t i = 0; i + 3 < image.rgba.size(); i += 4)
      count += image.rgba[i] == (error >> IM_COL32_R_SHIFT & 255) &&
               image.rgba[i + 1] == (error >> IM_COL32_G_SHIFT & 255) &&
               image.rgba[i + 2] == (error >> IM_COL32_B_SHIFT & 255);
    return count;
  };
  scrub_map(map(), 2);
  gui->frames(3);
  EXPECT_LT(red(), 50);
  scrub_map(map(), 4);
  gui->frames(3);
  EXPECT_GT(red(), 500);
  save("red");
}

// --- room ---

// Every cell can be read, or there are fewer of them.
TEST_F(IndexMapTest, CellsAreLargeEnoughOrFewer) {
  for (const char* kernel : {"transpose/05_remapped", "transpose/04_shared_tile_padded",
                             "gemm/01_block_tiled", "copy/01_copy"}) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}, ImVec2{700, 400}}) {
      open_view("index_map", size, kernel, {});
      for (const float zoom : {1.0f, 1.5f, 2.0f, 3.0f}) {
        workspace->zoom = zoom;
        workspace->styled = false;
        gui->frames(4);
        EXPECT_GE(map().cell, 14) << kernel << " " << size.x << " ×" << zoom;
        for (const auto& drawn : map().panels) {
          EXPECT_EQ(drawn.cell, map().cell) << "one scale";
          EXPECT_GE(drawn.window.rows, 1u);
          EXPECT_GE(drawn.window.cols, 1u);
        }
      }
      close();
    }
  }
}

TEST_F(IndexMapTest, TheRowOfControlsIsOne) {
  open_view("index_map", {1280, 720}, "transpose/05_remapped", {});
  for (const float zoom : {1.0f, 2.0f, 3.0f}) {
    workspace->zoom = zoom;
    workspace->styled = false;
    gui->frames(6);
    EXPECT_LT(map().picture_min.y, 2.2f * ImGui::GetStyle().FontSizeBase * zoom) << zoom;
  }
}

TEST_F(IndexMapTest, APictureForAFileHasNothingToPress) {
  open("transpose/05_remapped");
  const auto there = [&](const char* name) {
    bool found = false;
    gui->run([&](ImGuiTestContext& test) { found = test.ItemExists(item(name).c_str()); });
    return found;
  };
  EXPECT_TRUE(there("###colours"));
  EXPECT_TRUE(there("###journey"));
  workspace->still = true;
  gui->frames(4);
  EXPECT_FALSE(there("###colours"));
  EXPECT_FALSE(there("###pen"));
  EXPECT_TRUE(there("###journey")) << "the bar says at which moment it is";
}

TEST_F(IndexMapTest, BothSidesOfARaceAreInSight) {
  open("broken/01_missing_barrier");
  session->wait(true);
  for (const Diagnostic& mistake : std::vector<Diagnostic>(session->diagnostics())) {
    if (mistake.kind != DiagnosticKind::race) continue;
    frame->pending.push_back(ShowMistake{mistake});
    settle();
    gui->frames(30);
    ASSERT_TRUE(session->selection().race);
    for (const ChainLink& side :
         {session->selection().race->named, session->selection().race->other}) {
      const AccessInfo& access =
          session->picture()->kernel().accesses[static_cast<std::size_t>(side.access)];
      const Leg leg = leg_of(access, side.cell.address);
      EXPECT_TRUE(thread_rect(map(), leg, side.warp, side.lane)) << mistake.message.english();
      EXPECT_TRUE(memory_rect(map(), side.cell)) << mistake.message.english();
    }
  }
}

// Names, numbers of columns and labels of a race: none lies on another.
class RaceLabelTest : public IndexMapTest {
 protected:
  void expect_apart(const std::string& kernel) {
    open(kernel);
    if (IsSkipped()) return;
    session->wait(true);
    const auto& all = session->diagnostics();
    const auto mistake = std::find_if(
        all.begin(), all.end(), [](const Diagnostic& d) { return d.kind == DiagnosticKind::race; });
    ASSERT_NE(mistake, all.end());
    frame->pending.push_back(ShowMistake{*mistake});
    settle();
    gui->frames(30);
    std::vector<MapRect> words = map().race_labels;
    ASSERT_EQ(words.size(), 2u);
    ASSERT_TRUE(map().name);
    words.push_back(*map().name);
    for (const auto& panel : map().panels)
      words.push_back({{panel.min.x, panel.min.y - 20}, {panel.min.x + 40, panel.min.y}});
    for (std::size_t label = 0; label < 2; ++label)
      for (std::size_t i = label + 1; i < words.size(); ++i)
        EXPECT_FALSE(meet(words[label], words[i])) << label << " over " << i;
  }
  static bool meet(const MapRect& a, const MapRect& b) {
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
  }
};

TEST_F(RaceLabelTest, WithinABlock) { expect_apart("broken/17_two_writers"); }
TEST_F(RaceLabelTest, BetweenBlocks) { expect_apart("broken/21_histogram_no_atomic"); }

TEST_F(IndexMapTest, ARaceWithAnotherBlockIsToldAndGoneTo) {
  open("broken/21_histogram_no_atomic");
  session->wait(true);
  const auto& all = session->diagnostics();
  const auto mistake = std::find_if(
      all.begin(), all.end(), [](const Diagnostic& d) { return d.kind == DiagnosticKind::race; });
  ASSERT_NE(mistake, all.end());
  const Dim3 here = *mistake->block;
  frame->pending.push_back(ShowMistake{*mistake});
  settle();
  ASSERT_TRUE(session->selection().cell);
  EXPECT_TRUE(memory_rect(map(), *session->selection().cell)) << "the cell in which they meet";
  gui->run([&](ImGuiTestContext& test) { test.ItemClick(item("**/###other side").c_str()); });
  settle();
  EXPECT_NE(session->settings().inspected_block, here);
  gui->run([&](ImGuiTestContext& test) { test.ItemClick(item("**/###other side").c_str()); });
  settle();
  EXPECT_EQ(session->settings().inspected_block, here) << "and back";
}

TEST_F(IndexMapTest, AnAsynchronousCopyGoesFromCellToCell) {
  open("transpose/14_memcpy_async");
  const auto moves = map().journey.journey->moves();
  const auto copy = std::find_if(moves.begin(), moves.end(), [](const JourneyMove& move) {
    return move.copied_from.has_value();
  });
  ASSERT_NE(copy, moves.end());
  const auto way = way_of(map(), static_cast<std::size_t>(copy - moves.begin()), 0);
  ASSERT_TRUE(way);
  const auto inside = [](const MapRect& rect, const IndexMapState::Drawn& drawn) {
    return rect.min.x >= drawn.min.x - 1 && rect.max.x <= drawn.max.x + 1 &&
           rect.min.y >= drawn.min.y - 1 && rect.max.y <= drawn.max.y + 1;
  };
  EXPECT_TRUE(inside(way->from, panel("in")));
  EXPECT_TRUE(inside(way->to, panel("tile")));
  EXPECT_EQ(panel("in").panel.role, PanelRole::input);
}

TEST_F(IndexMapTest, WindowsFollowTheLanesThatMove) {
  open_view("index_map", {900, 420}, "transpose/04_shared_tile_padded", {});
  const Journey& journey = *map().journey.journey;
  ASSERT_TRUE(panel("in").cut());
  for (const std::size_t move : {std::size_t{0}, std::size_t{20}, std::size_t{31}}) {
    scrub_map(map(), static_cast<double>(move) + 1);
    gui->frames(3);
    const auto at = panel("in").panel.at(journey.addresses(move)[0]);
    ASSERT_TRUE(at.has_value());
    EXPECT_TRUE(panel("in").window.contains(at->row, at->col)) << move;
  }
}

// --- drawing ---

TEST_F(IndexMapTest, DrawingIsNeverPartOfTheSettings) {
  open("transpose/05_remapped");
  const Settings before = session->settings();
  const bool could_undo = session->can_undo();
  map().pen.tool = MapPen::Tool::pen;
  gui->frames(2);
  const ImVec2 min = map().picture_min, max = map().picture_max;
  const ImVec2 middle{(min.x + max.x) / 2, (min.y + max.y) / 2};
  gui->run([&](ImGuiTestContext& test) {
    test.MouseMoveToPos(middle);
    test.MouseDown();
    for (float i = 1; i <= 5; ++i) {
      test.MouseMoveToPos({middle.x + 30 * i, middle.y + 12 * i});
      test.Yield();
    }
    test.MouseUp();
    test.Yield(2);
    IM_CHECK_EQ(map().pen.strokes.size(), 1u);
    IM_CHECK_GT(map().pen.strokes.front().points.size(), 3u);
  });
  save("pen");
  EXPECT_EQ(session->selection().lane, -1) << "the pen selects nothing";
  EXPECT_EQ(session->settings(), before);
  EXPECT_EQ(session->can_undo(), could_undo);
  gui->run([&](ImGuiTestContext& test) {
    map().pen.tool = MapPen::Tool::eraser;
    test.Yield(2);
    test.MouseMoveToPos(middle);
    test.MouseDown();
    test.Yield(2);
    test.MouseUp();
    IM_CHECK(map().pen.strokes.empty());
  });
}

TEST_F(IndexMapTest, AFrozenPictureStandsStill) {
  open("transpose/05_remapped");
  scrub_map(map(), 2);
  gui->frames(2);
  map().pen.frozen = true;
  session->apply(Action(MoveStep{StepMove::last}));
  gui->frames(5);
  EXPECT_EQ(map().play.position, 2);
  map().pen.spotlight = true;
  gui->frames(2);
  save("spotlight");
  EXPECT_FALSE(workspace->animating);
}

TEST_F(IndexMapTest, ABlockThatIsNotSquareTurns) {
  open("transpose/05_remapped");
  EXPECT_EQ(panel("in").panel.box, (CellWindow{0, 8, 32, 32}));
  EXPECT_EQ(panel("out").panel.box, (CellWindow{32, 32, 0, 8}));
  ASSERT_TRUE(panel("in").tiling && panel("out").tiling);
  EXPECT_FALSE(panel("in").tiling->transposed);
  EXPECT_TRUE(panel("out").tiling->transposed);
  EXPECT_EQ(map_window_text(panel("out").panel, panel("out").panel.box), "[32–63][0–7]  32 × 8");
}

}  // namespace
}  // namespace lanescope::app

// The tour, followed to the letter; and what stays where it is while one goes on.
#include <gtest/gtest.h>

#include <functional>

#include "views/frame/comfort_test.h"
#include "views/source/source_view.h"
#include "views/window/layout.h"

namespace lanescope::app {
namespace {

TEST_F(ComfortTest, TourGoesThroughOnceAndDoesNotComeBack) {
  start(true);
  EXPECT_EQ(workspace->tour.step, 0);
  gui->run([&](ImGuiTestContext& test) {
    for (int i = 0; i + 1 < tour_steps(); ++i) {
      IM_CHECK_EQ(workspace->tour.step, i);
      test.ItemClick("//###tour/###next");
      test.Yield(4);
    }
    test.ItemClick("//###tour/###back");
    test.Yield(3);
    IM_CHECK_EQ(workspace->tour.step, tour_steps() - 2);
    IM_CHECK(tab_in_front("sweep"));
    test.ItemClick("//###tour/###next");
    test.Yield(3);
    test.ItemClick("//###tour/###next");  // done
    test.Yield(3);
    IM_CHECK_EQ(workspace->tour.step, -1);
  });
  restart(true);
  EXPECT_EQ(workspace->tour.step, -1);
  run("help.tour");
  EXPECT_EQ(workspace->tour.step, 0);
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick("//###tour/###skip");
    test.Yield(3);
    IM_CHECK_EQ(workspace->tour.step, -1);
  });
}

// What each card says, done to the letter by keys and clicks.
TEST_F(ComfortTest, TourCanBeFollowedToTheLetter) {
  start(true, 1600, 1000);
  const auto shared = [&] {
    return workspace->focus.update(session->picture().get(), session->selection())
        .in(MemorySpace::shared);
  };
  const auto settle = [&](ImGuiTestContext& test) {
    test.Yield(4);
    session->wait(true);
    test.Yield(8);
  };
  const auto next = [&](ImGuiTestContext& test) {
    test.ItemClick("//###tour/###next");
    test.Yield(6);
  };
  const auto choose = [&](ImGuiTestContext& test, const char* kernel) {
    test.ItemClick("//###parameters/##kernel");
    test.Yield(4);
    test.KeyChars(kernel);
    test.Yield(2);
    test.KeyPress(ImGuiKey_Enter);
    settle(test);
  };
  gui->run([&](ImGuiTestContext& test) {
    // Pick a kernel: the search has the keys already.
    choose(test, "03_shared");
    IM_CHECK_EQ(session->settings().name, std::string("transpose/03_shared_tile"));
    next(test);  // Follow a lane
    IM_CHECK(is_shown("index_map"));
    next(test);  // Step through the warp
    IM_CHECK(is_shown("timeline"));
    const std::size_t step = session->selection().step;
    test.KeyPress(ImGuiKey_LeftArrow);
    test.Yield(2);
    IM_CHECK_NE(session->selection().step, step);
    test.KeyPress(ImGuiKey_RightArrow);
    test.Yield(2);
    next(test);  // See the conflict
    IM_CHECK(tab_in_front("banks"));
    IM_CHECK(shared() != nullptr);
    IM_CHECK_EQ(shared()->banks->ways, 32);
    next(test);  // Ask why
    IM_CHECK(tab_in_front("why"));
    next(test);  // Change the padding
    IM_CHECK(tab_in_front("banks"));
    choose(test, "04_shared");
    for (const char* pad : {"-", "+", "-"}) {
      test.ItemClick((std::string("//###parameters/PAD/") + pad).c_str());
      settle(test);
      IM_CHECK(tab_in_front("banks"));
      IM_CHECK(shared() != nullptr);
      IM_CHECK_EQ(shared()->banks->ways, *pad == '-' ? 32 : 1);
    }
    next(test);  // Try all settings
    IM_CHECK(tab_in_front("sweep"));
    settle(test);
    settle(test);
    const Settings before = session->settings();
    test.ItemClick("//###sweep/**/cell 0");
    settle(test);
    IM_CHECK(!(session->settings() == before));
    next(test);  // Everything by keyboard
    palette(test, "PAD = 2");
    IM_CHECK_EQ(session->settings().parameters.at("PAD"), std::string("2"));
    test.KeyPress(ImGuiKey_F1);
    test.Yield(3);
    IM_CHECK(workspace->cheat_sheet.open);
    test.KeyPress(ImGuiKey_Escape);
    test.Yield(3);
    IM_CHECK(!workspace->cheat_sheet.open);
    next(test);
    IM_CHECK_EQ(workspace->tour.step, -1);
  });
}

TEST_F(ComfortTest, EscapeClosesTheTourAndTheChooserAndNothingBehindThem) {
  start(true);
  session->apply(Action(SelectLane{3}));
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick("//###parameters/##kernel");
    test.Yield(4);
    IM_CHECK(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
    test.KeyPress(ImGuiKey_Escape);
    test.Yield(3);
    IM_CHECK(!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
    IM_CHECK_EQ(workspace->tour.step, 0);
    test.KeyPress(ImGuiKey_Escape);
    test.Yield(3);
    IM_CHECK_EQ(workspace->tour.step, -1);
    IM_CHECK_EQ(session->selection().lane, 3);
  });
}

TEST_F(ComfortTest, NoTourWhereItIsNotAllowed) {
  start(false);
  gui->frames(10);
  EXPECT_EQ(workspace->tour.step, -1);
}

// --- following ---

TEST_F(ComfortTest, PaletteGoesToAnElementAndStepsFollowIt) {
  start();
  Settings settings = session->settings();
  settings.inspected_block = {0, 0, 0};
  session->apply(settings);
  session->wait(true);
  gui->frames(4);
  gui->run([&](ImGuiTestContext& test) {
    palette(test, "in[5][3]");
    IM_CHECK(!workspace->palette.open);
    IM_CHECK_EQ(session->selection().warp, 5u);
    std::vector<std::uint32_t> warps;
    for (int i = 0; i < 3; ++i) {
      test.KeyPress(ImGuiKey_DownArrow);
      test.Yield(2);
      warps.push_back(session->selection().warp);
      IM_CHECK(session->selection().cell.has_value());
    }
    IM_CHECK(warps == (std::vector<std::uint32_t>{5, 3, 3}));
    palette(test, "in[5][4096]");  // there is none
    IM_CHECK(!workspace->palette.found.size() ||
             workspace->palette.found.front().kind != "array element");
    test.KeyPress(ImGuiKey_Escape);
  });
}

TEST_F(ComfortTest, AParameterThatChangesKeepsTabAndAccess) {
  start();
  const int access = session->selection().access;
  show_tab("lanes");
  gui->frames(6);
  session->apply(Action(SetParameter{"PAD", "0"}));
  session->wait(true);
  gui->frames(6);
  EXPECT_TRUE(tab_in_front("lanes"));
  EXPECT_EQ(session->selection().access, access);
  show_tab("sectors");
  gui->frames(6);
  session->apply(Action(SetParameter{"PAD", "2"}));
  session->wait(true);
  gui->frames(6);
  EXPECT_TRUE(tab_in_front("sectors"));
}

TEST_F(ComfortTest, TextAndParametersAreOneHistory) {
  start();
  const std::string text = session->settings().text;
  gui->run([&](ImGuiTestContext& test) {
    test.WindowFocus("//###source");
    state_of<SourceState>(*workspace).editor.SetFocus();
    test.Yield(3);
    test.KeyChars(" ");
    test.Yield(10);
    session->wait(true);
    test.Yield(4);
  });
  const std::string typed = session->settings().text;
  EXPECT_NE(typed, text);
  session->apply(Action(SetParameter{"PAD", "3"}));
  session->wait(true);
  gui->frames(4);
  gui->run([&](ImGuiTestContext& test) {
    state_of<SourceState>(*workspace).editor.SetFocus();
    test.Yield(3);
    IM_CHECK(state_of<SourceState>(*workspace).focused);
    test.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    test.Yield(6);
    IM_CHECK(!session->settings().parameters.contains("PAD"));
    IM_CHECK_STR_EQ(session->settings().text.c_str(), typed.c_str());
    test.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    test.Yield(6);
    IM_CHECK_STR_EQ(session->settings().text.c_str(), text.c_str());
  });
}

}  // namespace
}  // namespace lanescope::app

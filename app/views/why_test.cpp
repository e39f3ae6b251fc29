// The Why view in the whole window: what it says, and that a suggestion that is clicked holds.
#include "views/why.h"

#include <gtest/gtest.h>

#include "platform/gui_test.h"
#include "session/totals.h"
#include "views/frame.h"
#include "views/why_words.h"

namespace lanescope::app {
namespace {

class WhyTest : public testing::Test {
 protected:
  void open(const std::string& kernel, const std::map<std::string, std::string>& parameters = {}) {
    gui = std::make_unique<GuiTest>(SurfaceOptions{.width = 1920, .height = 1080});
    if (!gui->error().empty()) GTEST_SKIP() << gui->error();
    workspace = std::make_unique<Workspace>();
    session = std::make_unique<Session>(load_catalog(LANESCOPE_SOURCE_DIR "/kernels"));
    OpenResult opened = open_kernel(session->catalog(), kernel);
    ASSERT_TRUE(opened.settings.has_value()) << kernel;
    opened.settings->parameters.insert(parameters.begin(), parameters.end());
    session->apply(*opened.settings);
    session->wait(true);
    ASSERT_NE(session->picture(), nullptr);
    workspace->only = "why";
    frame = std::make_unique<Frame>(Frame{*session, *workspace, gui->fonts()});
    gui->on_draw([this] { frame->draw(); });
    settle();
  }
  // Until what the view asks for has been found out.
  void settle() {
    gui->frames(8);
    session->wait(true);
    gui->frames(8);
  }
  void TearDown() override {
    if (gui) gui->on_draw({});
    workspace.reset();
  }
  [[nodiscard]] std::uint64_t conflicts() const {
    return grid_cost(*session->picture()->whole).shared.conflicts;
  }

  std::unique_ptr<GuiTest> gui;
  std::unique_ptr<Session> session;
  std::unique_ptr<Workspace> workspace;
  std::unique_ptr<Frame> frame;
};

TEST_F(WhyTest, AClickedPaddingMakesTheConflictsZeroAndUndoBringsThemBack) {
  open("transpose/04_shared_tile_padded", {{"PAD", "0"}});
  ASSERT_TRUE(session->advice() && session->advice()->finished);
  EXPECT_EQ(conflicts(), 1024u * 32 * 31);
  gui->run([](ImGuiTestContext& test) { test.ItemClick("//###only/**/###apply 0"); });
  settle();
  EXPECT_EQ(session->settings().parameters.at("PAD"), "1");
  EXPECT_EQ(conflicts(), 0u);
  ASSERT_TRUE(workspace->why.applied.has_value());
  EXPECT_EQ(workspace->why.applied->before.shared.conflicts, 1024u * 32 * 31);
  gui->run([](ImGuiTestContext& test) { test.ItemClick("//###only/**/###take back"); });
  settle();
  EXPECT_EQ(conflicts(), 1024u * 32 * 31);
  EXPECT_FALSE(workspace->why.applied.has_value());
}

TEST_F(WhyTest, AClickedTextEditMakesTheConflictsZero) {
  open("transpose/03_shared_tile");
  EXPECT_GT(conflicts(), 0u);
  gui->run([](ImGuiTestContext& test) { test.ItemClick("//###only/**/###apply 0"); });
  settle();
  EXPECT_NE(session->settings().text.find("tile[BDIMY][BDIMX + 1];"), std::string::npos);
  EXPECT_EQ(conflicts(), 0u);
  EXPECT_TRUE(session->picture()->check.correct);
}

TEST_F(WhyTest, FromAFineAccessToTheOneThatCostsMost) {
  open("transpose/03_shared_tile");
  int store = -1;
  for (const AccessInfo& access : session->picture()->kernel().accesses)
    if (access.root == "out") store = static_cast<int>(access.id);
  session->apply(Action(SelectAccess{store}));
  settle();
  gui->run([](ImGuiTestContext& test) { test.ItemClick("//###only/**/###worst"); });
  settle();
  EXPECT_EQ(session->selection().access, worst_access(*session->picture()));
  EXPECT_NE(session->selection().access, store);
}

TEST_F(WhyTest, AskedOnceForAPicture) {
  open("transpose/03_shared_tile");
  const AdvicePtr advice = session->advice();
  ASSERT_TRUE(advice && advice->finished);
  settle();
  EXPECT_EQ(session->advice(), advice);  // not asked again
}

TEST(WhyWords, SayTheNumbersOfTheFinding) {
  LaneRow row;
  for (std::size_t lane = 0; lane < kLanes; ++lane) row[lane] = 4 * 32 * lane;
  const SharedWhy why = explain_shared(row, kAllLanes, plan_banks(row, kAllLanes, 4, true));
  EXPECT_EQ(why_headline(why), "32 words wait for bank 0: 32 wavefronts instead of 1");
  const auto sentences = why_sentences(why);
  ASSERT_EQ(sentences.size(), 3u);
  EXPECT_EQ(sentences[0].text, "Neighbouring lanes are 32 words apart.");
  EXPECT_EQ(sentences[1].text,
            "gcd(32, 32) = 32: lanes use 32 / 32 = 1 of the 32 banks, 32 in each.");
  EXPECT_EQ(sentences[2].text, "Bank 0 serves lanes 0–31: 32 different words, a wavefront each.");
}

}  // namespace
}  // namespace lanescope::app

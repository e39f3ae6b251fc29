// The Why view in the whole window: what it says, and that a suggestion that is clicked holds.
#include "views/why/why_view.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/run/totals.h"
#include "views/frame/view_test.h"
#include "views/why/why_words.h"

namespace lanescope::app {
namespace {

class WhyTest : public ViewTest {
 protected:
  void open(const std::string& kernel, const Values& parameters = {}) {
    open_view("why", {1920, 1080}, kernel, parameters);
  }
  [[nodiscard]] std::uint64_t conflicts() const {
    return grid_cost(*session->picture()->whole).shared.conflicts;
  }
};

TEST_F(WhyTest, AClickedPaddingMakesTheConflictsZeroAndUndoBringsThemBack) {
  open("transpose/04_shared_tile_padded", {{"PAD", "0"}});
  ASSERT_TRUE(session->advice() && session->advice()->finished);
  EXPECT_EQ(conflicts(), 64u * 32 * 31);
  gui->run([](ImGuiTestContext& test) { test.ItemClick("//###only/**/###apply 0"); });
  settle();
  EXPECT_EQ(session->settings().parameters.at("PAD"), "1");
  EXPECT_EQ(conflicts(), 0u);
  ASSERT_TRUE(state_of<WhyState>(*workspace).applied.has_value());
  EXPECT_EQ(state_of<WhyState>(*workspace).applied->before.shared.conflicts, 64u * 32 * 31);
  gui->run([](ImGuiTestContext& test) { test.ItemClick("//###only/**/###take back"); });
  settle();
  EXPECT_EQ(conflicts(), 64u * 32 * 31);
  EXPECT_FALSE(state_of<WhyState>(*workspace).applied.has_value());
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

TEST_F(WhyTest, PaddingOfARemappedTileIsExplainedByWhatAllRowsCost) {
  open("transpose/05_remapped");
  const auto& all = session->advice()->suggestions;
  const auto padded = std::find_if(all.begin(), all.end(), [](const Suggestion& s) {
    return s.change.name == "PAD" && s.change.value == "4";
  });
  ASSERT_NE(padded, all.end());
  // gcd(36, 32) = 4 beside gcd(33, 32) = 1 would read as if 4 were worse.
  EXPECT_EQ(after_text(*padded), "pitch 36: no two words wait for one bank");
  gui->run([](ImGuiTestContext& test) { test.ItemClick("//###only/**/###apply pitch"); });
  settle();
  EXPECT_EQ(session->settings().parameters.at("PAD"), "4");
  EXPECT_EQ(conflicts(), 0u);
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

TEST(WhyWords, SayWhatASwizzleWouldDo) {
  SwizzleAdvice advice{.array = 0, .better = {.swizzle = {3, 3, 3}, .now = {}, .after = {}}};
  advice.formula = "chunk ^ (row & 7)";
  advice.better.now = {.requests = 8, .wavefronts = 64, .ideal_wavefronts = 8, .conflicts = 56};
  advice.better.after = {.requests = 8, .wavefronts = 8, .ideal_wavefronts = 8, .conflicts = 0};
  EXPECT_EQ(swizzle_text(advice, "As"), "Swizzle<3, 3, 3> for As: chunk ^ (row & 7)");
  EXPECT_EQ(swizzle_effect(advice), "64 → 8 wavefronts, 56 → 0 conflicts");
  advice.subscripts = "As[r][8 * c ^ (r & 7) * 8]";
  EXPECT_EQ(swizzle_text(advice, "As"),
            "Swizzle<3, 3, 3> for As: chunk ^ (row & 7) · As[r][8 * c ^ (r & 7) * 8]");
}

}  // namespace
}  // namespace lanescope::app

// Lines are broken where Latin and Chinese may be broken, and are as full as they can be.
#include "views/lines/line_breaks.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "imgui_internal.h"
#include "platform/gui_test.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

using Lines = std::vector<std::string>;

// A Latin letter is one wide, a Chinese one two.
float letters(std::string_view text) {
  float width = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    width += byte < 0x80 ? 1 : byte >= 0xe0 ? 2 : 0;
  }
  return width;
}

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Lines broken(const std::string& text, float width) {
  return lines_of(broken_into_lines(text, width + 0.5f, letters));
}

TEST(LineBreaks, ChineseFillsItsLines) {
  EXPECT_EQ(broken("每个线程读取矩阵的一个元素", 8),
            (Lines{"每个线程", "读取矩阵", "的一个元", "素"}));
}

TEST(LineBreaks, PunctuationStaysWithWhatItBelongsTo) {
  EXPECT_EQ(broken("先写，再读。", 4), (Lines{"先", "写，", "再", "读。"})) << "none begins a line";
  EXPECT_EQ(broken("读（写）", 4), (Lines{"读", "（写", "）"})) << "a word without room is cut";
  EXPECT_EQ(broken("读（写）", 6), (Lines{"读", "（写）"})) << "no line ends with what opens";
  EXPECT_EQ(broken("是 32 个, 共 4 个", 9), (Lines{"是 32 个,", "共 4 个"}));
}

TEST(LineBreaks, LatinWordsAndNumbersAreKeptWhole) {
  EXPECT_EQ(broken("请求共享memory的字", 12), (Lines{"请求共享", "memory的字"}));
  EXPECT_EQ(broken("有 1024 个线程", 7), (Lines{"有 1024", "个线程"})) << "the blank goes";
}

TEST(LineBreaks, ABlankThatKeepsWordsTogetherDoesSoInChinese) {
  EXPECT_FALSE(may_break_between(0x4e2a, 0xa0));
  EXPECT_FALSE(may_break_between(0xa0, 0x4e2a));
  EXPECT_EQ(broken("读取 · 32 个 wavefront", 14), (Lines{"读取 · 32 个", "wavefront"}));
  EXPECT_EQ(broken("读取 ·\u00a032\u00a0个\u00a0wavefront", 17),
            (Lines{"读取", "·\u00a032\u00a0个\u00a0wavefront"}));
}

TEST(LineBreaks, OwnLineFeedsAndIndentsStay) {
  EXPECT_EQ(broken("一\n\n  二三四", 6), (Lines{"一", "", "  二三", "四"}));
}

TEST(LineBreaks, LatinIsLeftToImGui) {
  EXPECT_EQ(broken_into_lines("one two three", 3, letters), "one two three");
}

TEST(WrappedText, FillsAColumnOfTheWindowInChinese) {
  GuiTest gui({.width = 600, .height = 400});
  if (!gui.error().empty()) GTEST_SKIP() << gui.error();
  const std::string text =
      "warp 里的 32 个 lane 同时读取，每个 lane 落在不同的 bank 上；一次 wavefront "
      "里每个 bank 只能给出一个字，所以没有冲突。";
  constexpr float kColumn = 180;
  Lines lines;
  ImVec2 drawn{}, room{}, measured{};
  float letter = 0;
  std::vector<float> widths;
  gui.on_draw([&] {
    ImGui::SetNextWindowSize({kColumn, 400});
    ImGui::Begin("column");
    room = ImGui::GetContentRegionAvail();
    letter = ImGui::CalcTextSize("字").x;
    lines = lines_of(in_lines(text, room.x));
    widths.clear();
    for (const std::string& line : lines) widths.push_back(ImGui::CalcTextSize(line.c_str()).x);
    measured = wrapped_size(text, room.x);
    wrapped_text(text);
    drawn = ImGui::GetItemRectSize();
    ImGui::End();
  });
  gui.frames(2);
  gui.on_draw({});
  ASSERT_GT(lines.size(), 3u);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_LE(widths[i], room.x) << lines[i];
    // What may not be broken is at most a Latin word, a comma and a letter.
    if (i + 1 < lines.size()) {
      EXPECT_GT(widths[i], room.x - 6 * letter) << lines[i];
    }
  }
  EXPECT_FLOAT_EQ(drawn.y, measured.y);
  EXPECT_LE(drawn.x, room.x);
}

TEST(LineBreaks, ATooltipStaysInTheWindow) {
  GuiTest gui({.width = 400, .height = 300});
  if (!gui.error().empty()) GTEST_SKIP() << gui.error();
  std::string text;
  const auto shown = [&] {
    gui.on_draw([&] { tooltip(text); });
    gui.frames(3);
    gui.on_draw({});
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->WasActive && (window->Flags & ImGuiWindowFlags_Tooltip)) return window->Rect();
    return ImRect();
  };
  text = "warp";
  const ImRect small = shown();
  EXPECT_LT(small.GetWidth(), 150) << "as wide as its text";
  for (const char* sentence :
       {"A rule that exchanges the columns of each row differently, so that a column lies in "
        "different banks and no padding is needed.",
        "一种规则：每一行以不同方式交换各列，使一列落在不同的 bank 上，因而不需要 padding。"}) {
    text = std::string(sentence) + sentence;
    const ImRect all = shown();
    EXPECT_GE(all.Min.x, 0) << sentence;
    EXPECT_LE(all.Max.x, 400) << sentence;
    EXPECT_GT(all.GetHeight(), 3 * small.GetHeight() / 2) << "in several lines: " << sentence;
  }
}

}  // namespace
}  // namespace lanescope::app

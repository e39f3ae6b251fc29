// Palette, cheat sheet, looks, layouts and the tour, through the window.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include <nlohmann/json.hpp>

#include "platform/gui_test.h"
#include "platform/layout_file.h"
#include "views/command/commands.h"
#include "views/draw/glossary.h"
#include "views/draw/tr.h"
#include "views/frame/comfort_test.h"
#include "views/frame/frame.h"
#include "views/map/index_map.h"
#include "views/source/source_view.h"
#include "views/window/layout.h"

namespace lanescope::app {
namespace {

// --- palette ---

TEST_F(ComfortTest, PaletteSetsAParameter) {
  start();
  gui->run([&](ImGuiTestContext& test) {
    palette(test, "pad = 4");
    IM_CHECK(!workspace->palette.open);
    IM_CHECK_EQ(session->settings().parameters.at("PAD"), std::string("4"));
    // Only the name: the palette asks for the value.
    palette(test, "PAD");
    IM_CHECK(workspace->palette.open);
    IM_CHECK_EQ(workspace->palette.query, std::string("PAD = "));
    test.KeyChars("2");
    test.Yield(2);
    test.KeyPress(ImGuiKey_Enter);
    test.Yield(3);
    IM_CHECK(!workspace->palette.open);
    IM_CHECK_EQ(session->settings().parameters.at("PAD"), std::string("2"));
    // What is out of range is not done, and the palette says why.
    palette(test, "PAD = 9999");
    IM_CHECK(workspace->palette.open);
    IM_CHECK_EQ(session->settings().parameters.at("PAD"), std::string("2"));
    test.KeyPress(ImGuiKey_Escape);
    test.Yield(3);
    IM_CHECK(!workspace->palette.open);
  });
}

TEST_F(ComfortTest, PaletteFindsKernelsAccessesViewsLinesAndCommands) {
  start();
  gui->run([&](ImGuiTestContext& test) {
    palette(test, "01_naive_row");
    session->wait(true);
    test.Yield(4);
    IM_CHECK_EQ(session->settings().name, std::string("transpose/01_naive_row"));
    palette(test, "in[ load");
    const int access = session->selection().access;
    IM_CHECK_GE(access, 0);
    const auto& text = session->picture()->kernel().accesses[static_cast<std::size_t>(access)].text;
    IM_CHECK(text.starts_with("in["));
    palette(test, "timing");
    IM_CHECK_EQ(workspace->palette.recent.back(), std::string("Timing"));
    test.Yield(3);
    IM_CHECK(tab_in_front("timing"));
    palette(test, ":70");
    test.Yield(3);
    IM_CHECK_EQ(state_of<SourceState>(*workspace).editor.GetMainCursorPosition().line,
                state_of<SourceState>(*workspace).row(70));
    palette(test, "light");
    IM_CHECK_EQ(static_cast<int>(workspace->theme_id), static_cast<int>(ThemeId::light));
  });
}

TEST_F(ComfortTest, PaletteGoesByArrows) {
  start();
  gui->run([&](ImGuiTestContext& test) {
    test.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    test.Yield(3);
    test.KeyChars("theme");
    test.Yield(2);
    test.KeyPress(ImGuiKey_DownArrow);
    test.Yield(2);
    IM_CHECK_EQ(workspace->palette.chosen, 1);
    test.KeyPress(ImGuiKey_UpArrow);
    test.KeyPress(ImGuiKey_UpArrow);
    test.Yield(2);
    IM_CHECK_EQ(workspace->palette.chosen, 0);
    IM_CHECK_EQ(session->selection().lane, -1);  // keys did not go through to the window
    test.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    test.Yield(3);
    IM_CHECK(!workspace->palette.open);
  });
}

TEST_F(ComfortTest, PaletteUnderstandsBothLanguages) {
  start();
  workspace->language = "zh";
  workspace->styled = false;
  gui->frames(3);
  gui->run([&](ImGuiTestContext& test) {
    palette(test, "高对比");
    IM_CHECK_EQ(static_cast<int>(workspace->theme_id), static_cast<int>(ThemeId::high_contrast));
    palette(test, "light");
    IM_CHECK_EQ(static_cast<int>(workspace->theme_id), static_cast<int>(ThemeId::light));
  });
}

TEST_F(ComfortTest, PaletteRanksWhatIsMeantFirst) {
  start();
  const std::vector<std::pair<const char*, const char*>> expected{
      {"banks", "Banks"},           {"dark", "Dark"},       {"pad", "PAD = 1"},
      {"next bar", "Next barrier"}, {"quit", "Quit"},       {"source", "Source"},
      {"naive row", "Naive"},       {"full", "Full screen"}};
  gui->run([&](ImGuiTestContext& test) {
    for (const auto& [query, title] : expected) {
      test.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
      test.Yield(3);
      test.KeyCharsReplace(query);
      test.Yield(2);
      IM_CHECK(!workspace->palette.found.empty());
      const std::string first = workspace->palette.found.front().title;
      if (!first.starts_with(title)) ADD_FAILURE() << query << " finds first: " << first;
      test.KeyPress(ImGuiKey_Escape);
      test.Yield(3);
    }
  });
}

// --- cheat sheet ---

TEST_F(ComfortTest, CheatSheetNamesEveryCommandThatHasAKey) {
  start();
  gui->run([&](ImGuiTestContext& test) {
    test.KeyPress(ImGuiKey_F1);
    test.Yield(3);
    IM_CHECK(workspace->cheat_sheet.open);
  });
  std::string said;  // drawn text, as ImGui logs it
  gui->on_draw([&] {
    ImGui::LogToBuffer();
    frame->draw();
    said += ImGui::GetCurrentContext()->LogBuffer.c_str();
    ImGui::LogFinish();
  });
  gui->frames(2);
  gui->on_draw([this] { frame->draw(); });
  for (const Command& command : commands()) {
    if (keys_text(command).empty()) continue;
    EXPECT_THAT(said, testing::HasSubstr(command.title));
  }
  const ImGuiWindow* page = nullptr;
  for (const ImGuiPopupData& popup : ImGui::GetCurrentContext()->OpenPopupStack)
    page = popup.Window;
  ASSERT_NE(page, nullptr);
  EXPECT_LE(page->Rect().GetHeight(), 800.0f);
  EXPECT_EQ(page->ScrollMax.y, 0.0f) << "the page fits a window of 1280 x 800";
  gui->run([&](ImGuiTestContext& test) {
    test.KeyPress(ImGuiKey_F1);
    test.Yield(3);
    IM_CHECK(!workspace->cheat_sheet.open);
    test.KeyChars("?");
    test.Yield(3);
    IM_CHECK(workspace->cheat_sheet.open);
  });
}

// --- looks ---

TEST_F(ComfortTest, ThemesAndSizesAreAppliedAndRemembered) {
  start();
  run("theme.high-contrast", [] {
    EXPECT_EQ(ImGui::ColorConvertFloat4ToU32(ImGui::GetStyle().Colors[ImGuiCol_WindowBg]),
              high_contrast_theme().canvas);
  });
  EXPECT_EQ(workspace->theme_id, ThemeId::high_contrast);
  run("size.larger", [] { EXPECT_FLOAT_EQ(ImGui::GetStyle().FontScaleMain, 1.1f); });
  EXPECT_FLOAT_EQ(workspace->zoom, 1.1f);
  restart();
  EXPECT_EQ(workspace->theme_id, ThemeId::high_contrast);
  EXPECT_FLOAT_EQ(workspace->zoom, 1.1f);
  run("theme.light");
  EXPECT_EQ(workspace->theme_id, ThemeId::light);
  run("size.normal");
  EXPECT_FLOAT_EQ(workspace->zoom, 1);
  for (int i = 0; i < 12; ++i) run("size.smaller");
  EXPECT_FLOAT_EQ(workspace->zoom, kMinZoom);
}

// --- layouts ---

TEST_F(ComfortTest, PresetsKeepWhatWasChangedInThem) {
  start();
  EXPECT_TRUE(is_shown("index_map"));
  const ImVec2 before = view_window("source")->Size;
  workspace->set_open("lanes", false);
  gui->frames(3);
  run("layout.lecture");
  EXPECT_EQ(workspace->layouts.current, Preset::lecture);
  EXPECT_TRUE(is_shown("banks"));
  EXPECT_FALSE(is_shown("sweep"));
  EXPECT_NE(view_window("source")->Size.y, before.y);
  run("layout.compare");
  EXPECT_TRUE(tab_in_front("compare"));
  EXPECT_TRUE(is_shown("compare"));
  run("layout.explore");
  EXPECT_FALSE(workspace->is_open("lanes"));
  EXPECT_TRUE(is_shown("index_map"));
  EXPECT_NEAR(view_window("source")->Size.y, before.y, 2);
  EXPECT_NEAR(view_window("source")->Size.x, before.x, 2);
  for (const View& view : views()) {
    if (view_window(view.id) && std::string_view(view.id) != "lanes") {
      EXPECT_TRUE(view_window(view.id)->DockIsActive || view_window(view.id)->DockNode)
          << view.id << " floats";
    }
  }
  // Another run: the preset, and what the others kept.
  run("layout.lecture");
  restart();
  EXPECT_EQ(workspace->layouts.current, Preset::lecture);
  run("layout.explore");
  EXPECT_FALSE(workspace->is_open("lanes"));
  workspace->reset_layout = true;
  gui->frames(6);
  EXPECT_TRUE(workspace->is_open("lanes"));
  EXPECT_EQ(workspace->layouts.current, Preset::explore);
}

TEST_F(ComfortTest, TheMapIsRememberedAsItIsSeen) {
  start();
  run("map.colours");
  run("map.overview");
  run("map.next_stage");
  const IndexMapState& map = state_of<IndexMapState>(*workspace);
  ASSERT_GT(map.play.position, 0);
  const std::string look = ImGui::SaveIniSettingsToMemory() + moment_text(*workspace);
  restart();
  const IndexMapState& again = state_of<IndexMapState>(*workspace);
  EXPECT_EQ(again.colours, MapColours::banks);
  EXPECT_TRUE(again.overview);
  EXPECT_FALSE(again.play.left) << "the moment is a session's, not the program's";
  ImGui::LoadIniSettingsFromMemory(look.data(), look.size());
  ASSERT_TRUE(again.play.left);
  EXPECT_GT(again.play.left->position, 0);
}

TEST_F(ComfortTest, TheLayoutOfAnExerciseEndsWithTheProgram) {
  start();
  workspace->layouts.wanted = Preset::exercise;
  gui->frames(8);
  ASSERT_EQ(workspace->layouts.current, Preset::exercise);
  restart();
  EXPECT_EQ(workspace->layouts.current, Preset::explore);
  EXPECT_TRUE(is_shown("index_map"));
  EXPECT_TRUE(is_shown("parameters"));
}

TEST_F(ComfortTest, ProjectorModeIsReversible) {
  start();
  run("theme.light");
  run("layout.lecture");
  run("size.larger");
  const float zoom = workspace->zoom;
  run("layout.projector");
  EXPECT_EQ(workspace->layouts.current, Preset::projector);
  EXPECT_GT(workspace->zoom, zoom * 1.4f);
  EXPECT_FALSE(is_shown("sectors"));
  restart();
  EXPECT_EQ(workspace->layouts.current, Preset::projector);
  run("layout.projector");
  EXPECT_EQ(workspace->layouts.current, Preset::lecture);
  EXPECT_FLOAT_EQ(workspace->zoom, zoom);
  EXPECT_EQ(workspace->theme_id, ThemeId::light);
  EXPECT_FALSE(workspace->layouts.before_projector.has_value());
}

TEST_F(ComfortTest, BrokenSettingsAreDefaults) {
  for (const std::string& text :
       {std::string("\0\xff\x01[[[", 6),
        std::string("[Docking][Data]\nDockNode ID=0x1 Parent=0x7\n"),
        std::string("[Docking][Data]\nDockSpace ID=0x1\n  DockNode ID=0x2 Parent=0x1\n"),
        std::string("[Docking][Data]\nDockNode ID=0x1 Parent=0x1\n"), std::string("no section\n"),
        std::string(2 << 20, 'x')}) {
    std::ofstream(file, std::ios::binary) << text;
    EXPECT_FALSE(is_sound_layout(text)) << text.substr(0, 60);
    drop_broken_layout(file);
    EXPECT_FALSE(std::filesystem::exists(file));
  }
  std::filesystem::remove(file + ".broken");
  // What is well formed but means nothing.
  std::ofstream(file) << "[Lanescope][Workspace]\nTheme=pink\nZoom=nan\nZoom=1e30\nLanguage=xx\n"
                         "Closed=nothing\nPreset=\nLayout=lecture\nLayout=explore \\\n"
                         "BeforeProjector=lecture\n";
  start();
  EXPECT_EQ(workspace->theme_id, ThemeId::dark);
  EXPECT_FLOAT_EQ(workspace->zoom, 3);
  EXPECT_EQ(workspace->layouts.current, Preset::explore);
  EXPECT_TRUE(is_shown("source"));
  run("layout.lecture");
  EXPECT_TRUE(is_shown("banks"));
}

TEST_F(ComfortTest, OurOwnSettingsAreSound) {
  start();
  run("layout.lecture");
  run("layout.explore");
  end();
  std::ifstream in(file);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  ASSERT_THAT(text, testing::HasSubstr("DockNode"));
  EXPECT_TRUE(is_sound_layout(text)) << text;
}

// --- glossary ---

TEST(Glossary, FindsWordsInSentences) {
  const std::string text = "32-way conflict: 32 wavefronts, ideal 1";
  const TermAt first = next_term(text);
  ASSERT_NE(first.term, nullptr);
  EXPECT_EQ(text.substr(first.begin, first.length), "conflict");
  const TermAt second = next_term(text, first.begin + first.length);
  EXPECT_EQ(text.substr(second.begin, second.length), "wavefronts");
  EXPECT_EQ(next_term("blockIdx.x, tile[3], tiled").term, nullptr);
  EXPECT_NE(find_term("Lanes"), nullptr);
  EXPECT_EQ(find_term("laner"), nullptr);
}

TEST(Glossary, ChineseBytesAreNoWords) {
  ASSERT_TRUE(set_language("zh", kSource + "/assets/translations"));
  const TermAt word = next_term("128 字节，同步，32 个字");
  ASSERT_NE(word.term, nullptr);
  EXPECT_STREQ(word.term->word, "word");
  EXPECT_EQ(word.begin, std::string("128 字节，同步，32 个").size());
  const TermAt line = next_term("128 字节的 line");
  ASSERT_NE(line.term, nullptr);
  EXPECT_STREQ(line.term->word, "128-byte line");
  set_language("en", "");
}

TEST(Glossary, ATermThatALineBreaksIsOne) {
  const auto english = terms_in_lines({"kept in shared", "memory by a warp"});
  ASSERT_EQ(english[0].size(), 1u);
  ASSERT_EQ(english[1].size(), 2u);
  EXPECT_STREQ(english[0][0].term->word, "shared memory");
  EXPECT_EQ(english[0][0].begin, 8u);
  EXPECT_STREQ(english[1][0].term->word, "shared memory");
  EXPECT_EQ(english[1][0].length, 6u);
  EXPECT_STREQ(english[1][1].term->word, "warp");
  ASSERT_TRUE(set_language("zh", kSource + "/assets/translations"));
  const auto chinese = terms_in_lines({"数据放在共享", "内存里"});
  set_language("en", "");
  ASSERT_EQ(chinese[0].size(), 1u);
  ASSERT_EQ(chinese[1].size(), 1u);
  EXPECT_STREQ(chinese[0][0].term->word, "shared memory");
  EXPECT_EQ(chinese[0][0].length, std::string("共享").size());
  EXPECT_EQ(chinese[1][0].length, std::string("内存").size());
}

TEST(Glossary, EveryTermAndCardIsTranslated) {
  nlohmann::json table = nlohmann::json::object();
  for (const auto& entry :
       std::filesystem::directory_iterator(kSource + "/assets/translations/zh")) {
    std::ifstream in(entry.path());
    table.update(nlohmann::json::parse(in));
  }
  for (const Term& term : terms()) {
    EXPECT_TRUE(table.contains(term.word)) << term.word;
    EXPECT_TRUE(table.contains(term.definition)) << term.definition;
  }
  for (const TourCard& card : tour_cards()) {
    EXPECT_TRUE(table.contains(card.title)) << card.title;
    EXPECT_TRUE(table.contains(card.text)) << card.text;
  }
}

TEST_F(ComfortTest, TermsAreToldWhenPointedAt) {
  start();
  gui->run([&](ImGuiTestContext& test) {
    test.WindowFocus("//###banks");
    test.Yield(2);
  });
  session->apply(Action(SelectAccess{0}));
  gui->frames(4);
  show_tab("banks");
  gui->frames(4);
  // The headline's second word is "conflict".
  const ImGuiWindow* banks = view_window("banks");
  const float strong = ImGui::GetStyle().FontSizeBase * 1.15f;
  const float x = gui->fonts().strong->CalcTextSizeA(strong, FLT_MAX, 0, "No co").x;
  const ImVec2 at{banks->ContentRegionRect.Min.x + x, banks->ContentRegionRect.Min.y + strong / 2};
  gui->run([&](ImGuiTestContext& test) {
    test.MouseMoveToPos(at);
    test.Yield(3);
    bool told = false;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      told |= (window->Flags & ImGuiWindowFlags_Tooltip) != 0 && window->WasActive;
    IM_CHECK(told);
  });
}

}  // namespace
}  // namespace lanescope::app

// The headless surface draws what a window would, and pictures survive the way through a file.
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "platform/damage.h"
#include "platform/gui_test.h"
#include "platform/headless.h"
#include "platform/picture/png.h"
#include "platform/texture.h"
#include "platform/window.h"

namespace lanescope::app {
namespace {

constexpr ImU32 kOrange = IM_COL32(230, 159, 0, 255);
constexpr ImU32 kBlue = IM_COL32(0, 114, 178, 255);

ImU32 pixel(const Image& image, int x, int y) {
  const std::uint8_t* p = image.at(x, y);
  return IM_COL32(p[0], p[1], p[2], p[3]);
}

TEST(Headless, DrawsWhereAndWhatItIsTold) {
  GuiTest gui({.width = 200, .height = 100}, [] {
    ImDrawList* list = ImGui::GetBackgroundDrawList();
    list->AddRectFilled({10, 20}, {60, 40}, kOrange);
    list->AddRectFilled({150, 80}, {200, 100}, kBlue);
  });
  ASSERT_EQ(gui.error(), "");
  gui.frames(2);
  const Image image = gui.picture();
  ASSERT_EQ(image.width, 200);
  ASSERT_EQ(image.height, 100);
  EXPECT_EQ(pixel(image, 30, 30), kOrange);
  EXPECT_EQ(pixel(image, 30, 70), pixel(image, 100, 5)) << "the row mirrored at the middle is bare";
  EXPECT_EQ(pixel(image, 199, 99), kBlue);
}

TEST(Headless, SameFrameTwiceGivesSamePicture) {
  GuiTest gui({.width = 300, .height = 200}, [] { ImGui::ShowAboutWindow(); });
  ASSERT_EQ(gui.error(), "");
  gui.frames(4);
  const Image first = gui.picture();
  const Image second = gui.picture();
  EXPECT_EQ(first.rgba, second.rgba);
}

// Text, slanted lines and half transparent areas over each other, some of which moves, and a picture
// whose texels change where it stands.
struct Moving {
  int moment = 0;
  std::unique_ptr<Texture> texture = std::make_unique<Texture>();
  void draw() const {
    ImDrawList* list = ImGui::GetBackgroundDrawList();
    const auto at = static_cast<float>(moment * 37);
    const std::vector<std::uint32_t> texels = {kOrange, kBlue, kBlue,
                                               moment % 2 == 0 ? kBlue : kOrange};
    texture->upload(2, 2, texels);
    list->AddRectFilled({0, 0}, {400, 300}, IM_COL32(90, 90, 90, 120));
    texture->draw_sharp(*list, {300, 200}, {380, 280});
    list->AddLine({10, 290}, {390 - at, 15.5f}, kBlue, 1.5f);
    list->AddCircleFilled({40 + at, 60.3f + at / 2}, 17.5f, IM_COL32(230, 159, 0, 128));
    list->AddText({20 + at / 3, 120}, kOrange, std::to_string(moment).c_str());
    list->AddText({200, 10}, kBlue, "stands");
  }
};

Image after(std::initializer_list<int> moments) {
  Moving moving;
  Image image;
  GuiTest gui({.width = 400, .height = 300}, [&] { moving.draw(); });
  EXPECT_EQ(gui.error(), "");
  for (const int moment : moments) {
    moving.moment = moment;
    gui.frames(1);
  }
  image = gui.picture();
  moving.texture.reset();  // before its surface
  return image;
}

TEST(Headless, WhatIsDrawnOverTheFrameBeforeIsAsIfDrawnAnew) {
  const Image anew = after({7, 7});
  EXPECT_EQ(after({0, 1, 2, 3, 4, 5, 6, 7}).rgba, anew.rgba);
  EXPECT_EQ(after({7, 2, 7}).rgba, anew.rgba);
  EXPECT_NE(after({7, 2}).rgba, anew.rgba);
}

TEST(Damage, IsWhatMovedWhereItWasAndWhereItIs) {
  float x = 10;
  Damage damage;
  GuiTest gui({.width = 640, .height = 480}, [&] {
    ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, {640, 480}, kBlue);
    ImGui::GetBackgroundDrawList()->AddRectFilled({x, 100}, {x + 20, 120}, kOrange);
  });
  ASSERT_EQ(gui.error(), "");
  const auto next = [&] {
    gui.frames(1);
    return damage.next(*ImGui::GetDrawData(), 640, 480);
  };
  EXPECT_EQ(next(), (std::vector<PixelRect>{{0, 0, 640, 480}}));
  next();  // the atlas may have changed with the first frame
  EXPECT_TRUE(next().empty());
  x = 500;
  const std::vector<PixelRect> moved = next();
  ASSERT_FALSE(moved.empty());
  long area = 0;
  const auto covers = [&](int px, int py) {
    return std::any_of(moved.begin(), moved.end(), [&](const PixelRect& rect) {
      return rect.x0 <= px && px < rect.x1 && rect.y0 <= py && py < rect.y1;
    });
  };
  for (const PixelRect& rect : moved) area += rect.area();
  EXPECT_TRUE(covers(10, 100) && covers(29, 119) && covers(500, 100) && covers(519, 119));
  EXPECT_LT(area, 640 * 480 / 10);
  EXPECT_EQ(damage.next(*ImGui::GetDrawData(), 320, 480),
            (std::vector<PixelRect>{{0, 0, 320, 480}}))
      << "another size";
}

TEST(Headless, SizesThatCannotBeAreErrors) {
  EXPECT_EQ(open_headless({.width = 0, .height = 10}).surface, nullptr);
  EXPECT_NE(open_headless({.width = 0, .height = 10}).error, "");
  EXPECT_NE(open_headless({.width = 1 << 20, .height = 10}).error, "");
}

TEST(Headless, WaitEndsWhenWoken) {
  const SurfaceResult opened = open_headless({.width = 16, .height = 16});
  ASSERT_NE(opened.surface, nullptr) << opened.error;
  EXPECT_FALSE(opened.surface->wait(0.0));
  std::thread other([&] { opened.surface->wake(); });
  EXPECT_TRUE(opened.surface->wait(20.0));
  other.join();
  EXPECT_FALSE(opened.surface->wait(0.0)) << "one wake() ends one wait()";
}

TEST(Window, WithoutDisplayIsAnError) {
  const auto saved = [](const char* name) {
    return std::string(std::getenv(name) ? std::getenv(name) : "");
  };
  const std::string x11 = saved("DISPLAY"), wayland = saved("WAYLAND_DISPLAY");
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  const SurfaceResult none = open_window({});
  setenv("DISPLAY", ":987", 1);
  const SurfaceResult wrong = open_window({});
  x11.empty() ? unsetenv("DISPLAY") : setenv("DISPLAY", x11.c_str(), 1);
  if (!wayland.empty()) setenv("WAYLAND_DISPLAY", wayland.c_str(), 1);
  EXPECT_EQ(none.surface, nullptr);
  EXPECT_NE(none.error, "");
  EXPECT_EQ(wrong.surface, nullptr);
  EXPECT_NE(wrong.error.find("987"), std::string::npos) << wrong.error;
}

TEST(Texture, ShowsSharpTexels) {
  GuiTest gui({.width = 64, .height = 64});
  ASSERT_EQ(gui.error(), "");
  Texture texture;  // after the surface, so that it goes before it
  gui.on_draw([&] { texture.draw_sharp(*ImGui::GetBackgroundDrawList(), {0, 0}, {64, 64}); });
  texture.upload(2, 2, std::vector<std::uint32_t>{kOrange, kBlue, kBlue, kOrange});
  gui.frames(2);
  const Image image = gui.picture();
  EXPECT_EQ(pixel(image, 30, 30), kOrange);
  EXPECT_EQ(pixel(image, 34, 30), kBlue);
  EXPECT_EQ(pixel(image, 30, 34), kBlue);
  EXPECT_EQ(pixel(image, 34, 34), kOrange);
}

TEST(Fonts, HaveLatinChineseAndArrows) {
  GuiTest gui({.width = 64, .height = 64});
  ASSERT_EQ(gui.error(), "");
  for (ImFont* font : {gui.fonts().text, gui.fonts().strong, gui.fonts().mono}) {
    ASSERT_NE(font, nullptr);
    for (const ImWchar c : {ImWchar(L'A'), ImWchar(0x2192), ImWchar(0x5b58), ImWchar(0x51b2)})
      EXPECT_TRUE(font->IsGlyphInFont(c)) << "code point " << c;
  }
}

TEST(GuiTestDriver, ClicksAndTypes) {
  int clicks = 0;
  char text[32] = "";
  GuiTest gui({.width = 400, .height = 200}, [&] {
    ImGui::Begin("Panel");
    if (ImGui::Button("Press")) ++clicks;
    ImGui::InputText("Name", text, sizeof text);
    ImGui::End();
  });
  ASSERT_EQ(gui.error(), "");
  gui.run([](ImGuiTestContext& test) {
    test.SetRef("Panel");
    test.ItemClick("Press");
    test.ItemClick("Press");
    test.ItemInputValue("Name", "warp");
  });
  EXPECT_EQ(clicks, 2);
  EXPECT_STREQ(text, "warp");
}

TEST(Png, RoundTripsAndReportsErrors) {
  const Image image{2, 1, {1, 2, 3, 255, 200, 100, 50, 255}};
  const auto file = std::filesystem::temp_directory_path() / "lanescope_png_test.png";
  ASSERT_EQ(write_png(file.string(), image), "");
  const ReadPngResult back = read_png(file.string());
  std::filesystem::remove(file);
  EXPECT_EQ(back.error, "");
  EXPECT_EQ(back.image.width, 2);
  EXPECT_EQ(back.image.rgba, image.rgba);

  EXPECT_NE(write_png("/nowhere/at/all.png", image), "");
  EXPECT_NE(write_png("/dev/full", image), "");
  EXPECT_NE(write_png(file.string(), {}), "");
  EXPECT_NE(read_png("/nowhere/at/all.png").error, "");
}

}  // namespace
}  // namespace lanescope::app

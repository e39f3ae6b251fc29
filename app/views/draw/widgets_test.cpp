// Pieces that views are made of.
#include "views/draw/widgets.h"

#include <gtest/gtest.h>

#include <string>

#include "core/text/text.h"
#include "platform/gui_test.h"

namespace lanescope::app {
namespace {

TEST(Widgets, AShortenedTextIsAsLongAsThereIsRoomFor) {
  GuiTest gui({.width = 400, .height = 300});
  if (!gui.error().empty()) GTEST_SKIP() << gui.error();
  int looked = 0;
  gui.on_draw([&] {
    ImGui::Begin("text");
    for (const std::string text : {"transpose_shared_tile", "每个线程读取 32 个元素 µ", "a", ""}) {
      const auto width = [](const std::string& of) { return ImGui::CalcTextSize(of.c_str()).x; };
      for (float room = 0; room < width(text) + 20; room += 3) {
        const std::string cut = shortened(text, room);
        if (width(text) <= room) {
          EXPECT_EQ(cut, text);
          continue;
        }
        const std::string head = cut.substr(0, cut.size() - std::string("…").size());
        ASSERT_EQ(head + "…", cut);
        EXPECT_TRUE(text.starts_with(head) && is_utf8(head)) << cut;
        EXPECT_TRUE(head.empty() || width(cut) <= room) << cut;
        std::size_t more = head.size() + 1;
        while (more < text.size() && !is_utf8(text.substr(0, more))) ++more;
        EXPECT_GT(width(text.substr(0, more) + "…"), room) << cut;
        ++looked;
      }
    }
    ImGui::End();
  });
  gui.frames(1);
  gui.on_draw({});
  EXPECT_GT(looked, 50);
}

}  // namespace
}  // namespace lanescope::app

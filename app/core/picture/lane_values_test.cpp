// What hovering the text tells.
#include "core/picture/lane_values.h"

#include <gtest/gtest.h>

#include "core/kernel/kernel_testing.h"
#include "core/session/session.h"

namespace lanescope::app {
namespace {

TEST(ExpressionAt, FindsNamesAndMembers) {
  const std::string line = "  int i = threadIdx.x + n[2]; // threadIdx.y";
  EXPECT_EQ(expression_at(line, 6), "i");
  EXPECT_EQ(expression_at(line, 12), "threadIdx.x");
  EXPECT_EQ(expression_at(line, 19), "threadIdx.x");  // the dot
  EXPECT_EQ(expression_at(line, 20), "threadIdx.x");  // the x
  EXPECT_EQ(expression_at(line, 24), "n");
  EXPECT_EQ(expression_at(line, 26), "") << "a number is what it is";
  EXPECT_EQ(expression_at(line, 0), "");
  EXPECT_EQ(expression_at(line, 35), "") << "a comment";
  EXPECT_EQ(expression_at("f(\"name\")", 4), "") << "a string";
  EXPECT_EQ(expression_at(line, 1000), "");
}

class LaneValuesTest : public testing::Test {
 protected:
  LaneValuesTest() : session(Catalog{}) {
    session.apply(testing_texts::settings_of(testing_texts::kTranspose));
    session.wait();
    picture = session.picture();
    warp = 3;
    last = picture->trace()->warps[warp].size() - 1;
  }
  std::optional<LaneValues> at(std::size_t step, const std::string& expression) const {
    return lane_values(*picture, warp, step, expression);
  }
  Session session;
  PicturePtr picture;
  std::uint32_t warp;
  std::size_t last;
};

TEST_F(LaneValuesTest, BuiltinsParametersMacrosAndVariables) {
  EXPECT_EQ(at(last, "threadIdx.x")->summary, "0, 1, 2 … 31");
  EXPECT_EQ(at(last, "threadIdx.y")->summary, "3");
  EXPECT_EQ(at(last, "nx")->summary, "64");
  EXPECT_EQ(at(last, "BX")->summary, "32");
  EXPECT_EQ(at(last, "jy")->summary, "0, 1, 2 … 31");
  const auto to = at(last, "to");  // jx*ny + jy, jx = 3, ny = 96
  ASSERT_TRUE(to.has_value());
  EXPECT_EQ(to->text[5], std::to_string(3 * 96 + 5));
  EXPECT_EQ(to->known, kAllLanes);
  EXPECT_EQ(at(last, "jx * ny + jy")->text[5], to->text[5]) << "a selection is evaluated too";
  EXPECT_FALSE(at(0, "to").has_value()) << "not set before the first step";
  EXPECT_FALSE(at(last, "nothing").has_value());
  EXPECT_FALSE(at(last + 5, "to").has_value());
}

TEST_F(LaneValuesTest, FindsTheAccessUnderThePointer) {
  const std::string line = "  if (jx < nx && jy < ny) out[to] = cell[threadIdx.x][threadIdx.y];";
  const KernelInfo& kernel = picture->kernel();
  std::uint32_t number = 0;
  for (const AccessInfo& access : kernel.accesses)
    if (access.text == "out[to]") number = access.pos.line;
  const auto text_at = [&](const std::string& what) {
    const int found =
        access_at(kernel, line, number, static_cast<std::uint32_t>(line.find(what) + 1));
    return found < 0 ? "" : kernel.accesses[static_cast<std::size_t>(found)].text;
  };
  EXPECT_EQ(text_at("out["), "out[to]");
  EXPECT_EQ(text_at("cell["), "cell[threadIdx.x][threadIdx.y]");
  EXPECT_EQ(text_at("if"), "");
}

}  // namespace
}  // namespace lanescope::app

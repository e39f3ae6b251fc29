#include "core/kernel/index_layout.h"

#include <gtest/gtest.h>

#include "core/kernel/catalog.h"
#include "core/kernel/kernel_testing.h"
#include "core/run/prepare.h"

namespace lanescope::app {
namespace {

using namespace testing_texts;

TEST(IndexLayout, CoordinatesAddUpToTheIndex) {
  const IndexLayout layout = row_major("As", {8, 8, 8});
  EXPECT_EQ(layout.strides, (std::vector<std::uint64_t>{64, 8, 1}));
  EXPECT_EQ(layout.shape_text(), "(8, 8, 8) : (64, 8, 1)");
  EXPECT_EQ(layout.sum_text(157), "2*64 + 3*8 + 5*1 = 157");
  for (std::uint64_t n = 0; n < 600; ++n) {
    const auto at = layout.coordinates(n);
    EXPECT_EQ(at[0] * 64 + at[1] * 8 + at[2], n);
    EXPECT_EQ(layout.inside(n), n < 512);
  }
}

TEST(IndexLayout, StridesMayLeavePaddingBetween) {
  const IndexLayout layout{
      .of = "As", .axes = {"BM/TM", "TM", "BK"}, .shape = {8, 8, 8}, .strides = {72, 9, 1}};
  EXPECT_EQ(layout.shape_text(), "(BM/TM, TM, BK) = (8, 8, 8) : (72, 9, 1)");
  EXPECT_TRUE(layout.inside(72 + 9 + 7));
  EXPECT_FALSE(layout.inside(72 + 9 + 8)) << "the padding";
}

TEST(IndexLayout, FromTheFrontMatterWithItsParameters) {
  const Catalog catalog = load_catalog(std::string(LANESCOPE_SOURCE_DIR) + "/kernels");
  Settings settings = *open_kernel(catalog, "gemm/01_block_tiled").settings;
  settings.parameters = {{"BM", "32"}, {"TM", "4"}, {"PAD", "1"}};
  const PrepareResult result = prepare(settings);
  ASSERT_TRUE(result.ready) << messages(result.diagnostics);
  ASSERT_FALSE(result.ready->prepared->layouts.empty());
  const IndexLayout& as = result.ready->prepared->layouts.front();
  EXPECT_EQ(as.of, "As");
  EXPECT_EQ(as.shape_text(), "(BM/TM, TM, BK) = (8, 4, 8) : (36, 9, 1)");
}

Settings with_layout(const std::string& layout) {
  return settings_of(replaced(kTranspose, "[launch]", layout + "\n[launch]"));
}

TEST(IndexLayout, WithoutStridesItIsRowByRow) {
  const PrepareResult result =
      prepare(with_layout("[[layout]]\narray = \"cell\"\nshape = \"BX, max(BX + PAD, 1)\""));
  ASSERT_TRUE(result.ready) << messages(result.diagnostics);
  ASSERT_EQ(result.ready->prepared->layouts.size(), 1u);
  EXPECT_EQ(result.ready->prepared->layouts[0].shape, (std::vector<std::uint64_t>{32, 32}));
  EXPECT_EQ(result.ready->prepared->layouts[0].axes[1], "max(BX + PAD, 1)");
  EXPECT_FALSE(result.ready->prepared->layouts[0].variable);
}

TEST(IndexLayout, MistakesAreToldAtTheirLine) {
  const struct {
    const char *layout, *message;
  } cases[] = {
      {"[[layout]]\narray = \"cell\"", "needs a shape"},
      {"[[layout]]\nshape = \"4, 4\"", "needs the name"},
      {"[[layout]]\narray = \"cell\"\nshape = \"4, 0\"", "comes out as 0"},
      {"[[layout]]\narray = \"cell\"\nshape = \"4, 4\"\nstrides = \"1\"", "one stride"},
      {"[[layout]]\narray = \"cell\"\nshape = \"4, 4\"\nstrides = \"1, 4\"", "last stride"},
      {"[[layout]]\narray = \"cell\"\nshape = \"4, NOPE\"", "NOPE"},
      {"[[layout]]\narray = \"celll\"\nshape = \"4, 4\"", "'celll'"}};
  for (const auto& one : cases) {
    const PrepareResult result = prepare(with_layout(one.layout));
    ASSERT_FALSE(result.diagnostics.empty()) << one.layout;
    EXPECT_NE(result.diagnostics[0].message.english().find(one.message), std::string::npos)
        << result.diagnostics[0].message.english();
    EXPECT_GT(result.diagnostics[0].line, 0u) << one.layout;
  }
}

}  // namespace
}  // namespace lanescope::app

// A picture refers to the prepared launch that was run, and to nothing less.
#include "core/picture/picture.h"

#include <gtest/gtest.h>

#include <memory>
#include <stop_token>

#include "core/kernel/catalog.h"

namespace lanescope::app {
namespace {

Settings bundled_settings(const std::string& kernel) {
  static const Catalog catalog = load_catalog(LANESCOPE_SOURCE_DIR "/kernels");
  return *open_kernel(catalog, kernel).settings;
}

TEST(InspectBlock, SharesThePreparedLaunchWithItsPicture) {
  const PrepareResult result = prepare(bundled_settings("transpose/05_remapped"));
  ASSERT_TRUE(result.ready);
  const Picture picture = inspect_block(*result.ready, {});
  EXPECT_EQ(picture.prepared, result.ready->prepared);
  ASSERT_TRUE(picture.trace());
  EXPECT_EQ(picture.trace()->block, (Dim3{1, 0, 0})) << "a transpose opens off the diagonal";
  EXPECT_EQ(picture.inspected.coverage.blocks_executed, 1u);
  EXPECT_GT(picture.prepared->compile_ms, 0.0);
}

TEST(InspectBlock, MovesTheBlockInsideTheGrid) {
  Settings settings = bundled_settings("transpose/05_remapped");
  settings.inspected_block = {1'000'000, 0, 7};
  const PrepareResult result = prepare(settings);
  ASSERT_TRUE(result.ready);
  const Dim3 last{result.ready->prepared->launch.grid.x - 1, 0, 0};
  EXPECT_EQ(result.ready->prepared->settings.inspected_block, last);
  EXPECT_EQ(inspect_block(*result.ready, {}).trace()->block, last);
}

TEST(InspectBlock, IsCompletedWithWhatViewsLookUp) {
  const PrepareResult result = prepare(bundled_settings("transpose/05_remapped"));
  ASSERT_TRUE(result.ready);
  Picture picture = inspect_block(*result.ready, {});
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_FALSE(complete_picture(picture, stopped.get_token()));
  EXPECT_FALSE(picture.index || picture.journey);
  EXPECT_TRUE(complete_picture(picture, {}));
  EXPECT_TRUE(picture.index && picture.journey);
  EXPECT_FALSE(picture.lines.empty());
  Picture nothing = picture;
  nothing.recorded = std::make_shared<const BlockTrace>();
  EXPECT_FALSE(complete_picture(nothing, {})) << "a trace without steps shows nothing";
  nothing.recorded = nullptr;
  EXPECT_FALSE(complete_picture(nothing, {}));
}

TEST(InspectBlock, OfNothingIsAPictureWithoutAProgram) {
  const Picture picture;
  ASSERT_TRUE(picture.prepared);
  EXPECT_FALSE(picture.prepared->program);
  EXPECT_FALSE(picture.trace());
}

}  // namespace
}  // namespace lanescope::app

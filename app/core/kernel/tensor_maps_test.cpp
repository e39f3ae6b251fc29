#include "core/kernel/tensor_maps.h"

#include <gtest/gtest.h>

#include "core/kernel/kernel_testing.h"
#include "lanescope/tensor_map.h"

namespace lanescope::app {
namespace {

TEST(TensorMapTexts, AreBufferBoxAndSwizzle) {
  const auto spec = parse_tensor_map("m", "A:box=64x128:swizzle=128");
  ASSERT_TRUE(spec.has_value());
  EXPECT_EQ(spec->of, "A");
  EXPECT_EQ(spec->box, (std::vector<std::string>{"64", "128"}));
  EXPECT_EQ(spec->swizzle, "128");
  EXPECT_EQ(parse_tensor_map("m", "A:box=32")->swizzle, "0");
  for (const char* text : {"", "A", "A:box=", "A:box=axb", "A:box=32:swizzle=x", "A:32x32",
                           ":box=32", "A:box=32:lower=-1x-1",
                           "A:box=32:pixels=", "A:box=32:pixels=-8", "A:box=32:pixels=8:lower=ax0"})
    EXPECT_FALSE(parse_tensor_map("m", text).has_value()) << text;
}

TEST(TensorMapTexts, OfPixelsHaveCornersToo) {
  const auto spec = parse_tensor_map("m", "A:box=32:pixels=64:lower=-1x-2:upper=0x-1:swizzle=64");
  ASSERT_TRUE(spec.has_value());
  EXPECT_TRUE(spec->is_image());
  EXPECT_EQ(spec->pixels, "64");
  EXPECT_EQ(spec->lower, (std::vector<std::string>{"-1", "-2"}));
  EXPECT_EQ(spec->upper, (std::vector<std::string>{"0", "-1"}));
  EXPECT_EQ(spec->expressions(),
            (std::vector<std::string>{"32", "64", "1", "64", "-1", "-2", "0", "-1"}));
}

struct Bound {
  const char* name;
  TensorMapSpec spec;
  /// Empty: there is a map
  const char* wrong;
};

BoundTensorMap bind(const TensorMapSpec& spec) {
  BufferLayout layout;
  layout.name = "A";
  layout.element_bytes = 2;
  layout.dims = {100, 256};
  BufferLayout odd = layout;
  odd.name = "odd";
  odd.dims = {100, 100};
  return bind_tensor_map(spec, {{}, {layout, odd}, {{tensor_map_expression("m", 1), 48}}});
}

TEST(TensorMaps, HaveTheExtentsOfTheirBufferInnermostFirst) {
  const BoundTensorMap bound = bind({"m", "A", {"64", "BM"}, "128"});
  ASSERT_TRUE(bound.argument.has_value()) << bound.wrong.english();
  ASSERT_EQ(bound.argument->bytes.size(), kTensorMapBytes);
  ASSERT_EQ(bound.argument->pointers.size(), 1u);
  EXPECT_EQ(bound.argument->pointers[0].second, "A");
  std::array<std::byte, kTensorMapBytes> bytes{};
  std::copy(bound.argument->bytes.begin(), bound.argument->bytes.end(), bytes.begin());
  const auto map = decode_tensor_map(bytes);
  ASSERT_TRUE(map.has_value());
  EXPECT_EQ(map->rank, 2);
  EXPECT_EQ(map->extent[0], 256u);
  EXPECT_EQ(map->extent[1], 100u);
  EXPECT_EQ(map->stride[1], 512u);
  EXPECT_EQ(map->box[0], 64u);
  EXPECT_EQ(map->box[1], 48u);
  EXPECT_EQ(map->swizzle, TensorSwizzle::bytes128);
}

TEST(TensorMaps, OfPixelsTakeTheBoxFromChannelsAndCorners) {
  BufferLayout image;
  image.name = "A";
  image.element_bytes = 2;
  image.dims = {3, 7, 5, 64};  // images, rows, columns, channels
  TensorMapSpec spec{"m", "A", {"32"}, "64"};
  spec.pixels = "PIXELS", spec.lower = {"-1", "LOW"}, spec.upper = {"0", "-2"};
  const BoundTensorMap bound = bind_tensor_map(
      spec,
      {{}, {image}, {{tensor_map_expression("m", 3), 48}, {tensor_map_expression("m", 5), -3}}});
  ASSERT_TRUE(bound.argument.has_value()) << bound.wrong.english();
  std::array<std::byte, kTensorMapBytes> bytes{};
  std::copy(bound.argument->bytes.begin(), bound.argument->bytes.end(), bytes.begin());
  const auto map = decode_tensor_map(bytes);
  ASSERT_TRUE(map && map->is_image());
  EXPECT_EQ(map->rank, 4);
  EXPECT_EQ(map->extent[1], 5u);
  EXPECT_EQ(map->stride[3], 64u * 5 * 7 * 2);
  EXPECT_EQ(map->box[0], 32u);
  EXPECT_EQ(map->image.pixels, 48u);
  EXPECT_EQ(map->image.lower, (std::array{-1, -3, 0}));
  EXPECT_EQ(map->image.upper, (std::array{0, -2, 0}));
  const auto says = [&](const TensorMapSpec& wrong) {
    return bind_tensor_map(wrong, {{}, {image}, {}}).wrong.english();
  };
  TensorMapSpec wrong = spec;
  wrong.pixels = "0", wrong.lower = {"0", "0"};
  EXPECT_NE(says(wrong).find("a copy of 0 pixels"), std::string::npos) << says(wrong);
  wrong.upper = {"0"};
  EXPECT_NE(says(wrong).find("'A' has 4 dimensions, 2 of them between"), std::string::npos);
}

class WrongTensorMaps : public testing::TestWithParam<Bound> {};

TEST_P(WrongTensorMaps, AreTold) {
  const BoundTensorMap bound = bind(GetParam().spec);
  EXPECT_FALSE(bound.argument.has_value());
  EXPECT_NE(bound.wrong.english().find(GetParam().wrong), std::string::npos)
      << bound.wrong.english();
}

INSTANTIATE_TEST_SUITE_P(
    Specs, WrongTensorMaps,
    testing::Values(
        Bound{"of_nothing", {"m", "B", {"64", "64"}, "0"}, "no buffer 'B'"},
        Bound{"rank", {"m", "A", {"64"}, "0"}, "a box of 1 dimensions, and 'A' has 2"},
        Bound{"swizzle", {"m", "A", {"64", "64"}, "96"}, "a swizzle of 96 bytes"},
        Bound{"too_wide", {"m", "A", {"128", "64"}, "128"}, "a swizzle of 128 bytes has room"},
        Bound{"too_tall", {"m", "A", {"64", "257"}, "0"}, "a box of 257 elements"},
        Bound{"empty", {"m", "A", {"0", "8"}, "0"}, "a box of 0 elements"},
        Bound{"narrow", {"m", "A", {"4", "8"}, "0"}, "a multiple of 16 bytes"},
        Bound{"rows", {"m", "odd", {"64", "8"}, "0"}, "200 bytes from one element"}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace lanescope::app

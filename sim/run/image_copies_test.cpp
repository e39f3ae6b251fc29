// Tensor copies of an image's pixels: im2col, to shared memory and back.
#include <utility>
#include <vector>

#include "run/bulk_text.h"
#include "run/nothing_wrong.h"

namespace lanescope {
namespace {

/// Images of 6 by 5 pixels of 4 ints, the filter's 3 by 3 with a border of 1: 960 ints are 8 of them. A copy takes `pixels`.
TextArgument image_map(std::uint32_t pixels) {
  TensorMap map;
  map.address = 16;
  map.rank = 4, map.element_bytes = 4;
  map.extent = {4, 6, 5, 8}, map.stride = {4, 16, 96, 480};
  map.box = {4};
  map.image = {.pixels = pixels, .lower = {-1, -1}, .upper = {-1, -1}};
  EXPECT_FALSE(tensor_map_error(map).has_value());
  TextArgument out = map_of(32, 8, TensorSwizzle::none);
  const auto bytes = encode(map);
  out.argument.bytes.assign(bytes.begin(), bytes.end());
  return out;
}

TEST(ImageCopies, BringTheColumnsOfAConvolution) {
  // From the 5th pixel of the first image's second row on, with the filter's place (2, 1).
  const Outcome outcome =
      run_bulk(std::string(kBegin) +
                   "if (t == 0) { expect(bar, 40 * 16); get_pixels(s, &map, 0, 3, 0, 0, 2, "
                   "1, bar); } wait(bar, 0); for (int i = t; i < 160; i += 64) b[i] = s[i];",
               image_map(40), true);
  EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
  expect_each<int>(outcome, "b", [](std::size_t i) {
    // The filter's corner goes over 6 by 5 places, from (−1, −1) on, in every image.
    const int number = static_cast<int>(i) / 4 + 6 + 4, x = number % 6 - 1 + 2,
              y = number / 6 % 5 - 1 + 1, n = number / 30;
    if (i >= 160 || x < 0 || x >= 6 || y < 0 || y >= 5) return 0;
    return ((n * 5 + y) * 6 + x) * 4 + static_cast<int>(i) % 4;
  });
}

TEST(ImageCopies, NeedAMapOfTheirOwn) {
  const auto says = [](const char* body, const TextArgument& map) {
    return run_bulk(std::string(kBegin) + body, map).report();
  };
  EXPECT_NE(says("if (t == 0) get_pixels(s, &map, 0, 0, 0, 0, 0, 0, bar);",
                 map_of(32, 8, TensorSwizzle::none))
                .find("a tensor copy of 4 dimensions through a map of 2"),
            std::string::npos);
  const char* tile = "if (t == 0) asm volatile(\"cp.async.bulk.tensor.4d.shared::cluster.global."
                     "mbarrier::complete_tx::bytes [%0], [%1, {%2, %2, %2, %2}], [%3];\" :: "
                     "\"r\"(at(s)), \"l\"(&map), \"r\"(0), \"r\"(at(bar)) : \"memory\");";
  EXPECT_NE(says(tile, image_map(8)).find("a tile through a map that cuTensorMapEncodeIm2col"),
            std::string::npos);
}

/// Two images of 6 by 5 pixels of 8 ints, in buffer "b"; of them a copy takes `pixels` of the box.
TextArgument stored_image(std::uint32_t pixels, std::int32_t lower, std::int32_t upper,
                          std::uint32_t step) {
  TensorMap map;
  map.address = 16;
  map.rank = 4, map.element_bytes = 4;
  map.extent = {8, 6, 5, 2}, map.stride = {4, 32, 192, 960};
  map.box = {8}, map.element_stride = {1, step, 1, 1, 1};
  map.element = TensorElement::s32;
  map.image = {.pixels = pixels, .lower = {lower, lower}, .upper = {upper, upper}};
  EXPECT_FALSE(tensor_map_error(map).has_value());
  TextArgument out = map_of(32, 8, TensorSwizzle::none);
  const auto bytes = encode(map);
  out.argument.bytes.assign(bytes.begin(), bytes.end());
  out.argument.pointers = {{kTensorMapAddress, "b"}};
  return out;
}

/// From (c, w, h, n), once or, with what lies there added, twice.
std::string storing(int c, int w, int h, int n, bool adds = false) {
  const std::string copy = std::string("asm volatile(\"cp.") + (adds ? "reduce." : "") +
                           "async.bulk.tensor.4d.global.shared::cta." + (adds ? "add." : "") +
                           "im2col_no_offs.bulk_group [%1, {%2, %3, %4, %5}], [%0];\" :: "
                           "\"r\"(at(s)), \"l\"(&map), \"r\"(" +
                           std::to_string(c) + "), \"r\"(" + std::to_string(w) + "), \"r\"(" +
                           std::to_string(h) + "), \"r\"(" + std::to_string(n) +
                           ") : \"memory\"); ";
  return std::string(kBegin) +
         "for (int i = t; i < 1024; i += 64) s[i] = i + 1; fence(); __syncthreads(); if (t == 0) "
         "{ " +
         copy + (adds ? copy : "") + "commit(); done(); }";
}

/// Read from an H200: which pixel each of the tile's goes to.
TEST(ImageCopies, StorePixelByPixelThroughTheBox) {
  struct Case {
    std::int32_t lower, upper;
    std::uint32_t step;
    int w, h;
    std::vector<std::size_t> to;
  };
  for (const Case& one :
       {Case{0, 0, 1, 5, 4, {29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44}},
        Case{1, 0, 1, 2, 1, {8, 9, 10, 11, 13, 14, 15, 16, 17, 19, 20, 21, 22, 23, 25, 26}},
        Case{1, -1, 1, 2, 1, {8, 9, 10, 13, 14, 15, 16, 19, 20, 21, 22, 37, 38, 39, 40, 43}},
        Case{0, 0, 2, 1, 0, {1, 3, 5, 6, 8, 10, 12, 14}},
        Case{0, -1, 3, 0, 0, {0, 3, 6, 9, 12, 15, 18, 21}}}) {
    const TextArgument map =
        stored_image(static_cast<std::uint32_t>(one.to.size()), one.lower, one.upper, one.step);
    const Outcome outcome = run_bulk(storing(0, one.w, one.h, 0), map, true);
    EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
    std::vector<int> wanted(1024);
    for (std::size_t k = 0; k < one.to.size(); ++k)
      for (std::size_t c = 0; c < 8; ++c)
        wanted[one.to[k] * 8 + c] = static_cast<int>(k * 8 + c) + 1;
    expect_each<int>(outcome, "b", [&](std::size_t i) { return wanted[i]; });
  }
}

/// Read from an H200 as well.
TEST(ImageCopies, DropWhatLiesBeyondTheLastChannelAndImageAndAdd) {
  const TextArgument map = stored_image(16, 0, 0, 1);
  expect_each<int>(run_bulk(storing(4, 0, 0, 0), map), "b", [](std::size_t i) {
    return i < 128 && i % 8 >= 4 ? static_cast<int>(i / 8 * 8 + i % 8 - 4) + 1 : 0;
  });
  expect_each<int>(run_bulk(storing(0, 0, 0, 2), map), "b", [](std::size_t) { return 0; });
  expect_each<int>(run_bulk(storing(0, 0, 0, 0, true), map), "b",
                   [](std::size_t i) { return i < 128 ? 2 * static_cast<int>(i + 1) : 0; });
}

/// Where an H200 says that the instruction is illegal.
TEST(ImageCopies, StoreWithinTheImageAlone) {
  const auto says = [](int w, int h, std::int32_t lower, std::int32_t upper) {
    return run_bulk(storing(0, w, h, 0), stored_image(16, lower, upper, 1)).report();
  };
  for (const auto& [lower, upper] : {std::pair{-1, -1}, std::pair{-1, 1}, std::pair{0, 1}})
    EXPECT_NE(says(2, 1, lower, upper).find("along dimension 1, beyond the image"),
              std::string::npos)
        << lower << ' ' << upper;
  EXPECT_NE(
      says(0, 0, 1, 0)
          .find("from 0 of dimension 1 on: an illegal instruction outside the map's box, 1 to 5"),
      std::string::npos);
  EXPECT_NE(says(2, 1, 2, 0).find("from 1 of dimension 2 on"), std::string::npos);
  EXPECT_NE(says(5, 1, 0, -1).find("0 to 4"), std::string::npos);
  EXPECT_NE(says(6, 0, 0, 0).find("0 to 5"), std::string::npos);
  EXPECT_NE(says(-1, 0, 0, 0).find("below 0"), std::string::npos);
}

}  // namespace
}  // namespace lanescope

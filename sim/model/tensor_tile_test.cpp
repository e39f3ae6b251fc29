// Sectors of bulk and tensor copies against rows that an NVIDIA H200's counters gave (cc 9.0, Nsight Compute 2025.3).
//
// rows/tensor_copies.jsonl: `what` is copied, from ("load") or to global memory; of a tensor copy its map, innermost
// dimension first, and the coordinates `at` which the tile begins; of others the offset in shared memory; `offset`
// from a multiple of 256 bytes in global memory. `sectors`: l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld,
// …l1tex2xbar_write_sectors_mem_global_op_tma_st and …_red.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "lanescope/tensor_tile.h"

namespace lanescope {
namespace {

using nlohmann::json;

constexpr std::uint64_t kBase = 1u << 20;

TensorMap map_of(const json& row) {
  TensorMap map{.address = kBase + row.at("offset").get<std::uint64_t>(),
                .rank = static_cast<int>(row.at("extent").size()),
                .element_bytes = row.at("element"),
                .swizzle = static_cast<TensorSwizzle>(row.at("swizzle").get<int>())};
  map.stride[0] = map.element_bytes;
  for (std::size_t d = 0; d < row.at("extent").size(); ++d) {
    map.extent[d] = row.at("extent")[d];
    map.box[d] = row.at("box")[d];
    map.element_stride[d] = row.at("step")[d];
    if (d > 0) map.stride[d] = row.at("pitch")[d - 1];
  }
  return map;
}

TEST(TensorTiles, TakeTheHardwaresSectors) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/sim/model/rows/tensor_copies.jsonl");
  std::size_t rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    const json row = json::parse(line);
    const bool to_shared = row.at("what") == "load" || row.at("what") == "bulk load";
    GlobalCounts cost;
    if (row.contains("box")) {
      TilePlace first{};
      for (std::size_t d = 0; d < row.at("at").size(); ++d) first[d] = row.at("at")[d];
      const TensorMap map = map_of(row);
      EXPECT_FALSE(tensor_map_error(map).has_value()) << line;
      cost = TensorTile(map, first).cost(to_shared);
    } else {
      cost = bulk_cost(kBase + row.at("offset").get<std::uint64_t>(), row.at("shared"),
                       row.at("bytes"));
    }
    EXPECT_EQ(cost.sectors, row.at("sectors").get<std::uint64_t>()) << line;
    EXPECT_EQ(cost.requests, 1u);
    EXPECT_LE(cost.ideal_sectors, cost.sectors);
  }
  EXPECT_EQ(rows, 404u);
}

// Where an H200 found each pixel's first element: its number in the tensor, −1 outside; and the sectors that it took.
TEST(TensorTiles, OfAnImageArePixelsAsTheHardwareTakesThem) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/sim/model/rows/image_copies.jsonl");
  std::size_t rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    const json row = json::parse(line);
    TensorMap map{.address = kBase,
                  .rank = static_cast<int>(row.at("extent").size()),
                  .element_bytes = row.at("element"),
                  .swizzle = static_cast<TensorSwizzle>(row.at("swizzle").get<int>())};
    std::uint64_t stride = map.element_bytes;
    TilePlace first{};
    PixelOffset offset{};
    for (std::size_t d = 0; d < row.at("extent").size(); ++d) {
      map.extent[d] = row.at("extent")[d];
      map.stride[d] = stride;
      stride *= map.extent[d];
      map.element_stride[d] = row.at("step")[d];
      first[d] = row.at("at")[d];
    }
    map.box[0] = row.at("channels"), map.image.pixels = row.at("pixels");
    for (std::size_t d = 0; d < row.at("lower").size(); ++d) {
      map.image.lower[d] = row.at("lower")[d], map.image.upper[d] = row.at("upper")[d];
      offset[d] = row.at("offset")[d];
    }
    ASSERT_FALSE(tensor_map_error(map).has_value()) << line;
    const std::optional<TensorMap> read = decode_tensor_map(encode(map));
    ASSERT_TRUE(read.has_value());
    const TensorTile tile(*read, first, offset);
    ASSERT_EQ(read->rows(), row.at("from").size());
    for (std::uint32_t pixel = 0; pixel < read->rows(); ++pixel) {
      const TensorTile::Row at = tile.row(pixel);
      const bool inside = at.is_inside && tile.begin() == 0 && tile.end() > 0;
      const auto number = static_cast<std::int64_t>(at.address - kBase) / read->element_bytes;
      EXPECT_EQ(inside ? number : -1, row.at("from")[pixel].get<std::int64_t>())
          << line << " pixel " << pixel;
    }
    EXPECT_EQ(tile.cost(true).sectors, row.at("sectors").get<std::uint64_t>()) << line;
  }
  EXPECT_EQ(rows, 200u);
}

TEST(TensorTiles, OfOneKindCostTheSame) {
  TensorMap map{.address = kBase, .rank = 3, .element_bytes = 2};
  map.extent = {100, 9, 7}, map.stride = {2, 208, 208 * 9}, map.box = {24, 4, 3};
  map.element_stride = {1, 1, 2, 1, 1};
  std::map<TensorTile::Kind, GlobalCounts> kinds;
  std::size_t tiles = 0;
  for (std::int64_t x = -32; x < 136; x += 8)
    for (std::int64_t y = -5; y < 11; ++y)
      for (std::int64_t z = -4; z < 9; ++z, ++tiles) {
        const TensorTile tile(map, {x, y, z});
        const auto [known, is_new] = kinds.try_emplace(tile.kind(), tile.cost(true));
        EXPECT_EQ(known->second, tile.cost(true)) << x << ' ' << y << ' ' << z;
      }
  EXPECT_LT(kinds.size(), tiles / 2);
}

TEST(TensorTiles, AreReadBackFromATrace) {
  TensorMap map{.address = kBase, .rank = 2, .element_bytes = 4};
  map.extent = {64, 64}, map.stride = {4, 256}, map.box = {32, 8};
  LaneRows rows;
  LaneRow shared{}, at{}, words{};
  shared[5] = 0x700000000000ull + 1024;
  rows.push_back(shared);
  for (int i = 0; i < 2; ++i) rows.push_back(LaneRow{});
  at[5] = static_cast<std::uint32_t>(-4);
  rows.push_back(at);
  at[5] = 8;
  rows.push_back(at);
  for (int i = 0; i < 3; ++i) rows.push_back(LaneRow{});
  const auto bytes = encode(map);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  rows.push_back(words);
  const auto steps = bulk_steps(rows, 0, 1u << 5, true);
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].lane, 5);
  EXPECT_EQ(steps[0].shared, 1024u);
  EXPECT_EQ(steps[0].bytes, 1024u);
  EXPECT_EQ(steps[0].first[0], -4);
  EXPECT_EQ(steps[0].global, kBase + 8 * 256 - 16);
}

}  // namespace
}  // namespace lanescope

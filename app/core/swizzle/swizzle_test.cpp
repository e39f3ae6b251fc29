// Swizzles by name, found in addresses, and what reads cost with them.
#include "core/swizzle/tile_addresses.h"

#include <gtest/gtest.h>

#include <set>

#include "core/session/session.h"

namespace lanescope::app {
namespace {

const TileAddresses kHalves{.rows = 64, .columns = 64, .element_bytes = 2, .base = 0, .offset = {}};

const ReadCost& cost(const TriedSwizzle& tried, TileRead read) {
  return tried.cost[static_cast<std::size_t>(read)];
}

const TriedSwizzle& find(const std::vector<TriedSwizzle>& all, const Swizzle& swizzle) {
  for (const TriedSwizzle& tried : all)
    if (tried.swizzle == swizzle) return tried;
  ADD_FAILURE() << swizzle.name();
  return all.front();
}

TEST(Swizzle, ExchangesBitsAsCuTeDoes) {
  const Swizzle swizzle{3, 3, 3};
  EXPECT_EQ(swizzle.name(), "Swizzle<3, 3, 3>");
  EXPECT_EQ(swizzle(0), 0u);
  EXPECT_EQ(swizzle(1 << 6), (1u << 6) + (1u << 3));
  EXPECT_EQ(swizzle((5 << 6) + (6 << 3) + 2), (5u << 6) + (3u << 3) + 2u);
  EXPECT_EQ((Swizzle{}(12345)), 12345u);
  std::set<std::uint64_t> images;
  for (std::uint64_t i = 0; i < 4096; ++i) images.insert(swizzle(i));
  EXPECT_EQ(images.size(), 4096u);
}

TEST(Swizzle, IsFoundInTheAddressesOfALayout) {
  for (const Swizzle& swizzle : {Swizzle{}, Swizzle{1, 3, 4}, Swizzle{2, 3, 3}, Swizzle{3, 3, 3},
                                 Swizzle{3, 2, 5}, Swizzle{5, 0, 6}})
    for (const bool by_columns : {false, true})
      for (const std::uint64_t pitch : {64u, 72u}) {
        if (pitch == 72 && swizzle.bits > 0) continue;
        const auto found = find_layout(addresses_of({pitch, by_columns, swizzle}, kHalves));
        ASSERT_TRUE(found) << swizzle.name();
        EXPECT_EQ(found->swizzle, swizzle) << found->swizzle.name();
        EXPECT_EQ(found->pitch, pitch);
        EXPECT_EQ(found->by_columns, by_columns);
      }
  TileAddresses odd = addresses_of({64, false, {}}, kHalves);
  std::swap(odd.offset[5], odd.offset[9]);
  EXPECT_FALSE(find_layout(odd));
}

TEST(Swizzle, FormulaOfTheKernelsIsNamed) {
  const FormulaTile tile = formula_tile({.text = "row*64 + ((chunk ^ row % 8)*8 + col % 8)"});
  ASSERT_TRUE(tile.addresses);
  EXPECT_FALSE(tile.same_place);
  EXPECT_EQ(find_layout(*tile.addresses)->swizzle, (Swizzle{3, 3, 3}));
  // hgemm's Bs, 128 halves a row, and its As with BK = 32, where two rows share
  const FormulaTile wide = formula_tile({usual_formula(128, 2), 64, 128, 2});
  EXPECT_EQ(find_layout(*wide.addresses)->swizzle, (Swizzle{3, 3, 4}));
  const FormulaTile pairs = formula_tile({"row*32 + (chunk ^ row / 2 % 4)*8 + col % 8", 64, 32, 2});
  EXPECT_EQ(find_layout(*pairs.addresses)->swizzle, (Swizzle{2, 3, 3}));
}

TEST(Swizzle, WhatIsWrongWithAFormulaIsTold) {
  EXPECT_EQ(formula_tile({.text = "row*64 + nope"}).wrong_at, 9u);
  EXPECT_EQ(formula_tile({.text = ""}).wrong_at, 0u);
  EXPECT_EQ(formula_tile({.text = "row - col"}).no_offset, (TileElement{0, 1}));
  EXPECT_EQ(formula_tile({.text = "col / (3 - row)"}).no_offset, (TileElement{3, 0}));
  const FormulaTile twice = formula_tile({.text = "row*63 + col"});
  ASSERT_TRUE(twice.same_place);
  EXPECT_EQ(twice.same_place->first, (TileElement{0, 63}));
  EXPECT_EQ(twice.same_place->second, (TileElement{1, 0}));
}

TEST(Swizzle, TheUsualOneFreesMatricesAndRows) {
  const auto all = try_swizzles(kHalves, 64);
  const TriedSwizzle& none = find(all, {});
  // 8 rows of 128 bytes: all on four banks
  EXPECT_EQ(cost(none, TileRead::matrix).ratio(), 8);
  EXPECT_TRUE(cost(none, TileRead::wide_rows).is_free());
  const TriedSwizzle& usual = find(all, {3, 3, 3});
  EXPECT_TRUE(cost(usual, TileRead::matrix).is_free());
  EXPECT_TRUE(cost(usual, TileRead::wide_rows).is_free());
  EXPECT_TRUE(cost(usual, TileRead::wide_columns).is_free());
  // A half of the exchange leaves half of the conflicts.
  EXPECT_EQ(cost(find(all, {2, 3, 3}), TileRead::matrix).ratio(), 2);
  // Within 16 bytes nothing may be exchanged where 16 bytes are read.
  EXPECT_FALSE(cost(find(all, {3, 0, 6}), TileRead::matrix).possible);
  for (std::size_t i = 1; i < all.size(); ++i) ASSERT_GE(all[i - 1].free, all[i].free);
  EXPECT_GE(all.front().free, usual.free);
}

TEST(Swizzle, AColumnOfFloatsIsFreeWithFiveBits) {
  const TileAddresses floats{
      .rows = 32, .columns = 32, .element_bytes = 4, .base = 0, .offset = {}};
  const auto all = try_swizzles(floats, 32);
  EXPECT_EQ(cost(find(all, {}), TileRead::columns).ratio(), 32);
  EXPECT_TRUE(cost(find(all, {5, 0, 5}), TileRead::columns).is_free());
  EXPECT_TRUE(cost(find(all, {5, 0, 5}), TileRead::rows).is_free());
  // Padded, no swizzle is needed.
  EXPECT_TRUE(read_cost(addresses_of({33, false, {}}, floats), TileRead::columns).is_free());
}

TEST(Swizzle, LanesThatReadTogether) {
  TileAddresses tile = addresses_of({64, false, {}}, kHalves);
  const auto matrix = read_together(tile, TileRead::matrix, {13, 20});
  ASSERT_EQ(matrix.size(), 8u);
  EXPECT_EQ(matrix.front(), (TileElement{8, 16}));
  EXPECT_EQ(matrix.back(), (TileElement{15, 16}));
  const auto row = read_together(tile, TileRead::rows, {3, 40});
  EXPECT_EQ(row.front(), (TileElement{3, 32}));
  EXPECT_EQ(row.size(), 32u);
  EXPECT_EQ(read_together(tile, TileRead::columns, {40, 3}).front(), (TileElement{32, 3}));
}

class RecordedTileTest : public testing::Test {
 protected:
  static std::vector<RecordedTile> tiles_of(const std::string& kernel) {
    Session session(load_catalog(LANESCOPE_SOURCE_DIR "/kernels"));
    OpenResult opened = open_kernel(session.catalog(), kernel);
    EXPECT_TRUE(opened.settings.has_value()) << kernel;
    session.apply(*opened.settings);
    session.wait(true);
    return recorded_tiles(*session.picture());
  }
};

TEST_F(RecordedTileTest, ASwizzledTransposeIsNamed) {
  const auto tiles = tiles_of("transpose/11_swizzle");
  ASSERT_EQ(tiles.size(), 1u);
  EXPECT_EQ(tiles[0].name, "tile");
  EXPECT_EQ(tiles[0].from, "in");
  EXPECT_EQ(tiles[0].addresses.rows, 32);
  EXPECT_EQ(tiles[0].addresses.columns, 32);
  const auto found = find_layout(tiles[0].addresses);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->swizzle, (Swizzle{5, 0, 5}));
  EXPECT_EQ(found->pitch, 32u);
}

TEST_F(RecordedTileTest, APaddedOneHasAPitchAndNoSwizzle) {
  const auto tiles = tiles_of("transpose/04_shared_tile_padded");
  ASSERT_EQ(tiles.size(), 1u);
  const auto found = find_layout(tiles[0].addresses);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->swizzle, Swizzle{});
  EXPECT_EQ(found->pitch, 33u);
}

TEST_F(RecordedTileTest, WithoutSharedMemoryThereIsNone) {
  EXPECT_TRUE(tiles_of("transpose/01_naive_row").empty());
}

}  // namespace
}  // namespace lanescope::app

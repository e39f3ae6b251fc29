// Tensors of a recorded block: found by the types of variables, placed by what they hold.
#include <gtest/gtest.h>

#include <set>

#include "core/kernel/kernel_testing.h"
#include "core/picture/execution.h"
#include "core/picture/picture.h"
#include "core/places/places.h"
#include "core/swizzle/tile_addresses.h"
#include "core/tensor/tensor_testing.h"
#include "lanescope/memory.h"

namespace lanescope::app {
namespace {

class TensorsTest : public testing::Test {
 protected:
  void SetUp() override {
    PrepareResult result = prepare(testing_texts::settings_of(testing_texts::kTensors));
    ASSERT_TRUE(result.ready) << testing_texts::messages(result.diagnostics);
    picture = inspect_block(*result.ready, {});
    ASSERT_TRUE(picture.recorded);
  }
  [[nodiscard]] const PlacedTensor* tensor(const std::string& name) const {
    for (const PlacedTensorPtr& one : picture.tensors)
      if (one->name == name) return one.get();
    return nullptr;
  }
  Picture picture;
};

TEST_F(TensorsTest, AreWhatAllThreadsShareAndTheFirstOfSeveralViews) {
  std::set<std::string> names;
  for (const PlacedTensorPtr& one : picture.tensors) names.insert(one->name);
  EXPECT_EQ(names, (std::set<std::string>{"mA", "mC", "sA"}));
  ASSERT_TRUE(tensor("sA") && tensor("mA") && tensor("mC"));
  EXPECT_EQ(tensor("sA")->full_layout, "Sw<5,0,5> o _0 o (_32,_32):(_32,_1)");
  EXPECT_EQ(tensor("sA")->base, kSharedWindow + 32);
  EXPECT_EQ(tensor("mA")->full_layout, "(_32,_32):(40,_1)") << "the pitch is an argument";
  EXPECT_EQ(tensor("mA")->base, picture.prepared->buffers[0].base);
  EXPECT_EQ(tensor("mC")->layout, "(32,32):(1,32)");
  std::set<std::string> all;
  for (const TensorInfo& one : picture.kernel().tensors) all.insert(one.name);
  EXPECT_EQ(all, (std::set<std::string>{"mA", "mC", "sA", "own", "turned", "mine"}));
}

TEST_F(TensorsTest, NameTheirElements) {
  const std::uint64_t shared = tensor("sA")->base + 4 * (3 * 32 + (5 ^ 3));
  EXPECT_EQ(locate(picture, shared).text(), "sA(3,5)");
  EXPECT_EQ(locate(picture, shared).offset, 32 + 4 * (3 * 32 + (5 ^ 3))) << "of the array still";
  EXPECT_EQ(locate(picture, kSharedWindow).text(), "memory[0]") << "before the tile";
  EXPECT_EQ(locate(picture, tensor("mA")->base + 4 * 39).text(), "in[0][39]") << "behind its row";
  const auto cell = cell_named(picture, " sA(3, 5) ");
  ASSERT_TRUE(cell);
  EXPECT_EQ(cell->address, shared);
  EXPECT_EQ(cell->bytes, 4u);
  for (const char* wrong : {"sA(3)", "sA(3,5,0)", "sA(32,0)", "sA(3,5", "sA()", "sA(3,)",
                            "own(0,0)", "sA(3,-1)", "sA(3,5)x", "sA(3)5)"})
    EXPECT_FALSE(cell_named(picture, wrong)) << wrong;
}

TEST_F(TensorsTest, AreTheTilesWhoseSwizzleIsLookedAt) {
  const std::vector<RecordedTile> tiles = recorded_tiles(picture);
  ASSERT_EQ(tiles.size(), 1u) << "not the array, of which the tile is a part";
  EXPECT_EQ(tiles[0].name, "sA");
  EXPECT_EQ(tiles[0].addresses.base, 32u);
  const auto layout = find_layout(tiles[0].addresses);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->swizzle, (Swizzle{5, 0, 5}));
  EXPECT_EQ(layout->pitch, 32u);
  const WarpTrack& track = picture.trace()->warps[0];
  int reached = 0;
  for (std::size_t step = 0; step < track.size(); ++step) {
    const auto execution = execution_at(picture, track, step);
    if (!execution || execution->space != MemorySpace::shared) continue;
    EXPECT_EQ(tile_reached(tiles, picture, *execution), 0);
    ++reached;
  }
  EXPECT_GT(reached, 0);
}

TEST_F(TensorsTest, AColumnMajorTileIsLookedAtAlongItsColumns) {
  PlacedTensor tensor{.name = "sM",
                      .element_bytes = 2,
                      .base = kSharedWindow,
                      .begin = kSharedWindow,
                      .end = kSharedWindow + 2 * 64 * 8,
                      .shape = {64, 8},
                      .axes = {{1, 8, 64, 1}, {0, 64, 1, 1}}};
  picture.tensors = {std::make_shared<const PlacedTensor>(tensor)};
  const RecordedTile tile = recorded_tiles(picture).at(0);
  EXPECT_TRUE(tile.turned);
  EXPECT_EQ(tile.addresses.rows, 8);
  EXPECT_EQ(tile.addresses.columns, 64);
  EXPECT_EQ(tile.addresses.at(3, 5), 3 * 64 + 5);
  EXPECT_TRUE(read_cost(tile.addresses, TileRead::matrix).possible);
}

}  // namespace
}  // namespace lanescope::app

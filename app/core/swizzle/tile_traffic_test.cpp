// What a block did to a tile, what it costs swizzled, and which swizzle is found.
#include "core/swizzle/tile_traffic.h"

#include <gtest/gtest.h>

#include "core/session/session.h"

namespace lanescope::app {
namespace {

class TileTrafficTest : public ::testing::Test {
 protected:
  void open(const std::string& kernel, const std::map<std::string, std::string>& parameters = {}) {
    Settings settings = *open_kernel(session_.catalog(), kernel).settings;
    for (const auto& [name, value] : parameters) settings.parameters[name] = value;
    session_.apply(settings);
    session_.wait(true);
    ASSERT_TRUE(session_.picture() && session_.picture()->trace());
  }
  const Picture& picture() const { return *session_.picture(); }
  int access(const std::string& root, AccessOp op) const {
    for (const AccessInfo& each : picture().kernel().accesses)
      if (each.root == root && each.op == op && each.space == MemorySpace::shared)
        return static_cast<int>(each.id);
    return -1;
  }
  /// Of the array of that name, by the first access that conflicts there.
  std::optional<TileTraffic> traffic_of(const std::string& array) const {
    for (const AccessInfo& each : picture().kernel().accesses)
      if (auto traffic = tile_traffic(picture(), static_cast<int>(each.id));
          traffic &&
          picture().kernel().shared_arrays[static_cast<std::size_t>(traffic->array)].name == array)
        return traffic;
    return std::nullopt;
  }
  /// What the run itself has counted for the accesses of a tile.
  SharedCounts counted(const TileTraffic& traffic) const {
    SharedCounts sum;
    for (const int each : traffic.accesses)
      sum += picture().inspected.accesses[static_cast<std::size_t>(each)].shared;
    return sum;
  }

  Session session_{load_catalog(LANESCOPE_SOURCE_DIR "/kernels")};
};

TEST_F(TileTrafficTest, CostsWhatTheRunCounted) {
  for (const char* kernel : {"transpose/03_shared_tile", "transpose/08_float4_scatter"}) {
    open(kernel);
    for (const AccessInfo& each : picture().kernel().accesses) {
      const auto traffic = tile_traffic(picture(), static_cast<int>(each.id));
      if (!traffic) continue;
      EXPECT_EQ(cost_with(*traffic, {}), counted(*traffic)) << kernel;
      EXPECT_GT(counted(*traffic).conflicts, 0u);
    }
  }
}

TEST_F(TileTrafficTest, APlainTileWantsItsColumnsTurned) {
  open("transpose/03_shared_tile");
  const auto traffic = tile_traffic(picture(), access("tile", AccessOp::load));
  ASSERT_TRUE(traffic);
  EXPECT_EQ(traffic->accesses.size(), 2u);  // the store too
  const auto better = better_swizzle(*traffic, 32);
  ASSERT_TRUE(better);
  EXPECT_EQ(better->swizzle, (Swizzle{5, 0, 5}));
  EXPECT_EQ(better->now.conflicts, 32u * 31);
  EXPECT_EQ(better->now.wavefronts, 32u * 32 + 32);
  EXPECT_EQ(better->after.conflicts, 0u);
  EXPECT_EQ(better->after.wavefronts, 64u);
  EXPECT_EQ(formula_of(better->swizzle, 32, 4), "column ^ (row & 31)");
}

TEST_F(TileTrafficTest, MatricesKeepTheirChunks) {
  open("gemm/22_mma_padded", {{"PAD", "0"}});
  for (const char* array : {"As", "Bs"}) {
    const auto traffic = traffic_of(array);
    ASSERT_TRUE(traffic) << array;
    EXPECT_EQ(cost_with(*traffic, {}), counted(*traffic)) << array;
    const std::uint64_t pitch = array == std::string("As") ? 64 : 128;
    const auto better = better_swizzle(*traffic, pitch);
    ASSERT_TRUE(better) << array;
    EXPECT_EQ(better->swizzle.name(), pitch == 64 ? "Swizzle<3, 3, 3>" : "Swizzle<3, 3, 4>");
    EXPECT_EQ(better->after.conflicts, 0u) << array;
    EXPECT_EQ(formula_of(better->swizzle, pitch, 2), "chunk ^ (row & 7)");
  }
}

TEST_F(TileTrafficTest, WithoutAConflictThereIsNothingToSay) {
  open("gemm/23_mma_swizzled");
  for (const AccessInfo& each : picture().kernel().accesses)
    EXPECT_FALSE(tile_traffic(picture(), static_cast<int>(each.id)));
  EXPECT_FALSE(tile_traffic(picture(), -1));
}

// Nothing can help who asks for one bank by one lane's own words.
TEST(BetterSwizzle, IsNotFoundWhereThereIsNone) {
  TileTraffic traffic{
      .array = 0, .bytes = 8192, .element_bytes = 4, .accesses = {0}, .requests = {}};
  TileRequest request{.bytes = 4, .mask = 3, .times = 1};
  request.offset[1] = 4096;
  traffic.requests.push_back(request);
  ASSERT_TRUE(better_swizzle(traffic, 32));  // bit 12 can be
  traffic.bytes = 8192 + 4;  // nothing may move in a tile that ends within its pieces
  EXPECT_FALSE(better_swizzle(traffic, 32));
}

TEST(SwizzleFormulas, ByRowsOrByOffsets) {
  EXPECT_EQ(formula_of({3, 3, 4}, 64, 2), "chunk ^ (row >> 1 & 7)");
  EXPECT_EQ(formula_of({2, 1, 5}, 64, 4), "column / 2 ^ (row & 3)");
  EXPECT_EQ(formula_of({3, 3, 3}, 72, 2), "index ^ (index >> 3 & 56)");
  EXPECT_EQ(formula_of({3, 3, 3}, 0, 2), "index ^ (index >> 3 & 56)");
  const auto rows = by_rows({3, 3, 3}, 64);
  ASSERT_TRUE(rows);
  EXPECT_EQ(swizzled_subscript(*rows, "r", "8 * c"), "8 * c ^ (r & 7) * 8");
  EXPECT_EQ(swizzled_subscript(*rows, "a + b", "x & 1"), "(x & 1) ^ ((a + b) & 7) * 8");
}

// What the text computes is what the name says.
TEST(SwizzleFormulas, AgreeWithTheSwizzle) {
  for (const Swizzle& swizzle : {Swizzle{3, 3, 3}, Swizzle{2, 3, 4}, Swizzle{5, 0, 6}}) {
    const auto rows = by_rows(swizzle, 64);
    ASSERT_TRUE(rows);
    for (std::uint64_t row = 0; row < 64; ++row)
      for (std::uint64_t column = 0; column < 64; ++column)
        EXPECT_EQ(64 * row + (column ^ (row >> rows->row_shift & rows->mask) * rows->unit),
                  swizzle(64 * row + column));
  }
}

}  // namespace
}  // namespace lanescope::app

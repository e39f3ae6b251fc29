// Where a layout's elements lie, by the rule and back, and its words.
#include "core/tensor/placed_tensor.h"

#include <gtest/gtest.h>

#include <set>

#include "lanescope/memory.h"

namespace lanescope::app {
namespace {

LayoutTuple number(std::int64_t value) { return {.number = value, .parts = {}}; }
LayoutTuple tuple(std::vector<LayoutTuple> parts) {
  return {.number = {}, .parts = std::move(parts)};
}

/// ((8,4),64,3):((64,512),1,2048) of halves, at 1024 of shared memory.
TensorInfo pages() {
  TensorInfo tensor;
  tensor.name = "sA";
  tensor.element = "cutlass::half_t";
  tensor.element_bytes = 2;
  tensor.shape = tuple({tuple({number(8), number(4)}), number(64), number(3)});
  tensor.stride = tuple({tuple({number(64), number(512)}), number(1), number(2048)});
  tensor.run_time.resize(1);
  tensor.pointer = 0;
  return tensor;
}
const RunTimeValues kAt{static_cast<std::int64_t>(kSharedWindow + 1024)};

void expect_all_found(const PlacedTensor& tensor) {
  std::set<std::uint64_t> taken;
  for (std::uint64_t i = 0; i < tensor.shape[0]; ++i)
    for (std::uint64_t j = 0; j < tensor.shape[1]; ++j)
      for (std::uint64_t k = 0; k < tensor.shape[2]; ++k) {
        const std::uint64_t address = tensor.address({i, j, k});
        EXPECT_TRUE(taken.insert(address).second);
        EXPECT_GE(address, tensor.begin);
        EXPECT_LE(address + tensor.element_bytes, tensor.end);
        for (const std::uint64_t byte : {address, address + tensor.element_bytes - 1}) {
          const auto element = tensor.element_at(byte);
          ASSERT_TRUE(element);
          EXPECT_EQ(element->at, (TensorCoordinates{i, j, k}));
        }
      }
  EXPECT_EQ(taken.size(), tensor.elements());
}

TEST(PlacedTensor, AnElementIsFoundWhereTheLayoutPutsIt) {
  const auto plain = place_tensor(pages(), kAt);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->shape, (std::vector<std::uint64_t>{32, 64, 3}));
  EXPECT_EQ(plain->address({9, 5, 2}),
            kSharedWindow + 1024 + 2 * (1 * 64 + 1 * 512 + 5 + 2 * 2048));
  EXPECT_EQ(plain->layout, "(32,64,3):(64,1,2048)");
  EXPECT_EQ(plain->full_layout, "((_8,_4),_64,_3):((_64,_512),_1,_2048)");
  EXPECT_EQ(plain->type, "half_t");
  expect_all_found(*plain);
  EXPECT_FALSE(plain->element_at(kSharedWindow));
  EXPECT_FALSE(plain->element_at(plain->end));
}

TEST(PlacedTensor, ASwizzleMovesOffsetsOrAddresses) {
  TensorInfo info = pages();
  info.swizzle = {3, 3, 3};
  info.offset = number(0);
  const auto offsets = place_tensor(info, kAt);
  ASSERT_TRUE(offsets);
  // Chunk 1 of row 3 changes places with chunk 2.
  EXPECT_EQ(offsets->address({3, 8, 0}), kSharedWindow + 1024 + 2 * (3 * 64 + 2 * 8));
  EXPECT_EQ(offsets->layout, "Sw<3,3,3> o (32,64,3):(64,1,2048)");
  EXPECT_EQ(offsets->full_layout, "Sw<3,3,3> o _0 o ((_8,_4),_64,_3):((_64,_512),_1,_2048)");
  EXPECT_EQ(offsets->sum_text(*offsets->element_at(offsets->address({3, 8, 0}))),
            "3*64 + 8*1 + 0*2048 = 200 → 208");
  expect_all_found(*offsets);

  info.swizzle = {3, 4, 3};
  info.swizzles_addresses = true;
  const auto addresses = place_tensor(info, {kAt[0].value() + 128});
  ASSERT_TRUE(addresses);
  EXPECT_EQ(addresses->layout, "Sw<3,4,3>_ptr o (32,64,3):(64,1,2048)");
  // A row is 128 bytes, and the first of the tile is not the first of eight in memory.
  EXPECT_EQ(addresses->address({0, 0, 0}), kSharedWindow + 1024 + 128 + 16);
  expect_all_found(*addresses);
}

TEST(PlacedTensor, BytesBetweenRowsBelongToNobody) {
  TensorInfo info = pages();
  info.shape = tuple({number(4), number(6)});
  info.stride = tuple({number(8), number(1)});
  const auto padded = place_tensor(info, kAt);
  ASSERT_TRUE(padded);
  EXPECT_TRUE(padded->element_at(padded->base + 2 * 5));
  EXPECT_FALSE(padded->element_at(padded->base + 2 * 6));
  EXPECT_TRUE(padded->element_at(padded->base + 2 * 8));
}

TEST(PlacedTensor, WhatIsNotKnownOrSharesAPlaceIsNotPlaced) {
  TensorInfo info = pages();
  EXPECT_FALSE(place_tensor(info, {std::nullopt})) << "its pointer";
  info.stride.parts[2] = number(0);
  EXPECT_FALSE(place_tensor(info, kAt)) << "three elements in one place";
  info.stride.parts[2] = number(100);
  EXPECT_FALSE(place_tensor(info, kAt)) << "pages within pages";
  info.stride.parts[2] = {.number = {}, .run_time = 1, .parts = {}};
  info.run_time.resize(2);
  EXPECT_FALSE(place_tensor(info, {kAt[0], std::nullopt}));
  EXPECT_EQ(layout_text(info, {kAt[0], std::nullopt}), "((_8,_4),_64,_3):((_64,_512),_1,?)");
  EXPECT_EQ(short_layout_text(info, {kAt[0], std::nullopt}), "(32,64,3):(64,1,?)");
  ASSERT_TRUE(place_tensor(info, {kAt[0], 4096}));
  EXPECT_EQ(layout_text(info, {kAt[0], 4096}), "((_8,_4),_64,_3):((_64,_512),_1,4096)");
}

TEST(PlacedTensor, AModeThatDoesNotGoOnKeepsItsBrackets) {
  TensorInfo info = pages();
  info.shape = tuple({tuple({number(8), number(1)}), tuple({number(8), number(8)})});
  info.stride = tuple({tuple({number(8), number(0)}), tuple({number(1), number(64)})});
  EXPECT_EQ(short_layout_text(info, kAt), "(8,(8,8)):(8,(1,64))");
  const auto placed = place_tensor(info, kAt);
  ASSERT_TRUE(placed);
  EXPECT_EQ(placed->element_at(placed->base + 2 * (3 * 8 + 2 + 5 * 64))->at,
            (TensorCoordinates{3, 2 + 5 * 8}));
}

}  // namespace
}  // namespace lanescope::app

// The quick paths against the rules as they are worded, on shapes that hit each path and on noise.
#include <gtest/gtest.h>

#include <random>

#include "model/cost_reference.h"
#include "model/cost_service.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kWidths[] = {1, 2, 4, 8, 16};

class Noise {
 public:
  std::uint64_t below(std::uint64_t limit) { return engine_() % limit; }
  /// Full three times in eight; else a prefix, a few lanes, or any.
  LaneMask mask() {
    switch (below(8)) {
    case 0:
      return static_cast<LaneMask>(engine_()) | 1;
    case 1:
      return (2u << below(31)) - 1;
    case 2:
      return 1u << below(32);
    case 3:
      return static_cast<LaneMask>(engine_() & engine_() & engine_()) | 1u << below(32);
    case 4:
      return 0xAAAAAAAAu >> below(2);
    default:
      return kAllLanes;
    }
  }

 private:
  std::mt19937_64 engine_{20240607};
};

/// Element indices of one of the shapes that kernels make.
std::array<std::int64_t, kLanes> indices(Noise& noise, std::int64_t reach) {
  const auto signed_below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(noise.below(static_cast<std::uint64_t>(2 * limit + 1))) -
           limit;
  };
  std::array<std::int64_t, kLanes> index{};
  const std::int64_t stride = noise.below(2) ? signed_below(70) : signed_below(4);
  const auto row = static_cast<std::int64_t>(1u << noise.below(6));  // 1, 2, … 32 lanes a row
  const std::int64_t pitch = signed_below(600), kind = signed_below(3);
  for (std::int64_t lane = 0; lane < kLanes; ++lane) {
    std::int64_t& i = index[static_cast<std::size_t>(lane)];
    if (kind <= -2)
      i = lane * stride;
    else if (kind <= 0)
      i = lane % row * stride + lane / row * pitch;
    else if (kind == 1)
      i = (lane ^ static_cast<std::int64_t>(row)) * stride;
    else
      i = static_cast<std::int64_t>(
          noise.below(kind == 2 ? 96 : static_cast<std::uint64_t>(reach)));
  }
  // Wide loads merge when partners agree; noise alone would hardly ever make them.
  const std::uint64_t copy = noise.below(8);
  for (std::size_t lane = 0; lane < kLanes && copy < 3; ++lane)
    index[lane] = index[lane & ~(1u << copy)];
  const std::int64_t low = *std::min_element(index.begin(), index.end());
  for (auto& i : index) i -= low;
  return index;
}

std::string described(const LaneRow& address, LaneMask mask, std::uint32_t bytes) {
  std::string text = std::to_string(bytes) + " bytes, mask " + std::to_string(mask) + ":";
  for (const std::uint64_t a : address) text += " " + std::to_string(a);
  return text;
}

TEST(CostFast, SharedEqualsTheReference) {
  Noise noise;
  for (int round = 0; round < 60000; ++round) {
    const std::uint32_t bytes = kWidths[noise.below(5)];
    const auto index = indices(noise, cost::kSharedReach / bytes - 32);
    const LaneMask mask = noise.mask();
    const std::uint64_t shift = noise.below(32);
    LaneRow address;
    std::array<std::uint32_t, kLanes> offset;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      address[lane] =
          (static_cast<std::uint64_t>(index[lane]) + shift) * bytes % cost::kSharedReach;
      offset[lane] = static_cast<std::uint32_t>(address[lane]);
      address[lane] += 0x7000'0000'0000ull;
    }
    for (const bool is_load : {true, false}) {
      SCOPED_TRACE(described(address, mask, bytes) + (is_load ? " load" : " store"));
      const SharedCounts expected = reference::shared_cost(address, mask, bytes, is_load);
      ASSERT_EQ(cost::shared(offset.data(), mask, bytes, is_load), expected);
      ASSERT_EQ(shared_cost(address, mask, bytes, is_load), expected);
      if (round % 8 == 0) {
        ASSERT_EQ(plan_banks(address, mask, bytes, is_load).cost, expected);
      }
    }
  }
}

/// Rows of matrices and lanes of atomics, as kernels and noise make them.
TEST(CostFast, EveryServiceEqualsTheReference) {
  Noise noise;
  for (const Service service :
       {Service::matrix1, Service::matrix2, Service::matrix4, Service::atomic,
        Service::compare_exchange, Service::exchange_loop, Service::copy})
    for (int round = 0; round < 6000; ++round) {
      const bool is_matrix = matrices_of(service) != 0;
      const std::uint32_t bytes = is_matrix ? 16 : kWidths[2 + noise.below(2)];
      const auto index = indices(noise, 4096);
      const LaneMask mask = is_matrix ? kAllLanes : noise.mask();
      LaneRow address;
      std::array<std::uint32_t, kLanes> offset;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        address[lane] = static_cast<std::uint64_t>(index[lane]) * bytes % cost::kSharedReach;
        offset[lane] = static_cast<std::uint32_t>(address[lane]);
      }
      SCOPED_TRACE(described(address, mask, bytes) + " service " +
                   std::to_string(static_cast<int>(service)));
      const SharedCounts expected = reference::served_cost(address, mask, bytes, service);
      ASSERT_EQ(cost::served(offset.data(), addressing_lanes(service, mask), bytes, service),
                expected);
      ASSERT_EQ(shared_cost(address, mask, bytes, service), expected);
      ASSERT_EQ(plan_banks(address, mask, bytes, service).cost, expected);
    }
}

TEST(CostFast, EveryAffineStrideOfSharedEqualsTheReference) {
  for (const std::uint32_t bytes : kWidths)
    for (std::int64_t stride = -140; stride <= 140; ++stride)
      for (const bool is_load : {true, false}) {
        LaneRow address;
        for (std::int64_t lane = 0; lane < kLanes; ++lane)
          address[static_cast<std::size_t>(lane)] = static_cast<std::uint64_t>(
              (141 * 31 + lane * stride) * static_cast<std::int64_t>(bytes));
        SCOPED_TRACE(described(address, kAllLanes, bytes));
        ASSERT_EQ(shared_cost(address, kAllLanes, bytes, is_load),
                  reference::shared_cost(address, kAllLanes, bytes, is_load));
      }
}

TEST(CostFast, EveryPairOfRowsOfSharedEqualsTheReference) {
  for (std::int64_t stride = -34; stride <= 34; ++stride)
    for (std::int64_t pitch = -600; pitch <= 600; ++pitch) {
      LaneRow address;
      for (std::int64_t lane = 0; lane < kLanes; ++lane)
        address[static_cast<std::size_t>(lane)] =
            static_cast<std::uint64_t>(4 * (2000 + lane % 16 * stride + lane / 16 * pitch));
      ASSERT_EQ(shared_cost(address, kAllLanes, 4, true),
                reference::shared_cost(address, kAllLanes, 4, true))
          << "stride " << stride << ", pitch " << pitch;
    }
}

TEST(CostFast, GlobalEqualsTheReference) {
  Noise noise;
  for (int round = 0; round < 120000; ++round) {
    const std::uint32_t bytes = kWidths[noise.below(5)];
    // Short, past 16-bit sector numbers, and past 32-bit ones.
    const std::int64_t spread = std::int64_t{1} << (16 + 16 * noise.below(3));
    auto index = indices(noise, spread);
    if (noise.below(4) == 0)
      for (auto& i : index)  // wraps
        i = static_cast<std::int64_t>(static_cast<std::uint64_t>(i) * (1 + noise.below(1u << 20)));
    const std::uint64_t base = 0x10'0000'0000ull + noise.below(64) * bytes;
    LaneRow address;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      address[lane] = base + static_cast<std::uint64_t>(index[lane]) * bytes;
    const LaneMask mask = noise.mask();
    SCOPED_TRACE(described(address, mask, bytes));
    const GlobalCounts expected = reference::global_cost(address, mask, bytes);
    ASSERT_EQ(cost::global(address.data(), mask, bytes), expected);
    ASSERT_EQ(global_cost(address, mask, bytes), expected);
    if (round % 8 == 0) {
      ASSERT_EQ(plan_sectors(address, mask, bytes).cost, expected);
    }
  }
}

TEST(CostFast, NoActiveLaneCostsNothing) {
  EXPECT_EQ(shared_cost({}, 0, 4, true), SharedCounts{});
  EXPECT_EQ(global_cost({}, 0, 4), GlobalCounts{});
  EXPECT_TRUE(plan_banks({}, 0, 16, true).wavefronts.empty());
  EXPECT_EQ(plan_banks({}, 0, 16, true).worst_bank, -1);
  EXPECT_TRUE(plan_sectors({}, 0, 4).lines.empty());
}

/// Inactive lanes may hold anything, addresses far outside the window included.
TEST(CostFast, LanesThatAreOffDoNotCount) {
  LaneRow address;
  address.fill(~std::uint64_t{0} - 15);
  address[3] = 0x7000'0000'0040ull;
  address[9] = 0x7000'0000'00C0ull;
  const LaneMask mask = 1u << 3 | 1u << 9;
  for (const std::uint32_t bytes : kWidths) {
    EXPECT_EQ(shared_cost(address, mask, bytes, true),
              reference::shared_cost(address, mask, bytes, true));
    EXPECT_EQ(global_cost(address, mask, bytes), reference::global_cost(address, mask, bytes));
  }
}

}  // namespace
}  // namespace lanescope

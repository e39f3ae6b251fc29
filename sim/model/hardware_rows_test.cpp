// The models against every row that the hardware counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "lanescope/banks.h"
#include "lanescope/sectors.h"

namespace lanescope {
namespace {

using nlohmann::json;

/// One warp-wide access and what the hardware counted while it ran, with everything around it.
struct Row {
  std::string access;
  std::uint32_t bytes = 0;
  LaneMask mask = 0;
  LaneRow address{};
  json counters;
  std::string text;

  explicit Row(const json& row)
      : access(row.at("access")), bytes(row.at("bytes")), mask(row.at("mask")),
        counters(row.at("counters")), text(row.dump()) {
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      address[lane] = row.at("idx").at(lane).get<std::uint64_t>() * bytes;
  }

  [[nodiscard]] std::uint64_t count(const char* counter) const { return counters.at(counter); }
  [[nodiscard]] bool is_load() const { return access.ends_with("_ld"); }
  [[nodiscard]] bool is_shared() const { return access.starts_with("shared"); }

  /// Cost of a row of 32 elements side by side that the same lanes touch: how each launch loads its
  /// indices, and how the loads store their results.
  [[nodiscard]] GlobalCounts beside(std::uint32_t element) const {
    std::set<std::uint32_t> sectors;
    std::uint64_t lanes = 0;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      if (!(mask >> lane & 1)) continue;
      sectors.insert(lane * element / 32);
      ++lanes;
    }
    return {1, sectors.size(), (lanes * element + 31) / 32, lanes * element};
  }
};

/// Rows whose `shared_wavefronts_sass` is not what the hardware counted. The profiler estimates
/// that counter from the executed addresses; for wide loads whose lanes share words it takes more
/// or fewer lanes together than the hardware does. The model follows the hardware.
int estimates_that_differ = 0;

void expect_profiler_estimate(const Row& row, const SharedCounts& cost) {
  const std::uint64_t estimate = row.count("shared_wavefronts_sass");
  const std::uint64_t ideal = row.count("shared_wavefronts_ideal_sass");
  if (row.is_load() && row.bytes > 4 && estimate != cost.wavefronts) {
    ++estimates_that_differ;
    const auto asked = static_cast<std::uint64_t>(active_lanes(row.mask)) * row.bytes;
    EXPECT_EQ(std::min(estimate, (asked + 127) / 128), ideal);
  } else {
    EXPECT_EQ(cost.wavefronts, estimate);
    EXPECT_EQ(cost.ideal_wavefronts, ideal);
  }
}

void expect_shared(const Row& row) {
  const bool load = row.is_load();
  const SharedCounts cost = shared_cost(row.address, row.mask, row.bytes, load);
  EXPECT_EQ(cost.requests, 1u);
  EXPECT_EQ(cost.wavefronts,
            row.count(load ? "shared_load_wavefronts" : "shared_store_wavefronts"));
  EXPECT_EQ(cost.conflicts, row.count(load ? "shared_load_conflicts" : "shared_store_conflicts"));
  expect_profiler_estimate(row, cost);
  EXPECT_EQ(plan_banks(row.address, row.mask, row.bytes, load).cost, cost);
}

void expect_global(const Row& row) {
  const GlobalCounts cost = global_cost(row.address, row.mask, row.bytes);
  GlobalCounts load = row.beside(4), store;
  if (row.is_load()) {
    load += cost;
    store = row.beside(row.bytes);
  } else {
    store = cost;
  }
  EXPECT_EQ(load.requests, row.count("global_load_requests"));
  EXPECT_EQ(load.sectors, row.count("global_load_sectors"));
  EXPECT_EQ(store.requests, row.count("global_store_requests"));
  EXPECT_EQ(store.sectors, row.count("global_store_sectors"));
  EXPECT_EQ(load.sectors + store.sectors, row.count("global_sectors_sass"));
  EXPECT_EQ(load.ideal_sectors + store.ideal_sectors, row.count("global_sectors_ideal_sass"));
  EXPECT_EQ(plan_sectors(row.address, row.mask, row.bytes).cost, cost);
}

/// Compares every row of a file; returns how many there were.
int compare_rows(const std::string& name) {
  std::ifstream file(std::string(LANESCOPE_TRUTH_DIR) + "/" + name);
  int rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    const Row row(json::parse(line));
    SCOPED_TRACE(row.text);
    if (row.is_shared())
      expect_shared(row);
    else
      expect_global(row);
  }
  return rows;
}

bool have_rows() { return !std::string(LANESCOPE_TRUTH_DIR).empty(); }

TEST(HardwareRows, Patterns) {
  if (!have_rows())
    GTEST_SKIP() << "LANESCOPE_TRUTH_DIR is empty: no patterns.jsonl to compare with";
  estimates_that_differ = 0;
  EXPECT_EQ(compare_rows("patterns.jsonl"), 384);
  EXPECT_EQ(estimates_that_differ, 0);
}

TEST(HardwareRows, WideAccesses) {
  if (!have_rows()) GTEST_SKIP() << "LANESCOPE_TRUTH_DIR is empty: no wide.jsonl to compare with";
  estimates_that_differ = 0;
  EXPECT_EQ(compare_rows("wide.jsonl"), 140);
  EXPECT_EQ(estimates_that_differ, 16);
}

}  // namespace
}  // namespace lanescope

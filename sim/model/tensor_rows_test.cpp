// Matrix accesses, atomics and asynchronous copies against every row that the hardware counted.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "lanescope/sectors.h"

namespace lanescope {
namespace {

using nlohmann::json;

struct TensorRow {
  std::string access;
  std::uint32_t bytes = 0;
  LaneMask mask = 0;
  LaneRow offset{}, global_offset{};
  json counters;

  explicit TensorRow(const json& row)
      : access(row.at("access")), bytes(row.at("bytes")), mask(row.at("mask")),
        counters(row.at("counters")) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      offset[lane] = row.at("offset").at(lane);
      if (row.contains("global_offset")) global_offset[lane] = row.at("global_offset").at(lane);
    }
  }
  [[nodiscard]] std::uint64_t count(const char* counter) const { return counters.at(counter); }
  [[nodiscard]] bool starts(const char* name) const { return access.starts_with(name); }
  [[nodiscard]] bool has(const char* part) const { return access.find(part) != std::string::npos; }
};

void expect_matrices(const TensorRow& row) {
  const Service service = row.has("_x1")   ? Service::matrix1
                          : row.has("_x2") ? Service::matrix2
                                           : Service::matrix4;
  const SharedCounts cost = shared_cost(row.offset, row.mask, row.bytes, service);
  const bool load = row.starts("ld");
  EXPECT_EQ(cost.wavefronts,
            row.count(load ? "shared_load_wavefronts" : "shared_store_wavefronts"));
  EXPECT_EQ(cost.wavefronts, row.count("shared_wavefronts_sass"));
  EXPECT_EQ(cost.conflicts, row.count(load ? "shared_load_conflicts" : "shared_store_conflicts"));
  EXPECT_EQ(cost.ideal_wavefronts, row.count("shared_wavefronts_ideal_sass"));
  EXPECT_EQ(plan_banks(row.offset, row.mask, row.bytes, service).cost, cost);
}

void expect_shared_atomic(const TensorRow& row) {
  const Service service = row.has("cas")   ? Service::compare_exchange
                          : row.has("f32") ? Service::exchange_loop
                                           : Service::atomic;
  const SharedCounts cost = shared_cost(row.offset, row.mask, row.bytes, service);
  EXPECT_EQ(cost.wavefronts, row.count("shared_wavefronts_sass"));
  EXPECT_EQ(cost.ideal_wavefronts, row.count("shared_wavefronts_ideal_sass"));
  if (service == Service::exchange_loop) {
    EXPECT_EQ(cost.ideal_wavefronts, 3 * row.count("atomic_instructions"));
  } else {
    EXPECT_EQ(cost.wavefronts, row.count("shared_atomic_wavefronts"));
    EXPECT_EQ(cost.conflicts, row.count("shared_atomic_conflicts"));
  }
  EXPECT_EQ(plan_banks(row.offset, row.mask, row.bytes, service).cost, cost);
}

/// Rows of which the model gives something else than the counter, as it says that it may.
struct Inexact {
  int copies = 0, bypassed_sectors = 0, bypassed_wavefronts = 0, atomic_sectors = 0;
} inexact;

void expect_copy(const TensorRow& row) {
  const CopyCounts cost =
      copy_cost(row.global_offset, row.offset, row.mask, row.bytes, Service::copy);
  const std::uint64_t wavefronts = row.count("shared_wavefronts_sass");
  EXPECT_EQ(cost.shared.ideal_wavefronts, row.count("shared_wavefronts_ideal_sass"));
  if (cost.shared.at_least != 0) {
    EXPECT_LE(cost.shared.wavefronts, wavefronts);
    EXPECT_GE(1.7 * static_cast<double>(cost.shared.wavefronts), static_cast<double>(wavefronts));
    inexact.copies += cost.shared.wavefronts != wavefronts;
  } else {
    EXPECT_EQ(cost.shared.wavefronts, wavefronts);
  }
  // With lanes off the launch loads fewer indices than are subtracted.
  if (row.mask == kAllLanes) {
    EXPECT_EQ(cost.global.sectors, row.count("global_load_sectors"));
  }
}

void expect_bypassing_copy(const TensorRow& row) {
  const CopyCounts cost =
      copy_cost(row.global_offset, row.offset, row.mask, row.bytes, Service::bypass);
  EXPECT_EQ(cost.shared.conflicts, row.count("ldgsts_conflicts"));
  const std::uint64_t wavefronts = row.count("shared_wavefronts_sass");
  EXPECT_LE(cost.shared.wavefronts, wavefronts);
  if (cost.shared.at_least == 0) {
    EXPECT_EQ(cost.shared.wavefronts, wavefronts);
  }
  inexact.bypassed_wavefronts += cost.shared.wavefronts != wavefronts;
  const std::uint64_t sectors = row.count("global_load_sectors");
  EXPECT_GE(cost.global.sectors, sectors);
  EXPECT_LE(cost.global.sectors, 2 * sectors);
  inexact.bypassed_sectors += cost.global.sectors != sectors;
}

void expect_global_atomic(const TensorRow& row) {
  const GlobalCounts cost = global_cost(row.offset, row.mask, row.bytes, Service::atomic);
  const bool is_red = row.has("_red_");
  const std::uint64_t sectors = row.count(is_red ? "global_red_sectors" : "global_atom_sectors");
  EXPECT_EQ(cost.requests, row.count(is_red ? "global_red_requests" : "global_atom_requests"));
  EXPECT_LE(sectors - cost.sectors, 1u);
  inexact.atomic_sectors += cost.sectors != sectors;
}

TEST(TensorRows, CostsEqualTheCountersOnEveryRow) {
  if (std::string(LANESCOPE_TRUTH_DIR).empty())
    GTEST_SKIP() << "LANESCOPE_TRUTH_DIR is empty: no tensor.jsonl to compare with";
  std::ifstream file(std::string(LANESCOPE_TRUTH_DIR) + "/tensor.jsonl");
  int rows = 0;
  inexact = {};
  for (std::string line; std::getline(file, line); ++rows) {
    const TensorRow row(json::parse(line));
    SCOPED_TRACE(line);
    if (row.has("matrix"))
      expect_matrices(row);
    else if (row.starts("shared_"))
      expect_shared_atomic(row);
    else if (row.starts("cp_async_ca"))
      expect_copy(row);
    else if (row.starts("cp_async_cg"))
      expect_bypassing_copy(row);
    else
      expect_global_atomic(row);
  }
  EXPECT_EQ(rows, 681);
  EXPECT_EQ(inexact.copies, 17);
  EXPECT_EQ(inexact.bypassed_wavefronts, 3);
  EXPECT_EQ(inexact.bypassed_sectors, 4);
  EXPECT_EQ(inexact.atomic_sectors, 2);
}

// Rows of 16-byte pieces as kernels lay them out: padded, swizzled, shifted, and in no order at all.
TEST(TensorRows, CopiesPastTheCacheTakeTheHardwaresWavefronts) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/sim/model/rows/past_copies.jsonl");
  std::size_t rows = 0, exact = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    const json row = json::parse(line);
    LaneRow to{}, from{};
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      to[lane] = row.at("to")[lane], from[lane] = row.at("from")[lane];
    const SharedCounts cost = copy_cost(from, to, kAllLanes, 16, Service::bypass).shared;
    const auto wavefronts = row.at("wavefronts").get<std::uint64_t>();
    const bool is_random = row.at("name").get<std::string>().starts_with("perm");
    EXPECT_EQ(cost.conflicts, 0u);
    if (!is_random || cost.at_least == 0) {
      EXPECT_EQ(cost.wavefronts, wavefronts) << line;
    }
    EXPECT_LE(cost.wavefronts, wavefronts) << line;
    EXPECT_GE(1.7 * static_cast<double>(cost.wavefronts), static_cast<double>(wavefronts)) << line;
    exact += cost.wavefronts == wavefronts;
  }
  EXPECT_EQ(rows, 42u);
  EXPECT_EQ(exact, 42u - 8);
}

}  // namespace
}  // namespace lanescope

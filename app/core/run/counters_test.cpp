#include "core/run/counters.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "core/run/expectation.h"

namespace lanescope::app {
namespace {

const SharedCounts kShared{8, 6144, 192, 5952};

GlobalCounts moved() {
  GlobalCounts counts;
  counts.requests = 4, counts.sectors = 1000, counts.ideal_sectors = 16;
  counts.bytes_asked = 16000;
  return counts;
}

TEST(Counters, EveryNumberIsInEveryTable) {
  const Json shared = to_json(kShared);
  const auto& facts = fact_names();
  const std::set<std::string> known(facts.begin(), facts.end());
  const std::vector<std::string> ids = csv_cost_ids();
  std::size_t column = 0;
  for (const auto& counter : kSharedCounters) {
    EXPECT_EQ(shared.at(std::string(counter.id)), kShared.*counter.count);
    EXPECT_TRUE(known.contains("shared_load." + std::string(counter.id))) << counter.id;
    if (counter.id == "requests") continue;
    EXPECT_EQ(ids.at(column++), counter.id);
  }
  const Json global = to_json(moved());
  for (const auto& counter : kGlobalCounters) {
    EXPECT_EQ(global.contains(std::string(counter.id)), counter.count != nullptr);
    EXPECT_TRUE(known.contains("global_store." + std::string(counter.id))) << counter.id;
    if (counter.id == "requests") continue;
    EXPECT_EQ(ids.at(column++), counter.id);
  }
  EXPECT_EQ(column, ids.size());
}

TEST(Counters, ReadAsTextAndAsCsv) {
  const GlobalCounts global = moved(), none;
  EXPECT_EQ(text_of(kSharedCounters[1], kShared), "6,144");
  EXPECT_EQ(text_of(kGlobalCounters[3], global), "50.0 %");
  EXPECT_EQ(text_of(kGlobalCounters[3], none), "-");
  EXPECT_EQ(csv_costs(&kShared, &global),
            (std::vector<std::string>{"6144", "192", "5952", "1000", "16", "0.5000"}));
  EXPECT_EQ(csv_costs(&kShared, nullptr),
            (std::vector<std::string>{"6144", "192", "5952", "", "", ""}));
  EXPECT_EQ(csv_costs(nullptr, &none, Ratios::left_out),
            (std::vector<std::string>{"", "", "", "0", "0"}));
  EXPECT_EQ(csv_cost_ids(Ratios::left_out).size(), 5u);
}

TEST(Counters, TotalsAddUpAndAreNamedByWhatTheyAre) {
  Totals totals;
  totals.shared_load = kShared, totals.shared_atomic = kShared, totals.global_store = moved();
  EXPECT_EQ(shared_of(totals).wavefronts, 2 * kShared.wavefronts);
  EXPECT_EQ(global_of(totals), moved());
  std::vector<std::string> ids;
  each_part(totals, [&](const auto& counts, const auto& part) {
    ids.push_back(part.id());
    EXPECT_EQ(counts.requests > 0, part.id() == "shared_load" || part.id() == "shared_atomic" ||
                                       part.id() == "global_store");
  });
  EXPECT_EQ(ids,
            (std::vector<std::string>{"shared_load", "shared_store", "shared_atomic",
                                      "shared_product", "global_load", "global_store",
                                      "global_atomic", "global_bulk_load", "global_bulk_store"}));
  EXPECT_TRUE(to_json(totals).contains("shared_atomic"));
  EXPECT_FALSE(to_json(totals).contains("global_atomic")) << "told only where there are some";
}

}  // namespace
}  // namespace lanescope::app

#include "core/timing/measurement.h"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/text/messages.h"
#include "core/timing/counter_comparison.h"
#include "lanescope/memory.h"

namespace lanescope::app {
namespace {

Measurement example() {
  Measurement m;
  m.kernel = "transpose/x", m.function = "x<float>";
  m.parameters = {{"PAD", "1"}}, m.arguments = {{"nx", "4096"}, {"ny", "4096"}};
  m.grid = {128, 128, 1}, m.block = {32, 8, 1};
  m.bytes = 2ull * 4096 * 4096 * 4;
  m.time = spread_of({0.05, 0.04, 0.06}, 4);
  m.copy = spread_of({0.04}, 4);
  m.registers = 32, m.blocks_per_sm = 8;
  m.check = {true, true, {}};
  return m;
}

TEST(Measurement, SpreadHasQuartiles) {
  const Spread s = spread_of({5, 1, 3, 2, 4}, 7);
  EXPECT_EQ(s.repetitions, 5);
  EXPECT_EQ(s.launches, 7);
  EXPECT_EQ((std::vector{s.min, s.q1, s.median, s.q3, s.max}),
            (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_DOUBLE_EQ(spread_of({1, 2}, 1).median, 1.5);
  EXPECT_EQ(spread_of({}, 1).repetitions, 0);
}

TEST(Measurement, SharesAndRates) {
  const Measurement m = example();
  EXPECT_NEAR(m.gbps(), 2684.35, 0.01);
  EXPECT_DOUBLE_EQ(m.share_of_copy(), 0.8);
  EXPECT_EQ(m.share_of_cublas(), 0) << "unknown";
  EXPECT_EQ(gigabytes_per_second(1, 0), 0);
}

TEST(Measurement, SurvivesItsJson) {
  Measurement m = example();
  m.counters = Counters{{{"a.sum", 7}}, "a tool"};
  Diagnostic d;
  d.kind = DiagnosticKind::wrong_result;
  d.line = 3, d.message = Message::verbatim("wrong");
  m.diagnostics.push_back(d);
  const auto read = measurement_from_json(to_json(m));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->same_launch(m));
  EXPECT_EQ(read->time, m.time);
  EXPECT_EQ(read->counters, m.counters);
  EXPECT_EQ(read->diagnostics.at(0).kind, DiagnosticKind::wrong_result);
  EXPECT_EQ(to_json(*read), to_json(m));
  EXPECT_FALSE(measurement_from_json(Json::array()));
  EXPECT_FALSE(measurement_from_json(Json{{"kernel", 3}}));
}

TEST(Measurement, RecordingIsALineForEach) {
  Recording r;
  r.device.name = "GPU", r.date = "2026-11-21", r.method = "some";
  r.measurements = {example(), example()};
  r.measurements[1].parameters["PAD"] = "2";
  const std::string text = recording_text(r);
  const auto read = recording_from_json(Json::parse(text));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->measurements.size(), 2u);
  EXPECT_EQ(read->device, r.device);
  EXPECT_EQ(recording_text(*read), text);
}

TEST(Measurement, MergeReplacesTheSameLaunchAndKeepsCounters) {
  Recording r;
  r.measurements = {example()};
  r.measurements[0].counters = Counters{{{"a.sum", 7}}, "a tool"};
  Measurement faster = example();
  faster.time = spread_of({0.01}, 1);
  Measurement other = example();
  other.arguments["nx"] = "1024";
  merge(r, {faster, other});
  ASSERT_EQ(r.measurements.size(), 2u);
  EXPECT_DOUBLE_EQ(r.measurements[0].time->median, 0.01);
  EXPECT_TRUE(r.measurements[0].counters);
  Measurement counted = example();
  counted.time.reset(), counted.check = {};
  merge(r, {counted});
  EXPECT_DOUBLE_EQ(r.measurements[0].time->median, 0.01);
  EXPECT_TRUE(r.measurements[0].check.correct);
}

TEST(Measurement, BundledRecordingsAreComplete) {
  const RecordingsResult all =
      load_recordings(std::string(LANESCOPE_SOURCE_DIR) + "/assets/measurements");
  EXPECT_TRUE(all.diagnostics.empty());
  ASSERT_FALSE(all.recordings.empty());
  for (const Recording& r : all.recordings) {
    EXPECT_FALSE(r.device.name.empty() || r.device.driver.empty() || r.date.empty()) << r.file;
    EXPECT_FALSE(r.method.empty()) << r.file;
    for (const Measurement& m : r.measurements) {
      EXPECT_TRUE(m.time || m.counters) << r.file << " " << m.kernel;
      if (!m.time) continue;
      EXPECT_TRUE(m.check.correct) << r.file << " " << m.kernel;
      EXPECT_GE(m.time->repetitions, 20) << r.file << " " << m.kernel;
    }
  }
}

TEST(Measurement, FilledBitsAreWhatABufferHolds) {
  for (const Fill fill : {Fill::index, Fill::zero, Fill::poison, Fill::random}) {
    for (const ScalarType type :
         {ScalarType::boolean, ScalarType::i8, ScalarType::u16, ScalarType::i32, ScalarType::u64,
          ScalarType::f16, ScalarType::f32, ScalarType::f64}) {
      GlobalMemory memory;
      ASSERT_FALSE(memory.add({"b", type, 3000, fill}));
      const Buffer* buffer = memory.find("b");
      const std::size_t width = scalar_bytes(type);
      for (std::uint64_t i = 0; i < 3000; i += 7) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, buffer->data + i * width, width);
        ASSERT_EQ(filled_bits(type, fill, i), bits) << scalar_name(type) << " " << i;
      }
    }
  }
}

// Metrics of one direction, as the profiler names them.
Counters counters(std::uint64_t pipe, std::uint64_t sass, std::uint64_t conflicts,
                  std::uint64_t instructions) {
  Counters c;
  c.values = {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", pipe},
              {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", sass},
              {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", conflicts},
              {"smsp__sass_inst_executed_op_shared_ld.sum", instructions}};
  return c;
}

Totals loads(std::uint64_t requests, std::uint64_t wavefronts, std::uint64_t conflicts) {
  Totals totals;
  totals.shared_load.requests = requests;
  totals.shared_load.wavefronts = wavefronts, totals.shared_load.conflicts = conflicts;
  return totals;
}

std::vector<Agreement> verdicts(const Totals& totals, const Counters& measured) {
  std::vector<Agreement> result;
  for (const CounterLine& line : compare_counters(totals, measured))
    result.push_back(line.agreement);
  return result;
}

TEST(Counters, EqualOnesAgree) {
  const auto lines = compare_counters(loads(10, 30, 20), counters(30, 30, 20, 10));
  EXPECT_EQ(lines.size(), 3u);
  EXPECT_TRUE(all_agree(lines));
  EXPECT_TRUE(lines[0].note.empty());
}

TEST(Counters, ExcessAtThePipeIsArbitrationWhenTheAddressesAgree) {
  using enum Agreement;
  EXPECT_EQ(verdicts(loads(10, 30, 20), counters(45, 30, 35, 10)),
            (std::vector{exact, arbitration, arbitration}));
  EXPECT_EQ(verdicts(loads(10, 30, 20), counters(29, 30, 20, 10)),
            (std::vector{exact, differs, exact}))
      << "the pipe never counts less";
  EXPECT_EQ(verdicts(loads(10, 30, 20), counters(31, 30, 35, 10)),
            (std::vector{exact, arbitration, differs}))
      << "more conflicts than the pipe's excess";
}

TEST(Counters, OnlyFewerInstructionsExplainOtherWavefronts) {
  using enum Agreement;
  EXPECT_EQ(verdicts(loads(10, 30, 20), counters(25, 25, 15, 5)),
            (std::vector{other_instructions, other_instructions, other_instructions}));
  EXPECT_EQ(verdicts(loads(10, 30, 20), counters(60, 60, 40, 20)),
            (std::vector{differs, differs, differs}));
  EXPECT_FALSE(all_agree(compare_counters(loads(10, 30, 20), counters(60, 60, 40, 20))));
}

TEST(Counters, ALowerBoundExplainsMoreAndNeverLess) {
  Totals copies;
  copies.shared_store = {10, 30, 10, 20, 4};
  const auto stores = [](std::uint64_t wavefronts) {
    Counters measured;
    measured.values["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"] = 0;
    measured.values["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"] =
        wavefronts;
    return measured;
  };
  using enum Agreement;
  EXPECT_EQ(verdicts(copies, stores(30)), std::vector{exact});
  EXPECT_EQ(verdicts(copies, stores(45)), std::vector{other_instructions});
  copies.shared_store.at_least = 0;
  EXPECT_EQ(verdicts(copies, stores(45)), std::vector{differs});
}

/// Bulk copies are in none of the profiler's sums; products of warpgroups are.
TEST(Counters, WhatPassesTheLanesIsComparedByItself) {
  Totals totals;
  totals.shared_product = {512, 10240, 10240, 0, 0};
  totals.global_bulk_load = {80, 24576, 24576, 24576 * 32};
  totals.global_bulk_store = {8, 100, 90, 2880};
  Counters measured;
  measured.values = {{"sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum", 10240},
                     {"l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum", 24576},
                     {"l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum", 101},
                     {"memory_l1_wavefronts_shared", 10240},
                     {"memory_l2_theoretical_sectors_global", 0}};
  using enum Agreement;
  EXPECT_EQ(verdicts(totals, measured), (std::vector{exact, exact, differs, exact}));
  // Copies that add have a counter of their own.
  measured.values["l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum"] = 60;
  measured.values["l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_red.sum"] = 40;
  EXPECT_EQ(verdicts(totals, measured), (std::vector{exact, exact, exact, exact}));
}

/// As NVIDIA's sum over the addresses counts them: 32 lanes at one word are one sector, and 32 for the hardware.
TEST(Counters, LanesOfAtomicsThatMeetExplainALowerSum) {
  Totals totals;
  totals.global_load = {100, 400, 400, 12800};
  totals.global_atomic = {100, 3200, 100, 12800};
  const auto sum = [](std::uint64_t sectors) {
    Counters measured;
    measured.values["memory_l2_theoretical_sectors_global"] = sectors;
    return measured;
  };
  using enum Agreement;
  EXPECT_EQ(verdicts(totals, sum(3600)), std::vector{exact});
  EXPECT_EQ(verdicts(totals, sum(500)), std::vector{other_instructions});
  EXPECT_EQ(verdicts(totals, sum(499)), std::vector{differs}) << "less than a sector each";
  EXPECT_EQ(verdicts(totals, sum(3601)), std::vector{differs});
}

TEST(Counters, WhatTheDeviceDoesByItselfExplainsMore) {
  const auto lines =
      compare_counters(loads(10, 30, 20), counters(60, 60, 40, 20), say::device_prints);
  EXPECT_TRUE(all_agree(lines));
}

}  // namespace
}  // namespace lanescope::app

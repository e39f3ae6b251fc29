#include "core/program/program_record.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/run/counters.h"

namespace lanescope::app {
namespace {

Diagnostic race() {
  Diagnostic d;
  d.kind = DiagnosticKind::race;
  d.severity = Severity::warning;
  d.file = "a/k.cu";
  d.line = 12, d.column = 7;
  d.source_line = "  t[i] = 1;";
  d.message = Message::verbatim("a race");
  d.hint = Message::verbatim("a barrier");
  d.block = Dim3{1, 2, 3};
  d.thread = Dim3{4, 5, 6};
  return d;
}

/// Every field other than its default.
LaunchRecord full_record() {
  LaunchRecord launch;
  launch.number = 41;
  launch.kernel = "reduce<float, 256>";
  launch.file = "k.cu";
  launch.from = {"main.cu", 77};
  launch.grid = {7, 8, 9};
  launch.block = {32, 2, 1};
  launch.static_shared_bytes = 1024;
  launch.dynamic_shared_bytes = 99;
  launch.stream = 3;
  launch.totals.shared_load.requests = 5;
  launch.totals.shared_load.wavefronts = 11;
  launch.totals.global_load.requests = 6;
  launch.totals.global_load.sectors = 24;
  launch.totals.global_load.bytes_asked = 384;
  launch.totals.global_store.sectors = 13;
  launch.warp_instructions = 123456789012345;
  launch.begin_ms = 1.5, launch.end_ms = 2.25;
  launch.repeated = true;
  launch.exact = true;
  launch.stopped = "illegal address";
  launch.mistakes = {race()};
  return launch;
}

TEST(ProgramRecord, ALaunchComesBackFromItsJson) {
  const LaunchRecord launch = full_record();
  // Through text, as it goes from one process to another.
  const Json json = Json::parse(to_json(launch).dump());
  const LaunchRecord back = launch_record_from(json);
  EXPECT_EQ(to_json(back), to_json(launch));
  EXPECT_EQ(back.kernel, launch.kernel);
  EXPECT_EQ(back.from.file, "main.cu");
  EXPECT_EQ(back.from.line, 77u);
  EXPECT_EQ(back.grid, launch.grid);
  EXPECT_EQ(back.block, launch.block);
  EXPECT_EQ(back.warp_instructions, launch.warp_instructions);
  EXPECT_EQ(back.totals.global_load.bytes_asked, 384u);
  EXPECT_EQ(back.totals.shared_load.wavefronts, 11u);
  EXPECT_TRUE(back.repeated);
  EXPECT_TRUE(back.exact);
}

TEST(ProgramRecord, AMistakeKeepsItsPlaceAndWords) {
  const LaunchRecord back = launch_record_from(to_json(full_record()));
  ASSERT_EQ(back.mistakes.size(), 1u);
  const Diagnostic& d = back.mistakes[0];
  EXPECT_EQ(format_diagnostic(d), format_diagnostic(race()));
  EXPECT_EQ(d.kind, DiagnosticKind::race);
  EXPECT_EQ(d.severity, Severity::warning);
  EXPECT_EQ(d.block, (Dim3{1, 2, 3}));
  EXPECT_EQ(d.thread, (Dim3{4, 5, 6}));
}

TEST(ProgramRecord, EveryKindOfMistakeComesBack) {
  for (int kind = 0; kind <= static_cast<int>(DiagnosticKind::internal); ++kind) {
    Diagnostic d = race();
    d.kind = static_cast<DiagnosticKind>(kind);
    const std::vector<Diagnostic> back = diagnostics_from(diagnostics_json({d}));
    ASSERT_EQ(back.size(), 1u);
    EXPECT_EQ(back[0].kind, d.kind) << diagnostic_kind_name(d.kind);
  }
}

TEST(ProgramRecord, ADefaultLaunchComesBack) {
  const LaunchRecord launch;
  EXPECT_EQ(to_json(launch_record_from(to_json(launch))), to_json(launch));
}

TEST(ProgramRecord, ARemarkComesBack) {
  const HostRemark remark{"cudaFree: \"twice\"\n", true, {"main.cu", 5}};
  const HostRemark back = remark_from(Json::parse(to_json(remark).dump()));
  EXPECT_EQ(back.text, remark.text);
  EXPECT_TRUE(back.is_error);
  EXPECT_EQ(back.at.file, "main.cu");
  EXPECT_EQ(back.at.line, 5u);
}

TEST(ProgramRecord, WhatIsNoLaunchIsRefused) {
  EXPECT_THROW(launch_record_from(Json::object()), std::exception);
  EXPECT_THROW(remark_from(Json::array()), std::exception);
}

}  // namespace
}  // namespace lanescope::app

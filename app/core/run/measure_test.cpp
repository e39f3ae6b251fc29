// Buffers whose size nobody gave: found by a run, reported, and as large as that afterwards.
#include "core/run/measure.h"

#include <gtest/gtest.h>

#include "core/kernel/kernel_testing.h"
#include "core/run/prepare.h"
#include "core/run/proposed.h"

namespace lanescope::app {
namespace {

using testing_texts::messages;
using testing_texts::settings_of;

Settings automatic(const std::string& body) {
  Settings settings =
      settings_of("__global__ void k(float4* in, float* out, int n) {\n" + body + "\n}\n");
  settings.block = Dim3{32, 1, 1};
  settings.grid = Dim3{8, 1, 1};
  settings.arguments = {{"in", "auto"}, {"out", "float[auto]:poison"}, {"n", "100"}};
  return settings;
}

TEST(Measure, WhatIsTouchedIsTheSize) {
  const PrepareResult result = prepare(
      automatic("  int i = blockIdx.x * 32 + threadIdx.x; if (i < n) out[i - 3] = in[i + 1].y;"));
  ASSERT_TRUE(result.ready) << messages(result.diagnostics);
  const auto& measured = result.ready->prepared->measured;
  ASSERT_EQ(measured.size(), 2u);
  EXPECT_EQ(measured[0], (MeasuredBuffer{"in", "float4", true, 1, 100}));
  EXPECT_EQ(measured[1], (MeasuredBuffer{"out", "float", true, -3, 96}));
  EXPECT_EQ(describe(measured[0]).english(),
            "in: 1 … 100 touched of float4: float4[101] is enough");
  const Buffer* in = result.ready->memory.find("in");
  EXPECT_EQ(in->spec.count, 404u) << "in floats";
  const Buffer* out = result.ready->memory.find("out");
  EXPECT_EQ(out->pointer() % 512, 0u);
  EXPECT_GE(out->spec.origin, 3u);
  const RunResult ran = result.ready->execute({.checks = true});
  EXPECT_TRUE(ran.diagnostics.empty()) << messages(ran.diagnostics);
  // Element i counts from the pointer: in[1].y is number 5 of the floats.
  const auto* values = reinterpret_cast<const float*>(out->data) + out->spec.origin;
  EXPECT_EQ(values[-3], 5.0f);
}

TEST(Measure, ARunThatFailsKeepsTheRoomAndTellsWhere) {
  const PrepareResult result = prepare(automatic("  out[0] = 1; in[(long long)n << 40].x = 2;"));
  ASSERT_TRUE(result.ready) << messages(result.diagnostics);
  EXPECT_FALSE(result.ready->prepared->measured[0].known);
  const RunResult ran = result.ready->execute({});
  ASSERT_FALSE(ran.diagnostics.empty());
  EXPECT_EQ(ran.diagnostics[0].kind, DiagnosticKind::out_of_bounds);
}

TEST(Measure, ALookForSizesIsBounded) {
  Settings settings = automatic(
      "  float s = 0; for (int i = 0; i < n; ++i) s += in[i % 8].x; out[threadIdx.x] = s;");
  settings.arguments["n"] = "100000";
  const auto measured = [&](const MeasureBounds& bounds) {
    const PrepareResult result = prepare(settings, {}, device_presets().front(), bounds);
    EXPECT_TRUE(result.ready) << messages(result.diagnostics);
    return result.ready->prepared->measured.at(0);
  };
  EXPECT_TRUE(measured({}).known);
  const MeasuredBuffer few = measured({.step_budget = 10'000});
  EXPECT_FALSE(few.known);
  EXPECT_EQ(describe(few).english(),
            "in: not measured: the run that looks for its size stopped early");
  settings.grid = Dim3{1'000'000, 1, 1};
  const MeasuredBuffer late = measured({.most_seconds = 0.02});
  EXPECT_FALSE(late.known);
  EXPECT_GT(late.would_take_s, 0.02);
  EXPECT_NE(describe(late).english().find("minutes; give it a size"), std::string::npos);
}

TEST(Measure, OnlyWhatIsMissingIsProposed) {
  Settings settings = automatic("  if (n > 0) out[threadIdx.x] = in[threadIdx.x].x;");
  EXPECT_TRUE(prepare_as_proposed(settings).said.empty()) << "all was said";
  settings.arguments.erase("n");
  const ProposedLaunch launch = prepare_as_proposed(settings);
  ASSERT_EQ(launch.said.size(), 1u);
  EXPECT_EQ(launch.said[0].english(), "n = 256 (grid x block)");
  EXPECT_TRUE(launch.result.ready) << messages(launch.result.diagnostics);
  settings.arguments["q"] = "1";
  EXPECT_FALSE(prepare_as_proposed(settings).result.ready) << "the kernel takes no q";
}

}  // namespace
}  // namespace lanescope::app

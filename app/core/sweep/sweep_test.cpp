#include "core/sweep/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/kernel/kernel_testing.h"
#include "core/run/prepare.h"
#include "core/run/whole_grid.h"

namespace lanescope::app {
namespace {

using testing_texts::kTranspose;
using testing_texts::messages;
using testing_texts::replaced;
using testing_texts::settings_of;

using Values = std::vector<std::string>;

const Catalog& bundled() {
  static const Catalog catalog = load_catalog(default_kernel_folder());
  return catalog;
}

SweepPlan plan_of(const Settings& settings, const Values& vary) {
  SweepPlanResult planned = plan_sweep(settings, bundled(), vary);
  EXPECT_TRUE(planned.plan) << messages(planned.diagnostics);
  return planned.plan.value_or(SweepPlan{});
}

std::string refusal(const Settings& settings, const Values& vary) {
  const SweepPlanResult planned = plan_sweep(settings, bundled(), vary);
  EXPECT_FALSE(planned.plan);
  for (const Diagnostic& d : planned.diagnostics) {
    EXPECT_EQ(d.kind, DiagnosticKind::usage);
    EXPECT_FALSE(d.hint.empty()) << d.message.english();
  }
  return planned.diagnostics.empty() ? "" : planned.diagnostics.front().message.english();
}

TEST(SweepValues, ListsAndRanges) {
  EXPECT_EQ(parse_sweep_values("1, 2,float").values, (Values{"1", "2", "float"}));
  EXPECT_EQ(parse_sweep_values("0..3").values, (Values{"0", "1", "2", "3"}));
  EXPECT_EQ(parse_sweep_values("0..10..4").values, (Values{"0", "4", "8"}));
  EXPECT_EQ(parse_sweep_values("4..33*2").values, (Values{"4", "8", "16", "32"}));
  EXPECT_EQ(parse_sweep_values("0,1,2..8*2").values, (Values{"0", "1", "2", "4", "8"}));
  EXPECT_EQ(parse_sweep_values("-2..0").values, (Values{"-2", "-1", "0"}));
  EXPECT_EQ(parse_sweep_values("9223372036854775806..9223372036854775807").values.size(), 2u);
  for (const char* wrong : {"", ",", "1,,2", "a..b", "3..1", "1..", "..3", "0..8*2", "1..8*1",
                            "1..8..0", "1..9..-1", "0..100000", "1,1", "0..3,2"}) {
    const SweepValues parsed = parse_sweep_values(wrong);
    EXPECT_FALSE(parsed.error.empty()) << wrong;
    EXPECT_TRUE(parsed.values.empty()) << wrong;
  }
}

TEST(SweepValues, TheShortTextMeansTheSame) {
  EXPECT_EQ(sweep_values_text({"0", "1", "2", "3", "4"}), "0..4");
  EXPECT_EQ(sweep_values_text({"8", "16", "32"}), "8..32*2");
  EXPECT_EQ(sweep_values_text({"1", "3", "7"}), "1,3,7");
  EXPECT_EQ(sweep_values_text({"float", "double"}), "float,double");
}

TEST(SweepPlan, SuggestsShapeAgainstPadding) {
  const auto suggested = [](const char* name) {
    const CatalogEntry& entry = *bundled().find(name);
    return suggested_axes(*open_kernel(bundled(), name).settings, entry.front_matter);
  };
  EXPECT_EQ(suggested("transpose/05_remapped"),
            (Values{"BDIMX=8..64*2", "PAD=0..4", "BDIMY=4..32*2"}));
  EXPECT_EQ(suggested("transpose/04_shared_tile_padded"), (Values{"BDIMX=4..32*2", "PAD=0..4"}));
  EXPECT_EQ(suggested("patterns/03_shared_stride").size(), 1u);
  EXPECT_EQ(suggested("transpose/16_registers64").size(), 2u);
}

TEST(SweepPlan, EveryBundledKernelWithSomethingToVaryHasAPlan) {
  for (const CatalogEntry& entry : bundled().entries) {
    const Settings settings = *open_kernel(bundled(), entry.name).settings;
    if (suggested_axes(settings, entry.front_matter).empty()) continue;
    const SweepPlanResult planned = plan_sweep(settings, bundled(), {});
    ASSERT_TRUE(planned.plan) << entry.name << messages(planned.diagnostics);
    EXPECT_TRUE(planned.plan->find(settings)) << entry.name << ": the current setting is in it";
    EXPECT_TRUE(planned.plan->bundled);
  }
}

TEST(SweepPlan, CellsAreSettingsAndSettingsAreCells) {
  Settings base = settings_of(kTranspose);
  base.parameters["PAD"] = "1";
  const SweepPlan plan = plan_of(base, {"PAD=0..2", "BX=8,16", "nx=32,64"});
  ASSERT_EQ(plan.size(), 12u);
  for (std::size_t i = 0; i < plan.size(); ++i) {
    EXPECT_EQ(plan.index(plan.coordinates(i)), i);
    EXPECT_EQ(plan.find(plan.settings(i)), i);
  }
  EXPECT_EQ(plan.label(11), "PAD=2 BX=16 nx=64");
  Settings elsewhere = plan.settings(3);
  elsewhere.inspected_block = {1, 0, 0};
  EXPECT_EQ(plan.find(elsewhere), 3u) << "which block is looked at makes no difference";
  elsewhere.parameters["BX"] = "4";
  EXPECT_FALSE(plan.find(elsewhere));
  EXPECT_FALSE(plan.find(base)) << "BX is 32";
  Settings other = plan.settings(3);
  other.arguments["ny"] = "97";
  EXPECT_FALSE(plan.find(other));
  other.arguments["ny"] = "96";
  EXPECT_EQ(plan.find(other), 3u) << "a default said aloud";
  EXPECT_TRUE(plan.same(plan_of(plan.settings(7), {"PAD=0..2", "BX=8,16", "nx=32,64"})));
  EXPECT_FALSE(plan.same(plan_of(base, {"PAD=0..2", "BX=8,16", "ny=32,64"})));
}

TEST(SweepPlan, SaysWhatMakesNoSense) {
  const Settings base = settings_of(kTranspose);
  EXPECT_EQ(refusal(base, {"PAD"}), "--vary PAD: not NAME=VALUES");
  EXPECT_EQ(refusal(base, {"PADDING=1"}), "--vary PADDING: no such parameter");
  EXPECT_EQ(refusal(base, {"PAD=5"}), "--vary PAD: 5 is outside 0 to 4");
  EXPECT_EQ(refusal(base, {"PAD=x"}), "--vary PAD: 'x' is not an integer");
  EXPECT_EQ(refusal(base, {"nx=many"}), "--vary nx: 'many' is not a number");
  EXPECT_EQ(refusal(base, {"PAD=1", "PAD=2"}), "--vary PAD is given twice");
  EXPECT_EQ(refusal(base, {"block=32x8"}),
            "--vary block: this kernel's block is made of parameters");
  EXPECT_EQ(refusal(base, {"PAD=0..4", "BX=1..32", "nx=1..32"}),
            "a sweep of 5120 settings: at most 4096");
}

TEST(SweepPlan, AGridIsFittedToAVariedBlock) {
  Settings base = settings_of("__global__ void k(float* p) { p[threadIdx.x] = 1; }");
  base.block = Dim3{256, 1, 1};
  base.grid = Dim3{10, 1, 1};
  const SweepPlan plan = plan_of(base, {"block=128,512x1,96"});
  EXPECT_EQ(plan.settings(0).grid->x, 20u);
  EXPECT_EQ(plan.settings(1).grid->x, 5u);
  EXPECT_EQ(plan.settings(2).grid->x, 27u);
  base.block.reset();
  EXPECT_NE(refusal(base, {"block=128"}).find("needs --block"), std::string::npos);
}

TEST(Sweep, CellsAreWhatTheWholeGridSays) {
  const SweepPlan plan = plan_of(settings_of(kTranspose), {"PAD=0..2", "BX=8..32*2"});
  const Sweep sweep = run_sweep(plan, {});
  EXPECT_TRUE(sweep.finished);
  ASSERT_EQ(sweep.cells.size(), 9u);
  for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
    const SweepCell& cell = sweep.cells[i];
    ASSERT_TRUE(cell.counted()) << plan.label(i) << cell.reason.english();
    PrepareResult prepared = prepare(plan.settings(i));
    ASSERT_TRUE(prepared.ready);
    WholeGridOptions options;
    options.every_block = true;
    const WholeGrid whole = run_whole_grid(*prepared.ready, options);
    const Totals totals = totals_of(prepared.ready->prepared->program->info(), whole.run);
    EXPECT_EQ(cell.shared.wavefronts,
              totals.shared_load.wavefronts + totals.shared_store.wavefronts)
        << plan.label(i);
    EXPECT_EQ(cell.global.sectors, totals.global_load.sectors + totals.global_store.sectors);
    EXPECT_EQ(cell.shared_bytes, prepared.ready->prepared->program->info().static_shared_bytes);
  }
  const SweepScale scale = scale_of(sweep, SweepMetric::conflicts);
  ASSERT_TRUE(scale.best);
  EXPECT_EQ(plan.label(*scale.best), "PAD=1 BX=32");
  EXPECT_EQ(scale.as_good, 1u);
  EXPECT_DOUBLE_EQ(*sweep_heat(scale, SweepMetric::conflicts, sweep.cells[*scale.best]), 1.0);
  const std::size_t worst = *plan.find(settings_of(kTranspose));
  // Half the wavefronts are the load's, 32 for one; 64 columns and 96 rows make whole tiles.
  EXPECT_DOUBLE_EQ(*sweep_heat(scale, SweepMetric::conflicts, sweep.cells[worst]), 16.5);
}

TEST(Sweep, ImpossibleSettingsAreHolesWithTheirReason) {
  Settings base =
      settings_of(replaced(kTranspose, "block = [\"BX\", \"BX\"]", "block = [\"BX\", \"64\"]"));
  base.text =
      replaced(base.text, "  int ix =", "  static_assert(PAD != 3, \"three\");\n  int ix =");
  const SweepPlan plan = plan_of(base, {"PAD=2..3", "BX=16,32"});
  const Sweep sweep = run_sweep(plan, {});
  EXPECT_TRUE(sweep.finished);
  EXPECT_EQ(sweep.cells[1].state, SweepCell::State::impossible);
  EXPECT_NE(sweep.cells[1].reason.english().find("block of 2048 threads: at most 1024"),
            std::string::npos);
  EXPECT_EQ(sweep.cells[2].state, SweepCell::State::impossible);
  EXPECT_NE(sweep.cells[2].reason.english().find("three"), std::string::npos)
      << sweep.cells[2].reason.english();
  EXPECT_EQ(sweep.cells[2].reason.english().find("line "), 0u);
  EXPECT_FALSE(metric_value(sweep.cells[2], SweepMetric::wavefronts));
  // With 64 rows of threads over a tile of 16, stores leave the tile: it runs, and is wrong.
  EXPECT_EQ(sweep.cells[0].state, SweepCell::State::failed) << sweep.cells[0].reason.english();
}

TEST(Sweep, ResultsAreComparedWhenAsked) {
  Settings base = settings_of(replaced(kTranspose, "int to = jx * ny + jy;",
                                       "int to = jx * ny + (PAD == 2 ? ny - 1 - jy : jy);"));
  const SweepPlan plan = plan_of(base, {"PAD=1,2"});
  SweepOptions options;
  options.check = true;
  const Sweep sweep = run_sweep(plan, options);
  EXPECT_TRUE(sweep.cells[0].check.correct);
  EXPECT_EQ(sweep.cells[1].state, SweepCell::State::failed);
  EXPECT_NE(sweep.cells[1].reason.english().find("wrong result"), std::string::npos);
}

TEST(Sweep, TheFirstCellIsFirstAndEveryCellComesOnce) {
  const SweepPlan plan = plan_of(settings_of(kTranspose), {"PAD=0..4", "BX=1..7"});
  const std::vector<std::size_t> order = coarse_order(plan, 17);
  EXPECT_EQ(order.front(), 17u);
  EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), plan.size());
  EXPECT_EQ(order.size(), plan.size());
  EXPECT_EQ(order[1], 0u);
  EXPECT_EQ(order[2], 4u) << "then far apart";
}

TEST(Sweep, KnownCellsAreNotCountedAgainAndAStopIsKept) {
  const SweepPlan plan = plan_of(settings_of(kTranspose), {"PAD=0..4"});
  SweepCell known;
  known.state = SweepCell::State::counted;
  known.shared.wavefronts = 7;
  SweepOptions options;
  options.threads = 1;
  options.known = [&](std::size_t cell) { return cell == 3 ? &known : nullptr; };
  std::stop_source stop;
  options.stop = stop.get_token();
  std::size_t calls = 0;
  options.counted = [&](std::size_t, const SweepCell&) {
    if (++calls == 4) stop.request_stop();
  };
  const Sweep sweep = run_sweep(plan, options);
  EXPECT_EQ(sweep.done, 4u);
  EXPECT_FALSE(sweep.finished);
  const auto pending =
      std::count_if(sweep.cells.begin(), sweep.cells.end(),
                    [](const SweepCell& c) { return c.state == SweepCell::State::pending; });
  EXPECT_EQ(pending, 1);
  if (sweep.cells[3].counted()) {
    EXPECT_EQ(sweep.cells[3].shared.wavefronts, 7u);
  }
}

TEST(Sweep, RecordedTimesAreOfTheVeryLaunch) {
  const RecordingIndexPtr recordings = bundled_recordings();
  Settings base = *open_kernel(bundled(), "transpose/05_remapped").settings;
  SweepPlan plan = plan_of(base, {"BDIMX=32", "PAD=0..4", "BDIMY=8"});
  SweepOptions options;
  options.recordings = recordings;
  const auto elsewhere = recorded_elsewhere(plan, *recordings);
  EXPECT_EQ(elsewhere, (std::map<std::string, std::string>{{"nx", "4096"}, {"ny", "4096"}}));
  plan.base.arguments = elsewhere;
  EXPECT_TRUE(recorded_elsewhere(plan, *recordings).empty()) << "they are here";
  const Sweep sweep = run_sweep(plan, options);
  for (const SweepCell& cell : sweep.cells) {
    ASSERT_TRUE(cell.recorded) << cell.reason.english();
    EXPECT_GT(cell.recorded->milliseconds, 0);
    EXPECT_EQ(cell.recorded->device, "NVIDIA H200");
    EXPECT_EQ(static_cast<int>(cell.occupancy.blocks), cell.recorded->blocks_per_sm);
  }
  plan.bundled = false;
  EXPECT_FALSE(run_sweep(plan, options).cells[0].recorded) << "an edited text was never timed";
}

// What the driver said of every recorded launch that registers do not limit.
TEST(Sweep, OccupancyIsWhatTheDriverSays) {
  std::size_t compared = 0;
  for (const Recording& recording : load_recordings(default_measurement_folder()).recordings) {
    for (const Measurement& m : recording.measurements) {
      if (m.blocks_per_sm == 0 || m.registers == 0) continue;
      const Occupancy ours = occupancy(device_presets().front(), m.block,
                                       m.static_shared_bytes + m.dynamic_shared_bytes);
      // 65,536 registers, given to warps in units of 256.
      const std::uint64_t warp = (static_cast<std::uint64_t>(m.registers) * 32 + 255) / 256 * 256;
      const std::uint64_t warps = (m.block.count() + 31) / 32;
      const std::uint64_t by_registers = 65536 / warp / warps;
      EXPECT_EQ(std::min<std::uint64_t>(ours.blocks, by_registers),
                static_cast<std::uint64_t>(m.blocks_per_sm))
          << m.kernel << " " << m.block.x << "x" << m.block.y << " shared " << m.static_shared_bytes
          << " registers " << m.registers;
      ++compared;
    }
  }
  EXPECT_GT(compared, 100u);
}

}  // namespace
}  // namespace lanescope::app

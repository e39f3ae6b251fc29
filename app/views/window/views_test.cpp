// The parts of views that need no window.
#include <gtest/gtest.h>

#include <cmath>

#include "core/session/session.h"
#include "lanescope/memory.h"
#include "views/banks/banks_view.h"
#include "views/draw/colours.h"
#include "views/draw/tr.h"
#include "views/map/map_panels.h"
#include "views/sectors/sectors_view.h"
#include "views/timeline/timeline_view.h"

namespace lanescope::app {
namespace {

double luminance(ImU32 color) {
  const auto linear = [color](int shift) {
    const double v = ((color >> shift) & 255) / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(IM_COL32_R_SHIFT) + 0.7152 * linear(IM_COL32_G_SHIFT) +
         0.0722 * linear(IM_COL32_B_SHIFT);
}

TEST(Palette, WordsReadOnEveryColour) {
  for (const Theme* theme : {&dark_theme(), &light_theme(), &high_contrast_theme()}) {
    for (ImU32 color :
         {theme->text, theme->dim, theme->selection, theme->good, theme->warning, theme->error}) {
      EXPECT_GE(contrast(color, theme->canvas), 4.5) << std::hex << color;
    }
  }
  for (int bank = 0; bank < 32; ++bank)
    EXPECT_GE(contrast(text_on(bank_color(bank)), bank_color(bank)), 4.5) << bank;
  for (double ratio : {1.0, 1.5, 2.0, 4.0, 8.0, 16.0, 32.0}) {
    EXPECT_GE(contrast(text_on(heat_color(ratio)), heat_color(ratio)), 4.5) << ratio;
  }
}

// 7 is the guidelines' level AAA.
TEST(Palette, HighContrastIsHigh) {
  const Theme& theme = high_contrast_theme();
  for (ImU32 background : {theme.canvas, theme.empty}) {
    for (ImU32 color : {theme.text, theme.dim, theme.lane, theme.selection, theme.good,
                        theme.warning, theme.error, theme.hatch, theme.barrier})
      EXPECT_GE(contrast(color, background), 7) << std::hex << color;
  }
}

TEST(Palette, BanksGrowInLightness) {
  for (int bank = 1; bank < 32; ++bank)
    EXPECT_GT(luminance(bank_color(bank)), luminance(bank_color(bank - 1)));
}

// The test of the real window looks for these on the screen.
TEST(Palette, WhatTheWindowTestLooksFor) {
  EXPECT_EQ(dark_theme().lane, IM_COL32(0x56, 0xB4, 0xE9, 255));
  EXPECT_EQ(dark_theme().selection, IM_COL32(0xFF, 0x8A, 0xD0, 255));
  EXPECT_EQ(heat_color(1), IM_COL32(0x1F, 0xA1, 0x87, 255));
  EXPECT_EQ(bank_color(0), IM_COL32(0x59, 0x38, 0x88, 255)) << std::hex << bank_color(0);
  EXPECT_EQ(bank_color(31), IM_COL32(0xEB, 0xE3, 0x77, 255)) << std::hex << bank_color(31);
}

TEST(Palette, HeatOfNotANumberIsNoAlarm) { EXPECT_EQ(heat_color(std::nan("")), heat_color(1)); }

TEST(Numbers, AreGroupedAndCut) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1048576), "1\u202f048\u202f576");
  EXPECT_EQ(decimal(12.5), "12.5");
  EXPECT_EQ(decimal(100.0), "100");
  EXPECT_EQ(decimal(33.333), "33.3");
}

TEST(Headlines, SayCostAndIdeal) {
  LaneRow address{};
  for (std::size_t lane = 0; lane < 32; ++lane) address[lane] = kSharedWindow + lane * 64;
  EXPECT_EQ(banks_headline(plan_banks(address, kAllLanes, 4, true)),
            "16-way conflict: 16 wavefronts, ideal 1");
  for (std::size_t lane = 0; lane < 32; ++lane) address[lane] = kSharedWindow + lane * 4;
  EXPECT_EQ(banks_headline(plan_banks(address, kAllLanes, 4, true)),
            "No conflict: 1 wavefront, ideal 1");
  for (std::size_t lane = 0; lane < 32; ++lane) address[lane] = kGlobalWindow + lane * 4096;
  EXPECT_EQ(sectors_headline(plan_sectors(address, kAllLanes, 4)),
            "32 sectors, ideal 4: 12.5 % efficient");
}

// Two warps of a kernel "compute, barrier, compute", of which the second computes for longer.
TEST(TrackAxis, BarriersAreOneVerticalLine) {
  KernelInfo kernel;
  kernel.ops.resize(2);
  kernel.ops[1].kind = StepKind::barrier;
  BlockTrace trace;
  trace.warps.resize(2);
  const auto fill = [](WarpTrack& track, std::initializer_list<std::uint32_t> ops) {
    track.op = ops;
    track.mask.assign(track.op.size(), kAllLanes);
    track.rows.assign(track.op.size(), WarpTrack::kNoRows);
  };
  fill(trace.warps[0], {0, 1, 0, 0});
  fill(trace.warps[1], {0, 0, 0, 1, 0});
  const TrackAxis axis(kernel, trace);
  EXPECT_EQ(axis.width(), 6u);
  EXPECT_EQ(axis.position(0, 1), axis.position(1, 3));
  EXPECT_EQ(axis.position(0, 2), axis.position(1, 4));
  EXPECT_EQ(axis.step_at(1, axis.position(1, 4)), 4u);
  EXPECT_EQ(axis.step_at(0, 2), 1u) << "while it waits, a warp is at its barrier";
  EXPECT_EQ(axis.step_at(0, 99), 3u);
  for (const std::uint32_t warp : {0u, 1u}) {
    const std::vector<std::size_t> all = axis.positions(warp);
    ASSERT_EQ(all.size(), trace.warps[warp].size());
    for (std::size_t step = 0; step < all.size(); ++step)
      EXPECT_EQ(all[step], axis.position(warp, step)) << warp << ", " << step;
  }
}

PicturePtr run_kernel(const std::string& name, std::map<std::string, std::string> parameters = {},
                      Dim3 block = {0, 0, 0}) {
  Session session(load_catalog(std::string(LANESCOPE_SOURCE_DIR) + "/kernels"));
  OpenResult opened = open_kernel(session.catalog(), name);
  if (!opened.settings) return nullptr;
  opened.settings->parameters = std::move(parameters);
  opened.settings->inspected_block = block;
  session.apply(*opened.settings);
  session.wait();
  return session.picture();
}

const MapPanel* panel(const std::vector<MapPanel>& panels, const std::string& name) {
  for (const MapPanel& p : panels) {
    if (p.name == name) return &p;
  }
  return nullptr;
}

TEST(MapPanels, WindowIsTheInspectedBlocksAndPaddingIsUntouched) {
  const PicturePtr picture =
      run_kernel("transpose/04_shared_tile_padded", {{"PAD", "1"}, {"BDIMX", "32"}}, {2, 1, 0});
  ASSERT_NE(picture, nullptr);
  const std::vector<MapPanel> panels = make_panels(*picture);
  ASSERT_EQ(panels.size(), 3u);
  const MapPanel *in = panel(panels, "in"), *tile = panel(panels, "tile"),
                 *out = panel(panels, "out");
  ASSERT_TRUE(in && tile && out);
  EXPECT_EQ(in->role, PanelRole::input);
  EXPECT_EQ(out->role, PanelRole::output);
  EXPECT_EQ(in->box, (CellWindow{32, 32, 64, 32}));
  EXPECT_EQ(out->box, (CellWindow{64, 32, 32, 32}));
  EXPECT_EQ(tile->cols, 33u);
  EXPECT_TRUE(tile->is_touched(5, 31));
  EXPECT_FALSE(tile->is_touched(5, 32));
  const auto at = in->at(in->address(33, 70));
  ASSERT_TRUE(at.has_value());
  EXPECT_EQ(at->row, 33u);
  EXPECT_EQ(at->col, 70u);
  EXPECT_FALSE(in->at(out->base).has_value());
}

TEST(MapPanels, NoSharedMemoryNoTile) {
  const PicturePtr picture = run_kernel("transpose/01_naive_row");
  ASSERT_NE(picture, nullptr);
  for (const MapPanel& p : make_panels(*picture)) EXPECT_NE(p.role, PanelRole::tile);
}

TEST(MapPanels, LargeWindowFollowsTheLanes) {
  MapPanel big{.bytes = 4 * 1000 * 1000, .rows = 1000, .cols = 1000, .box = {0, 1000, 0, 1000}};
  EXPECT_EQ(visible_window(big, 96, 500, 20), (CellWindow{480, 96, 0, 96}));
  EXPECT_EQ(visible_window(big, 96, 999, 999), (CellWindow{904, 96, 904, 96}));
}

}  // namespace
}  // namespace lanescope::app

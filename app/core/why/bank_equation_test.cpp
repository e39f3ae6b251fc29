// The equation of an access against its recorded banks, at its own pitch and at another.
#include "core/why/bank_equation.h"

#include <gtest/gtest.h>

#include "core/kernel/catalog.h"
#include "core/session/session.h"

namespace lanescope::app {
namespace {

struct Recorded {
  PicturePtr picture;
  AccessInfo access;
  LaneRow address{};
  LaneMask mask = 0;
};

// Warp 0's first execution of the access with that text.
Recorded recorded(const std::string& kernel, const std::string& text, const std::string& pad) {
  Session session(load_catalog(LANESCOPE_SOURCE_DIR "/kernels"));
  OpenResult opened = open_kernel(session.catalog(), kernel);
  EXPECT_TRUE(opened.settings);
  if (!pad.empty()) opened.settings->parameters["PAD"] = pad;
  session.apply(*opened.settings);
  session.wait();
  Recorded result{session.picture(), {}};
  const WarpTrack& track = result.picture->trace()->warps.front();
  for (std::size_t step = 0; step < track.size(); ++step) {
    const int access = result.picture->kernel().ops[track.op[step]].access;
    if (access < 0) continue;
    result.access = result.picture->kernel().accesses[static_cast<std::size_t>(access)];
    if (result.access.text != text) continue;
    result.address = result.picture->trace()->rows[track.rows[step]];
    result.mask = track.mask[step];
    return result;
  }
  ADD_FAILURE() << text << " is not executed";
  return result;
}

BankEquation equation_of(const Recorded& r) {
  const auto equation = bank_equation(*r.picture, r.access, r.address, r.mask);
  EXPECT_TRUE(equation);
  return equation.value_or(BankEquation{});
}

TEST(BankEquation, SaysWhatTheTextSays) {
  const BankEquation e = equation_of(recorded("transpose/05_remapped", "tile[icol][irow]", "1"));
  EXPECT_EQ(e.text(), "(icol*pitch + irow) mod 32");
  EXPECT_EQ(e.text(36), "(icol*36 + irow) mod 32");
  EXPECT_EQ(e.pitch, 33u);
}

TEST(BankEquation, AnotherPitchCostsWhatItsRunCosts) {
  const BankEquation from = equation_of(recorded("transpose/05_remapped", "tile[icol][irow]", "1"));
  for (const std::string pad : {"0", "1", "2", "3", "4", "5", "8"}) {
    const Recorded r = recorded("transpose/05_remapped", "tile[icol][irow]", pad);
    const BankPlan plan = plan_banks(r.address, r.mask, 4, true);
    const BankGrid grid = bank_grid(from, equation_of(r).pitch);
    EXPECT_EQ(grid.plan.cost, plan.cost) << "PAD " << pad;
    EXPECT_EQ(grid.clashing == 0, plan.cost.conflicts == 0) << "PAD " << pad;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      EXPECT_EQ(grid.bank[lane], static_cast<int>(r.address[lane] / kBankBytes % kBanks));
  }
  EXPECT_EQ(telling_pitch(from), 36u);  // the next that has none
}

TEST(BankEquation, LanesStandWhereTheirSubscriptsSay) {
  const BankEquation e = equation_of(recorded("transpose/05_remapped", "tile[icol][irow]", "4"));
  const LaneTable table = lane_table(e);
  EXPECT_EQ(table.across, 8);
  EXPECT_EQ(table.down, 4);
  EXPECT_EQ(table.across_name, "icol");
  EXPECT_EQ(table.down_name, "irow");
  EXPECT_EQ(table.x[9], 1);
  EXPECT_EQ(table.y[9], 1);
  EXPECT_EQ(telling_pitch(e), 32u);  // what it was before it was padded
}

TEST(BankEquation, ARowShowsThatItsPitchChangesNothing) {
  const BankEquation e = equation_of(
      recorded("transpose/04_shared_tile_padded", "tile[threadIdx.y][threadIdx.x]", "1"));
  EXPECT_EQ(telling_pitch(e), 34u) << "and not the same card twice";
  EXPECT_EQ(bank_grid(e, 34).plan.cost.conflicts, 0u);
}

TEST(BankEquation, TwoWordsAnElement) {
  const Recorded r =
      recorded("transpose/04_shared_tile_padded", "tile[threadIdx.x][threadIdx.y]", "1");
  BankEquation e = equation_of(r);
  e.element_bytes = e.bytes = 8;
  EXPECT_EQ(e.text(), "(2*(threadIdx.x*pitch + threadIdx.y)) mod 32");
  EXPECT_EQ(bank_grid(e, 32).plan.ways, 16);  // a half-warp in one pair of banks
  EXPECT_EQ(bank_grid(e, 33).plan.cost.conflicts, 0u);
}

}  // namespace
}  // namespace lanescope::app

// The index finds what looking through the trace finds, on kernels of every kind.
#include "core/picture/trace_index.h"

#include <gtest/gtest.h>

#include "core/kernel/kernel_testing.h"
#include "core/picture/navigate.h"
#include "core/picture/scanned_chain.h"
#include "core/session/session.h"

namespace lanescope::app {
namespace {

struct Case {
  const char* kernel;
  std::map<std::string, std::string> parameters, arguments;
};

const std::vector<Case> kCases = {
    {"transpose/03_shared_tile", {{"BDIMX", "16"}}, {{"nx", "40"}, {"ny", "56"}}},
    {"transpose/05_remapped", {}, {{"nx", "64"}, {"ny", "64"}}},
    {"transpose/12_float4_both", {}, {{"nx", "64"}, {"ny", "64"}}},
    {"transpose/14_memcpy_async", {}, {{"nx", "64"}, {"ny", "64"}}},
    {"transpose/01_naive_row", {}, {{"nx", "64"}, {"ny", "64"}}},
    {"gemm/01_block_tiled", {}, {{"M", "64"}, {"N", "64"}, {"K", "24"}}},
    {"patterns/08_shared_merge", {}, {}},
    {"broken/05_tile_reused", {}, {}},
    {"broken/18_reduction_no_barrier_fixed", {}, {}},
};

class TraceIndexTest : public ::testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    const Case& c = kCases[GetParam()];
    session_.apply([&] {
      Settings settings = *open_kernel(session_.catalog(), c.kernel).settings;
      settings.parameters = c.parameters;
      settings.arguments = c.arguments;
      return settings;
    }());
    session_.wait(false);
    picture_ = session_.picture();
    ASSERT_TRUE(picture_ && picture_->index) << testing_texts::messages(session_.diagnostics());
  }
  const BlockTrace& trace() const { return *picture_->trace(); }
  // Some steps of each warp, early, late and between; a different set for each warp.
  template <class What>
  void at_some_steps(What what) const {
    for (std::uint32_t warp = 0; warp < trace().warps.size(); ++warp) {
      const std::size_t steps = trace().warps[warp].size(), stride = 1 + steps / 23;
      for (std::size_t step = warp % stride; step < steps; step += stride) what(warp, step);
    }
  }

  Session session_{load_catalog(LANESCOPE_SOURCE_DIR "/kernels")};
  PicturePtr picture_;
};

TEST_P(TraceIndexTest, LastWriters) {
  std::size_t found = 0;
  at_some_steps([&](std::uint32_t warp, std::size_t step) {
    for (std::uint64_t byte = warp % 4; byte < 9000; byte += 388) {
      int expected_lane = -1, lane = -1;
      const auto expected = last_writer(picture_->kernel(), trace(), kSharedWindow + byte,
                                        {warp, step}, &expected_lane);
      const auto got = last_writer(*picture_->index, picture_->kernel(), trace(),
                                   kSharedWindow + byte, {warp, step}, &lane);
      ASSERT_EQ(got, expected) << "warp " << warp << " step " << step << " byte " << byte;
      ASSERT_EQ(lane, expected_lane);
      found += got.has_value();
    }
  });
  EXPECT_EQ(found > 0, !picture_->index->shared().empty());
}

TEST_P(TraceIndexTest, Variables) {
  at_some_steps([&](std::uint32_t warp, std::size_t step) {
    const auto expected = variables_at(picture_->kernel(), trace(), warp, step);
    const auto got = variables_at(*picture_->index, picture_->kernel(), trace(), warp, step);
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(got[i].known, expected[i].known) << picture_->kernel().variables[i].name;
      for (LaneMask rest = got[i].known; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
        ASSERT_EQ(got[i].bits[lane], expected[i].bits[lane]);
      }
    }
  });
}

TEST_P(TraceIndexTest, ChainsOfLanesAndOfCells) {
  std::size_t longest = 0;
  at_some_steps([&](std::uint32_t warp, std::size_t step) {
    Selection selection;
    selection.warp = warp;
    selection.step = step;
    for (selection.access = 0;
         selection.access < static_cast<int>(picture_->kernel().accesses.size());
         selection.access += 1 + static_cast<int>(step % 3)) {
      ASSERT_EQ(shown_access_step(*picture_, selection),
                scanned::shown_access_step(*picture_, selection));
      selection.cell.reset();
      selection.lane = static_cast<int>((warp * 7 + step) % kLanes);
      const auto expected = scanned::chain_of(*picture_, selection);
      ASSERT_EQ(chain_of(*picture_, selection), expected)
          << "warp " << warp << " step " << step << " access " << selection.access;
      longest = std::max(longest, expected.size());
      if (expected.empty()) continue;
      selection.lane = -1;
      selection.cell = expected[step % expected.size()].cell;
      ASSERT_EQ(chain_of(*picture_, selection), scanned::chain_of(*picture_, selection))
          << "cell at warp " << warp << " step " << step << " access " << selection.access;
    }
  });
  EXPECT_GE(longest, 1u);
}

TEST_P(TraceIndexTest, CountsOfSharedMemoryAreThoseOfTheRun) {
  SharedCounts listed, counted;
  for (const SharedExecution& e : picture_->index->shared()) {
    listed.wavefronts += e.wavefronts;
    listed.ideal_wavefronts += e.ideal;
    listed.conflicts += e.conflicts;
    ++listed.requests;
  }
  for (const AccessCounts& counts : picture_->inspected.accesses) counted += counts.shared;
  EXPECT_EQ(listed, counted);
}

INSTANTIATE_TEST_SUITE_P(Kernels, TraceIndexTest, ::testing::Range<std::size_t>(0, kCases.size()),
                         [](const auto& item) {
                           std::string name = kCases[item.param].kernel;
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name;
                         });

}  // namespace
}  // namespace lanescope::app

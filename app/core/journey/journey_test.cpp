#include "core/journey/journey.h"

#include <gtest/gtest.h>

#include "core/journey/replay.h"
#include "core/kernel/kernel_testing.h"
#include "core/picture/thread_grid.h"
#include "core/session/session.h"
#include "lanescope/memory.h"

namespace lanescope::app {
namespace {

using namespace testing_texts;

class JourneyTest : public ::testing::Test {
 protected:
  void open(const Settings& settings) {
    session_ = std::make_unique<Session>(Catalog{});
    session_->apply(settings);
    session_->wait(true);
    picture_ = session_->picture();
    ASSERT_TRUE(picture_ && picture_->trace()) << messages(session_->diagnostics());
    journey_ = picture_->journey;
    ASSERT_TRUE(journey_);
  }
  void open_kernel_of(const std::string& name, const std::map<std::string, std::string>& set = {}) {
    OpenResult opened =
        open_kernel(load_catalog(std::string(LANESCOPE_SOURCE_DIR) + "/kernels"), name);
    ASSERT_TRUE(opened.settings.has_value()) << name;
    for (const auto& [key, value] : set) opened.settings->parameters[key] = value;
    open(*opened.settings);
  }
  std::uint64_t base(const std::string& name) const {
    for (const BufferLayout& buffer : picture_->prepared->buffers) {
      if (buffer.name == name) return buffer.base;
    }
    return 0;
  }
  std::vector<Leg> legs() const {
    std::vector<Leg> all;
    for (const JourneyStage& stage : journey_->stages()) all.push_back(stage.leg);
    return all;
  }
  // By the matrix's columns.
  std::function<std::optional<MatrixPlace>(std::uint64_t)> places(const std::string& name) const {
    for (const BufferLayout& buffer : picture_->prepared->buffers) {
      if (buffer.name == name)
        return [buffer](std::uint64_t address) -> std::optional<MatrixPlace> {
          const std::uint64_t element = (address - buffer.base) / buffer.element_bytes;
          return MatrixPlace{element / buffer.cols(), element % buffer.cols()};
        };
    }
    return {};
  }

  std::unique_ptr<Session> session_;
  PicturePtr picture_;
  std::shared_ptr<const Journey> journey_;
};

TEST_F(JourneyTest, ATransposeThroughATileHasFiveStages) {
  open(settings_of(kTranspose));
  EXPECT_EQ(legs(),
            (std::vector{Leg::load, Leg::tile_store, Leg::barrier, Leg::tile_load, Leg::store}));
  EXPECT_EQ(journey_->order(), WarpOrder::together);
  for (const JourneyStage& stage : journey_->stages())
    EXPECT_EQ(stage.count, stage.leg == Leg::barrier ? 1u : 32u);
  // Reading down a column of a tile without padding: 32 wavefronts.
  EXPECT_EQ(journey_->moves()[journey_->stages()[3].first].ticks, 32);
  EXPECT_EQ(journey_->moves()[journey_->stages()[1].first].ticks, 1);
}

// Each lane stores four elements at once, of one wide load or of four that a guard stands before, and puts
// what it stores to `out` together from four rows of the tile.
TEST_F(JourneyTest, VectorsThatArePutTogetherAreFollowedElementByElement) {
  for (const char* name : {"transpose/12_float4_both", "transpose/13_float4_remapped"}) {
    open_kernel_of(name);
    JourneyReplay replay(*journey_);
    replay.seek(journey_->moves().size());
    const std::uint64_t in = base("in"), out = base("out");
    for (std::uint64_t row = 32; row < 64; ++row) {
      for (std::uint64_t column = 0; column < 32; ++column) {
        const std::uint64_t from = in + 4 * (column * 1024 + row),
                            to = out + 4 * (row * 1024 + column);
        ASSERT_EQ(replay.cell(to).token, from) << name << " out[" << row << "][" << column << "]";
      }
    }
  }
}

// in[5][3] is stored by warp 5 lane 3 and picked up by warp 3 lane 5.
TEST_F(JourneyTest, AnElementIsHandedOverFromLaneToLane) {
  open(settings_of(kTranspose));
  const Token element = base("in") + 4 * (5 * 64 + 3);
  const std::uint64_t cell = kSharedWindow + 4 * (5 * 32 + 3), out = base("out") + 4 * (3 * 96 + 5);
  const auto stages = journey_->stages();
  JourneyReplay replay(*journey_);
  const auto where = [&] {
    return std::tuple(replay.lane(5, 3).token == element, replay.cell(cell).token == element,
                      replay.lane(3, 5).token == element, replay.cell(out).token == element);
  };
  EXPECT_EQ(where(), std::tuple(false, false, false, false));
  replay.seek(stages[0].first + 6);  // warp 5 has loaded
  EXPECT_EQ(where(), std::tuple(true, false, false, false));
  replay.seek(stages[1].first + 6);
  EXPECT_EQ(where(), std::tuple(false, true, false, false));
  EXPECT_FALSE(replay.waits(6)) << "it has still to store";
  EXPECT_TRUE(replay.waits(5));
  replay.seek(stages[3].first + 4);  // past the barrier, warp 3 has read
  EXPECT_EQ(replay.barriers(), 1u);
  EXPECT_EQ(where(), std::tuple(false, true, true, false));
  replay.seek(journey_->moves().size());
  EXPECT_EQ(where(), std::tuple(false, true, false, true));
}

TEST_F(JourneyTest, BackwardsIsTheSameAsForwards) {
  open(settings_of(kTranspose));
  JourneyReplay stepped(*journey_);
  const std::size_t moves = journey_->moves().size();
  std::vector<std::uint64_t> cells;
  for (std::uint64_t i = 0; i < 32 * 32; ++i) {
    cells.push_back(kSharedWindow + 4 * i);
    cells.push_back(base("out") + 4 * (i / 32 * 96 + i % 32));
  }
  stepped.seek(moves);
  for (std::size_t done = moves + 1; done-- > 0;) {
    stepped.seek(done);
    JourneyReplay fresh(*journey_);
    fresh.seek(done);
    for (const std::uint64_t cell : cells) ASSERT_EQ(stepped.cell(cell), fresh.cell(cell)) << done;
    for (std::uint32_t warp = 0; warp < 32; ++warp) {
      for (int lane = 0; lane < kLanes; ++lane)
        ASSERT_EQ(stepped.lane(warp, lane), fresh.lane(warp, lane)) << done;
    }
  }
}

TEST_F(JourneyTest, StepsOfAWarpAreMovesAndBack) {
  open(settings_of(kTranspose));
  for (std::size_t i = 0; i < journey_->moves().size(); ++i) {
    const JourneyMove& move = journey_->moves()[i];
    if (move.leg != Leg::barrier) {
      EXPECT_EQ(journey_->move_at(move.warp, move.step), i);
    }
    EXPECT_EQ(journey_->step_after(move.warp, i + 1), move.step);
  }
  EXPECT_EQ(journey_->move_at(3, 0), std::nullopt);
  EXPECT_EQ(journey_->step_after(3, 0), 0u);
}

// Without the barrier the first warp reads what the others have yet to store.
TEST_F(JourneyTest, AMissingBarrierIsReadingOfEmptyCells) {
  const auto count_empty = [&] {
    int empty = 0;
    for (const JourneyMove& move : journey_->moves()) empty += std::popcount(move.empty);
    return empty;
  };
  open_kernel_of("broken/01_missing_barrier");
  EXPECT_EQ(journey_->order(), WarpOrder::one_by_one);
  EXPECT_GT(count_empty(), 0);
  const bool garbage =
      std::any_of(journey_->moves().begin(), journey_->moves().end(), [&](const JourneyMove& move) {
        const auto at = static_cast<std::size_t>(&move - journey_->moves().data());
        for (int lane = 0; lane < kLanes && move.leg == Leg::store; ++lane)
          if (journey_->tokens(at, lane).front() == kGarbage) return true;
        return false;
      });
  EXPECT_TRUE(garbage) << "what was read there is stored";
  open_kernel_of("broken/01_missing_barrier_fixed");
  EXPECT_EQ(journey_->order(), WarpOrder::together);
  EXPECT_EQ(count_empty(), 0);
}

TEST_F(JourneyTest, WithoutATileItGoesFromTheInputThroughALaneToTheOutput) {
  open_kernel_of("copy/01_copy");
  EXPECT_EQ(legs(), (std::vector{Leg::load, Leg::store}));
  JourneyReplay replay(*journey_);
  replay.seek(journey_->moves().size());
  EXPECT_EQ(replay.cell(journey_->addresses(journey_->moves().size() - 1)[0]).token,
            journey_->addresses(0)[0] + (journey_->addresses(journey_->moves().size() - 1)[0] -
                                         journey_->addresses(journey_->stages()[1].first)[0]));
}

// One store of four elements keeps apart which is which.
TEST_F(JourneyTest, AWideLoadCarriesEachOfItsElements) {
  open(settings_of(R"cu(/*---
kernel = "wide"
[[argument]]
name = "in"
type = "float4"
shape = [32]
[[argument]]
name = "out"
type = "float"
shape = [32, 4]
[launch]
block = [32]
grid = [1]
---*/
__global__ void wide(const float4* in, float* out) {
  float4 v = in[threadIdx.x];
  out[threadIdx.x * 4 + 0] = v.w;
  out[threadIdx.x * 4 + 3] = v.x;
}
)cu"));
  ASSERT_EQ(journey_->moves().size(), 3u);
  EXPECT_EQ(journey_->unit(), 4u);
  EXPECT_EQ(journey_->tokens(0, 7).size(), 4u);
  EXPECT_EQ(journey_->tokens(1, 7).front(), base("in") + 7 * 16 + 12);
  EXPECT_EQ(journey_->tokens(2, 7).front(), base("in") + 7 * 16);
}

TEST_F(JourneyTest, WhatIsComputedIsNoElement) {
  open(settings_of(replaced(kTranspose, "= cell[threadIdx.x][threadIdx.y]",
                            "= 2 * cell[threadIdx.x][threadIdx.y]")));
  const std::size_t last = journey_->moves().size() - 1;
  EXPECT_EQ(journey_->tokens(last, 0).front(), kComputed);
}

TEST(JourneyTime, LanesOfLaterWavefrontsWait) {
  EXPECT_EQ(lane_progress(4, 0, 0), 0);
  EXPECT_EQ(lane_progress(4, 3, 0.2f), 0);
  EXPECT_GT(lane_progress(4, 0, 0.2f), 0);
  for (std::uint16_t k = 0; k < 4; ++k) EXPECT_EQ(lane_progress(4, k, 1), 1) << k;
  EXPECT_GT(move_length(32), 10 * move_length(1));
}

TEST_F(JourneyTest, LanesAreServedByWavefront) {
  open(settings_of(kTranspose));
  const std::size_t read = journey_->stages()[3].first;
  const auto served = served_in(*journey_, read, true);
  std::set<std::uint16_t> ticks(served.begin(), served.end());
  EXPECT_EQ(ticks.size(), 32u);
}

void expect_grid(const std::optional<ThreadGrid>& grid, std::uint32_t rows, std::uint32_t cols,
                 const std::string& row_name, const std::string& col_name) {
  ASSERT_TRUE(grid.has_value());
  EXPECT_EQ(grid->rows, rows);
  EXPECT_EQ(grid->cols, cols);
  EXPECT_EQ(grid->row_name, row_name);
  EXPECT_EQ(grid->col_name, col_name);
}

// bidx / blockDim.y and bidx % blockDim.y make 32 rows of 8 of 8 rows of 32.
TEST_F(JourneyTest, ARenumberingIsAChangeOfShape) {
  open_kernel_of("transpose/05_remapped");
  const ThreadGrid block = block_grid(picture_->prepared->launch.block);
  EXPECT_EQ(block.rows, 8u);
  EXPECT_EQ(block.cols, 32u);
  const auto out = output_grid(*picture_, *journey_, places("out"));
  ASSERT_NO_FATAL_FAILURE(expect_grid(out, 32, 8, "irow", "icol"));
  // Warp 1 lane 10 is number 42: row 5, column 2.
  EXPECT_EQ(*out->at(1, 10), (ThreadGrid::Spot{5, 2, true}));
  EXPECT_EQ(out->thread_at(5, 2), kLanes + 10);
}

TEST_F(JourneyTest, ThreadsOfARowStandAsTheyAreNumbered) {
  EXPECT_EQ(block_grid({256, 1, 1}).rows, 8u);
  EXPECT_EQ(block_grid({64, 4, 1}).cols, 64u);
  EXPECT_EQ(block_grid({8, 4, 2}).rows, 8u);
  EXPECT_EQ(block_grid({33, 1, 1}).at(1, 1), nullptr);
}

// A thread of a matrix product writes TM × TN elements; it stands where the first of them is.
TEST_F(JourneyTest, ThreadsStandByTheirTilesAndAreNamedByThem) {
  open_kernel_of("gemm/01_block_tiled");
  EXPECT_FALSE(journey_->truncated());
  expect_grid(output_grid(*picture_, *journey_, places("C")), 8, 8, "tr", "tc");
}

TEST_F(JourneyTest, ThreadsThatShareACellHaveNoPlace) {
  open_kernel_of("copy/01_copy");
  const auto one_place = [](std::uint64_t) { return std::optional<MatrixPlace>(MatrixPlace{}); };
  EXPECT_FALSE(output_grid(*picture_, *journey_, one_place).has_value());
  const auto none = [](std::uint64_t) { return std::optional<MatrixPlace>(); };
  EXPECT_FALSE(output_grid(*picture_, *journey_, none).has_value());
}

TEST_F(JourneyTest, IsPublishedWithThePictureAndSharedWithThatOfTheWholeGrid) {
  session_ = std::make_unique<Session>(Catalog{});
  session_->apply(settings_of(kTranspose));
  session_->wait(false);
  const PicturePtr inspected = session_->picture();
  ASSERT_TRUE(inspected && inspected->journey);
  session_->wait(true);
  ASSERT_TRUE(session_->picture()->whole);
  EXPECT_EQ(session_->picture()->journey, inspected->journey);
}

TEST_F(JourneyTest, WhatIsLookedUpOfAnElementIsItsFirstLoadAndItsFirstCell) {
  open(settings_of(kTranspose));
  const std::size_t stored = journey_->stages()[1].first;
  const Token token = journey_->tokens(stored, 5).front();
  EXPECT_EQ(journey_->loaded_by(token), std::optional(journey_->stages()[0].first));
  EXPECT_EQ(journey_->cell_of(token), std::optional(journey_->addresses(stored)[5]));
  EXPECT_EQ(journey_->loaded_by(kNothing), std::nullopt);
  EXPECT_EQ(journey_->cell_of(kComputed), std::nullopt);
}

// As and Bs of the last slice are half beyond the matrices: zeros are stored there, and no element
// of the slice before.
TEST_F(JourneyTest, TilesOfAProductHoldElementsAndBeyondTheMatrixZeros) {
  OpenResult opened = open_kernel(load_catalog(std::string(LANESCOPE_SOURCE_DIR) + "/kernels"),
                                  "gemm/01_block_tiled");
  ASSERT_TRUE(opened.settings.has_value());
  opened.settings->arguments["K"] = "12";
  open(*opened.settings);
  std::size_t elements = 0, zeros = 0;
  for (std::size_t i = 0; i < journey_->moves().size(); ++i) {
    const JourneyMove& move = journey_->moves()[i];
    if (move.leg != Leg::tile_store) continue;
    for (int lane = 0; lane < kLanes; ++lane) {
      if ((move.mask >> lane & 1u) == 0) continue;
      const Token token = journey_->tokens(i, lane).front();
      EXPECT_TRUE(token == kComputed || is_element(token));
      ++(is_element(token) ? elements : zeros);
    }
  }
  EXPECT_EQ(elements, 2u * 64 * 12);
  EXPECT_EQ(zeros, 2u * 64 * 4);
}

// An asynchronous copy is one move, straight from the matrix into the tile.
TEST_F(JourneyTest, AsynchronousCopiesPassNoLane) {
  open_kernel_of("transpose/14_memcpy_async");
  const std::vector<Leg> all = legs();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front(), Leg::tile_store);
  EXPECT_TRUE(journey_->stages().front().copies);
  EXPECT_EQ(std::count(all.begin(), all.end(), Leg::load), 0);
  std::size_t copies = 0;
  for (std::size_t i = 0; i < journey_->moves().size(); ++i) {
    const JourneyMove& move = journey_->moves()[i];
    EXPECT_EQ(move.copied_from.has_value(), move.leg == Leg::tile_store);
    EXPECT_EQ(move.empty, 0u) << "nobody reads what has not come";
    if (!move.copied_from) continue;
    ++copies;
    for (int lane = 0; lane < kLanes; ++lane)
      EXPECT_EQ(journey_->tokens(i, lane).front(),
                journey_->sources(i)[static_cast<std::size_t>(lane)]);
  }
  EXPECT_EQ(copies, 32u);  // rows of the tile, a warp each
  const Dim3 block = picture_->trace()->block;
  const std::uint64_t row = block.y * 32 + 5, col = block.x * 32 + 3;
  const Token element = base("in") + (row * 1024 + col) * 4;
  EXPECT_EQ(journey_->cell_of(element), kSharedWindow + (5 * 33 + 3) * 4);
  JourneyReplay replay(*journey_);
  replay.seek(journey_->moves().size());
  EXPECT_EQ(replay.cell(base("out") + (col * 1024 + row) * 4).token, element);
}

}  // namespace
}  // namespace lanescope::app

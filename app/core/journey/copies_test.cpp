// Bulk copies as they are drawn: pieces, lines, and their way through the tile.
#include "core/journey/copies.h"

#include <gtest/gtest.h>

#include <set>

#include "core/journey/journey.h"
#include "core/picture/execution.h"
#include "core/session/session.h"
#include "lanescope/memory.h"

namespace lanescope::app {
namespace {

class CopiesTest : public testing::Test {
 protected:
  void open(const char* kernel, const char* nx, const char* ny, Dim3 block = {0, 0, 0}) {
    Settings settings = *open_kernel(session_.catalog(), kernel).settings;
    settings.arguments["nx"] = nx, settings.arguments["ny"] = ny;
    settings.inspected_block = block;
    session_.apply(settings);
    session_.wait(true);
    picture_ = session_.picture();
    ASSERT_TRUE(picture_ && picture_->trace());
  }
  // Of the first step of warp 0 that copies so.
  [[nodiscard]] std::size_t first(AccessOp op) const {
    const WarpTrack& track = picture_->trace()->warps[0];
    for (std::size_t step = 0; step < track.size(); ++step) {
      const int access = picture_->kernel().ops[track.op[step]].access;
      if (access >= 0 && picture_->kernel().accesses[static_cast<std::size_t>(access)].op == op)
        return step;
    }
    return track.size();
  }
  [[nodiscard]] std::vector<BulkStep> copies(std::size_t step) const {
    return copies_at(picture_->kernel(), *picture_->trace(), 0, step);
  }

  Session session_{load_catalog(LANESCOPE_SOURCE_DIR "/kernels")};
  PicturePtr picture_;
};

TEST_F(CopiesTest, ABoxIsTheLinesThatItsRowsLieIn) {
  open("copy/03_tensor_copy", "1024", "64");
  const auto step = first(AccessOp::bulk_load);
  const auto made = copies(step);
  ASSERT_EQ(made.size(), 1u);
  const SectorPlan plan = plan_copies(made, true);
  EXPECT_EQ(plan.lines.size(), 32u);  // of 32 floats
  EXPECT_EQ(plan.bytes_used, 32u * 32 * 4);
  EXPECT_EQ(plan.cost.sectors, 32u * 4);
  const auto chunks = chunks_at(picture_->kernel(), *picture_->trace(), 0, step);
  EXPECT_EQ(chunks.size(), 32u * 8);
  EXPECT_EQ(shared_lines(chunks).size(), 32u);
  // The picture and the count are two statements of one rule.
  const int access = picture_->kernel().ops[picture_->trace()->warps[0].op[step]].access;
  EXPECT_EQ(plan.cost.sectors,
            picture_->inspected.accesses[static_cast<std::size_t>(access)].global.sectors);
}

TEST_F(CopiesTest, WhatLiesBeyondTheTensorIsZeros) {
  open("copy/03_tensor_copy", "1000", "64", {31, 0, 0});
  const auto step = first(AccessOp::bulk_load);
  std::size_t zeros = 0;
  for (const BulkChunk& chunk : chunks_at(picture_->kernel(), *picture_->trace(), 0, step))
    zeros += chunk.global == 0;
  EXPECT_EQ(zeros, 32u * 6);  // 1000 − 31 · 32 = 8 floats of each row are there
  for (const JourneyMove& move : picture_->journey->moves())
    if (move.part) {
      EXPECT_EQ(move.empty, 0u);
    }
}

TEST_F(CopiesTest, ASwizzledTileFillsEveryPlaceOnce) {
  open("transpose/19_tensor", "256", "256");
  const auto chunks =
      chunks_at(picture_->kernel(), *picture_->trace(), 0, first(AccessOp::bulk_load));
  std::set<std::uint32_t> places;
  for (const BulkChunk& chunk : chunks) places.insert(chunk.shared);
  EXPECT_EQ(places.size(), 64u * 8);
  EXPECT_EQ(chunks[8].shared - chunks[0].shared, 128u + 16);  // row 1 begins at its chunk 1
}

TEST_F(CopiesTest, TheEngineBringsWhatLanesReadAndTakesWhatTheyStore) {
  open("transpose/19_tensor", "256", "256");
  const Journey& journey = *picture_->journey;
  std::set<Leg> copied;
  for (std::size_t i = 0; i < journey.moves().size(); ++i) {
    const JourneyMove& move = journey.moves()[i];
    EXPECT_EQ(move.empty, 0u) << i;
    if (!move.part) continue;
    copied.insert(move.leg);
    const std::uint64_t from = journey.sources(i)[0], to = journey.addresses(i)[0];
    const bool loads = move.leg == Leg::tile_store;
    EXPECT_EQ(locate(*picture_, loads ? from : to).name, loads ? "in" : "out");
    EXPECT_EQ(locate(*picture_, loads ? to : from).space, MemorySpace::shared);
    if (loads) {
      EXPECT_EQ(journey.tokens(i, 0).front(), from);
    }
  }
  EXPECT_EQ(copied, (std::set{Leg::tile_store, Leg::store}));
}

TEST_F(CopiesTest, NoLanesMakeThem) {
  open("transpose/19_tensor", "256", "256");
  EXPECT_FALSE(execution_at(*picture_, picture_->trace()->warps[0], first(AccessOp::bulk_load)));
}

}  // namespace
}  // namespace lanescope::app

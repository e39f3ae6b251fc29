#include "core/picture/chain.h"

#include <gtest/gtest.h>

#include "core/kernel/kernel_testing.h"
#include "core/picture/formula.h"
#include "core/picture/navigate.h"
#include "core/session/session.h"

namespace lanescope::app {
namespace {

using namespace testing_texts;

// One run of a text, with its four accesses by their text.
class Traced : public ::testing::Test {
 protected:
  void open(const std::string& text) {
    session_ = std::make_unique<Session>(Catalog{});
    session_->apply(settings_of(text));
    session_->wait(true);
    picture_ = session_->picture();
    ASSERT_TRUE(picture_) << messages(session_->diagnostics());
  }
  int access(const std::string& text, AccessOp op) const {
    for (const AccessInfo& info : picture_->kernel().accesses) {
      if (info.text == text && info.op == op) return static_cast<int>(info.id);
    }
    ADD_FAILURE() << "no access " << text;
    return -1;
  }
  Selection selected(std::uint32_t warp, int which) const {
    Selection selection;
    selection.warp = warp;
    select_access(*picture_, selection, which);
    return selection;
  }
  std::uint64_t base(const std::string& name) const {
    for (const BufferLayout& buffer : picture_->prepared->buffers) {
      if (buffer.name == name) return buffer.base;
    }
    return 0;
  }

  std::unique_ptr<Session> session_;
  PicturePtr picture_;
};

TEST_F(Traced, ChainIsTheSameFromEveryPointOfIt) {
  open(kTranspose);
  const int in = access("in[iy * nx + ix]", AccessOp::load),
            store = access("cell[threadIdx.y][threadIdx.x]", AccessOp::store);
  const int load = access("cell[threadIdx.x][threadIdx.y]", AccessOp::load),
            out = access("out[to]", AccessOp::store);

  // Warp 5 reads the tile's column 5; its lane 7 takes what lane 5 of warp 7 put there.
  Selection at_load = selected(5, load);
  at_load.lane = 7;
  const std::vector<ChainLink> chain = chain_of(*picture_, at_load);
  ASSERT_EQ(chain.size(), 4u);
  EXPECT_EQ(chain[0].access, in);
  EXPECT_EQ(chain[1].access, store);
  EXPECT_EQ(chain[2].access, load);
  EXPECT_EQ(chain[3].access, out);
  EXPECT_EQ(chain[0].warp, 7u);
  EXPECT_EQ(chain[0].lane, 5);
  EXPECT_EQ(chain[0].cell, (Cell{base("in") + 4 * (7 * 64 + 5), 4}));
  EXPECT_EQ(chain[1].cell, (Cell{kSharedWindow + 4 * (7 * 32 + 5), 4}));
  EXPECT_EQ(chain[2].cell, chain[1].cell);
  EXPECT_EQ(chain[3].warp, 5u);
  EXPECT_EQ(chain[3].lane, 7);
  EXPECT_EQ(chain[3].cell, (Cell{base("out") + 4 * (5 * 96 + 7), 4}));

  for (const ChainLink& link : chain) {
    Selection lane = selected(link.warp, link.access);
    lane.hover_lane = link.lane;
    EXPECT_EQ(chain_of(*picture_, lane), chain) << "from lane of access " << link.access;
    Selection cell = selected(0, in);
    cell.cell = link.cell;
    EXPECT_EQ(chain_of(*picture_, cell), chain) << "from the cell of access " << link.access;
  }
}

TEST_F(Traced, HoverOutranksThePin) {
  open(kTranspose);
  Selection selection = selected(0, access("out[to]", AccessOp::store));
  selection.lane = 3;
  const auto pinned = chain_of(*picture_, selection);
  selection.hover_lane = 4;
  const auto hovered = chain_of(*picture_, selection);
  ASSERT_EQ(pinned.size(), 4u);
  ASSERT_EQ(hovered.size(), 4u);
  EXPECT_EQ(pinned.back().lane, 3);
  EXPECT_EQ(hovered.back().lane, 4);
}

TEST_F(Traced, NothingTouchedIsAnEmptyChain) {
  open(kTranspose);
  Selection selection = selected(0, access("out[to]", AccessOp::store));
  EXPECT_TRUE(chain_of(*picture_, selection).empty());
  selection.cell = Cell{base("out") + 4 * 50, 4};  // another block writes it
  EXPECT_TRUE(chain_of(*picture_, selection).empty());
  selection.cell = Cell{0x1234, 4};
  EXPECT_TRUE(chain_of(*picture_, selection).empty());
}

TEST_F(Traced, FormulaFollowsTheIndexVariable) {
  open(kTranspose);
  session_->apply(SetInspectedBlock{{1, 2, 0}});
  session_->wait(true);
  picture_ = session_->picture();
  const Selection selection = selected(5, access("out[to]", AccessOp::store));
  const auto formula = formula_of(*picture_, 5, *shown_access_step(*picture_, selection), 7);
  ASSERT_TRUE(formula);
  EXPECT_EQ(formula->text(), "out[to]: to = jx * ny + jy = 37 * 96 + 71 = 3623");
  EXPECT_EQ(formula->element, 3623u);
  EXPECT_EQ(formula->place, "out[3623]");
}

TEST_F(Traced, FormulaOfAnExpressionAndOfATile) {
  open(replaced(kTranspose, "default = 0\n", "default = 1\n"));
  const Selection load = selected(3, access("in[iy * nx + ix]", AccessOp::load));
  const auto global = formula_of(*picture_, 3, *shown_access_step(*picture_, load), 9);
  ASSERT_TRUE(global);
  EXPECT_EQ(global->text(), "in[iy * nx + ix]: iy * nx + ix = 3 * 64 + 9 = 201");

  const Selection tile = selected(3, access("cell[threadIdx.x][threadIdx.y]", AccessOp::load));
  const auto shared = formula_of(*picture_, 3, *shown_access_step(*picture_, tile), 9);
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->text(),
            "cell[threadIdx.x][threadIdx.y]: threadIdx.x*33 + threadIdx.y = 9*33 + 3 = 300");
  EXPECT_EQ(shared->place, "cell[9][3]");
}

TEST_F(Traced, FormulaShowsNoStaleDefinition) {
  // `to` is changed after its definition: the definition's numbers would be wrong.
  open(replaced(kTranspose, "int to = jx * ny + jy;", "int to = jx * ny + jy + 1;\n  to -= 1;"));
  const Selection selection = selected(1, access("out[to]", AccessOp::store));
  const auto formula = formula_of(*picture_, 1, *shown_access_step(*picture_, selection), 2);
  ASSERT_TRUE(formula);
  EXPECT_EQ(formula->text(), "out[to]: to = 98");
}

TEST_F(Traced, FormulaSaysWhereAMovedPointerLeads) {
  open(replaced(kTranspose, "out[to] =", "out += 0, (out + ny)[to - ny] ="));
  const KernelInfo& kernel = picture_->kernel();
  for (const AccessInfo& info : kernel.accesses) {
    if (info.op != AccessOp::store || info.space == MemorySpace::shared) continue;
    const Selection selection = selected(2, static_cast<int>(info.id));
    const auto formula = formula_of(*picture_, 2, *shown_access_step(*picture_, selection), 4);
    ASSERT_TRUE(formula);
    EXPECT_EQ(formula->element, 2u * 96 + 4) << formula->text();
    EXPECT_NE(formula->text().find("196"), std::string::npos) << formula->text();
  }
}

TEST_F(Traced, SubstituteKnowsConstantsAndLeavesTheUnknown) {
  open(
      replaced(kTranspose, "__global__", "#define HALF 16\nconstexpr int kThird = 5;\n__global__"));
  const Selection selection = selected(1, access("out[to]", AccessOp::store));
  const std::size_t step = *shown_access_step(*picture_, selection);
  EXPECT_EQ(substitute(*picture_, 1, step, 2,
                       "BX + HALF + kThird + other(threadIdx.x) + blockDim.y + s.ny + 0x1f + ny"),
            "32 + 16 + 5 + other(2) + 32 + s.ny + 0x1f + 96");
}

}  // namespace
}  // namespace lanescope::app

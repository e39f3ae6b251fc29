// Panels of tensors: cells are coordinates, wherever the layout puts them.
#include "views/map/map_panels.h"

#include <gtest/gtest.h>

#include "core/kernel/kernel_testing.h"
#include "core/picture/execution.h"
#include "core/picture/picture.h"
#include "core/tensor/tensor_testing.h"
#include "lanescope/memory.h"

namespace lanescope::app {
namespace {

Picture inspected() {
  PrepareResult result = prepare(testing_texts::settings_of(testing_texts::kTensors));
  EXPECT_TRUE(result.ready) << testing_texts::messages(result.diagnostics);
  return inspect_block(*result.ready, {});
}

const MapPanel* panel_named(const std::vector<MapPanel>& panels, const std::string& name) {
  for (const MapPanel& panel : panels)
    if (panel.name == name) return &panel;
  return nullptr;
}

// Every cell has the address that comes back to it.
void expect_round_trip(const MapPanel& panel) {
  for (std::uint64_t row = 0; row < panel.rows; ++row)
    for (std::uint64_t col = 0; col < panel.cols; ++col) {
      const auto at = panel.at(panel.address(row, col));
      ASSERT_TRUE(at) << panel.name << ' ' << row << ' ' << col;
      EXPECT_EQ(at->row, row);
      EXPECT_EQ(at->col, col);
    }
}

TEST(MapPanels, TensorsComeInPlaceOfTheMemoryThatTheyName) {
  const std::vector<MapPanel> panels = make_panels(inspected());
  ASSERT_EQ(panels.size(), 3u);
  const MapPanel *in = panel_named(panels, "mA"), *tile = panel_named(panels, "sA"),
                 *out = panel_named(panels, "mC");
  ASSERT_TRUE(in && tile && out);
  EXPECT_EQ(in->role, PanelRole::input);
  EXPECT_EQ(tile->role, PanelRole::tile);
  EXPECT_EQ(out->role, PanelRole::output);
  EXPECT_EQ(tile->shape, "Sw<5,0,5> o (32,32):(32,1)");
  for (const MapPanel& panel : panels) {
    EXPECT_EQ(panel.rows, 32u);
    EXPECT_EQ(panel.cols, 32u);
    EXPECT_EQ(panel.box, (CellWindow{0, 32, 0, 32})) << panel.name << " is touched all over";
    EXPECT_TRUE(panel.is_touched(31, 31));
    expect_round_trip(panel);
  }
  EXPECT_EQ(in->address(3, 5), in->base + 4 * (3 * 40 + 5));
  EXPECT_EQ(tile->address(3, 5), kSharedWindow + 32 + 4 * (3 * 32 + (5 ^ 3)));
  EXPECT_EQ(out->address(3, 5), out->base + 4 * (3 + 5 * 32));
  EXPECT_FALSE(in->at(in->base + 4 * 32)) << "between two rows";
}

TEST(MapPanels, FurtherModesArePagesWhereTheyMakeTheBetterShape) {
  Picture picture = inspected();
  const auto pages_of = [&](std::vector<std::uint64_t> shape,
                            std::vector<PlacedTensor::Axis> axes) {
    PlacedTensor tensor{.name = "paged",
                        .base = kSharedWindow + 32,
                        .begin = kSharedWindow + 32,
                        .end = kSharedWindow + 32 + 4096,
                        .shape = std::move(shape),
                        .axes = std::move(axes)};
    picture.tensors = {std::make_shared<const PlacedTensor>(std::move(tensor))};
    const std::vector<MapPanel> panels = make_panels(picture);
    const MapPanel* panel = panel_named(panels, "paged");
    EXPECT_TRUE(panel);
    return panel ? *panel : MapPanel();
  };
  const MapPanel beside = pages_of({64, 8, 2}, {{2, 2, 512, 1}, {0, 64, 8, 1}, {1, 8, 1, 1}});
  EXPECT_TRUE(beside.pages_beside);
  EXPECT_EQ(beside.pages(), 2u);
  EXPECT_EQ(beside.rows, 64u);
  EXPECT_EQ(beside.cols, 16u);
  EXPECT_EQ(beside.address(1, 8 + 3), kSharedWindow + 32 + 4 * (512 + 8 + 3));
  expect_round_trip(beside);
  const MapPanel below = pages_of({8, 64, 2}, {{2, 2, 512, 1}, {0, 8, 64, 1}, {1, 64, 1, 1}});
  EXPECT_FALSE(below.pages_beside);
  EXPECT_EQ(below.rows, 16u);
  EXPECT_EQ(below.cols, 64u);
  EXPECT_EQ(below.address(8 + 1, 3), kSharedWindow + 32 + 4 * (512 + 64 + 3));
  expect_round_trip(below);
  const MapPanel vector = pages_of({1024}, {{0, 1024, 1, 1}});
  EXPECT_TRUE(vector.wrapped);
  EXPECT_EQ(vector.rows, 32u);
  EXPECT_EQ(vector.address(2, 5), kSharedWindow + 32 + 4 * 69);
  expect_round_trip(vector);
}

}  // namespace
}  // namespace lanescope::app

#include "views/map/map_camera.h"

#include <algorithm>
#include <cmath>

namespace lanescope::app {

MapCamera fitted(const CellWindow& window, MapView view, double most) {
  const double rows = static_cast<double>(std::max<std::uint64_t>(1, window.rows));
  const double cols = static_cast<double>(std::max<std::uint64_t>(1, window.cols));
  MapCamera camera;
  camera.cell = std::min({view.width / cols, view.height / rows, most});
  if (camera.cell > 6) camera.cell = std::floor(camera.cell);
  camera.row = static_cast<double>(window.row) + (rows - view.height / camera.cell) / 2;
  camera.col = static_cast<double>(window.col) + (cols - view.width / camera.cell) / 2;
  return camera;
}

MapCamera zoomed(const MapCamera& camera, double factor, double x, double y) {
  const double cell = camera.cell * factor;
  return {camera.row + y / camera.cell - y / cell, camera.col + x / camera.cell - x / cell, cell};
}

MapCamera held(MapCamera camera, std::uint64_t rows, std::uint64_t cols, MapView view,
               double most) {
  const double all_rows = static_cast<double>(std::max<std::uint64_t>(1, rows));
  const double all_cols = static_cast<double>(std::max<std::uint64_t>(1, cols));
  const double least = std::min({view.width / all_cols, view.height / all_rows, most});
  const double cell = std::clamp(camera.cell, least, most);
  if (cell != camera.cell)
    camera = zoomed(camera, cell / camera.cell, view.width / 2, view.height / 2);
  const auto inside = [](double at, double all, double in_view) {
    return in_view >= all ? (all - in_view) / 2 : std::clamp(at, 0.0, all - in_view);
  };
  camera.row = inside(camera.row, all_rows, view.height / camera.cell);
  camera.col = inside(camera.col, all_cols, view.width / camera.cell);
  return camera;
}

CellWindow seen(const MapCamera& camera, std::uint64_t rows, std::uint64_t cols, MapView view) {
  const auto range = [](double at, double count, std::uint64_t all) {
    const double end = static_cast<double>(all);
    const auto first = static_cast<std::uint64_t>(std::clamp(std::floor(at), 0.0, end));
    const auto last = static_cast<std::uint64_t>(std::clamp(std::ceil(at + count), 0.0, end));
    return std::pair{first, last - first};
  };
  const auto [row, row_count] = range(camera.row, view.height / camera.cell, rows);
  const auto [col, col_count] = range(camera.col, view.width / camera.cell, cols);
  return {row, row_count, col, col_count};
}

Dim3 BlockTiling::block_at(std::uint64_t row, std::uint64_t col) const {
  const auto down = static_cast<std::uint32_t>(row / rows);
  const auto across = static_cast<std::uint32_t>(col / cols);
  return transposed ? Dim3{down, across, 0} : Dim3{across, down, 0};
}

std::optional<BlockTiling> tiling_of(const Picture& picture, const MapPanel& panel) {
  const CellWindow& box = panel.box;
  const Dim3 grid = picture.prepared->launch.grid, block = picture.trace()->block;
  if (panel.role == PanelRole::tile || panel.wrapped || box.rows == 0 || box.cols == 0 ||
      grid.z != 1 || box.row % box.rows != 0 || box.col % box.cols != 0)
    return std::nullopt;
  const std::uint64_t down = (panel.rows + box.rows - 1) / box.rows;
  const std::uint64_t across = (panel.cols + box.cols - 1) / box.cols;
  const auto fits = [&](bool transposed) {
    const BlockTiling tiling{box.rows, box.cols, transposed};
    return (transposed ? down == grid.x && across == grid.y : down == grid.y && across == grid.x) &&
           tiling.block_at(box.row, box.col) == block;
  };
  const bool straight = fits(false), crosswise = fits(true);
  if (!straight && !crosswise) return std::nullopt;
  // A block on the diagonal of a square grid fits both: then the kernel's purpose decides.
  const bool transposes = picture.prepared->front_matter.reference.kind == "transpose";
  const bool both = straight && crosswise;
  return BlockTiling{box.rows, box.cols,
                     both ? transposes && panel.role == PanelRole::output : crosswise};
}

double touched_share(const MapPanel& panel) {
  if (panel.touched.empty()) return 1;
  const auto count = std::count(panel.touched.begin(), panel.touched.end(), true);
  return static_cast<double>(count) / static_cast<double>(panel.touched.size());
}

}  // namespace lanescope::app

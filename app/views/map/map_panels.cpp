#include "views/map/map_panels.h"

#include <algorithm>

#include "core/journey/journey.h"
#include "core/places/touch.h"
#include "lanescope/memory.h"
#include "lanescope/sectors.h"

namespace lanescope::app {
namespace {

constexpr std::uint64_t kWrap = 32;
constexpr std::uint64_t kMaxBox = 4u << 20;  // cells

// A panel with what is seen of it while the trace is gone through.
struct Seen {
  MapPanel panel;
  bool loaded = false, stored = false;
  std::uint64_t row_max = 0, col_max = 0;
};

std::string type_name(ScalarType type) {
  return type == ScalarType::unknown ? "" : std::string(scalar_name(type));
}

template <class Dims>
void set_shape(MapPanel& panel, const Dims& dims) {
  const std::uint64_t count = panel.bytes / std::max(1u, panel.element_bytes);
  if (dims.size() > 1) {
    // Of an array with more than two extents, the innermost ones make a row, until it is as long as
    // a warp.
    panel.cols = std::max<std::uint64_t>(1, dims.back());
    for (std::size_t i = dims.size() - 1; i-- > 1 && panel.cols < kWrap;)
      panel.cols *= std::max<std::uint64_t>(1, dims[i]);
    panel.pitched = panel.cols == dims.back();
  } else {
    panel.cols = std::min(kWrap, std::max<std::uint64_t>(1, count));
    panel.wrapped = count > kWrap;
  }
  panel.rows = (count + panel.cols - 1) / panel.cols;
}

std::vector<Seen> all_arrays(const Picture& picture) {
  std::vector<Seen> all;
  for (const BufferLayout& buffer : picture.prepared->buffers) {
    MapPanel panel{.name = buffer.name,
                   .type = type_name(buffer.element),
                   .base = buffer.base,
                   .bytes = buffer.bytes,
                   .element_bytes = std::max(1u, buffer.element_bytes)};
    set_shape(panel, buffer.dims);
    for (std::uint64_t dim : buffer.dims)
      panel.shape += (panel.shape.empty() ? "" : " × ") + std::to_string(dim);
    all.push_back({std::move(panel)});
  }
  for (const SharedArray& array : picture.kernel().shared_arrays) {
    MapPanel panel{.role = PanelRole::tile,
                   .name = array.name,
                   .type = type_name(array.element),
                   .base = kSharedWindow + array.offset,
                   .bytes =
                       array.bytes ? array.bytes : picture.prepared->launch.dynamic_shared_bytes,
                   .element_bytes = std::max(1u, array.element_bytes)};
    set_shape(panel, array.dims);
    for (std::uint32_t dim : array.dims) panel.shape += "[" + std::to_string(dim) + "]";
    all.push_back({std::move(panel)});
  }
  return all;
}

Seen* find(std::vector<Seen>& all, Seen* last, std::uint64_t address) {
  if (last && address - last->panel.base < last->panel.bytes) return last;
  for (Seen& seen : all) {
    if (address - seen.panel.base < seen.panel.bytes) return &seen;
  }
  return nullptr;
}

void extend(Seen& seen, const AccessInfo& access, const Cell& cell) {
  const std::uint64_t address = cell.address;
  const bool first = !seen.loaded && !seen.stored;
  (is_store(leg_of(access, address)) ? seen.stored : seen.loaded) = true;
  if (access.op == AccessOp::atomic) seen.loaded = true;
  const std::uint64_t element = (address - seen.panel.base) / seen.panel.element_bytes;
  const std::uint64_t more =
      std::max(cell.bytes, seen.panel.element_bytes) / seen.panel.element_bytes - 1;
  const std::uint64_t row = element / seen.panel.cols, col = element % seen.panel.cols;
  CellWindow& box = seen.panel.box;
  box.row = first ? row : std::min(box.row, row);
  box.col = first ? col : std::min(box.col, col);
  seen.row_max = std::max(seen.row_max, row);
  seen.col_max = std::max(seen.col_max, std::min(col + more, seen.panel.cols - 1));
}

void mark(MapPanel& panel, const Cell& touched) {
  if (panel.touched.empty()) return;
  const std::uint64_t count = std::max<std::uint64_t>(1, touched.bytes / panel.element_bytes);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto cell = panel.at(touched.address + i * panel.element_bytes);
    if (cell && panel.box.contains(cell->row, cell->col)) {
      panel.touched[(cell->row - panel.box.row) * panel.box.cols + cell->col - panel.box.col] =
          true;
    }
  }
}

}  // namespace

std::string range_text(std::uint64_t first, std::uint64_t count) {
  return std::to_string(first) + (count > 1 ? "–" + std::to_string(first + count - 1) : "");
}

std::optional<MapPanel::At> MapPanel::at(std::uint64_t where) const {
  if (where - base >= bytes || cols == 0) return std::nullopt;
  const std::uint64_t element = (where - base) / element_bytes;
  return At{element / cols, element % cols};
}

bool MapPanel::is_touched(std::uint64_t row, std::uint64_t col) const {
  if (!box.contains(row, col)) return false;
  return touched.empty() || touched[(row - box.row) * box.cols + col - box.col];
}

std::vector<MapPanel> make_panels(const Picture& picture) {
  std::vector<Seen> all = all_arrays(picture);
  Seen* last = nullptr;
  const auto access_of = [&](const ChainLink& link) -> const AccessInfo& {
    return picture.kernel().accesses[static_cast<std::size_t>(link.access)];
  };
  for_each_touch(picture, [&](const ChainLink& link) {
    last = find(all, last, link.cell.address);
    if (last) extend(*last, access_of(link), link.cell);
  });
  std::vector<MapPanel> panels;
  for (Seen& seen : all) {
    MapPanel& panel = seen.panel;
    if (!seen.loaded && !seen.stored) {
      seen.panel.bytes = 0;
      continue;
    }
    if (panel.role != PanelRole::tile && seen.stored) panel.role = PanelRole::output;
    panel.box.rows = seen.row_max - panel.box.row + 1;
    panel.box.cols = seen.col_max - panel.box.col + 1;
    if (panel.box.rows * panel.box.cols <= kMaxBox)
      panel.touched.assign(panel.box.rows * panel.box.cols, false);
  }
  last = nullptr;
  for_each_touch(picture, [&](const ChainLink& link) {
    last = find(all, last, link.cell.address);
    if (last) mark(last->panel, link.cell);
  });
  for (Seen& seen : all) {
    if (seen.panel.bytes) panels.push_back(std::move(seen.panel));
  }
  std::stable_sort(panels.begin(), panels.end(),
                   [](const auto& a, const auto& b) { return a.role < b.role; });
  return panels;
}

CellWindow visible_window(const MapPanel& panel, std::uint64_t limit, std::uint64_t row,
                          std::uint64_t col) {
  CellWindow window =
      panel.role == PanelRole::tile ? CellWindow{0, panel.rows, 0, panel.cols} : panel.box;
  const auto cut = [limit](std::uint64_t& first, std::uint64_t& count, std::uint64_t wanted) {
    if (count <= limit) return;
    const std::uint64_t end = first + count;
    const std::uint64_t aligned = wanted / 32 * 32;
    first = std::clamp(aligned, first, end - limit);
    count = limit;
  };
  cut(window.row, window.rows, row);
  cut(window.col, window.cols, col);
  return window;
}

}  // namespace lanescope::app

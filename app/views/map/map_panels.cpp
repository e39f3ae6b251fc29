#include "views/map/map_panels.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

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

// Coordinates as rows and columns, and back. A vector is wrapped like an array of one extent.
void set_shape(MapPanel& panel, const PlacedTensor& tensor) {
  const auto& shape = tensor.shape;
  const std::uint64_t pages = tensor.elements() / shape[0] / (shape.size() > 1 ? shape[1] : 1);
  panel.wrapped = shape.size() == 1 && shape[0] > kWrap;
  panel.page_cols = shape.size() > 1 ? shape[1] : std::min(kWrap, shape[0]);
  panel.page_rows = shape.size() > 1 ? shape[0] : (shape[0] + kWrap - 1) / kWrap;
  const auto longer = [](std::uint64_t a, std::uint64_t b) {
    return static_cast<double>(std::max(a, b)) / static_cast<double>(std::min(a, b));
  };
  panel.pages_beside = longer(panel.page_rows, panel.page_cols * pages) <=
                       longer(panel.page_rows * pages, panel.page_cols);
  panel.rows = panel.page_rows * (panel.pages_beside ? 1 : pages);
  panel.cols = panel.page_cols * (panel.pages_beside ? pages : 1);
}

MapPanel::At place_of(const MapPanel& panel, const TensorCoordinates& at) {
  const PlacedTensor& tensor = *panel.tensor;
  if (tensor.rank() == 1) return {at[0] / panel.page_cols, at[0] % panel.page_cols};
  std::uint64_t page = 0, all = 1;
  for (std::size_t mode = 2; mode < tensor.rank(); ++mode)
    page += at[mode] * all, all *= tensor.shape[mode];
  return {at[0] + (panel.pages_beside ? 0 : page * panel.page_rows),
          at[1] + (panel.pages_beside ? page * panel.page_cols : 0)};
}

// Before the arrays, so that what they name is theirs.
void add_tensors(const Picture& picture, std::vector<Seen>& all) {
  for (const PlacedTensorPtr& tensor : picture.tensors) {
    MapPanel panel{.role = space_of(tensor->base) == MemorySpace::shared ? PanelRole::tile
                                                                         : PanelRole::input,
                   .name = tensor->name,
                   .type = tensor->type,
                   .shape = tensor->layout,
                   .base = tensor->begin,
                   .bytes = tensor->end - tensor->begin,
                   .element_bytes = tensor->element_bytes,
                   .tensor = tensor};
    set_shape(panel, *tensor);
    all.push_back({std::move(panel)});
  }
}

std::vector<Seen> all_arrays(const Picture& picture) {
  std::vector<Seen> all;
  add_tensors(picture, all);
  for (const BufferLayout& buffer : picture.prepared->buffers) {
    MapPanel panel{.name = buffer.name,
                   .type = type_name(buffer.element),
                   .base = buffer.base,
                   .bytes = buffer.bytes,
                   .element_bytes = std::max(1u, buffer.element_bytes)};
    set_shape(panel, buffer.dims);
    for (std::uint64_t dim : buffer.dims)
      panel.shape += fmt::format("{}{}", panel.shape.empty() ? "" : " × ", dim);
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
    for (std::uint32_t dim : array.dims) panel.shape += fmt::format("[{}]", dim);
    all.push_back({std::move(panel)});
  }
  return all;
}

bool has(const MapPanel& panel, std::uint64_t address) {
  return panel.tensor ? panel.at(address).has_value() : address - panel.base < panel.bytes;
}

// Of arrays that lie over each other, an address is the one's that was touched before it: there the order of
// all touches counts.
bool any_overlap(const std::vector<Seen>& all) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const Seen& seen : all) {
    if (seen.panel.tensor) return true;
    ranges.push_back({seen.panel.base, seen.panel.base + seen.panel.bytes});
  }
  std::sort(ranges.begin(), ranges.end());
  return std::adjacent_find(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) {
           return b.first < a.second;
         }) != ranges.end();
}

// What the block touches, each at least once.
class Touches {
 public:
  Touches(const Picture& picture, const std::vector<Seen>& all) : picture_(picture) {
    if (!any_overlap(all)) steps_ = different_touches(picture);
  }
  template <class Visit>
  void each(Visit visit) const {
    if (!steps_) return for_each_touch(picture_, visit);
    for (const StepRef& at : *steps_) for_each_touch_of(picture_, at.warp, at.step, visit);
  }

 private:
  const Picture& picture_;
  std::optional<std::vector<StepRef>> steps_;
};

Seen* find(std::vector<Seen>& all, Seen* last, std::uint64_t address) {
  const bool tensors = !all.empty() && all.front().panel.tensor;
  if (last && (last->panel.tensor || !tensors) && has(last->panel, address)) return last;
  for (Seen& seen : all) {
    if (has(seen.panel, address)) return &seen;
  }
  return nullptr;
}

void widen(Seen& seen, bool first, std::uint64_t row, std::uint64_t col, std::uint64_t col_max) {
  CellWindow& box = seen.panel.box;
  box.row = first ? row : std::min(box.row, row);
  box.col = first ? col : std::min(box.col, col);
  seen.row_max = std::max(seen.row_max, row);
  seen.col_max = std::max(seen.col_max, col_max);
}

void extend(Seen& seen, const AccessInfo& access, const Cell& cell) {
  const std::uint64_t address = cell.address;
  const bool first = !seen.loaded && !seen.stored;
  (is_store(leg_of(access, address)) ? seen.stored : seen.loaded) = true;
  if (access.op == AccessOp::atomic) seen.loaded = true;
  if (seen.panel.tensor) {
    bool none = first;
    for (std::uint64_t byte = 0; byte < std::max(cell.bytes, 1u); byte += seen.panel.element_bytes)
      if (const auto at = seen.panel.at(address + byte))
        widen(seen, std::exchange(none, false), at->row, at->col, at->col);
    return;
  }
  const std::uint64_t element = (address - seen.panel.base) / seen.panel.element_bytes;
  const std::uint64_t more =
      std::max(cell.bytes, seen.panel.element_bytes) / seen.panel.element_bytes - 1;
  const std::uint64_t row = element / seen.panel.cols, col = element % seen.panel.cols;
  widen(seen, first, row, col, std::min(col + more, seen.panel.cols - 1));
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
  return fmt::format("{}{}", first, count > 1 ? fmt::format("–{}", first + count - 1) : "");
}

std::optional<MapPanel::At> MapPanel::at(std::uint64_t where) const {
  if (where - base >= bytes || cols == 0) return std::nullopt;
  if (tensor) {
    const auto element = tensor->element_at(where);
    return element ? std::optional(place_of(*this, element->at)) : std::nullopt;
  }
  const std::uint64_t element = (where - base) / element_bytes;
  return At{element / cols, element % cols};
}

TensorCoordinates MapPanel::coordinates(std::uint64_t row, std::uint64_t col) const {
  if (tensor->rank() == 1) return {std::min(row * page_cols + col, tensor->shape[0] - 1)};
  TensorCoordinates at{row % page_rows, col % page_cols};
  std::uint64_t page = pages_beside ? col / page_cols : row / page_rows;
  for (std::size_t mode = 2; mode < tensor->rank(); ++mode)
    at[mode] = page % tensor->shape[mode], page /= tensor->shape[mode];
  return at;
}

std::uint64_t MapPanel::address(std::uint64_t row, std::uint64_t col) const {
  return tensor ? tensor->address(coordinates(row, col))
                : base + (row * cols + col) * element_bytes;
}

bool MapPanel::is_touched(std::uint64_t row, std::uint64_t col) const {
  if (!box.contains(row, col)) return false;
  return touched.empty() || touched[(row - box.row) * box.cols + col - box.col];
}

std::vector<MapPanel> make_panels(const Picture& picture) {
  std::vector<Seen> all = all_arrays(picture);
  const Touches touches(picture, all);
  Seen* last = nullptr;
  const auto access_of = [&](const ChainLink& link) -> const AccessInfo& {
    return picture.kernel().accesses[static_cast<std::size_t>(link.access)];
  };
  touches.each([&](const ChainLink& link) {
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
  touches.each([&](const ChainLink& link) {
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

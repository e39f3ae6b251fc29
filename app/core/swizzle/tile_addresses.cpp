#include "core/swizzle/tile_addresses.h"

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "core/journey/journey.h"
#include "core/text/expression.h"
#include "lanescope/memory.h"
#include "lanescope/tensor_tile.h"

namespace lanescope::app {
namespace {

constexpr long long kMostOffset = 1 << 20;

/// An element of a matrix and where it was stored.
struct Stored {
  std::uint64_t row = 0, column = 0, offset = 0;
};

/// What was stored to one array between two barriers, from one buffer.
struct Gathered {
  std::uint32_t interval = 0;
  int buffer = -1;
  std::vector<Stored> elements;
};

std::optional<Stored> stored_at(const BufferLayout& buffer, Token element, std::uint64_t offset) {
  if (element - buffer.base >= buffer.bytes) return std::nullopt;
  const std::uint64_t index = (element - buffer.base) / std::max(1u, buffer.element_bytes);
  const std::uint64_t columns = std::max<std::uint64_t>(1, buffer.cols());
  return Stored{index / columns, index % columns, offset};
}

int buffer_of(const Picture& picture, Token element) {
  const auto& buffers = picture.prepared->buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (element - buffers[i].base < buffers[i].bytes) return static_cast<int>(i);
  return -1;
}

int array_of(const Picture& picture, std::uint64_t address) {
  const std::uint64_t offset = address - kSharedWindow;
  const auto& arrays = picture.kernel().shared_arrays;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const std::uint64_t bytes =
        arrays[i].bytes ? arrays[i].bytes : picture.prepared->shared_bytes() - arrays[i].offset;
    if (offset - arrays[i].offset < bytes) return static_cast<int>(i);
  }
  return -1;
}

/// Takes one lane's store: each element of its that is a copy.
void gather(const Picture& picture, Gathered& into, const SharedArray& array, std::uint64_t address,
            std::span<const Token> tokens, std::uint32_t unit) {
  const std::uint32_t step = std::max(1u, array.element_bytes);
  const std::uint64_t first = address - kSharedWindow - array.offset;
  for (std::uint64_t byte = 0; byte < tokens.size() * unit; byte += step) {
    const Token token = tokens[byte / unit];
    if (!is_element(token) || (first + byte) % step != 0) continue;
    const Token element = token + byte % unit;
    if (into.buffer < 0) into.buffer = buffer_of(picture, element);
    if (into.buffer < 0) continue;
    const BufferLayout& buffer = picture.prepared->buffers[static_cast<std::size_t>(into.buffer)];
    if (buffer.element_bytes != step) continue;
    if (const auto stored = stored_at(buffer, element, (first + byte) / step))
      into.elements.push_back(*stored);
  }
}

RecordedTile tile_of(const Picture& picture, int number, const Gathered& gathered) {
  const SharedArray& array = picture.kernel().shared_arrays[static_cast<std::size_t>(number)];
  std::uint64_t top = ~0ull, left = ~0ull, bottom = 0, right = 0;
  for (const Stored& stored : gathered.elements) {
    top = std::min(top, stored.row), bottom = std::max(bottom, stored.row);
    left = std::min(left, stored.column), right = std::max(right, stored.column);
  }
  RecordedTile tile{.array = number,
                    .name = array.name,
                    .from =
                        picture.prepared->buffers[static_cast<std::size_t>(gathered.buffer)].name,
                    .addresses = {},
                    .cut = false};
  const std::uint64_t columns = std::min<std::uint64_t>(right - left + 1, kMostTileElements);
  const std::uint64_t rows = std::min(bottom - top + 1, kMostTileElements / columns);
  tile.cut = rows < bottom - top + 1 || columns < right - left + 1;
  TileAddresses& to = tile.addresses;
  to.rows = static_cast<int>(rows), to.columns = static_cast<int>(columns);
  to.element_bytes = array.element_bytes;
  to.base = array.offset;
  to.offset.assign(rows * columns, TileAddresses::kUnknown);
  for (const Stored& stored : gathered.elements) {
    const std::uint64_t row = stored.row - top, column = stored.column - left;
    if (row >= rows || column >= columns) continue;
    std::int64_t& offset = to.offset[row * columns + column];
    if (offset == TileAddresses::kUnknown) offset = static_cast<std::int64_t>(stored.offset);
  }
  return tile;
}

RecordedTile copied_tile(const Picture& picture, const AccessInfo& access, const BulkStep& step) {
  const TensorMap& map = *step.map;
  const int array = array_of(picture, kSharedWindow + step.shared);
  const int buffer = buffer_of(picture, map.address);
  RecordedTile tile{
      .access = static_cast<int>(access.id),
      .first = locate(picture, step.global).text(),
      .name = (array < 0 ? std::string()
                         : picture.kernel().shared_arrays[static_cast<std::size_t>(array)].name) +
              fmt::format(":{}", access.pos.line),
      .from = buffer < 0 ? std::string()
                         : picture.prepared->buffers[static_cast<std::size_t>(buffer)].name,
      .addresses = {}};
  TileAddresses& to = tile.addresses;
  const std::uint32_t columns = map.box[0], bytes = map.element_bytes;
  const std::uint32_t rows =
      std::min(map.rows(), static_cast<std::uint32_t>(kMostTileElements) / columns);
  tile.cut = rows < map.rows();
  to.rows = static_cast<int>(rows), to.columns = static_cast<int>(columns);
  to.element_bytes = bytes;
  to.base = step.shared;
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t column = 0; column < columns; ++column)
      to.offset.push_back((std::int64_t{swizzled(map.swizzle, step.shared + row * map.row_pitch() +
                                                                  column * bytes)} -
                           std::int64_t{step.shared}) /
                          bytes);
  return tile;
}

void add_copied_tiles(const Picture& picture, std::vector<RecordedTile>& tiles) {
  const BlockTrace* trace = picture.trace();
  if (!trace) return;
  std::vector<bool> seen(picture.kernel().accesses.size());
  for (const WarpTrack& track : trace->warps)
    for (std::size_t step = 0; step < track.size(); ++step) {
      const OpInfo& op = picture.kernel().ops[track.op[step]];
      if (op.kind != StepKind::warp_op || op.access < 0 || track.rows[step] == WarpTrack::kNoRows)
        continue;
      const auto id = static_cast<std::size_t>(op.access);
      const AccessInfo& access = picture.kernel().accesses[id];
      if (access.op == AccessOp::product || access.components == 0 || seen[id]) continue;
      seen[id] = true;
      const auto copies = bulk_steps(trace->rows, track.rows[step], track.mask[step], true);
      if (!copies.empty() && copies.front().map)
        tiles.push_back(copied_tile(picture, access, copies.front()));
    }
}

// Neighbours in memory are neighbours in the first mode.
bool goes_down(const PlacedTensor& tensor) {
  return !tensor.axes.empty() && tensor.axes.back().mode == 0;
}

void add_tensors(const Picture& picture, std::vector<RecordedTile>& tiles) {
  for (const PlacedTensorPtr& tensor : picture.tensors) {
    if (space_of(tensor->base) != MemorySpace::shared || tensor->rank() < 2) continue;
    RecordedTile tile{.name = tensor->name, .addresses = {}, .tensor = tensor};
    tile.turned = goes_down(*tensor);
    const std::uint64_t all_rows = tensor->shape[tile.turned ? 1 : 0],
                        all_columns = tensor->shape[tile.turned ? 0 : 1];
    const std::uint64_t columns = std::min<std::uint64_t>(all_columns, kMostTileElements);
    const std::uint64_t rows = std::min(all_rows, kMostTileElements / columns);
    tile.cut = rows < all_rows || columns < all_columns;
    TileAddresses& to = tile.addresses;
    to.rows = static_cast<int>(rows), to.columns = static_cast<int>(columns);
    to.element_bytes = tensor->element_bytes;
    to.base = tensor->begin - kSharedWindow;
    for (std::uint64_t row = 0; row < rows; ++row)
      for (std::uint64_t column = 0; column < columns; ++column) {
        const TensorCoordinates at =
            tile.turned ? TensorCoordinates{column, row} : TensorCoordinates{row, column};
        to.offset.push_back(static_cast<std::int64_t>((tensor->address(at) - tensor->begin) /
                                                      tensor->element_bytes));
      }
    tiles.push_back(std::move(tile));
  }
  std::stable_sort(tiles.begin(), tiles.end(), [](const RecordedTile& a, const RecordedTile& b) {
    return a.addresses.base < b.addresses.base;
  });
}

bool named_by_tensors(const Picture& picture, int array) {
  const SharedArray& of = picture.kernel().shared_arrays[static_cast<std::size_t>(array)];
  const std::uint64_t begin = kSharedWindow + of.offset,
                      end = of.bytes ? begin + of.bytes
                                     : kSharedWindow + picture.prepared->shared_bytes();
  return std::any_of(picture.tensors.begin(), picture.tensors.end(), [&](const auto& tensor) {
    return tensor->rank() > 1 && tensor->begin < end && begin < tensor->end;
  });
}

void add_stored_tiles(const Picture& picture, const Journey& journey,
                      std::vector<RecordedTile>& tiles) {
  std::map<int, Gathered> by_array;
  const auto moves = journey.moves();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const JourneyMove& move = moves[i];
    if (move.leg != Leg::tile_store || move.part) continue;
    const LaneRow row = journey.addresses(i);
    for (LaneMask mask = move.mask; mask != 0; mask &= mask - 1) {
      const int lane = std::countr_zero(mask);
      const std::uint64_t address = row[static_cast<std::size_t>(lane)];
      const int array = array_of(picture, address);
      if (array < 0) continue;
      Gathered& into =
          by_array
              .try_emplace(array, Gathered{.interval = move.interval, .buffer = -1, .elements = {}})
              .first->second;
      if (into.interval != move.interval) continue;  // another tile, in the same place
      gather(picture, into, picture.kernel().shared_arrays[static_cast<std::size_t>(array)],
             address, journey.tokens(i, lane), journey.unit());
    }
  }
  for (const auto& [array, gathered] : by_array)
    if (gathered.elements.size() > 1 && !named_by_tensors(picture, array))
      tiles.push_back(tile_of(picture, array, gathered));
}

std::optional<TileElement> find_double(const TileAddresses& tile, TileElement& other) {
  std::unordered_map<std::int64_t, TileElement> seen;
  for (int row = 0; row < tile.rows; ++row)
    for (int column = 0; column < tile.columns; ++column) {
      const auto [known, is_new] = seen.try_emplace(tile.at(row, column), TileElement{row, column});
      if (is_new) continue;
      other = {row, column};
      return known->second;
    }
  return std::nullopt;
}

}  // namespace

std::vector<RecordedTile> recorded_tiles(const Picture& picture) {
  std::vector<RecordedTile> tiles;
  if (!picture.prepared->program) return tiles;
  add_tensors(picture, tiles);
  if (picture.journey) add_stored_tiles(picture, *picture.journey, tiles);
  add_copied_tiles(picture, tiles);
  return tiles;
}

int tile_reached(const std::vector<RecordedTile>& tiles, const Picture& picture,
                 const Execution& execution) {
  if (execution.space != MemorySpace::shared || execution.mask == 0) return -1;
  const auto lane = static_cast<std::size_t>(std::countr_zero(execution.mask));
  const Place place = locate(picture, execution.address[lane]);
  const auto found = std::find_if(tiles.begin(), tiles.end(), [&](const RecordedTile& tile) {
    return place.tensor ? tile.tensor == place.tensor : tile.array == place.array;
  });
  return found == tiles.end() ? -1 : static_cast<int>(found - tiles.begin());
}

std::string usual_formula(int columns, std::uint32_t element_bytes) {
  const int chunk = element_bytes >= 16 ? 1 : static_cast<int>(16 / element_bytes);
  const int chunks = std::max(1, columns / chunk);
  return fmt::format("row*{} + ((chunk ^ row % {})*{} + col % {})", columns, std::min(8, chunks),
                     chunk, chunk);
}

FormulaTile formula_tile(const TileFormula& formula) {
  FormulaTile out;
  TileAddresses tile{.rows = formula.rows,
                     .columns = formula.columns,
                     .element_bytes = formula.element_bytes,
                     .base = 0,
                     .offset = {}};
  for (int row = 0; row < tile.rows; ++row)
    for (int column = 0; column < tile.columns; ++column) {
      bool known = true;
      const Names names = [&](std::string_view name) -> std::optional<long long> {
        if (name == "row") return row;
        if (name == "col") return column;
        if (name == "chunk") return column / tile.chunk();
        known = false;
        return std::nullopt;
      };
      std::size_t wrong = 0;
      const auto offset = evaluate(formula.text, names, &wrong);
      if (!offset && (row + column == 0 || !known)) return {.wrong_at = wrong};
      if (!offset || *offset < 0 || *offset >= kMostOffset)
        return {.no_offset = TileElement{row, column}};
      tile.offset.push_back(*offset);
    }
  TileElement other;
  if (const auto first = find_double(tile, other)) out.same_place = {*first, other};
  out.addresses = std::move(tile);
  return out;
}

}  // namespace lanescope::app

// What the views of matrix instructions and of swizzles show, as comma-separated values.
#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/export/export.h"
#include "core/matrix/recorded_instruction.h"
#include "core/picture/chain.h"
#include "core/picture/execution.h"
#include "core/swizzle/tile_addresses.h"
#include "core/swizzle/tile_traffic.h"
#include "core/text/csv.h"

namespace lanescope::app {
namespace {

std::string decimal(long long value) { return std::to_string(value); }

struct Shown {
  MatrixInstruction instruction;
  FragmentValues values;
};

/// What was executed nearest to the selection; else what the text writes out first.
Shown shown_instruction(const Picture& picture, const Selection& selection) {
  const bool has_warp = picture.trace() && selection.warp < picture.trace()->warps.size();
  if (has_warp)
    if (const auto step = nearest_matrix_step(picture, selection.warp, selection.step))
      if (auto recorded = recorded_instruction(picture, selection.warp, *step))
        return {recorded->instruction, std::move(recorded->values)};
  return {first_instruction(picture.prepared->settings.text), {}};
}

const std::vector<LaneRow>& rows_of(const FragmentValues& values, const FragmentPanel& panel) {
  if (panel.role() == MatrixRole::b) return values.operands.b;
  return panel.role() == MatrixRole::accumulator ? values.d : values.operands.a;
}

/// The recorded tile of the array that the selected access reaches, else the first.
std::optional<RecordedTile> shown_tile(const Picture& picture, const Selection& selection) {
  const std::vector<RecordedTile> tiles = recorded_tiles(picture);
  if (tiles.empty()) return std::nullopt;
  const auto step = shown_access_step(picture, selection);
  if (!step) return tiles.front();
  const auto execution = execution_at(picture, picture.trace()->warps[selection.warp], *step);
  const int reached = execution ? tile_reached(tiles, picture, *execution) : -1;
  return tiles[static_cast<std::size_t>(std::max(0, reached))];
}

constexpr const char* kReadIds[kTileReads] = {"rows", "columns", "ldmatrix", "float4_rows",
                                              "float4_columns"};

std::vector<std::string> swizzle_row(const std::string& array, const std::string& kind,
                                     const std::optional<Swizzle>& swizzle,
                                     const std::array<ReadCost, kTileReads>& costs,
                                     const std::optional<SharedCounts>& block) {
  std::vector<std::string> row = {array, kind};
  for (const int value :
       swizzle ? std::array{swizzle->bits, swizzle->base, swizzle->shift} : std::array{-1, -1, -1})
    row.push_back(swizzle ? decimal(value) : "");
  for (const ReadCost& cost : costs) {
    const bool known = cost.possible && cost.wavefronts > 0;
    row.push_back(known ? std::to_string(cost.wavefronts) : "");
    row.push_back(known ? std::to_string(cost.conflicts) : "");
  }
  row.push_back(block ? std::to_string(block->wavefronts) : "");
  row.push_back(block ? std::to_string(block->conflicts) : "");
  return row;
}

}  // namespace

std::string csv_of_fragments(const Picture& picture, const Selection& selection) {
  std::string csv = csv_line({"instruction", "recorded", "matrix", "row", "column", "lane",
                              "register", "part", "address_lane", "value"});
  const Shown shown = shown_instruction(picture, selection);
  for (const FragmentPanel& panel : panels_of(shown.instruction)) {
    const std::vector<LaneRow>& rows = rows_of(shown.values, panel);
    for (int row = 0; row < panel.rows(); ++row)
      for (int column = 0; column < panel.columns(); ++column) {
        const MatrixElement at{row, column};
        const FragmentSlot slot = panel.slot(at);
        const bool known = shown.values.recorded && !rows.empty();
        csv += csv_line({instruction_name(shown.instruction), shown.values.recorded ? "1" : "0",
                         panel.title(), decimal(row), decimal(column), decimal(slot.lane),
                         panel.register_name(slot.reg), decimal(slot.part),
                         panel.address_lane(row) < 0 ? "" : decimal(panel.address_lane(row)),
                         known ? value_text(panel.type(), panel.bits(rows, at)) : ""});
      }
  }
  return csv;
}

std::string csv_of_swizzles(const Picture& picture, const Selection& selection) {
  std::vector<std::string> head = {"array", "layout", "bits", "base", "shift"};
  for (const char* read : kReadIds)
    for (const char* what : {"_wavefronts", "_conflicts"}) head.push_back(std::string(read) + what);
  head.insert(head.end(), {"block_wavefronts", "block_conflicts"});
  std::string csv = csv_line(head);
  if (!picture.prepared->program || !picture.trace()) return csv;
  const auto tile = shown_tile(picture, selection);
  if (!tile) return csv;
  const auto traffic = tile_traffic(picture, selection.access);
  const bool same = traffic && traffic->array == tile->array;
  const auto of_block = [&](const Swizzle& swizzle) -> std::optional<SharedCounts> {
    if (!same) return std::nullopt;
    return cost_with(*traffic, swizzle);
  };
  std::array<ReadCost, kTileReads> recorded;
  for (int read = 0; read < kTileReads; ++read)
    recorded[static_cast<std::size_t>(read)] =
        read_cost(tile->addresses, static_cast<TileRead>(read));
  const auto layout = find_layout(tile->addresses);
  csv += csv_line(swizzle_row(tile->name, "recorded",
                              layout ? std::optional(layout->swizzle) : std::nullopt, recorded,
                              of_block({})));
  // With another swizzle in place, what the block would do without it is not known.
  const bool plain = layout && layout->swizzle.bits == 0 && !layout->by_columns;
  const std::uint64_t pitch =
      plain ? layout->pitch : std::bit_ceil(static_cast<std::uint64_t>(tile->addresses.columns));
  for (const TriedSwizzle& each : try_swizzles(tile->addresses, pitch))
    csv += csv_line(swizzle_row(tile->name, "tried", each.swizzle, each.cost,
                                plain ? of_block(each.swizzle) : std::nullopt));
  return csv;
}

}  // namespace lanescope::app

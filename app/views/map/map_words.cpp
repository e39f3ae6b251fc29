// What the index map says below its panels: the formula, the way of the lane, the layouts that its
// index is read with, and where the block goes.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/journey/copies.h"
#include "core/picture/formula.h"
#include "core/text/expression.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/map/index_map.h"

namespace lanescope::app {
namespace {

using Drawn = IndexMapState::Drawn;

// "warp 0 lane 5: in[64][37] → tile[0][5]    warp 5 lane 0: tile[0][5] → out[37][64]"
std::string chain_text(const ViewContext& ctx, const std::vector<ChainLink>& chain) {
  std::string text;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const ChainLink& link = chain[i];
    const std::string place = locate(*ctx.picture, link.cell.address).text();
    if (place.empty()) continue;
    const bool same_thread =
        i > 0 && chain[i - 1].warp == link.warp && chain[i - 1].lane == link.lane;
    if (same_thread && !text.empty()) {
      text += " → ";
    } else {
      text += (text.empty() ? "" : "    ") + tr("warp {0} lane {1}: ", {link.warp, link.lane});
    }
    text += place;
  }
  return text;
}

// Of what the front matter names, else of the extents as declared; nullopt for one dimension.
std::optional<IndexLayout> layout_of(const Picture& picture, const Place& place) {
  for (const IndexLayout& layout : picture.prepared->layouts) {
    if (!layout.variable && layout.of == place.name) return layout;
  }
  if (place.array < 0) return std::nullopt;
  const auto index = static_cast<std::size_t>(place.array);
  std::vector<std::uint64_t> shape;
  if (place.space == MemorySpace::shared) {
    const auto& dims = picture.kernel().shared_arrays[index].dims;
    shape.assign(dims.begin(), dims.end());
  } else {
    shape = picture.prepared->buffers[index].dims;
  }
  if (shape.size() < 2) return std::nullopt;
  return row_major(place.name, std::move(shape));
}

std::string layout_text(const IndexLayout& layout, std::uint64_t index) {
  std::string text = layout.of + " " + layout.shape_text() + "   " + layout.sum_text(index);
  if (!layout.inside(index)) text += "  (" + std::string(tr("outside the shape")) + ")";
  return text;
}

// "sA Sw<3,3,3> o (128,64):(64,1)   5*64 + 3*1 = 323 → 363"
std::string tensor_text(const Place& place) {
  return place.name + " " + place.tensor->layout + "   " + place.tensor->sum_text(place.at);
}

// One line for each layout that the lane's way touches: what the front matter says of them first.
std::vector<std::string> layout_lines(const ViewContext& ctx, const std::vector<ChainLink>& chain) {
  const Picture& picture = *ctx.picture;
  std::vector<std::string> told, declared, named;
  for (const IndexLayout& layout : picture.prepared->layouts) {
    if (!layout.variable || chain.empty()) continue;
    for (const ChainLink* link : {&chain.back(), &chain.front()}) {
      const auto value =
          evaluate(substitute(picture, link->warp, link->step, link->lane, layout.of));
      if (!value || *value < 0) continue;
      told.push_back(layout_text(layout, static_cast<std::uint64_t>(*value)));
      break;
    }
  }
  for (const ChainLink& link : chain) {
    const Place place = locate(picture, link.cell.address);
    if (std::find(named.begin(), named.end(), place.name) != named.end()) continue;
    if (place.tensor) {
      named.push_back(place.name);
      told.push_back(tensor_text(place));
      continue;
    }
    const auto layout = layout_of(picture, place);
    if (!layout) continue;
    named.push_back(place.name);
    (layout->axes.empty() ? declared : told).push_back(layout_text(*layout, place.element));
  }
  told.insert(told.end(), declared.begin(), declared.end());
  return told;
}

// "in [0–7][32–63]: 8 × 32"
std::string box_text(const MapPanel& panel) {
  const CellWindow& box = panel.box;
  return fmt::format("{} {}: {} × {}", panel.name, map_range_text(panel, box), box.rows, box.cols);
}

std::string block_text(const ViewContext& ctx, const IndexMapState& state) {
  std::string from, to;
  for (const Drawn& drawn : state.panels) {
    if (drawn.panel.role != PanelRole::input && drawn.panel.role != PanelRole::output) continue;
    std::string& side = drawn.panel.role == PanelRole::input ? from : to;
    side += (side.empty() ? "" : ", ") + box_text(drawn.panel);
  }
  const Dim3 block = ctx.focus.trace->block;
  const std::string text = tr("block ({0}, {1})", {block.x, block.y}) + ": " + from;
  return to.empty() ? text : text + " → " + to;
}

void line(const std::string& text, ImU32 color) {
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  wrapped_text(text);
  ImGui::PopStyleColor();
}

std::string box_of(const BulkStep& copy) {
  if (!copy.map) return tr("{0} bytes", {copy.bytes});
  std::string box, first;
  for (std::size_t d = 0; d < static_cast<std::size_t>(copy.map->rank); ++d) {
    box += fmt::format("{}{}", d == 0 ? "" : " × ", copy.map->box[d]);
    first += fmt::format("{}{}", d == 0 ? "" : ", ", copy.first[d]);
  }
  const std::uint32_t width = swizzle_bytes(copy.map->swizzle);
  return tr("box of {0} at ({1})", {box, first}) + ", " +
         (width == 0 ? std::string(tr("no swizzle")) : tr("swizzle of {0} bytes", {width}));
}

// "the copy engine brings chunks 32–63 of 512 into the tile, for warp 0 · box of 64 × 64 at (64, 0)"
std::string copy_text(const ViewContext& ctx, const JourneyMove& move) {
  const auto copies = copies_at(ctx.picture->kernel(), *ctx.focus.trace, move.warp, move.step);
  std::uint64_t chunks = 0;
  for (const BulkStep& copy : copies) chunks += bulk_chunks(copy).size();
  const std::uint64_t first = std::uint64_t{*move.part} * kLanes,
                      last = std::min<std::uint64_t>(chunks, first + kLanes) - 1;
  std::string text =
      move.leg == Leg::store
          ? tr("the copy engine takes chunks {0}–{1} of {2} from the tile, for warp {3}",
               {first, last, chunks, move.warp})
          : tr("the copy engine brings chunks {0}–{1} of {2} into the tile, for warp {3}",
               {first, last, chunks, move.warp});
  if (!copies.empty()) text += "  · " + box_of(copies.front());
  if (move.empty != 0) text += "  · " + std::string(tr("nobody has stored all of that yet"));
  return text;
}

// Where there is one line only, "· 32" of "· 32 wavefronts" would be another number.
std::string unbroken(std::string text) {
  for (std::size_t at = 0; (at = text.find(' ', at)) != std::string::npos;)
    text.replace(at, 1, "\u00a0");
  return text;
}

// "warp 5 reads from the tile: tile[icol][irow]": the move that is shown.
std::string move_text(const ViewContext& ctx, const IndexMapState& state) {
  const auto moment = moment_of(*state.journey.journey, state.play.position);
  if (!moment) return tr("Nothing has moved yet: the tile and the output are empty.");
  const JourneyMove& move = state.journey.journey->moves()[moment->move];
  if (move.leg == Leg::barrier)
    return tr("barrier: every warp of the block waits here for all others");
  if (move.part) return copy_text(ctx, move);
  std::string text =
      move.leg == Leg::load ? tr("warp {0} loads from global memory", {move.warp})
      : move.copied_from
          ? tr("warp {0} copies asynchronously into the tile, past its registers", {move.warp})
      : move.leg == Leg::tile_store ? tr("warp {0} stores to the tile", {move.warp})
      : move.leg == Leg::tile_load  ? tr("warp {0} reads from the tile", {move.warp})
                                    : tr("warp {0} stores to global memory", {move.warp});
  text += "  " + ctx.picture->kernel().accesses[static_cast<std::size_t>(move.access)].text;
  if (move.ticks > 1) text += "  " + unbroken("· " + tr("{0} wavefronts", {move.ticks}));
  if (move.empty != 0)
    text += "  · " +
            tr("{0} lanes read cells that nobody has stored to yet", {std::popcount(move.empty)});
  return text;
}

void draw_lines(const ViewContext& ctx, const IndexMapState& state) {
  if (const std::string race = map_race_text(ctx); !race.empty()) line(race, ctx.theme.error);
  if (!state.at_blocks()) line(move_text(ctx, state), ctx.theme.text);
  if (state.at_blocks()) line(block_text(ctx, state), ctx.theme.text);
  int lane = ctx.focus.lit_lane;
  std::vector<ChainLink> chain = ctx.focus.lit;
  if (chain.empty() && ctx.focus.shown && ctx.focus.shown->mask) {
    lane = std::countr_zero(ctx.focus.shown->mask);
    chain = ctx.focus.chains[static_cast<std::size_t>(lane)];
  }
  std::optional<Formula> formula;
  if (ctx.focus.active(lane))
    formula = formula_of(*ctx.picture, ctx.focus.warp, ctx.focus.shown->step, lane);
  else if (!chain.empty())
    formula = formula_of(*ctx.picture, chain.front().warp, chain.front().step, chain.front().lane);
  if (formula)
    line(tr_message(formula->told()), ctx.focus.lit.empty() ? ctx.theme.text : ctx.theme.selection);
  line(chain_text(ctx, chain), ctx.theme.dim);
  for (const std::string& one : layout_lines(ctx, chain)) line(one, ctx.theme.dim);
}

}  // namespace

void draw_map_words(const ViewContext& ctx, const IndexMapState& state) {
  if (ctx.predicting) return;  // the formula ends in the answer
  ImGui::PushFont(ctx.fonts.mono, ImGui::GetStyle().FontSizeBase * 0.85f);
  ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, 1);
  draw_lines(ctx, state);
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

}  // namespace lanescope::app

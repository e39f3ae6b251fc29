#include "views/swizzle/swizzle_view.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "imgui_stdlib.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

constexpr float kBeside = 900;     // units wide from which the table stands beside the pictures
constexpr float kBelow = 520;      // units high from which it stands below them
constexpr float kTableWide = 600;  // units that it takes there

// The array that the selected access reaches; -1 for none that was recorded.
int shown_tile(const ViewContext& ctx, const SwizzleState& state) {
  if (state.tiles.empty()) return -1;
  const int last = static_cast<int>(state.tiles.size()) - 1;
  if (state.chosen >= 0) return std::min(state.chosen, last);
  if (ctx.focus.access && is_of_engine(ctx.focus.access->op)) {
    const auto copied =
        std::find_if(state.tiles.begin(), state.tiles.end(), [&](const RecordedTile& tile) {
          return tile.access == static_cast<int>(ctx.focus.access->id);
        });
    if (copied != state.tiles.end()) return static_cast<int>(copied - state.tiles.begin());
  }
  const Execution* shown = ctx.focus.in(MemorySpace::shared);
  return shown ? std::max(0, tile_reached(state.tiles, *ctx.picture, *shown)) : 0;
}

void work_out(SwizzleState& state) {
  state.layout.reset(), state.tried.clear();
  state.hovered.reset(), state.pointed.reset();
  // What is typed is looked at itself; another run of a kernel leaves held what was held.
  if (state.made.by_formula) state.instead.reset();
  const auto& tile = state.tile;
  if (state.pinned &&
      (!tile || state.pinned->row >= tile->rows || state.pinned->column >= tile->columns))
    state.pinned.reset();
  if (!state.tile) return;
  state.layout = find_layout(*state.tile);
  for (int read = 0; read < kTileReads; ++read)
    state.cost[static_cast<std::size_t>(read)] =
        read_cost(*state.tile, static_cast<TileRead>(read));
  const bool by_rows = state.layout && !state.layout->by_columns;
  const auto columns = static_cast<std::uint64_t>(state.tile->columns);
  state.tried = try_swizzles(*state.tile, by_rows ? state.layout->pitch : std::bit_ceil(columns));
}

void follow(const ViewContext& ctx, SwizzleState& state) {
  if (ctx.picture && state.serial != ctx.picture->serial) {
    state.serial = ctx.picture->serial;
    state.tiles = recorded_tiles(*ctx.picture);
  }
  const int tile = shown_tile(ctx, state);
  const bool by_formula = state.by_formula || tile < 0;
  SwizzleState::Made now{by_formula, 0, -1, {}};
  if (by_formula)
    now.formula = state.formula;
  else
    now.serial = state.serial, now.tile = tile;
  if (now == state.made) return;
  state.made = now;
  if (by_formula) {
    state.from_formula = formula_tile(state.formula);
    state.tile = state.from_formula.addresses;
  } else {
    state.tile = state.tiles[static_cast<std::size_t>(tile)].addresses;
  }
  work_out(state);
}

void choose_source(const ViewContext& ctx, SwizzleState& state) {
  const int shown = shown_tile(ctx, state);
  const std::string formula = tr("a formula");
  std::string now = formula;
  if (!state.made.by_formula && shown >= 0) now = state.tiles[static_cast<std::size_t>(shown)].name;
  if (ctx.still) return headline(ctx, now, ctx.theme.text);
  ImGui::SetNextItemWidth(ImGui::CalcTextSize(formula.c_str()).x + 4 * ImGui::GetFrameHeight());
  if (!ImGui::BeginCombo("##source", now.c_str())) return;
  for (int i = 0; i < static_cast<int>(state.tiles.size()); ++i) {
    const RecordedTile& tile = state.tiles[static_cast<std::size_t>(i)];
    const std::string name = tr("{0}, as recorded", {tile.name});
    if (ImGui::Selectable((name + "###" + tile.name).c_str(),
                          !state.made.by_formula && i == shown)) {
      state.chosen = i;
      state.by_formula = false;
    }
  }
  if (ImGui::Selectable((formula + "###formula").c_str(), state.made.by_formula))
    state.by_formula = true;
  ImGui::EndCombo();
}

void whole_number(const char* id, const char* label, int& value, int least, int most, float width) {
  ImGui::SameLine();
  ImGui::SetNextItemWidth(width);
  int typed = value;
  ImGui::PushID(id);
  ImGui::InputInt(label, &typed, 0);
  ImGui::PopID();
  if (!ImGui::IsItemActive() || ImGui::IsItemDeactivatedAfterEdit() || typed != value)
    value = std::clamp(typed, least, most);
}

void type_formula(const ViewContext& ctx, SwizzleState& state) {
  TileFormula& formula = state.formula;
  const float small = ImGui::GetFontSize() * 2.6f;
  ImGui::SetNextItemWidth(
      std::max(ImGui::GetFontSize() * 9,
               std::min(ImGui::GetContentRegionAvail().x - 7 * small, ImGui::GetFontSize() * 26)));
  ImGui::PushFont(ctx.fonts.mono, ImGui::GetStyle().FontSizeBase);
  ImGui::InputText("##formula", &formula.text);
  ImGui::PopFont();
  item_tooltip(tr("an element's offset, of row, col and chunk (the column's 16 bytes)"));
  whole_number("rows", tr("rows"), formula.rows, 1, 256, small);
  whole_number("columns", tr("columns"), formula.columns, 1, kMostTileElements / formula.rows,
               small);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(small + ImGui::GetFrameHeight());
  const std::string bytes = std::to_string(formula.element_bytes);
  if (ImGui::BeginCombo(tr("bytes"), bytes.c_str())) {
    for (const std::uint32_t size : {1u, 2u, 4u, 8u, 16u})
      if (ImGui::Selectable(std::to_string(size).c_str(), size == formula.element_bytes))
        formula.element_bytes = size;
    ImGui::EndCombo();
  }
}

std::string element_text(TileElement at) { return fmt::format("({}, {})", at.row, at.column); }

// What is wrong with the formula, with a caret where it goes wrong.
void formula_errors(const ViewContext& ctx, const SwizzleState& state) {
  const FormulaTile& from = state.from_formula;
  ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.error);
  if (from.wrong_at) {
    const std::string& text = state.formula.text;
    ImGui::PushFont(ctx.fonts.mono, ImGui::GetStyle().FontSizeBase);
    wrapped_text(text);
    wrapped_text(std::string(std::min(*from.wrong_at, text.size()), ' ') + "^");
    ImGui::PopFont();
    wrapped_text(tr("From column {0} on this is no expression of row, col, chunk, "
                    "numbers and + - * / % << >> & ^ |",
                    {*from.wrong_at + 1}));
  }
  if (from.no_offset)
    wrapped_text(tr("Element {0} has no offset: it is negative, too large, or divided by zero",
                    {element_text(*from.no_offset)}));
  if (from.same_place)
    wrapped_text(tr("Elements {0} and {1} lie at one place",
                    {element_text(from.same_place->first), element_text(from.same_place->second)}));
  ImGui::PopStyleColor();
}

std::string layout_text(const TileLayout& layout) {
  const std::string rows = layout.by_columns ? tr("columns {0} elements apart", {layout.pitch})
                                             : tr("rows {0} elements apart", {layout.pitch});
  return layout.swizzle.bits ? layout.swizzle.name() + " · " + rows
                             : tr("no swizzle") + (" · " + rows);
}

// Modes of several strides are no rows so many elements apart: then the layout speaks for itself.
std::string recorded_layout_text(const SwizzleState& state) {
  if (state.layout) return layout_text(*state.layout);
  const bool recorded = !state.made.by_formula && state.made.tile >= 0;
  if (recorded && state.tiles[static_cast<std::size_t>(state.made.tile)].tensor)
    return state.tiles[static_cast<std::size_t>(state.made.tile)].tensor->layout;
  return tr("no swizzle: no Swizzle<B, M, S> of rows or columns gives these addresses");
}

void tell_layout(const ViewContext& ctx, const SwizzleState& state) {
  if (state.instead)
    return headline(ctx,
                    tr("Instead: {0}", {state.instead->bits ? state.instead->name()
                                                            : std::string(tr("no swizzle"))}),
                    ctx.theme.selection);
  headline(ctx, recorded_layout_text(state), ctx.theme.text);
  if (state.made.by_formula || state.made.tile < 0) return;
  const RecordedTile& tile = state.tiles[static_cast<std::size_t>(state.made.tile)];
  std::string text =
      tr("rows and columns are those of the matrix “{0}” that the elements come from", {tile.from});
  if (tile.access >= 0)
    text = tr("the tile of a tensor copy, whose first element is {0}", {tile.first});
  if (tile.tensor)
    text =
        (tile.turned
             ? tr("columns are the first mode of the tensor {0}, rows the second", {tile.name})
             : tr("rows are the first mode of the tensor {0}, columns the second", {tile.name})) +
        " · " + tile.tensor->layout;
  if (tile.cut) text += " · " + tr("the first {0} rows", {tile.addresses.rows});
  // Where there is little room, it waits behind the headline.
  if (ImGui::GetWindowHeight() < kBelow * ctx.scale)
    item_tooltip(text);
  else
    hint(ctx, text);
}

void choose_read(SwizzleState& state) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", tr("light up"));
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ImGui::CalcTextSize(read_title(TileRead::wide_rows)).x +
                          2 * ImGui::GetFrameHeight());
  if (!ImGui::BeginCombo("##read", read_title(state.read))) return;
  for (int i = 0; i < kTileReads; ++i) {
    const auto read = static_cast<TileRead>(i);
    if (ImGui::Selectable(fmt::format("{}###{}", read_title(read), i).c_str(), state.read == read))
      state.read = read;
  }
  ImGui::EndCombo();
}

void nothing_recorded_here(const ViewContext& ctx, const SwizzleState& state) {
  if (state.made.by_formula && !state.by_formula && ctx.picture)
    hint(ctx, tr("No array of shared memory holds unchanged copies of a matrix here: a formula "
                 "shows its picture."));
}

bool is_wide(const ViewContext& ctx) { return ImGui::GetWindowWidth() > kBeside * ctx.scale; }

// Pictures and table; where there is no room for both, a button chooses.
bool shows_both(const ViewContext& ctx) {
  return is_wide(ctx) || ImGui::GetWindowHeight() > kBelow * ctx.scale;
}

void choose_part(SwizzleState& state) {
  if (ImGui::Button(state.table ? window_title("pictures", "other").c_str()
                                : window_title("table", "other").c_str()))
    state.table = !state.table;
  ImGui::SameLine();
}

// Pictures and table beside each other, or below, or one of them.
void draw_parts(const ViewContext& ctx, SwizzleState& state, const TileAddresses& tile) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool beside = is_wide(ctx), both = shows_both(ctx);
  const float gap = 12 * ctx.scale;
  if (both || !state.table) {
    const ImVec2 size = beside ? ImVec2{room.x - kTableWide * ctx.scale - gap, 0}
                               : ImVec2{0, both ? room.y * 0.6f : 0};
    ImGui::BeginChild("pictures", size, 0, ImGuiWindowFlags_NoScrollbar);
    if (!ctx.still) {
      choose_read(state);
      ImGui::SameLine();
    }
    draw_swizzle_pictures(ctx, state, tile);
    ImGui::EndChild();
  }
  if (!both && !state.table) return;
  if (beside) ImGui::SameLine(0, gap);
  ImGui::BeginChild("table", {0, 0});
  draw_swizzle_table(ctx, state);
  ImGui::EndChild();
}

}  // namespace

const char* read_title(TileRead read) {
  switch (read) {
  case TileRead::rows:
    return tr("along rows");
  case TileRead::columns:
    return tr("down columns");
  case TileRead::matrix:
    return tr("ldmatrix");
  case TileRead::wide_rows:
    return tr("float4 along rows");
  case TileRead::wide_columns:
    break;
  }
  return tr("float4 down rows");
}

void draw_swizzle(const ViewContext& ctx, SwizzleState& state, Actions&) {
  follow(ctx, state);
  state.hovered = state.pointed;
  state.pointed.reset();
  if (!shows_both(ctx) && !ctx.still) choose_part(state);
  choose_source(ctx, state);
  ImGui::SameLine();
  if (state.made.by_formula) type_formula(ctx, state);
  nothing_recorded_here(ctx, state);
  if (state.made.by_formula) formula_errors(ctx, state);
  if (!state.tile) return;
  tell_layout(ctx, state);
  TileAddresses tile = *state.tile;
  if (state.instead) {
    const bool by_rows = state.layout && !state.layout->by_columns;
    tile = addresses_of(
        {by_rows ? state.layout->pitch : std::bit_ceil(static_cast<std::uint64_t>(tile.columns)),
         false, *state.instead},
        tile);
  }
  draw_parts(ctx, state, tile);
}

}  // namespace lanescope::app
